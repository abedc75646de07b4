/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* From a request to its answer, over a now.db as collect publishes it. No sockets. */

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../src/serve/json.h"
#include "../src/serve/routes.h"
#include "nvmewatch/boot.h"
#include "serve_support.h"

#define HOUR_US (3600 * UINT64_C(1000000))
#define ODD_KEY "S/N 1%@0000:41:00.0"
#define ODD_PATH "/api/v1/drives/S%2FN%201%25@0000:41:00.0"

static struct {
	char folder[64], path[96];
	struct now *now;
	struct server server;
	uint8_t smart[512], identify[4096];
} t;

static void publish(int64_t age)
{
	ck_assert_int_eq(now_publish(t.now, t.path, clock_real() - age, clock_mono() - age), 0);
}

static void put_drive(const char *key, bool present)
{
	struct drive d = { .present = present, .responding = true, .numa_node = -1 };

	snprintf(d.key, sizeof(d.key), "%s", key);
	strcpy(d.serial, "S/N 1%");
	strcpy(d.model, "Modell \xc3\xa4 \"x\"");
	strcpy(d.device, "nvme0");
	strcpy(d.state, "live");
	ck_assert_int_eq(now_put_drive(t.now, &d), 0);
}

static void put_page(const struct page *p, const uint8_t *bytes, uint64_t cadence, int64_t age)
{
	ck_assert_int_eq(now_put_page(t.now, ODD_KEY, p, 0, INT64_C(1790000000123456),
				      clock_mono() - age, cadence, bytes, p->size), 0);
	ck_assert_int_eq(now_put_support(t.now, ODD_KEY, p, 0, true), 0);
}

