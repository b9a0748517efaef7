/* The parts of a call, for call.c, object.c and ask.c. */
#ifndef PERIGEE_REGISTRY_CALL_CALL_STRUCT_H
#define PERIGEE_REGISTRY_CALL_CALL_STRUCT_H

#include "base/buf.h"
#include "base/list.h"
#include "registry/call/call.h"
#include "registry/call/effects.h"

/* Text from outside. */
struct call_mark {
    unsigned sources; /* enum content_source */
    char *by;   /* the mounted servers, a line each, that sent all of it; "": it takes several to
                   send it; NULL: none sent any; owned */
    char *site; /* the same of text from the web: its only host */
};

struct call {
    struct call_spec spec;
    struct task *task;
    double own_progress;  /* the last that its code reported; -HUGE_VAL: none */
    double last_progress; /* the last that its client, or the call that made it, was told */
    double last_total;    /* NaN: not given */
    double base_progress; /* progress that the call which made it had reported before; NaN: not
                             known yet */
    uint64_t serial;
    struct buf args;        /* JSON text, for the log; empty unless calls are logged */
    unsigned from;          /* where its result's content is from: enum content_source */
    unsigned ref;           /* the number by which its session keeps its result; 0: none does */
    struct call_mark read;  /* text that it, or a call that it made, has read */
    struct call_mark given; /* a run: text that it was given, or has read */
    bool runs;              /* it is a run */
    bool begun;             /* the policy let it pass: what it tells now is its code's own */
    struct call_effects effects;
    struct buf record; /* members of its line in the audit log, until it is decided about */
    uint64_t id;       /* there; 0: it is not recorded */
    uint64_t started;
    bool *gone; /* set when it ends inside call_start(); else NULL */
    struct call *next_free;
    struct link asks; /* its questions that are open: any task may have asked them (ask.c) */
};

/* The call is over: who still waits for an answer gets an error. */
void call_drop_asks(struct call *call);

#endif
