/* Resolving one URI reference against another. URIs are compared as text, so
 * nothing is normalised but dot segments. */
#include "json/schema/uri.h"

#include "json/hex.h"

struct uri {
    struct str scheme, authority, path, query; /* ptr is NULL where absent; path never is */
};

static struct str make_span(const char *from, const char *to)
{
    return (struct str){ from, (size_t)(to - from) };
}

static bool scheme_byte(char c, bool first)
{
    char lower = (char)(c | 0x20);

    if (lower >= 'a' && lower <= 'z')
        return true;
    return !first && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.');
}

static const char *read_scheme(struct uri *uri, const char *p)
{
    const char *end = p;

    while (scheme_byte(*end, end == p))
        end++;
    if (end == p || *end != ':')
        return p;
    uri->scheme = make_span(p, end);
    return end + 1;
}

/* Up to the fragment. */
static struct uri uri_split(const char *p)
{
    struct uri uri = { { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 } };
    size_t len;

    p = read_scheme(&uri, p);
    if (p[0] == '/' && p[1] == '/') {
        len = strcspn(p + 2, "/?#");
        uri.authority = (struct str){ p + 2, len };
        p += 2 + len;
    }
    len = strcspn(p, "?#");
    uri.path = (struct str){ p, len };
    p += len;
    if (*p == '?')
        uri.query = (struct str){ p + 1, strcspn(p + 1, "#") };
    return uri;
}

/* Appends a path without its "." and ".." segments (section 5.2.4). */
static void add_path(struct buf *out, struct str path)
{
    const char *p = path.ptr, *end = path.ptr + path.len;
    size_t start = out->len;

    while (p < end) {
        const char *stop = memchr(p + 1, '/', (size_t)(end - p - 1));
        size_t len = (size_t)((stop ? stop : end) - p);
        bool slash = *p == '/';
        struct str name = { p + slash, len - slash };

        p += len;
        if (str_same(name, STR("..")) || str_same(name, STR("."))) {
            if (name.len == 2) {
                while (out->len > start && out->data[--out->len] != '/')
                    ;
            }
            if (p == end)
                buf_addc(out, '/');
        } else {
            buf_add(out, name.ptr - slash, len);
        }
    }
}

/* The base's path up to its last slash, then the reference's (section 5.2.3). */
static void add_merged(struct buf *out, const struct uri *base, struct str path)
{
    struct buf merged = { 0 };
    size_t keep = base->path.len;

    while (keep > 0 && base->path.ptr[keep - 1] != '/')
        keep--;
    if (!base->path.len && base->authority.ptr)
        buf_addc(&merged, '/');
    buf_add(&merged, base->path.ptr, keep);
    buf_add(&merged, path.ptr, path.len);
    add_path(out, buf_str(&merged));
    buf_free(&merged);
}

static void add_head(struct buf *out, struct str scheme, struct str authority)
{
    if (scheme.ptr) {
        buf_add(out, scheme.ptr, scheme.len);
        buf_addc(out, ':');
    }
    if (authority.ptr) {
        buf_lit(out, "//");
        buf_add(out, authority.ptr, authority.len);
    }
}

static void add_query(struct buf *out, struct str query)
{
    if (!query.ptr)
        return;
    buf_addc(out, '?');
    buf_add(out, query.ptr, query.len);
}

void uri_resolve(struct buf *out, const char *base_text, const char *reference)
{
    struct uri base = uri_split(base_text), ref = uri_split(reference);
    bool own_authority = ref.scheme.ptr || ref.authority.ptr;

    add_head(out, ref.scheme.ptr ? ref.scheme : base.scheme,
             own_authority ? ref.authority : base.authority);
    if (own_authority || (ref.path.len && ref.path.ptr[0] == '/'))
        add_path(out, ref.path);
    else if (ref.path.len)
        add_merged(out, &base, ref.path);
    else
        buf_add(out, base.path.ptr, base.path.len);
    add_query(out, ref.query.ptr || own_authority || ref.path.len ? ref.query : base.query);
}

const char *uri_fragment(const char *reference)
{
    const char *mark = strchr(reference, '#');

    return mark ? mark + 1 : NULL;
}

bool uri_decode(struct buf *out, const char *text)
{
    for (; *text; text++) {
        int high, low;

        if (*text != '%') {
            buf_addc(out, *text);
            continue;
        }
        high = hex_value(text[1]);
        low = high < 0 ? -1 : hex_value(text[2]);
        if (low < 0)
            return false;
        buf_addc(out, (char)(high << 4 | low));
        text += 2;
    }
    return true;
}
