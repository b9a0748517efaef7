/* The state that the files of guests share: a guest (guest.c), and the set that makes them
 * (guests.c). */
#ifndef PERIGEE_GUEST_GUEST_STATE_H
#define PERIGEE_GUEST_GUEST_STATE_H

#include "base/list.h"
#include "guest/fork_server.h"
#include "guest/guest.h"

struct guest {
    struct link link;
    struct guests *guests; /* NULL: freed */
    uint32_t id;
    uv_pipe_t pipe;
    uv_idle_t more; /* active while whole frames wait in `in` */
    int open;       /* number of open handles */
    struct buf in;
    struct guest_events events;
    void *arg;
    size_t unsent;
    bool paused, full;
    bool deaf;     /* it did not read, and was killed: its frames are ignored */
    bool over;     /* no more bytes come */
    bool ended;    /* the server reported its end */
    int status;    /* as waitpid() returns it */
    int forbidden; /* number of the system call that ended it, or ENDING_NO_CALL */
    int pidfd;     /* -1: only the server can kill it */
    bool at_work;  /* it has a job; false for the spare one */
};

struct guests {
    uv_loop_t *loop;
    const struct guest_kind *kind;
    struct fork_server *server; /* NULL: the next guest starts one */
    struct link all;
    struct guest *spare;
    uv_timer_t lacks_spare, idle; /* neither keeps the loop alive */
    int open;                     /* number of open handles */
    bool ready;                   /* the server is */
    size_t at_work;
    uint32_t last_id;
    unsigned layers; /* enum jail_layer */
    bool told;       /* a server has reported the layers */
};

/* Reads on, or takes the frames that are there already (`waiting`), or neither, as its flags
 * say. */
void guest_listen(struct guest *guest, bool waiting);

/* Removes the guest from the list; its memory is freed when its handles are closed. */
void guest_drop(struct guest *guest);

/* True if no bytes come, and its status is known. */
bool guest_is_over(const struct guest *guest);

/* Reports the guest's end, if it is over. */
void guest_look(struct guest *guest);

/* No guest is at work: the server may be ended after a while. */
void guests_rest(struct guests *guests);

/* Makes the next spare guest soon. */
void guests_want_spare(struct guests *guests);

/* True if foreign code may not run here, as a server has reported. */
bool guests_lack_jail(const struct guests *guests);

#endif
