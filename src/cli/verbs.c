/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table of verbs, and those that show something. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "nvmewatch/boot.h"
#include "nvmewatch/catalogue.h"
#include "render.h"

/* Prints what a renderer made of a document. */
static int print_rendered(struct buffer *out, int r)
{
	if (r < 0)
		out->failed = true;
	return cli_print(out);
}

static int verb_list(struct cli *c)
{
	_cleanup_(buffer_done) struct buffer out = { 0 };
	json_auto_t *document = NULL;
	int r = source_get(&c->source, &(struct resource){ 0 }, &document);

	if (r < 0)
		return r;
	if (c->arguments.json)
		return cli_print_json(document);
	return print_rendered(&out, render_list(json_object_get(document, "drives"), cli_colour(),
						&out));
}

static int show(struct cli *c, const struct resource *what)
{
	const struct render how = {
		.now = clock_real(), .all = c->arguments.all, .colour = cli_colour(),
	};
	_cleanup_(buffer_done) struct buffer out = { 0 };
	json_auto_t *document = NULL;
	int r = source_get(&c->source, what, &document);

	if (r < 0)
		return r;
	if (c->arguments.json)
		return cli_print_json(document);
	return print_rendered(&out, what->page ? render_page(what->page, document, &how, &out) :
						 render_drive(document, &how, &out));
}

static int verb_show(struct cli *c)
{
	struct resource what = { .page = c->arguments.words[1] };
	json_auto_t *drive = NULL;
	int r = source_find_drive(&c->source, c->arguments.words[0], &drive);

	if (r < 0)
		return r;
	what.drive = json_string_value(json_object_get(drive, "serial"));
	return show(c, &what);
}

/* Leaves the page of that name alone in the field table. */
static int keep_page(json_t *document, const char *name)
{
	json_t *all = json_object_get(document, "pages");

	for (size_t i = json_array_size(all); i-- > 0;) {
		const json_t *page = json_array_get(all, i);
		const char *found = json_string_value(json_object_get(page, "name"));

		if (!found || strcmp(found, name))
			json_array_remove(all, i);
	}
	if (json_array_size(all))
		return 0;
	cli_say("No page is called \"%s\".", name);
	return -ENOENT;
}

static int verb_fields(struct cli *c)
{
	const char *page = c->arguments.words[0];
	_cleanup_(buffer_done) struct buffer out = { 0 };
	json_auto_t *document = NULL;
	int r = source_get(&c->source, &(struct resource){ .fields = true }, &document);

	if (r >= 0 && page)
		r = keep_page(document, page);
	if (r < 0)
		return r;
	if (c->arguments.json)
		return cli_print_json(document);
	return print_rendered(&out, render_fields(json_object_get(document, "pages"), &out));
}

static int verb_metrics(struct cli *c)
{
	_cleanup_(buffer_done) struct buffer out = { 0 };
	int r = source_fetch(&c->source, "/metrics", &out);

	return r < 0 ? r : cli_print(&out);
}

/* Every file of the site's part of the drive catalogue; says what is wrong with each. */
static int check_ratings(const char *folder)
{
	_cleanup_(catalogue_freep) struct catalogue *catalogue = NULL;
	char error[1024], **files = NULL;
	int r = catalogue_new(&catalogue), wrong = 0;

	if (r < 0 || (r = ini_folder(folder, &files)) < 0) {
		cli_say("folder %s cannot be read: %s", folder, strerror(-r));
		return r;
	}
	for (char **p = files; *p; p++) {
		snprintf(error, sizeof(error), "out of memory");
		catalogue_begin(catalogue, *p, true);
		r = ini_read(*p, catalogue_key, catalogue, error, sizeof(error));
		if (catalogue_end(catalogue, r, error, sizeof(error)) < 0) {
			cli_say("%s", error);
			wrong = -EUCLEAN;
		}
	}
	ini_folder_free(files);
	return wrong;
}

/* That it was read already is the answer, but for the files that daemons can do without. */
static int verb_check_config(struct cli *c)
{
	_cleanup_(buffer_done) struct buffer out = { 0 };
	int r = check_ratings(c->settings.drives_dir);

	if (r < 0)
		return r;
	buffer_text(&out, "OK\n");
	return cli_print(&out);
}

const struct verb verbs[] = {
	{ .name = "list", .words = "", .help = "Every drive in a line.",
	  .json = true, .run = verb_list },
	{ .name = "show", .words = "DRIVE [PAGE]",
	  .help = "One drive with its health and its values.\n"
		  "With PAGE, that page alone. Values that the drive does not report are left\n"
		  "out, but for --all.",
	  .least = 1, .most = 2, .json = true, .all = true, .run = verb_show },
	{ .name = "fields", .words = "[PAGE]",
	  .help = "What values there are, and what they mean.",
	  .most = 1, .json = true, .run = verb_fields },
	{ .name = "metrics", .words = "", .help = "The series as Prometheus gets them.",
	  .run = verb_metrics },
	{ .name = "history", .words = "DRIVE PAGE [FIELD ...]",
	  .help = "What the values of a page were, by default of the last day.\n"
		  "With FIELDs, a line for each time; without, a line for each field. Few rows are\n"
		  "shown as they were read, more as one value for each --step: --agg takes last,\n"
		  "min, max, mean, sum, count, increase or rate. A drive that is gone is called by\n"
		  "its serial.",
	  .least = 2, .most = WORDS_MAX, .json = true, .csv = true, .span = true, .step = true,
	  .run = verb_history },
	{ .name = "events", .words = "[DRIVE]",
	  .help = "What has happened to the drives, the newest last.\n"
		  "The last 1000 events, or with --since the first 1000 from then on.",
	  .most = 1, .json = true, .csv = true, .since = true, .run = verb_events },
	{ .name = "export", .words = "[DRIVE [PAGE]]",
	  .help = "Prints history as SQL that any sqlite3 reads, or as CSV.\n"
		  "DRIVE may be \"-\", every drive. --csv needs a PAGE. This reads the files.",
	  .most = 2, .csv = true, .span = true, .host = true, .run = verb_export },
	{ .name = "check-config", .words = "",
	  .help = "Whether the daemons accept the configuration, and the site's drive catalogue.\n"
		  "Prints OK, or else what is wrong and where.",
	  .host = true, .run = verb_check_config },
	{ .name = "pause", .words = "DRIVE DURATION",
	  .help = "Sends the drive no command for so long.\n"
		  "DURATION is a number with s, m, h or d, at most 30d; 0s or \"resume\" goes on\n"
		  "at once.",
	  .least = 2, .most = 2, .host = true, .run = verb_pause },
	{ .name = "forget", .words = "DRIVE", .help = "Shows a drive that is gone no longer.",
	  .least = 1, .most = 1, .host = true, .run = verb_forget },
	{ .name = "read", .words = "DRIVE PAGE",
	  .help = "Has a page read that is read when asked for only.\n"
		  "PAGE is persistent_events; show tells what came of it.",
	  .least = 2, .most = 2, .host = true, .run = verb_read },
	{ 0 },
};
