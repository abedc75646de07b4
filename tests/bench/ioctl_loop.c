/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The floor of collecting: the commands alone, on devices that stay open, at the daemon's pace: 02h
 * of all of them once a second, C0h with every twentieth. Prints the CPU time of one round in
 * microseconds. */

#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 20
#define OCP_EVERY 20
#define DEVICES_MAX 64

static double cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int get_log(int fd, uint8_t lid, void *data, uint32_t length)
{
	struct nvme_admin_cmd c = {
		.opcode = 2,
		.nsid = 0xffffffff,
		.addr = (uintptr_t)data,
		.data_len = length,
		.cdw10 = lid | 1u << 15 | (length / 4 - 1) << 16,
	};

	return ioctl(fd, NVME_IOCTL_ADMIN_CMD, &c);
}

int main(int argc, char **argv)
{
	static uint8_t data[4096] __attribute__((aligned(4096)));
	int fds[DEVICES_MAX], n = 0;

	for (int i = 1; i < argc && n < DEVICES_MAX; i++)
		if ((fds[n++] = open(argv[i], O_RDONLY)) < 0) {
			perror(argv[i]);
			return 1;
		}
	double start = cpu_us();
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < n; i++)
			if (get_log(fds[i], 0x02, data, 512) ||
			    (round % OCP_EVERY == 0 && get_log(fds[i], 0xc0, data, 512))) {
				fprintf(stderr, "%s: a command failed\n", argv[i + 1]);
				return 1;
			}
		usleep(1000000);
	}
	printf("%.3f\n", (cpu_us() - start) / ROUNDS);
	return 0;
}
