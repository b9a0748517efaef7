/* CFFileDescriptor (developer.apple.com/documentation/corefoundation/cffiledescriptor): its
 * callback is enabled again after each call. */
#include "platform/macos/system/line_source.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNK = 4096, LINE_MOST = 8 << 20 };

struct line_source {
    CFFileDescriptorRef descriptor;
    int fd;
    void (*line)(void *arg, char *line);
    void (*ended)(void *arg);
    void *arg;
    struct buf text; /* input so far without the end of its line */
};

/* Adds the descriptor to the run loop of this thread, where it is until it is invalidated. */
static CFFileDescriptorRef watch_fd(int fd, CFFileDescriptorCallBack callback, void *arg) GIVES_REF;
static CFFileDescriptorRef watch_fd(int fd, CFFileDescriptorCallBack callback, void *arg)
{
    CFFileDescriptorContext context = { .info = arg };
    CFFileDescriptorRef descriptor = CFFileDescriptorCreate(NULL, fd, false, callback, &context);
    CFRunLoopSourceRef source;

    if (!descriptor)
        return NULL;
    source = CFFileDescriptorCreateRunLoopSource(NULL, descriptor, 0);
    if (!source) {
        CFRelease(descriptor);
        return NULL;
    }
    CFRunLoopAddSource(CFRunLoopGetCurrent(), source, kCFRunLoopDefaultMode);
    CFRelease(source);
    CFFileDescriptorEnableCallBacks(descriptor, kCFFileDescriptorReadCallBack);
    return descriptor;
}

void ready_end(CFFileDescriptorRef descriptor)
{
    if (!descriptor)
        return;
    CFFileDescriptorInvalidate(descriptor);
    CFRelease(descriptor);
}

/* --- lines -------------------------------------------------------------------------------- */

/* Takes the lines. The bytes of a line that is too long are dropped. */
static void take_source_lines(struct line_source *source, size_t from)
{
    char *text = source->text.data, *at = text, *end;
    size_t len = source->text.len, left;

    while ((end = memchr(text + from, '\n', len - from))) {
        *end = '\0';
        source->line(source->arg, at);
        at = end + 1;
        from = (size_t)(at - text);
    }
    left = len - (size_t)(at - text);
    memmove(text, at, left);
    source->text.len = left < LINE_MOST ? left : 0;
}

static void on_readable(CFFileDescriptorRef descriptor, CFOptionFlags kinds, void *arg)
{
    struct line_source *source = arg;
    char chunk[CHUNK];
    ssize_t got = read(source->fd, chunk, sizeof chunk);

    (void)kinds;
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
        source->ended(source->arg);
        return;
    }
    if (got > 0) {
        buf_add(&source->text, chunk, (size_t)got);
        take_source_lines(source, source->text.len - (size_t)got);
    }
    CFFileDescriptorEnableCallBacks(descriptor, kCFFileDescriptorReadCallBack);
}

struct line_source *line_source_new(int fd, void (*line)(void *arg, char *line),
                                    void (*ended)(void *arg), void *arg)
{
    struct line_source *source = mem_zero(sizeof *source);

    source->fd = fd;
    source->line = line;
    source->ended = ended;
    source->arg = arg;
    source->descriptor = watch_fd(fd, on_readable, source);
    if (source->descriptor)
        return source;
    free(source);
    return NULL;
}

void line_source_free(struct line_source *source)
{
    if (!source)
        return;
    ready_end(source->descriptor);
    buf_free(&source->text);
    free(source);
}

bool line_write(int fd, const struct buf *line)
{
    for (size_t done = 0; done < line->len;) {
        ssize_t wrote = write(fd, line->data + done, line->len - done);

        if (wrote < 0 && errno != EINTR)
            return false;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

/* --- once --------------------------------------------------------------------------------- */

CFFileDescriptorRef ready_once(int fd, CFFileDescriptorCallBack ready, void *arg)
{
    return watch_fd(fd, ready, arg);
}
