/* A request's head, line by line. */
#include "http/request_head.h"

#include <string.h>
#include <strings.h>

enum {
    FIELD_MEMORY = 64,  /* that libmicrohttpd takes for a header, a cookie or an argument */
    LENGTH_DIGITS = 18, /* a number of so many digits always fits into 64 bits */
    VERSION_LEN = 8,    /* HTTP/1.1 */
};

enum once { CONTENT_LENGTH, TRANSFER_ENCODING, HOST, ORIGIN, AUTHORIZATION };

static const struct {
    const char *name, *fault;
} once[REQUEST_HEAD_ONCE] = {
    [CONTENT_LENGTH] = { "Content-Length", "Content-Length was sent twice" },
    [TRANSFER_ENCODING] = { "Transfer-Encoding", "Transfer-Encoding was sent twice" },
    [HOST] = { "Host", "Host was sent twice" },
    [ORIGIN] = { "Origin", "Origin was sent twice" },
    [AUTHORIZATION] = { "Authorization", "Authorization was sent twice" },
};

struct head {
    struct request_fields fields;
    struct request_fault *fault;
    bool new_version; /* 1.1 or later */
    size_t memory;
};

static bool is_word(struct str text, const char *word)
{
    return text.len == strlen(word) && strncasecmp(text.ptr, word, text.len) == 0;
}

static size_t count_char(struct str text, char c)
{
    size_t n = 0;

    for (size_t i = 0; i < text.len; i++)
        n += text.ptr[i] == c;
    return n;
}

/* --- a header ------------------------------------------------------------------------------ */

bool request_token(struct str text)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if (!((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
              (c && strchr(marks, c))))
            return false;
    }
    return text.len > 0;
}

static bool is_field_value(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];

        if ((c < 0x20 && c != '\t') || c == 0x7F)
            return false;
    }
    return true;
}

const char *request_field_fault(struct request_fields *before, struct str name, struct str value)
{
    if (!request_token(name))
        return "The name of a header has a character that no name has";
    if (!is_field_value(value))
        return "The value of a header has a control character";
    if (is_word(name, "Transfer-Encoding") && !is_word(value, "chunked"))
        return "Transfer-Encoding must be chunked";
    for (size_t i = 0; i < REQUEST_HEAD_ONCE; i++) {
        if (!is_word(name, once[i].name))
            continue;
        if (before->seen[i])
            return once[i].fault;
        before->seen[i] = true;
    }
    return NULL;
}

/* --- lines --------------------------------------------------------------------------------- */

static bool fail_head(struct head *head, int status, const char *text)
{
    *head->fault = (struct request_fault){ status, text };
    return false;
}

static bool check_version(struct head *head, struct str version)
{
    const char *v = version.ptr;

    if (version.len != VERSION_LEN || memcmp(v, "HTTP/", 5) != 0 || v[5] < '0' || v[5] > '9' ||
        v[6] != '.' || v[7] < '0' || v[7] > '9')
        return fail_head(head, 400,
                         "The first line of the request must end with a blank and HTTP/1.1");
    if (v[5] != '1')
        return fail_head(head, 505, "This version of HTTP is not supported. Use HTTP/1.1");
    head->new_version = v[7] != '0';
    return true;
}

static bool check_request_line(struct head *head, struct str line)
{
    const char *end = line.ptr + line.len;
    const char *blank = memchr(line.ptr, ' ', line.len);
    struct str method = { line.ptr, blank ? (size_t)(blank - line.ptr) : line.len };
    const char *target = blank ? blank + 1 : end, *at = target;

    if (!blank || !request_token(method) || at == end || *at == ' ')
        return fail_head(head, 400,
                         "The first line of the request must begin with a method and one blank");
    while (at != end && *at > ' ' && *at < 0x7F)
        at++;
    if (at < end && *at != ' ')
        return fail_head(head, 400,
                         "The first line of the request has a character that no URL has");
    head->memory += FIELD_MEMORY * count_char((struct str){ target, (size_t)(at - target) }, '&');
    return check_version(head, at < end ? (struct str){ at + 1, (size_t)(end - at - 1) }
                                        : (struct str){ end, 0 });
}

