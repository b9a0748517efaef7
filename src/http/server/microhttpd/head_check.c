/* Checks heads by libmicrohttpd's words and their place in memory. These are the heads that
 * arrival.h has not seen: the later ones of a connection and all within TLS.
 *
 * Versions before 1.0 take NUL and lone line feeds in a head without a word; later ones refuse
 * both. But they keep the lines where they arrived and put zeros in place of colons and line ends:
 * the bytes between two lines show how the first one ended. */
#include "http/server/microhttpd/head_check.h"

#include <string.h>

#include "http/request_head.h"

static const char odd_target; /* its address stands in the slot */

struct head_check {
    const char *fault;
    const char *end; /* behind the value before; NULL: this is the first line */
    bool in_place;   /* the lines are where they arrived */
    struct request_fields before;
};

/* --- the first line ---------------------------------------------------------------------- */

void *head_check_target(void *arg, const char *target, struct MHD_Connection *mhd)
{
    const char *end = target;

    (void)arg;
    (void)mhd;
    while (*end > ' ' && *end < 0x7F)
        end++;
    if (*end != '\0' || end == target)
        return (void *)&odd_target;
    /* before 1.0 the version follows, unless a NUL cut the target */
    return MHD_get_version()[0] == '0' && strncmp(end + 1, "HTTP/", 5) != 0 ? (void *)&odd_target
                                                                            : NULL;
}

/* --- the others ---------------------------------------------------------------------------- */

/* CR LF, both zeros now. */
static bool is_line_end(const char *at)
{
    return at[0] == '\0' && at[1] == '\0';
}

static bool header_follows(const struct head_check *check, const char *name, size_t name_len,
                           const char *value)
{
    const char *gap = name + name_len;

    if (check->end ? name != check->end + 2 || !is_line_end(check->end) : !is_line_end(name - 2))
        return false;
    if (value <= gap || *gap != '\0')
        return false;
    for (gap++; gap < value; gap++) {
        if (*gap != ' ' && *gap != '\t')
            return false;
    }
    return true;
}

static enum MHD_Result check_header(void *arg, enum MHD_ValueKind kind, const char *name,
                                    size_t name_len, const char *value, size_t value_len)
{
    struct head_check *check = arg;

    (void)kind;
    if (!value)
        value = "";
    check->fault = request_field_fault(&check->before, (struct str){ name, name_len },
                                       (struct str){ value, value_len });
    if (!check->fault && check->in_place && !header_follows(check, name, name_len, value))
        check->fault = "A line of the head is folded, has a NUL or does not end with CR LF";
    check->end = value + value_len;
    return check->fault ? MHD_NO : MHD_YES;
}

/* A blank, which is a zero now, and then the URL: a NUL in the method is one more zero. */
static bool is_method(const char *method, const char *url, bool in_place)
{
    size_t len = strlen(method);

    return request_token((struct str){ method, len }) && (!in_place || url == method + len + 1);
}

const char *head_fault(struct MHD_Connection *mhd, const char *method, const char *url, void **slot,
                       const char **body)
{
    struct head_check check = { .in_place = MHD_get_version()[0] == '0' };
    bool odd = *slot == (const void *)&odd_target;

    *slot = NULL;
    *body = NULL;
    if (odd)
        return "The first line of the request has a character that no URL has";
    if (!is_method(method, url, check.in_place))
        return "The first line of the request must begin with a method and one blank";
    MHD_get_connection_values_n(mhd, MHD_HEADER_KIND, check_header, &check);
    if (!check.fault && check.in_place && check.end &&
        !(is_line_end(check.end) && is_line_end(check.end + 2)))
        check.fault = "The head does not end with an empty line of CR LF";
    if (!check.fault && check.in_place && check.end)
        *body = check.end + 4;
    return check.fault;
}

/* --- the body ------------------------------------------------------------------------------ */

/* Data is moved to the buffer's begin before more is read, so data further on follows a line. */
bool chunk_line_is_whole(const char *body, const char *data, size_t size)
{
    const char *line = data - 2;

    if (!body || data <= body || data >= body + size)
        return true;
    if (line < body || memcmp(line, "\r\n", 2) != 0)
        return false;
    while (line > body && line[-1] != '\n')
        line--;
    return line == body || (line - 1 > body && line[-2] == '\r'); /* the end of the data before */
}
