/* Processes that run foreign Lua for us: one for each run, made by a fork server, killed when it is
 * over. The engine never waits for one.
 *
 * The fork server is this program (`perigee --guest-server`), started when the first guest is asked
 * for, in a session and process group of its own that its guests share. It has opened what a guest
 * needs, so that a guest costs one fork. One guest is made in advance and waits for its job.
 *
 * When the engine ends, the server sees the end of its socket and takes its group along. */
#ifndef PERIGEE_GUEST_GUEST_H
#define PERIGEE_GUEST_GUEST_H

#include <uv.h>

#include "guest/frame.h"

struct guests;
struct guest;

enum { GUESTS_MAX = 32 }; /* at work at once */

struct guest_events {
    /* A frame from it. May free the guest. */
    void (*frame)(void *arg, struct frame *frame);
    /* Last: it ended by itself, or what it sent was not a frame. err says how it ended, in words
     * for the one who waits for it: "guest_crashed", "guest_killed", "guest_lost", ... Not after
     * guest_free(). */
    void (*ended)(void *arg, const struct error *err);
};

/* `loop` is borrowed. Starts nothing yet. */
struct guests *guests_new(uv_loop_t *loop);

/* Ends the server and every guest; no event follows. The loop has to turn once more. NULL is fine.
 */
void guests_free(struct guests *guests);

/* The same for a loop that is there for them alone: turns it until all has ended. */
void guests_finish(struct guests *guests);

/* What guests are shut in by (guest/jail/jail.h). False: none was made yet. */
bool guests_layers(const struct guests *guests, unsigned *layers);

/* A guest that waits for its first frame. `events` is copied, `arg` borrowed until guest_free().
 * NULL and err: "too_many_guests", or the server cannot be started. */
struct guest *guest_new(struct guests *guests, const struct guest_events *events, void *arg,
                        struct error *err);

/* Sends whole frames, each with a payload of at most FRAME_MAX; takes the buffer's contents. A
 * guest that leaves 64 MB unread is ended ("unread_answers"). */
void guest_send(struct guest *guest, struct buf *frames);

/* Stops listening to it, or listens again, on the caller's account: while it has more calls under
 * way than are allowed. It blocks then, when the socket is full. */
void guest_pause(struct guest *guest, bool paused);

/* Kills it, if it still runs. No event follows. NULL is fine. */
void guest_free(struct guest *guest);

#endif
