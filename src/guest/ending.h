/* What became of a guest that gave no result, in words for the one who waits for it. */
#ifndef PERIGEE_GUEST_ENDING_H
#define PERIGEE_GUEST_ENDING_H

#include <stddef.h>

#include "base/error.h"

/* Exit code of a guest whose memory ran out where no error could say so. */
enum { ENDING_NO_MEMORY = 70 };

/* By its status, as waitpid() gives it; 0: nothing is known of it. */
void ending_explain(int status, struct error *err);

/* It was ended, because it did not read what it asked for: more than so many bytes. */
void ending_deaf(size_t bytes, struct error *err);

/* There is none, because no jail is tight enough here. */
void ending_no_jail(struct error *err);

#endif
