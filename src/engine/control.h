/* Where the engines of a user are reached from another process: a socket for each, in a folder
 * that only this user may enter. `perigee stop` speaks to them.
 *
 * One line is asked: "stop" or "allow", which may name the one desktop that is meant, or "status".
 * One line is answered: "STATE ENDED DESKTOP COMMAND", where STATE is "stopped" or "allowed", ENDED
 * the number of actions that the stop ended and DESKTOP what the engine acts on: platform_place().
 * An engine that acts on another desktop than the one named does nothing. */
#ifndef PERIGEE_ENGINE_CONTROL_H
#define PERIGEE_ENGINE_CONTROL_H

#include <uv.h>

#include "base/error.h"
#include "sys/shared/desktop_service.h"

struct control;

enum { CONTROL_LINE = 512 };

/* Listens at FOLDER/PID.sock. The loop is not kept alive. NULL and err: no folder of ours can be
 * made, the path is too long. `command` is borrowed. */
struct control *control_new(uv_loop_t *loop, struct desktop_service *desktop, const char *command,
                            struct error *err);
/* Removes the socket; the loop has to turn once more. NULL is fine. */
void control_free(struct control *control);

/* May these two desktops be the same? "-" may be any. */
bool control_same_place(const char *a, const char *b);

#endif
