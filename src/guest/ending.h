/* The end of a guest that gave no result, as an error for the caller that waits for it. */
#ifndef PERIGEE_GUEST_ENDING_H
#define PERIGEE_GUEST_ENDING_H

#include <stddef.h>

#include "base/error.h"

/* The exit code of a guest whose memory ran out where no error could report it. */
enum { ENDING_NO_MEMORY = 70 };

/* No forbidden system call was reported. */
enum { ENDING_NO_CALL = -1 };

/* Explains a status, as waitpid() returns it (0: it is not known), with the number of the forbidden
 * system call that the guest reported, and its language ("Lua"). */
void ending_explain(int status, int call, const char *language, struct error *err);

/* The guest was ended because it did not read the answers to its calls: more than `bytes` of
 * them. */
void ending_deaf(size_t bytes, struct error *err);

/* The interpreter ended before it could make a guest. */
void ending_no_interpreter(const char *language, const char *interpreter, struct error *err);

/* There is no guest, because no jail is tight enough here. */
void ending_no_jail(struct error *err);

#endif
