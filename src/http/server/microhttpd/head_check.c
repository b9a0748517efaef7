/* What libmicrohttpd says of a head, and how it lies in memory.
 *
 * Versions before 1.0 take NUL and lone line feeds in a head and do not tell; later ones refuse
 * both. But they keep the lines where they arrived and put zeros in place of colons and line ends:
 * what lies between two lines shows how the first one ended. */
#include "http/server/microhttpd/head_check.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const char odd_target; /* its address stands in the slot */

static const char *const once[] = { "Content-Length", "Transfer-Encoding", "Host", "Origin",
                                    "Authorization" };
static const char *const twice_faults[] = { "Content-Length was sent twice",
                                            "Transfer-Encoding was sent twice",
                                            "Host was sent twice", "Origin was sent twice",
                                            "Authorization was sent twice" };
enum { ONCE = sizeof once / sizeof *once };

struct head_check {
    const char *fault;
    const char *end; /* behind the value before; NULL: this is the first line */
    bool in_place;   /* the lines are where they arrived */
    unsigned seen[ONCE];
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

static bool is_name(const char *text, size_t len)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";

    for (size_t i = 0; i < len; i++) {
        char c = text[i];

        if (!((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
              (c && strchr(marks, c))))
            return false;
    }
    return len > 0;
}

static bool is_value(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];

        if ((c < 0x20 && c != '\t') || c == 0x7F)
            return false;
    }
    return true;
}

/* CR LF, both zeros now. */
static bool is_line_end(const char *at)
{
    return at[0] == '\0' && at[1] == '\0';
}

static bool follows(const struct head_check *check, const char *name, size_t name_len,
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

static void count(struct head_check *check, const char *name)
{
    for (size_t i = 0; i < ONCE; i++) {
        if (strcasecmp(name, once[i]) == 0 && check->seen[i]++)
            check->fault = twice_faults[i];
    }
}

static enum MHD_Result on_header(void *arg, enum MHD_ValueKind kind, const char *name,
                                 size_t name_len, const char *value, size_t value_len)
{
    struct head_check *check = arg;

    (void)kind;
    if (!value)
        value = "";
    if (!is_name(name, name_len))
        check->fault = "The name of a header has a character that no name has";
    else if (!is_value(value, value_len))
        check->fault = "The value of a header has a control character";
    else if (check->in_place && !follows(check, name, name_len, value))
        check->fault = "A line of the head is folded, has a NUL or does not end with CR LF";
    else if (strcasecmp(name, "Transfer-Encoding") == 0 && strcasecmp(value, "chunked") != 0)
        check->fault = "Transfer-Encoding must be chunked";
    else
        count(check, name);
    check->end = value + value_len;
    return check->fault ? MHD_NO : MHD_YES;
}

/* A blank, which is a zero now, and then the URL: a NUL in the method is one more zero. */
static bool is_method(const char *method, const char *url, bool in_place)
{
    size_t len = strlen(method);

    return is_name(method, len) && (!in_place || url == method + len + 1);
}

const char *head_fault(struct MHD_Connection *mhd, const char *method, const char *url, void **slot)
{
    struct head_check check = { .in_place = MHD_get_version()[0] == '0' };
    bool odd = *slot == (const void *)&odd_target;

    *slot = NULL;
    if (odd)
        return "The first line of the request has a character that no URL has";
    if (!is_method(method, url, check.in_place))
        return "The first line of the request must begin with a method and one blank";
    MHD_get_connection_values_n(mhd, MHD_HEADER_KIND, on_header, &check);
    if (!check.fault && check.in_place && check.end &&
        !(is_line_end(check.end) && is_line_end(check.end + 2)))
        check.fault = "The head does not end with an empty line of CR LF";
    return check.fault;
}
