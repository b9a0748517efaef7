/* The state that a guest's files share: there is one of it in a process. */
#ifndef PERIGEE_GUEST_CHILD_PROCESS_H
#define PERIGEE_GUEST_CHILD_PROCESS_H

#include "base/list.h"
#include "guest/child/channel.h"
#include "script/sandbox/sandbox.h"
#include "script/vm.h"

struct guest_process {
    struct vm *vm;
    struct sandbox *sandbox; /* the sandbox of the job's code */
    struct channel channel;
    struct buf out; /* frames to be sent before the loop waits */
    uint32_t last_id;
    struct link calls;  /* remote calls under way: remote.c */
    double deadline;    /* uv_hrtime() seconds; 0: none */
    size_t output_left; /* bytes of printed lines that may still be sent */
    bool as_text;       /* the value is returned as text */
};

extern struct guest_process guest_process;

#endif