static void setup(void)
{
	struct settings settings = { 0 };

	memset(&t, 0, sizeof(t));
	strcpy(t.folder, "/tmp/check_api_XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(t.folder));
	snprintf(t.path, sizeof(t.path), "%s/now.db", t.folder);
	settings.run_dir = strdup(t.folder);
	ck_assert_int_eq(server_init(&t.server, &settings), 0);
	ck_assert_int_eq(now_new(HOUR_US, &t.now), 0);

	page_blank(&smart_page, t.smart);
	page_put(&smart_page, t.smart, "temperature_celsius", 41);
	page_put(&smart_page, t.smart, "available_spare_ratio", 0.97);
	page_put(&smart_page, t.smart, "endurance_used_ratio", 0.14);
	page_blank(&identify_page, t.identify);
	strcpy((char *)t.identify + 4, "S/N 1%");
	put_drive(ODD_KEY, true);
	put_page(&smart_page, t.smart, HOUR_US, 0);
	put_page(&identify_page, t.identify, HOUR_US, 0);
	ck_assert_int_eq(now_put_support(t.now, ODD_KEY, &ocp_smart_page, 0, false), 0);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(now_add_error(t.now, ODD_KEY, &smart_page, "timeout"), 0);
}

static void teardown(void)
{
	server_done(&t.server);
	now_free(t.now);
	unlink(t.path);
	rmdir(t.folder);
}

static struct answer ask(const char *method, const char *target, const char *accept,
			 const char *encoding)
{
	_cleanup_(request_freep) struct request *q = NULL;
	struct answer a = { 0 };

	ck_assert_int_eq(request_parse(target, &q), 0);
	q->method = method;
	q->accept = accept;
	q->accept_encoding = encoding;
	ck_assert_int_eq(routes_answer(&t.server, q, &a), 0);
	ck_assert_ptr_nonnull(a.body);
	return a;
}

static char *text_of(const struct answer *a)
{
	return strndup(a->body->data, a->body->length);
}

static char *get_text(const char *target)
{
	_cleanup_(answer_done) struct answer a = ask("GET", target, NULL, NULL);

	ck_assert_uint_eq(a.status, 200);
	return text_of(&a);
}

static json_t *get(const char *target)
{
	_cleanup_(freep) char *text = get_text(target);
	json_t *o = json_loads(text, 0, NULL);

	ck_assert_msg(o != NULL, "%s", text);
	return o;
}

static json_t *at(json_t *o, const char *a, const char *b)
{
	json_t *value = json_object_get(o, a);

	return b ? json_object_get(value, b) : value;
}

/* RFC 9457: the members, their types, and a detail that says what. */
static void assert_problem(const char *method, const char *target, unsigned status,
			   const char *detail)
{
	_cleanup_(answer_done) struct answer a = ask(method, target, NULL, NULL);
	_cleanup_(freep) char *text = text_of(&a);
	json_t *o = json_loads(text, 0, NULL);

	ck_assert_uint_eq(a.status, status);
	ck_assert_str_eq(a.body->type, "application/problem+json");
	ck_assert_msg(o != NULL, "%s", text);
	ck_assert_str_eq(json_string_value(at(o, "type", NULL)), "about:blank");
	ck_assert_str_ne(json_string_value(at(o, "title", NULL)), "");
	ck_assert_int_eq(json_integer_value(at(o, "status", NULL)), status);
	ck_assert_has(json_string_value(at(o, "detail", NULL)), detail);
	json_decref(o);
}

#define GET(target) _cleanup_(json_decrefp) json_t *o = get(target)

START_TEST(test_drives_are_listed_with_what_matters)
{
	publish(0);
	GET("/api/v1/drives");
	json_t *d = json_array_get(at(o, "drives", NULL), 0);

	ck_assert_uint_eq(json_array_size(at(o, "drives", NULL)), 1);
	ck_assert_str_eq(json_string_value(at(d, "serial", NULL)), ODD_KEY);
	ck_assert_str_eq(json_string_value(at(d, "model", NULL)), "Modell \xc3\xa4 \"x\"");
	ck_assert(json_is_null(at(d, "firmware", NULL)));
	ck_assert(json_is_null(at(d, "capacity_bytes", NULL)));
	ck_assert(json_is_null(at(d, "capacity_from", NULL)));
	ck_assert(json_is_true(at(d, "present", NULL)));
	ck_assert(json_is_true(at(d, "responding", NULL)));
	ck_assert_str_eq(json_string_value(at(d, "state", NULL)), "live");
	ck_assert_str_eq(json_string_value(at(d, "health", "status")), "ok");
	ck_assert_uint_eq(json_array_size(at(d, "health", "reasons")), 0);
	ck_assert_int_eq(json_integer_value(at(d, "temperature_celsius", NULL)), 41);
	ck_assert_double_eq(json_real_value(at(d, "endurance_used_ratio", NULL)), 0.14);
	ck_assert(json_is_null(at(d, "host_written_bytes", NULL)));
	ck_assert_ptr_null(at(d, "pages", NULL));
}
END_TEST

START_TEST(test_a_drive_shows_its_pages)
{
	publish(0);
	GET(ODD_PATH);
	json_t *smart = at(o, "pages", "smart");

	ck_assert_str_eq(json_string_value(at(o, "serial", NULL)), ODD_KEY);
	ck_assert_str_eq(json_string_value(at(smart, "time", NULL)), "2026-09-21T14:13:20.123Z");
	ck_assert(json_is_true(at(smart, "fresh", NULL)));
	ck_assert_int_eq(json_integer_value(at(smart, "fields", "temperature_celsius")), 41);
	ck_assert_double_eq(json_real_value(at(smart, "fields", "available_spare_ratio")), 0.97);
	ck_assert_str_eq(json_string_value(json_object_get(at(at(o, "pages", NULL), "identify",
							      "fields"), "sn")), "S/N 1%");
	ck_assert_ptr_null(at(o, "pages", "ocp_smart"));
	ck_assert_str_eq(json_string_value(json_array_get(at(o, "unsupported", NULL), 0)),
			 "ocp_smart");
	json_t *error = json_array_get(at(o, "errors", NULL), 0);
	ck_assert_str_eq(json_string_value(at(error, "page", NULL)), "smart");
	ck_assert_str_eq(json_string_value(at(error, "reason", NULL)), "timeout");
	ck_assert_int_eq(json_integer_value(at(error, "count", NULL)), 3);
}
END_TEST

/* Cases DEC-01, DEC-13, TMP-02. */
START_TEST(test_numbers_are_exact_or_null)
{
	bytes_put(t.smart + 1, 2, 0);
	bytes_put(t.smart + 48, 8, 32381395004);
	bytes_put(t.smart + 112, 8, INT64_MAX);
	bytes_put(t.smart + 144, 8, (uint64_t)INT64_MAX + 1);
	bytes_put(t.identify + 280, 8, 960197124096);
	bytes_put(t.identify + 328, 4, 0xa0000003);
	put_page(&smart_page, t.smart, HOUR_US, 0);
	put_page(&identify_page, t.identify, HOUR_US, 0);
	publish(0);
	_cleanup_(freep) char *text = get_text(ODD_PATH);
	ck_assert_has(text, "\"host_written_bytes\":16579274242048000,");
	ck_assert_has(text, "\"power_cycles\":9223372036854775807,");
	ck_assert_has(text, "\"unsafe_shutdowns\":null,");
	ck_assert_has(text, "\"available_spare_ratio\":0.97,");
	ck_assert_has(text, "\"capacity_bytes\":960197124096,\"capacity_from\":\"tnvmcap\",");
	ck_assert_has(text, "\"sanicap\":2684354563,");
	ck_assert_has(text, ",\"temperature_celsius\":null,\"pages\"");
	ck_assert_has(text, "\"temperature_celsius\":null,\"available_spare_ratio\"");
	ck_assert_lacks(text, "-273");
}
END_TEST

START_TEST(test_a_page_is_served_decoded_and_raw)
{
	publish(0);
	GET(ODD_PATH "/pages/smart");
	ck_assert_int_eq(json_integer_value(at(o, "fields", "temperature_celsius")), 41);
	ck_assert(json_is_null(at(o, "fields", "sensor_temperature_celsius_1")));
	ck_assert(json_is_true(at(o, "fresh", NULL)));

	_cleanup_(answer_done) struct answer a = ask("GET", ODD_PATH "/pages/smart?raw=1", NULL,
						     NULL);
	ck_assert_str_eq(a.body->type, "application/octet-stream");
	ck_assert_uint_eq(a.body->length, 512);
	ck_assert_mem_eq(a.body->data, t.smart, 512);
}
END_TEST

START_TEST(test_what_is_not_there_is_a_problem)
{
	publish(0);
	assert_problem("GET", "/", 404, "Nothing is served");
	assert_problem("GET", "/metrics/", 404, "Nothing is served");
	assert_problem("GET", "//metrics", 404, "Nothing is served");
	assert_problem("GET", "/api/v1/drives/", 404, "Nothing is served");
	assert_problem("GET", "/api/v1/drives/*", 404, "\"*\"");
	assert_problem("GET", "/api/v1/drives/S/N", 404, "Nothing is served");
	assert_problem("GET", "/api/v1/drives/no%22%0a%ff", 404, "serial \"no\"\n?\"");
	assert_problem("GET", ODD_PATH "/pages/nonsense", 404, "\"nonsense\"");
	assert_problem("GET", ODD_PATH "/pages/ocp_smart", 404, "does not have the page");
	assert_problem("GET", "/api/v1/drives?sort=1", 400, "\"sort\"");
	assert_problem("GET", ODD_PATH "/pages/smart?raw=2", 400, "\"2\"");
	assert_problem("GET", ODD_PATH "?raw=1", 400, "\"raw\"");
	assert_problem("GET", "/api/v1/nothing?x=1", 404, "Nothing is served");
}
END_TEST

START_TEST(test_other_methods_are_not_allowed)
{
	_cleanup_(answer_done) struct answer a = ask("DELETE", "/metrics", NULL, NULL);

	ck_assert_str_eq(a.allow, "GET, HEAD");
	assert_problem("POST", "/api/v1/drives", 405, "POST is not served here");
	assert_problem("POST", "/nowhere", 404, "Nothing is served");
	_cleanup_(answer_done) struct answer head = ask("HEAD", "/healthz", NULL, NULL);
	ck_assert_uint_eq(head.status, 200);
}
END_TEST

START_TEST(test_a_stopped_collector_leaves_nothing_live)
{
	publish(4 * (int64_t)HOUR_US);
	_cleanup_(freep) char *metrics = get_text("/metrics");
	ck_assert_has(metrics, "nvmewatch_collector_up 0\n");
	ck_assert_lacks(metrics, "serial=");
	assert_problem("GET", "/readyz", 503, "stopped");

	GET(ODD_PATH);
	ck_assert(json_is_null(at(o, "present", NULL)));
	ck_assert(json_is_null(at(o, "responding", NULL)));
	ck_assert(json_is_null(at(o, "state", NULL)));
	ck_assert(json_is_null(at(o, "temperature_celsius", NULL)));
	ck_assert_str_eq(json_string_value(at(o, "health", "status")), "unknown");
	ck_assert(json_is_false(at(at(o, "pages", NULL), "smart", "fresh")));
}
END_TEST

START_TEST(test_a_missing_or_broken_file_is_no_collector)
{
	assert_problem("GET", "/api/v1/drives", 503, "not published");
	assert_problem("GET", ODD_PATH, 503, "not published");
	assert_problem("GET", "/readyz", 503, "not published");
	for (int i = 0; i < 2; i++) {
		_cleanup_(freep) char *text = get_text("/metrics?anything=goes");
		ck_assert_has(text, "nvmewatch_collector_up 0\n");
		FILE *f = fopen(t.path, "w");
		ck_assert_ptr_nonnull(f);
		fputs("this is no database, and nobody takes it for one", f);
		fclose(f);
	}
	publish(0);
	_cleanup_(freep) char *text = get_text("/metrics");
	ck_assert_has(text, "nvmewatch_collector_up 1\n");
	GET("/readyz");
	ck_assert_int_eq(json_integer_value(at(o, "drives", NULL)), 1);
	ck_assert_double_lt(json_number_value(at(o, "age_seconds", NULL)), 60);
	unlink(t.path);
	assert_problem("GET", "/readyz", 503, "not published");
}
END_TEST

START_TEST(test_health_is_of_the_process_alone)
{
	GET("/healthz");
	ck_assert_str_eq(json_string_value(at(o, "status", NULL)), "ok");
}
END_TEST

START_TEST(test_a_new_publication_is_seen_at_once)
{
	publish(0);
	_cleanup_(freep) char *before = get_text("/metrics");
	page_put(&smart_page, t.smart, "temperature_celsius", 42);
	put_page(&smart_page, t.smart, HOUR_US, 0);
	publish(0);
	_cleanup_(freep) char *after = get_text("/metrics");
	ck_assert_has(before, "temperature_celsius{serial=\"" ODD_KEY "\"} 41\n");
	ck_assert_has(after, "temperature_celsius{serial=\"" ODD_KEY "\"} 42\n");
}
END_TEST

START_TEST(test_one_rendering_answers_many_scrapes)
{
	publish(0);
	_cleanup_(answer_done) struct answer a = ask("GET", "/metrics", NULL, NULL);
	_cleanup_(answer_done) struct answer b = ask("GET", "/metrics", "text/plain", NULL);
	_cleanup_(answer_done) struct answer c = ask("GET", "/metrics", NULL, "gzip");
	_cleanup_(answer_done) struct answer d = ask("GET", "/metrics", NULL, "gzip");
	_cleanup_(answer_done) struct answer e =
		ask("GET", "/metrics", "application/openmetrics-text", NULL);
	_cleanup_(answer_done) struct answer f = ask("GET", "/metrics?family=x", NULL, NULL);

	ck_assert_ptr_eq(a.body, b.body);
	ck_assert_ptr_eq(c.body, d.body);
	ck_assert(c.body->gzip && !a.body->gzip);
	ck_assert_has(a.body->type, "text/plain; version=0.0.4");
	ck_assert_has(e.body->type, "application/openmetrics-text; version=1.0.0");
	ck_assert_has(a.vary, "Accept-Encoding");
	ck_assert_uint_eq(f.body->length, 0);
}
END_TEST

/* The publication stands, the value in it does not. */
START_TEST(test_a_withdrawn_value_is_not_served_from_the_cache)
{
	put_page(&smart_page, t.smart, 1000000, 2200000); /* good for 0.8 s more */
	publish(0);
	_cleanup_(answer_done) struct answer first = ask("GET", "/metrics", NULL, "gzip");
	_cleanup_(freep) char *before = get_text("/metrics");
	usleep(850000);
	_cleanup_(freep) char *after = get_text("/metrics");
	_cleanup_(answer_done) struct answer second = ask("GET", "/metrics", NULL, "gzip");
	ck_assert_has(before, "nvmewatch_drive_temperature_celsius{");
	ck_assert_lacks(after, "nvmewatch_drive_temperature_celsius{");
	ck_assert_has(after, "nvmewatch_collector_up 1\n");
	ck_assert_ptr_ne(first.body, second.body);

	GET(ODD_PATH);
	ck_assert(json_is_null(at(o, "temperature_celsius", NULL)));
	ck_assert(json_is_false(at(at(o, "pages", NULL), "smart", "fresh")));
	ck_assert_int_eq(json_integer_value(json_object_get(
		at(at(o, "pages", NULL), "smart", "fields"), "temperature_celsius")), 41);
}
END_TEST

static void assert_inflates(const struct body *b, const char *expected)
{
	size_t length = strlen(expected);
	_cleanup_(freep) char *out = malloc(length + 1);
	z_stream z = { .next_in = (Bytef *)b->data, .avail_in = (uInt)b->length,
		       .next_out = (Bytef *)out, .avail_out = (uInt)length + 1 };

	ck_assert_int_eq(inflateInit2(&z, MAX_WBITS + 16), Z_OK);
	ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(z.total_out, length);
	ck_assert_mem_eq(out, expected, length);
	inflateEnd(&z);
}

START_TEST(test_long_answers_are_compressed_for_who_wants)
{
	publish(0);
	_cleanup_(answer_done) struct answer drive = ask("GET", ODD_PATH, NULL, "gzip");
	_cleanup_(answer_done) struct answer brief = ask("GET", "/healthz", NULL, "gzip");
	_cleanup_(answer_done) struct answer metrics = ask("GET", "/metrics", NULL, "gzip");
	_cleanup_(freep) char *plain = get_text(ODD_PATH);
	_cleanup_(freep) char *text = get_text("/metrics");

	ck_assert(drive.body->gzip && !brief.body->gzip);
	ck_assert_uint_lt(drive.body->length, strlen(plain) / 2);
	ck_assert_str_eq(drive.body->type, "application/json");
	assert_inflates(drive.body, plain);
	assert_inflates(metrics.body, text);
}
END_TEST

static json_t *field_of(json_t *fields, const char *page, const char *name)
{
	json_t *p, *f;
	size_t i, k;

	json_array_foreach(at(fields, "pages", NULL), i, p)
		if (!strcmp(json_string_value(at(p, "name", NULL)), page))
			json_array_foreach(at(p, "fields", NULL), k, f)
				if (!strcmp(json_string_value(at(f, "name", NULL)), name))
					return f;
	return NULL;
}

START_TEST(test_the_field_table_is_served)
{
	GET("/api/v1/fields");
	json_t *f = field_of(o, "smart", "sensor_temperature_celsius");

	ck_assert_uint_eq(json_array_size(at(o, "pages", NULL)), page_total());
	ck_assert_str_eq(json_string_value(json_array_get(at(f, "columns", NULL), 7)),
			 "sensor_temperature_celsius_8");
	ck_assert_str_eq(json_string_value(at(f, "index", "label")), "sensor");
	ck_assert_int_eq(json_integer_value(at(f, "index", "first")), 1);
	ck_assert_int_eq(json_integer_value(at(f, "index", "last")), 8);
	ck_assert_int_eq(json_integer_value(at(f, "offset", NULL)), 200);
	f = field_of(o, "smart", "temperature_over_critical_seconds");
	ck_assert_str_eq(json_string_value(at(f, "metric", NULL)),
			 "nvmewatch_drive_temperature_over_seconds_total");
	ck_assert_str_eq(json_string_value(at(f, "labels", "limit")), "critical");
	ck_assert_str_eq(json_string_value(at(f, "kind", NULL)), "counter");
	ck_assert_str_eq(json_string_value(at(f, "type", NULL)), "integer");
	f = field_of(o, "identify", "sn");
	ck_assert(json_is_null(at(f, "metric", NULL)));
	ck_assert_str_eq(json_string_value(at(f, "type", NULL)), "text");
}
END_TEST

START_TEST(test_a_lent_drive_is_listed_without_values)
{
	struct drive d = { .present = true, .lent = true, .numa_node = -1, .state = "vfio-pci" };

	strcpy(d.key, ODD_KEY);
	ck_assert_int_eq(now_put_drive(t.now, &d), 0);
	publish(0);
	GET("/api/v1/drives");
	json_t *one = json_array_get(at(o, "drives", NULL), 0);
	ck_assert(json_is_true(at(one, "present", NULL)));
	ck_assert(json_is_null(at(one, "responding", NULL)));
	ck_assert_str_eq(json_string_value(at(one, "state", NULL)), "vfio-pci");
	ck_assert_str_eq(json_string_value(at(one, "health", "status")), "unknown");
}
END_TEST

START_TEST(test_a_gone_drive_is_listed_without_values)
{
	put_drive(ODD_KEY, false);
	publish(0);
	GET("/api/v1/drives");
	json_t *d = json_array_get(at(o, "drives", NULL), 0);
	ck_assert(json_is_false(at(d, "present", NULL)));
	ck_assert(json_is_false(at(d, "responding", NULL)));
	ck_assert(json_is_null(at(d, "state", NULL)));
	ck_assert(json_is_null(at(d, "temperature_celsius", NULL)));
	ck_assert_str_eq(json_string_value(at(d, "health", "status")), "unknown");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_drives_are_listed_with_what_matters,
		test_a_drive_shows_its_pages,
		test_numbers_are_exact_or_null,
		test_a_page_is_served_decoded_and_raw,
		test_what_is_not_there_is_a_problem,
		test_other_methods_are_not_allowed,
		test_a_stopped_collector_leaves_nothing_live,
		test_a_missing_or_broken_file_is_no_collector,
		test_health_is_of_the_process_alone,
		test_a_new_publication_is_seen_at_once,
		test_one_rendering_answers_many_scrapes,
		test_a_withdrawn_value_is_not_served_from_the_cache,
		test_long_answers_are_compressed_for_who_wants,
		test_the_field_table_is_served,
		test_a_lent_drive_is_listed_without_values,
		test_a_gone_drive_is_listed_without_values,
		NULL,
	};

	return run_fixture("api", setup, teardown, tests);
}
