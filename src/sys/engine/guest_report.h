/* Lines that a guest says for others: the log, and its call's client. */
#ifndef PERIGEE_SYS_ENGINE_GUEST_REPORT_H
#define PERIGEE_SYS_ENGINE_GUEST_REPORT_H

#include "guest/guest.h"
#include "registry/call/handle.h"
#include "script/vm.h"

enum { GUEST_REPORTS = 1000 }; /* of one run; what comes after them is dropped */

struct guest_report {
    struct handle handle; /* of a foreign tool's call; call NULL: of none */
    char *name;           /* in the log; owned */
    unsigned said;
};

/* A LOG, PROGRESS or NOTE frame. */
void guest_report(struct guest_report *report, struct vm *vm, struct frame *frame);

#endif
