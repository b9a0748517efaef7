/* Processes that run foreign code for us: one for each run, made by a fork server, killed when it
 * is over. The engine never waits for one.
 *
 * The fork server is this program, started when the first guest is asked for, in a session and
 * process group of its own that its guests share: `perigee --guest-server` for Lua, and `perigee
 * --python-server` for Python, which shuts itself in and becomes the interpreter (guest/python). It
 * has opened the libraries and files that a guest needs, so that a guest costs one fork. One guest
 * is made in advance and waits for its job.
 *
 * When the engine ends, the server sees the end of its socket and takes its group along. */
#ifndef PERIGEE_GUEST_GUEST_H
#define PERIGEE_GUEST_GUEST_H

#include <uv.h>

#include "guest/frame.h"

struct guests;
struct guest;

enum { GUESTS_MAX = 32 }; /* at work at the same time */

struct guest_kind {
    const char *language; /* in messages: "Lua" */
    const char *const
        *server;             /* words that start the server, after our program's name; then NULL */
    const char *interpreter; /* the program that the server becomes; NULL: it stays ours */
    unsigned idle_ms; /* after as long without a guest at work the server is ended; 0: it is kept */
    bool spare;       /* a guest is made in advance */
};

extern const struct guest_kind guest_lua;

struct guest_events {
    /* Called for a frame from the guest. May free the guest. */
    void (*frame)(void *arg, struct frame *frame);
    /* Called last: the guest ended by itself, or sent bytes that are not a frame. err explains its
     * end for the caller that waits for it: "guest_crashed", "guest_killed", "guest_lost", ... Not
     * called after guest_free(). */
    void (*ended)(void *arg, const struct error *err);
    /* Called for what the server hands over of a guest that has files: with each frame (OUTPUT,
     * FILE), then with NULL and the number of files, or -errno. It comes after guest_ask_files(),
     * and before `ended`; perhaps before the guest's last frames. May not free the guest. NULL:
     * nobody wants it. */
    void (*files)(void *arg, struct frame *frame, int count);
};

/* Makes a set of guests of a kind. Both are borrowed. Starts nothing yet. */
struct guests *guests_new(uv_loop_t *loop, const struct guest_kind *kind);

/* Ends the server and every guest; no event follows. The loop has to turn once more. NULL is fine.
 */
void guests_free(struct guests *guests);

/* Does the same for a loop that only they use: turns it until all has ended. */
void guests_finish(struct guests *guests);

/* The layers of jail that guests are shut in by (guest/jail/jail.h). False: no guest was made
 * yet. */
bool guests_layers(const struct guests *guests, unsigned *layers);

/* Makes a guest that waits for its first frame. `events` is copied, `arg` borrowed until
 * guest_free(). NULL and err: "too_many_guests", or the server cannot be started. */
struct guest *guest_new(struct guests *guests, const struct guest_events *events, void *arg,
                        struct error *err);

/* Sends whole frames, each with a payload of at most FRAME_MAX; takes the buffer's contents. A
 * guest that leaves 64 MB unread is ended ("unread_answers"). */
void guest_send(struct guest *guest, struct buf *frames);

/* Stops reading from the guest, or reads again, at the caller's wish: while it has more calls under
 * way than are allowed. The guest blocks when the socket is full. */
void guest_pause(struct guest *guest, bool paused);

/* Asks for the guest's files while it runs. False: its server is gone. */
bool guest_ask_files(struct guest *guest);

/* Kills the guest, if it still runs. Its files and its end follow as events. */
void guest_end(struct guest *guest);

/* Kills the guest, if it still runs. No event follows. NULL is fine. */
void guest_free(struct guest *guest);

#endif
