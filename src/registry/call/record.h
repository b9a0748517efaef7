/* Lines of the audit log (audit/audit.h) for a call: a line when it is decided about, before its
 * code runs, and one when it has ended. */
#ifndef PERIGEE_REGISTRY_CALL_RECORD_H
#define PERIGEE_REGISTRY_CALL_RECORD_H

#include "registry/call/call.h"

/* From now on calls are recorded there; NULL: no more, and what waits is written. Borrowed. Lines
 * about ends wait until the next line is written, RECORD_WAIT_MS at most. */
enum { RECORD_WAIT_MS = 5 };
void record_to(struct audit *audit, uv_loop_t *loop);
void record_write(void); /* lines that wait */

/* For a reader that has more than one call in its buffer: calls that it starts between the two wait
 * until the lines of all have been written at once, and then go on in their order. Calls that are
 * many do not wait for all. Only from the loop. */
void record_hold(void);
void record_release(void);
uint64_t record_last(void); /* the number of the newest call */

/* Lines that could not be written since the program began, and why the last one could not. Borrowed
 * until the next. */
uint64_t record_lost(const char **why);

/* Any line: `members` as audit_append() has it. False: err, and it counts as lost. True where
 * nothing is recorded. */
bool record_line(const char *kind, struct str members, struct error *err);

/* For call.c: the arguments are kept for the line, which comes later. */
void record_begin(struct call *call);
void record_end(struct call *call, const struct outcome *outcome,
                const struct outcome_written *written);

/* It was decided about by a rule (0: none). `marked`: its arguments hold text from outside, which
 * is recorded by its length only. False: err, it is not in the log. Where record_waits() is true
 * afterwards, record_park() is what is returned to Lua: true, or nil, text, code, once it is known.
 */
bool record_decided(struct call *call, const char *decision, int rule, bool marked,
                    struct error *err);

bool record_waits(void);
int record_park(lua_State *L);

/* A call that was not made: `what` was asked for. */
void record_refused(const char *what, struct caller *caller, const cJSON *args, const char *code);

#endif
