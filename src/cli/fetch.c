/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fetch.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CONNECT_TIMEOUT 2L /* seconds */
#define TIMEOUT 5L
#define BODY_MAX (64u << 20) /* bytes; nothing of ours comes near it */

DEFINE_CLEANUP(CURL *, curl_easy_cleanup)
DEFINE_CLEANUP(struct curl_slist *, curl_slist_free_all)

static size_t take(char *bytes, size_t one, size_t n, void *userdata)
{
	struct buffer *body = userdata;

	(void)one; /* is 1 */
	if (body->length + n > BODY_MAX)
		return 0;
	buffer_put(body, bytes, n);
	return body->failed ? 0 : n;
}

/* What the system said where it said something: "Connection refused" tells more than that there was
 * no connection. */
static int failure(CURL *curl, CURLcode code, const char *detail, char *error)
{
	long number = 0;

	if (code == CURLE_OPERATION_TIMEDOUT) {
		snprintf(error, FETCH_ERROR_MAX, "no answer in time");
		return -ETIMEDOUT;
	}
	if (code == CURLE_OUT_OF_MEMORY)
		number = ENOMEM;
	else if (code == CURLE_COULDNT_CONNECT)
		curl_easy_getinfo(curl, CURLINFO_OS_ERRNO, &number);
	snprintf(error, FETCH_ERROR_MAX, "%s",
		 number ? strerror((int)number) : detail[0] ? detail : curl_easy_strerror(code));
	return number ? -(int)number : -ECOMM;
}

/* Who we talk to, and who we are. */
static CURLcode set_way(CURL *curl, const struct fetch_way *way)
{
	CURLcode c = curl_easy_setopt(curl, CURLOPT_TIMEOUT, way->seconds ? way->seconds : TIMEOUT);

	if (!c && way->local)
		c = curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
	if (!c && way->certificate) {
		c = curl_easy_setopt(curl, CURLOPT_CAINFO, way->certificate);
		c = c ? c : curl_easy_setopt(curl, CURLOPT_CAPATH, NULL);
		c = c ? c : curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
	}
	if (!c && way->token) {
		c = curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
		c = c ? c : curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, way->token);
	}
	return c;
}

static CURLcode set_accept(CURL *curl, const char *type, struct curl_slist **ret)
{
	char line[128];

	if (!type)
		return CURLE_OK;
	snprintf(line, sizeof(line), "Accept: %s", type);
	*ret = curl_slist_append(NULL, line);
	return *ret ? curl_easy_setopt(curl, CURLOPT_HTTPHEADER, *ret) : CURLE_OUT_OF_MEMORY;
}

static CURLcode set_up(CURL *curl, const char *url, struct buffer *body, char *detail)
{
	CURLcode c = curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, detail);

	c = c ? c : curl_easy_setopt(curl, CURLOPT_URL, url);
	c = c ? c : curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L); /* ".." may be a serial */
	c = c ? c : curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	c = c ? c : curl_easy_setopt(curl, CURLOPT_USERAGENT, "nvmewatch/" PACKAGE_VERSION);
	c = c ? c : curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_TIMEOUT);
	c = c ? c : curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	c = c ? c : curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
	return c ? c : curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
}

int fetch(const char *url, const struct fetch_way *way, struct buffer *ret,
	  char error[static FETCH_ERROR_MAX])
{
	_cleanup_(curl_slist_free_allp) struct curl_slist *headers = NULL;
	_cleanup_(curl_easy_cleanupp) CURL *curl = curl_easy_init();
	char detail[CURL_ERROR_SIZE] = "";
	long status = 0;
	CURLcode c;

	if (!curl)
		return failure(NULL, CURLE_OUT_OF_MEMORY, "", error);
	c = set_up(curl, url, ret, detail);
	c = c ? c : set_way(curl, way);
	c = c ? c : set_accept(curl, way->accept, &headers);
	c = c ? c : curl_easy_perform(curl);
	c = c ? c : curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	return c ? failure(curl, c, detail, error) : (int)status;
}