/* Content-Length: digits, of which those in front may be zeros. */
static bool check_content_length(struct head *head, struct str value)
{
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] < '0' || value.ptr[i] > '9')
            value.len = 0;
    }
    if (value.len == 0)
        return fail_head(head, 400, "Content-Length is not a number");
    while (value.len && *value.ptr == '0')
        value = (struct str){ value.ptr + 1, value.len - 1 };
    return value.len <= LENGTH_DIGITS ||
           fail_head(head, 413, "Content-Length is too large. Send less");
}

static bool check_field(struct head *head, struct str line)
{
    const char *colon = memchr(line.ptr, ':', line.len);
    struct str name, value;
    const char *fault;

    if (*line.ptr == ' ' || *line.ptr == '\t')
        return fail_head(head, 400, "A line of the head is folded");
    if (!colon)
        return fail_head(head, 400, "A line of the head has no colon");
    name = (struct str){ line.ptr, (size_t)(colon - line.ptr) };
    value = (struct str){ colon + 1, line.len - name.len - 1 };
    while (value.len && (*value.ptr == ' ' || *value.ptr == '\t'))
        value = (struct str){ value.ptr + 1, value.len - 1 };
    while (value.len && (value.ptr[value.len - 1] == ' ' || value.ptr[value.len - 1] == '\t'))
        value.len--;
    fault = request_field_fault(&head->fields, name, value);
    if (fault)
        return fail_head(head, 400, fault);
    head->memory += FIELD_MEMORY;
    if (is_word(name, "Cookie"))
        head->memory += value.len + FIELD_MEMORY * (count_char(value, ';') + 1);
    return !is_word(name, "Content-Length") || check_content_length(head, value);
}

static bool check_whole_head(struct head *head, const struct request_limits *limits, size_t len)
{
    if (head->fields.seen[CONTENT_LENGTH] && head->fields.seen[TRANSFER_ENCODING])
        return fail_head(
            head, 400,
            "Content-Length and Transfer-Encoding contradict each other. Send one of them");
    if (!head->new_version && head->fields.seen[TRANSFER_ENCODING])
        return fail_head(head, 400, "HTTP/1.0 has no Transfer-Encoding. Use HTTP/1.1");
    if (head->new_version && !head->fields.seen[HOST])
        return fail_head(head, 400, "Host is missing");
    return len + head->memory <= limits->memory ||
           fail_head(head, 431, "The request has too many headers");
}

static enum request_head unended_head(struct str bytes, bool first,
                                      const struct request_limits *limits, struct head *head)
{
    if (bytes.len <= limits->bytes)
        return REQUEST_HEAD_PART;
    if (first)
        fail_head(head, 414, "The request's URL is too long");
    else
        fail_head(head, 431, "The request's headers are too long");
    return REQUEST_HEAD_WRONG;
}

enum request_head request_head_judge(struct str bytes, const struct request_limits *limits,
                                     struct request_fault *fault)
{
    struct head head = { .fault = fault };
    const char *at = bytes.ptr, *end = bytes.ptr + bytes.len, *line_end;
    bool first = true, right = true;

    if (bytes.len >= 2 && memcmp(at, "\r\n", 2) == 0)
        at += 2; /* one empty line before it is to be forgiven */
    while (right && (line_end = memchr(at, '\n', (size_t)(end - at)))) {
        struct str line = { at, (size_t)(line_end - at) };

        at = line_end + 1;
        if ((size_t)(at - bytes.ptr) > limits->bytes)
            break; /* unended_head() has the words */
        if (line.len == 0 || line.ptr[line.len - 1] != '\r') {
            right = fail_head(&head, 400, "A line of the head does not end with CR LF");
        } else if (--line.len == 0 && !first) {
            right = check_whole_head(&head, limits, (size_t)(at - bytes.ptr));
            return right ? REQUEST_HEAD_WHOLE : REQUEST_HEAD_WRONG;
        } else {
            right = first ? check_request_line(&head, line) : check_field(&head, line);
            first = false;
        }
    }
    return right ? unended_head(bytes, first, limits, &head) : REQUEST_HEAD_WRONG;
}
