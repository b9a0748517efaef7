/* CFFileDescriptor (developer.apple.com/documentation/corefoundation/cffiledescriptor): its call
 * back is enabled anew after each one. */
#include "platform/macos/system/line_source.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 4096 };

struct line_source {
    CFFileDescriptorRef descriptor;
    int fd;
    void (*line)(void *arg, char *line);
    void (*ended)(void *arg);
    void *arg;
    char text[LINE_MAX_BYTES];
    size_t len;
};

/* Adds it to the run loop of this thread, where it is until it is invalidated. */
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

/* A line that is too long is none of ours: what there is of it is dropped. */
static void take_lines(struct line_source *source)
{
    char *at = source->text, *end;

    while ((end = memchr(at, '\n', source->len - (size_t)(at - source->text)))) {
        *end = '\0';
        source->line(source->arg, at);
        at = end + 1;
    }
    source->len -= (size_t)(at - source->text);
    memmove(source->text, at, source->len);
    if (source->len == sizeof source->text)
        source->len = 0;
}

static void on_readable(CFFileDescriptorRef descriptor, CFOptionFlags kinds, void *arg)
{
    struct line_source *source = arg;
    ssize_t got = read(source->fd, source->text + source->len, sizeof source->text - source->len);

    (void)kinds;
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) {
        source->ended(source->arg);
        return;
    }
    if (got > 0) {
        source->len += (size_t)got;
        take_lines(source);
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
    free(source);
}

/* --- once --------------------------------------------------------------------------------- */

CFFileDescriptorRef ready_once(int fd, CFFileDescriptorCallBack ready, void *arg)
{
    return watch_fd(fd, ready, arg);
}
