/* Lines that come in on a descriptor while a run loop runs, and lines that go out. */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_LINE_SOURCE_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_LINE_SOURCE_H

#include "platform/macos/system/cf.h"

struct line_source;

/* Reads lines on the run loop of the calling thread. `line` is called for each line, without its
 * end, and may write in it; `ended` once, at the end of the input. Neither may free the source.
 * Borrows the descriptor. NULL: the system gives no source. */
struct line_source *line_source_new(int fd, void (*line)(void *arg, char *line),
                                    void (*ended)(void *arg), void *arg);
void line_source_free(struct line_source *source); /* NULL is fine */

/* Writes all of the line. False: no process reads it any more. */
bool line_write(int fd, const struct buf *line);

/* Calls ready() once, when the descriptor can be read, on the run loop of the calling thread.
 * Owned: ready_end(). NULL: the system gives no source. */
CFFileDescriptorRef ready_once(int fd, CFFileDescriptorCallBack ready, void *arg) GIVES_REF;
void ready_end(CFFileDescriptorRef descriptor ENDS_REF); /* NULL is fine */

#endif
