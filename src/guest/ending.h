/* What became of a guest that gave no result, in words for the one who waits for it. */
#ifndef PERIGEE_GUEST_ENDING_H
#define PERIGEE_GUEST_ENDING_H

#include <stddef.h>

#include "base/error.h"

/* Exit code of a guest whose memory ran out where no error could say so. */
enum { ENDING_NO_MEMORY = 70 };

/* No system call is known to have ended it. */
enum { ENDING_NO_CALL = -1 };

/* By its status, as waitpid() gives it (0: nothing is known of it), and the number of the forbidden
 * system call that it reported. */
void ending_explain(int status, int call, struct error *err);

/* It was ended, because it did not read what it asked for: more than so many bytes. */
void ending_deaf(size_t bytes, struct error *err);

/* There is none, because no jail is tight enough here. */
void ending_no_jail(struct error *err);

#endif
