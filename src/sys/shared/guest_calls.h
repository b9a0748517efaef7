/* Tool calls of a guest, whichever language it runs. What it says is not trusted: its calls are
 * counted and checked here, pass the policy of the task that they are made in, and end with it. */
#ifndef PERIGEE_SYS_SHARED_GUEST_CALLS_H
#define PERIGEE_SYS_SHARED_GUEST_CALLS_H

#include "base/list.h"
#include "guest/guest.h"
#include "sys/shared/tool_call.h"

/* Appends the value at the index, as the guest reads it. False: err. May raise (memory). */
typedef bool guest_write(lua_State *L, int index, struct buf *out, struct error *err);

struct guest_calls {
    struct registry *registry;
    struct tool_caller *caller;
    guest_write *write;
    struct guest *guest; /* borrowed; NULL: it has ended, or was not started */
    struct task *task;   /* in which the calls are made */
    unsigned in_flight, refused;
    struct link pending;
};

void guest_calls_init(struct guest_calls *calls, struct registry *registry,
                      struct tool_caller *caller, guest_write *write);

/* Makes the call of a CALL frame, and answers it when it has ended. False: the guest is to end, for
 * this reason. */
bool guest_calls_make(struct guest_calls *calls, struct frame *frame, struct error *err);

/* Ends the call of this id, to which no answer is wanted. */
void guest_calls_cancel(struct guest_calls *calls, uint32_t id);

/* Ends all of them, and forgets the guest. */
void guest_calls_end(struct guest_calls *calls);

/* Sends an ANSWER frame that says that a call failed. */
void guest_answer_failure(struct guest *guest, uint32_t id, const struct error *err);

#endif
