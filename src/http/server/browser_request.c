/* A request line and the Host header: nothing else of a request matters here. */
#include "http/server/browser_request.h"

#include <stdio.h>
#include <strings.h>

size_t browser_request_head_length(struct str bytes)
{
    static const char end[] = "\r\n\r\n";

    for (size_t i = 0; i + 4 <= bytes.len; i++)
        if (memcmp(bytes.ptr + i, end, 4) == 0)
            return i + 4;
    return 0;
}

/* Takes what stands before `delimiter` off the front of rest. */
static bool take_until(struct str *rest, char delimiter, struct str *piece)
{
    const char *at = rest->len ? memchr(rest->ptr, delimiter, rest->len) : NULL;

    if (!at)
        return false;
    *piece = (struct str){ rest->ptr, (size_t)(at - rest->ptr) };
    rest->len -= piece->len + 1;
    rest->ptr = at + 1;
    return true;
}

static bool take_head_line(struct str *rest, struct str *line)
{
    if (!take_until(rest, '\n', line) || !line->len || line->ptr[line->len - 1] != '\r')
        return false;
    line->len--;
    return true;
}

/* An absolute path of visible ASCII: what a browser puts there. */
static bool target_parse(struct str target, struct browser_request *request)
{
    const char *mark;

    if (!target.len || target.ptr[0] != '/')
        return false;
    for (size_t i = 0; i < target.len; i++)
        if (target.ptr[i] <= 0x20 || target.ptr[i] >= 0x7f || target.ptr[i] == '#')
            return false;
    mark = memchr(target.ptr, '?', target.len);
    request->path = (struct str){ target.ptr, mark ? (size_t)(mark - target.ptr) : target.len };
    request->query = STR("");
    if (mark)
        request->query = (struct str){ mark + 1, target.len - request->path.len - 1 };
    return true;
}

static int line_parse(struct str line, struct browser_request *request)
{
    struct str target;

    if (!take_until(&line, ' ', &request->method) || !take_until(&line, ' ', &target))
        return 400;
    if (line.len != 8 || memcmp(line.ptr, "HTTP/1.", 7) != 0)
        return 505;
    if (!str_same(request->method, STR("GET")) && !str_same(request->method, STR("HEAD")))
        return 405;
    return target_parse(target, request) ? 0 : 400;
}

static struct str trim_blanks(struct str text)
{
    while (text.len && (*text.ptr == ' ' || *text.ptr == '\t')) {
        text.ptr++;
        text.len--;
    }
    while (text.len && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t'))
        text.len--;
    return text;
}

/* One Host header, no continued lines. */
static int headers_parse(struct str rest, struct browser_request *request)
{
    struct str line, name;

    while (take_head_line(&rest, &line) && line.len) {
        if (!take_until(&line, ':', &name) || !name.len || name.ptr[0] == ' ' ||
            name.ptr[0] == '\t')
            return 400;
        if (name.len != 4 || strncasecmp(name.ptr, "host", 4) != 0)
            continue;
        if (request->host.ptr)
            return 400;
        request->host = trim_blanks(line);
    }
    return rest.len || !request->host.ptr ? 400 : 0;
}

int browser_request_parse(struct str head, struct browser_request *request)
{
    struct str line;
    int status;

    *request = (struct browser_request){ .host = { NULL, 0 } };
    if (!take_head_line(&head, &line))
        return 400;
    status = line_parse(line, request);
    return status ? status : headers_parse(head, request);
}

bool browser_request_is_local(const struct browser_request *request, unsigned port)
{
    static const char *const names[] = { "127.0.0.1", "localhost" };
    char host[32];

    for (size_t i = 0; i < countof(names); i++) {
        int len = snprintf(host, sizeof host, "%s:%u", names[i], port);

        if (request->host.len == (size_t)len &&
            strncasecmp(request->host.ptr, host, (size_t)len) == 0)
            return true;
    }
    return false;
}
