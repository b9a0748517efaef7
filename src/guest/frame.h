/* The frames that the engine and a guest exchange over a stream socket.
 *
 *   frame = length of the payload (u32), kind (u8), id (u32), payload
 *
 * An id ties an answer to its question; the guest chooses it. Members of a payload are in the
 * order of the table below, as base/bytes.h writes them; "value" is script/packed.h's.
 *
 *   JOB      engine  memory (u64, bytes), output (u64, bytes), seconds (double; 0: no limit),
 *                    as text (u8), root of its file (u32; HOME_NONE: a script), its name in
 *                    messages (string), tool (string; empty: a script), toolset (string), code
 *                    (string), argument (value). A tool's file is run by the lib file foreign.host
 *   CALL     guest   name (string), arguments (string of JSON), seconds (double; 0: the tool's
 *                    own)
 *   ANSWER   engine  failed (u8); the value, or message (string) and code (string)
 *   CANCEL   guest   the answer to this id is not wanted any more
 *   FIND     guest   root of the file that requires it (u32), name of a lib module (string)
 *   SOURCE   engine  found (u8), the module's root (u32); path and source, or message and code
 *                    (strings)
 *   TOOLS    guest
 *   NAMES    engine  a list of names (value)
 *   PRINT    guest   a printed line (string)
 *   LOG      guest   level (u8), text (string)
 *   PROGRESS guest   done, total (doubles; NaN: not given), is there a message (u8), message
 *                    (string)
 *   NOTE     guest   level, logger (strings; empty: none), data (value): call:log()
 *   FORBIDDEN guest  its last: the id is the number of the system call that ended it
 *   DONE     guest   failed (u8); the value, or message (string) and code (string). As text: the
 *                    value is a string, or nil
 *
 * A Python guest sends and gets JSON (strings of it) instead of values:
 *
 *   JOB      engine  the job: code, arguments, limits (lua/scripts/python/guest.py has its members)
 *   ANSWER   engine  failed (u8); the tool's result as JSON, or message and code (strings)
 *   NAMES    engine  JSON: the tools, as JOB has them
 *   DONE     guest   JSON: how the job ended. A guest of a session waits for the next JOB then
 *   OUTPUT   guest   stream (u8; 1: stdout, 2: stderr), bytes (string)
 *   FILE     server  name, bytes (strings): in the memory file of a FILES record (control.h)
 *   PICTURE  guest   MIME type, name, bytes (strings)
 */
#ifndef PERIGEE_GUEST_FRAME_H
#define PERIGEE_GUEST_FRAME_H

#include "base/bytes.h"
#include "base/error.h"

enum frame_kind {
    FRAME_JOB,
    FRAME_CALL,
    FRAME_ANSWER,
    FRAME_CANCEL,
    FRAME_FIND,
    FRAME_SOURCE,
    FRAME_TOOLS,
    FRAME_NAMES,
    FRAME_PRINT,
    FRAME_LOG,
    FRAME_PROGRESS,
    FRAME_NOTE,
    FRAME_FORBIDDEN,
    FRAME_DONE,
    FRAME_OUTPUT,
    FRAME_FILE,
    FRAME_PICTURE,
    FRAME_KINDS,
};

enum {
    FRAME_HEAD = 9,
    FRAME_MAX = 64 << 20,       /* bytes of a payload, at most */
    FRAME_GUEST_MAX = 16 << 20, /* bytes that a script sends at once; a result may have half */
    FRAME_FROM_GUEST = FRAME_GUEST_MAX + 65536, /* a payload with that and the members around it */
};

struct frame {
    enum frame_kind kind;
    uint32_t id;
    struct bytes payload; /* borrowed from the buffer it was read from */
};

/* Begins a frame at the end of `out`; its payload is appended after it. Returns where it began, for
 * frame_end(). */
size_t frame_begin(struct buf *out, enum frame_kind kind, uint32_t id);
void frame_end(struct buf *out, size_t begun);

enum frame_read { FRAME_READ, FRAME_WANTS_MORE, FRAME_BAD };

/* Reads the frame at `*at` of the buffer; *at moves past it. BAD (its payload is longer than `max`,
 * or its kind unknown): the bytes that follow cannot be understood, and err says why. */
enum frame_read frame_next(const struct buf *in, size_t *at, size_t max, struct frame *out,
                           struct error *err);

#endif
