/* Looks from the end for the last line that has the frame of ours: what is between the frame's
 * members is not looked at, because the chain vouches for it. */
#include "audit/tail.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define SEQ  "\",\"seq\":"
#define PREV ",\"prev\":\""

enum {
    TIME_AT = 9 /* {"time":" */,
    SEQ_AT = TIME_AT + 24,
    PREV_LEN = 9,
    DIGITS = 15,
    FIRST = 512,
    NEAR = 4096
};

bool tail_hash(struct str line, char hash[AUDIT_HASH], struct error *err)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char digest[CRYPTO_SHA256];

    if (!crypto_sha256(line, digest, err))
        return false;
    for (size_t i = 0; i < sizeof digest; i++) {
        hash[2 * i] = digits[digest[i] >> 4];
        hash[2 * i + 1] = digits[digest[i] & 15];
    }
    hash[AUDIT_HASH - 1] = '\0';
    return true;
}

/* The number of a line of ours; 0: it is none. */
static uint64_t seq_of(const char *line, size_t len)
{
    size_t at = SEQ_AT + sizeof SEQ - 1, tail = PREV_LEN + AUDIT_HASH - 1 + 2;
    uint64_t seq = 0;
    size_t end;

    if (len < at + tail || memcmp(line, "{\"time\":\"", TIME_AT) != 0 ||
        memcmp(line + SEQ_AT, SEQ, sizeof SEQ - 1) != 0 ||
        memcmp(line + len - tail, PREV, PREV_LEN) != 0 || memcmp(line + len - 2, "\"}", 2) != 0 ||
        memchr(line, '\0', len))
        return 0;
    for (end = at; end < at + DIGITS && line[end] >= '0' && line[end] <= '9'; end++)
        seq = seq * 10 + (uint64_t)(line[end] - '0');
    return line[end] == ',' ? seq : 0;
}

static bool read_tail_window(int fd, off_t at, char *window, size_t len, struct error *err)
{
    for (size_t done = 0; done < len;) {
        ssize_t n = pread(fd, window + done, len - done, at + (off_t)done);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return error_errno(err, n < 0 ? errno : EIO, "cannot read the end of the audit log");
        done += (size_t)n;
    }
    return true;
}

/* The last newline before `end`, as an index; -1: there is none. */
static ptrdiff_t newline_before(const char *window, size_t end)
{
    ptrdiff_t at = (ptrdiff_t)end - 1;

    while (at >= 0 && window[at] != '\n')
        at--;
    return at;
}

/* Where the last line of ours ends, behind its newline; its start and number are filled in.
 * `whole`: the window begins with a line. 0: there is none. */
static size_t find_last_line(const char *window, size_t len, bool whole, size_t *start,
                             uint64_t *seq)
{
    ptrdiff_t newline = newline_before(window, len);

    while (newline >= 0) {
        ptrdiff_t before = newline_before(window, (size_t)newline);

        if (before < 0 && !whole)
            return 0;
        *start = (size_t)(before + 1);
        *seq = seq_of(window + *start, (size_t)newline - *start);
        if (*seq)
            return (size_t)newline + 1;
        newline = before;
    }
    return 0;
}

/* The same where the file's last line is whole but for its newline. */
static size_t find_open(const char *window, size_t len, bool whole, size_t *start, uint64_t *seq)
{
    ptrdiff_t before = newline_before(window, len);

    if (before < 0 && !whole)
        return 0;
    *start = (size_t)(before + 1);
    *seq = seq_of(window + *start, len - *start);
    return *seq ? len : 0;
}

static bool examine_tail(const char *window, size_t len, bool whole, struct tail *tail,
                         struct error *err)
{
    size_t start = 0, end = find_open(window, len, whole, &start, &tail->seq);
    struct str line, rest;

    tail->open = end > 0;
    if (!end)
        end = find_last_line(window, len, whole, &start, &tail->seq);
    tail->found = end > 0 || (whole && len < FIRST);
    if (!tail->found)
        return true;
    line = (struct str){ window + start, end - start - (end && !tail->open) };
    rest = (struct str){ window + end, len - end };
    tail->newline = rest.len && rest.ptr[rest.len - 1] == '\n';
    rest.len -= tail->newline;
    tail->rest = rest.len;
    return (!end || tail_hash(line, tail->last, err)) &&
           (!(rest.len || tail->newline) || tail_hash(rest, tail->torn, err));
}

static bool read_tail(int fd, off_t size, size_t most, struct tail *tail, struct error *err)
{
    size_t len = size < (off_t)most ? (size_t)size : most;
    char *window = mem_alloc(len + 1);
    bool ok;

    *tail = (struct tail){ 0 };
    memset(tail->last, '0', AUDIT_HASH - 1);
    ok = read_tail_window(fd, size - (off_t)len, window, len, err) &&
         examine_tail(window, len, (off_t)len == size, tail, err);
    free(window);
    return ok;
}

/* Nearly always the last line is the last bytes. */
bool tail_read(int fd, off_t size, struct tail *tail, struct error *err)
{
    if (!read_tail(fd, size, NEAR, tail, err))
        return false;
    return tail->found || read_tail(fd, size, AUDIT_TAIL, tail, err);
}
