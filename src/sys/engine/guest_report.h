/* Passes on lines that a guest says for others: for the log, and for its call's client. */
#ifndef PERIGEE_SYS_ENGINE_GUEST_REPORT_H
#define PERIGEE_SYS_ENGINE_GUEST_REPORT_H

#include "guest/guest.h"
#include "registry/call/handle.h"
#include "script/vm.h"

/* Limits of one run; later reports are dropped. A report that is longer than one may be is cut, and
 * says so. */
enum {
    GUEST_REPORTS = 1000,
    GUEST_REPORT_BYTES = 64 * 1024,
    GUEST_REPORTS_BYTES = 4 << 20,
};

struct guest_report {
    struct handle handle; /* the handle of a foreign tool's call; call NULL: there is none */
    char *name;           /* its name in the log; owned */
    unsigned said;
    size_t bytes; /* bytes that were passed on */
    bool full;
};

/* Passes on a LOG, PROGRESS or NOTE frame. */
void guest_report(struct guest_report *report, struct vm *vm, struct frame *frame);

#endif
