/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The PCI function behind a controller: its folder `device`. That of a fabric's controller has no
 * such attributes. */

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "host.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/field.h"

bool host_parse_speed(const char *text, uint64_t *ret)
{
	unsigned whole, tenths = 0;
	int end = 0;

	/* "Unknown", and "Unknown speed" in older kernels. */
	if (!isdigit((unsigned char)*text))
		return false;
	if (sscanf(text, "%4u GT/s%n", &whole, &end) != 1 || !end) {
		end = 0;
		if (sscanf(text, "%4u.%1u GT/s%n", &whole, &tenths, &end) != 2 || !end)
			return false;
	}
	if (text[end] && text[end] != ' ')
		return false;
	*ret = whole * UINT64_C(1000000000) + tenths * UINT64_C(100000000);
	return *ret != 0;
}

static bool put_speed(const struct host *h, const char *name, uint8_t *bytes, unsigned at)
{
	char text[64];
	uint64_t speed;

	if (host_text(h->folder, name, text, sizeof(text)) < 0)
		return false;
	if (host_parse_speed(text, &speed))
		bytes_put(bytes + at, HOST_NUMBER, speed);
	return true;
}

int host_pcie_link(const struct host *h, uint32_t nsid, uint8_t *ret)
{
	(void)nsid;
	bool current = put_speed(h, "device/current_link_speed", ret, HOST_LINK_SPEED);
	bool max = put_speed(h, "device/max_link_speed", ret, HOST_LINK_SPEED_MAX);

	host_put_number(h->folder, "device/current_link_width", ret, HOST_LINK_WIDTH);
	host_put_number(h->folder, "device/max_link_width", ret, HOST_LINK_WIDTH_MAX);
	return current || max ? 0 : -ENODATA;
}

/* As the kernel writes them, in the order of the page. The totals have names of their own. */
static const char *const correctable[] = {
	"RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout", "NonFatalErr", "CorrIntErr",
	"HeaderOF",
};
static const char *const uncorrectable[] = {
	"Undefined", "DLP", "SDES", "TLP", "FCP", "CmpltTO", "CmpltAbrt", "UnxCmplt", "RxOF",
	"MalfTLP", "ECRC", "UnsupReq", "ACSViol", "UncorrIntErr", "BlockedTLP", "AtomicOpBlocked",
	"TLPBlockedErr", "PoisonTLPBlocked", "DMWrReqBlocked", "IDECheck", "MisIDETLP",
	"PCRC_CHECK", "TLPXlatBlocked",
};

void host_parse_aer(const char *text, const char *const *names, unsigned n, uint8_t *ret)
{
	char name[32];
	unsigned long long count;
	int used;

	for (; sscanf(text, "%31s %llu%n", name, &count, &used) == 2; text += used) {
		unsigned i = 0;

		while (i < n && strcmp(names[i], name) != 0)
			i++;
		/* A newer kernel's errors are in the total, which stands behind them. */
		if (i < n || !strncmp(name, "TOTAL_", strlen("TOTAL_")))
			bytes_put(ret + HOST_NUMBER * i, HOST_NUMBER, count);
	}
}

static bool put_errors(const struct host *h, const char *name, const char *const *names, unsigned n,
		       uint8_t *ret)
{
	char text[2048];

	if (host_text_all(h->folder, name, text, sizeof(text)) < 0)
		return false;
	host_parse_aer(text, names, n, ret);
	return true;
}

int host_pcie_aer(const struct host *h, uint32_t nsid, uint8_t *ret)
{
	(void)nsid;
	_Static_assert(ELEMENTS(correctable) == HOST_AER_CORRECTABLES - 1, "one is the total");
	_Static_assert(ELEMENTS(uncorrectable) == HOST_AER_UNCORRECTABLES - 1, "one is the total");
	bool a = put_errors(h, "device/aer_dev_correctable", correctable, ELEMENTS(correctable),
			    ret + HOST_AER_CORRECTABLE);
	bool b = put_errors(h, "device/aer_dev_nonfatal", uncorrectable, ELEMENTS(uncorrectable),
			    ret + HOST_AER_NONFATAL);
	bool c = put_errors(h, "device/aer_dev_fatal", uncorrectable, ELEMENTS(uncorrectable),
			    ret + HOST_AER_FATAL);

	return a || b || c ? 0 : -ENODATA;
}
