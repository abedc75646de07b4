/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/history_problem.h"

#include <errno.h>
#include <string.h>

int history_problem(int r, struct document *problem)
{
	switch (-r) {
	case ENOMEM:
	case ECANCELED: return r;
	case ENOENT:
		document_problem(problem, 503, "There is no history yet: the collector has not "
				 "written any.");
		break;
	case EUCLEAN:
		document_problem(problem, 503, "History is damaged: the collector sets it aside "
				 "when it next writes.");
		break;
	case EPROTO:
		document_problem(problem, 503, "History is of another version of nvmewatch than "
				 "this program.");
		break;
	case EACCES:
	case EPERM:
		document_problem(problem, 503, "History may not be read by this program's user: it "
				 "has to be in the group of history.db.");
		break;
	default: document_problem(problem, 503, "History cannot be read: %s.", strerror(-r));
	}
	return -EINVAL;
}

int history_drive_problem(int r, const char *drive, struct document *problem)
{
	if (r != -ENOENT)
		return history_problem(r, problem);
	document_problem(problem, 404, "Neither this host nor its history has a drive with the "
			 "serial \"%s\".", drive);
	return -EINVAL;
}

int history_copy_key(const char *key, char *ret, size_t size, struct document *problem)
{
	size_t length = strlen(key);

	if (length >= size)
		return history_drive_problem(-ENOENT, key, problem);
	memcpy(ret, key, length + 1);
	return 0;
}
