/* A form is made of a word alone, so that both sides of a comparison have the same. */
#include "taint/forms.h"

#include <arpa/inet.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

size_t taint_scheme(struct str word)
{
    size_t i = 1;

    if (!word.len || !is_letter(word.ptr[0]))
        return 0;
    while (i < word.len && (is_letter(word.ptr[i]) || is_digit(word.ptr[i]) || word.ptr[i] == '+' ||
                            word.ptr[i] == '.' || word.ptr[i] == '-'))
        i++;
    if (i >= word.len || word.ptr[i] != ':')
        return 0;
    for (i++; i < word.len && word.ptr[i] == '/';)
        i++;
    return i < word.len ? i : 0;
}

static struct str str_behind(struct str text, size_t at)
{
    return (struct str){ text.ptr + at, text.len - at };
}

/* Where the character is first; the length of the text: nowhere. */
static size_t find_char(struct str text, char c)
{
    const char *at = text.len ? memchr(text.ptr, c, text.len) : NULL;

    return at ? (size_t)(at - text.ptr) : text.len;
}

static struct str without_port(struct str host, bool any)
{
    size_t at = host.len, value = 0;

    while (at && is_digit(host.ptr[at - 1]))
        at--;
    if (!at || host.ptr[at - 1] != ':')
        return host;
    for (size_t i = at; i < host.len && value < 65536; i++)
        value = value * 10 + (size_t)(host.ptr[i] - '0');
    return any || at == host.len || value == 80 || value == 443 ? (struct str){ host.ptr, at - 1 }
                                                                : host;
}

/* Adds a host; one of a URL that is written as a number, in the usual form. */
static void add_host(struct buf *out, struct str host, bool url, bool any_port)
{
    char text[24];
    struct in_addr address;

    host = without_port(host, any_port);
    while (host.len && host.ptr[host.len - 1] == '.')
        host.len--;
    if (url && host.len && is_digit(host.ptr[0]) && host.len < sizeof text) {
        memcpy(text, host.ptr, host.len);
        text[host.len] = '\0';
        if (inet_aton(text, &address) && inet_ntop(AF_INET, &address, text, sizeof text))
            host = str_from(text);
    }
    buf_add(out, host.ptr, host.len);
}

/* Removes the last name behind `base`; false: there is none, or it is "..". */
static bool drop_name(struct buf *out, size_t base)
{
    size_t at = out->len;

    while (at > base && out->data[at - 1] != '/')
        at--;
    if (at == out->len || (out->len - at == 2 && memcmp(out->data + at, "..", 2) == 0))
        return false;
    out->len = at > base ? at - 1 : at;
    return true;
}

/* Adds a path to what is there, its names resolved; `rooted`: none is above the first. */
static void add_names(struct buf *out, struct str path, bool rooted)
{
    size_t base = out->len;

    while (path.len) {
        struct str name = { path.ptr, find_char(path, '/') };

        path = str_behind(path, name.len + (name.len < path.len));
        if (!name.len || str_same(name, STR(".")))
            continue;
        if (str_same(name, STR("..")) && (drop_name(out, base) || rooted))
            continue;
        if (rooted || out->len > base)
            buf_addc(out, '/');
        buf_add(out, name.ptr, name.len);
    }
}

/* Adds an address of mail without the tag of its receiver. */
static void add_mail(struct buf *out, struct str word, size_t sign)
{
    size_t tag = find_char((struct str){ word.ptr, sign }, '+');

    buf_add(out, word.ptr, tag ? tag : sign);
    buf_addc(out, '@');
    add_host(out, str_behind(word, sign + 1), false, false);
}

/* Adds the normal form of text that begins with the name of a host or of a folder. */
static void add_place(struct buf *out, struct str word, bool url, bool any_port)
{
    size_t slash = find_char(word, '/'), sign = slash;

    while (sign && word.ptr[sign - 1] != '@')
        sign--;
    if (sign > 1 && !url && slash == word.len) {
        add_mail(out, word, sign - 1);
        return;
    }
    add_host(out, (struct str){ word.ptr + sign, slash - sign }, url, any_port);
    add_names(out, str_behind(word, slash), true);
}

/* Where the place begins in a word with this scheme that no slash follows: a name with dots before
 * the colon is a host, and the number behind it a port. */
static size_t place_start(struct str word, size_t scheme)
{
    struct str name = { word.ptr, find_char(word, ':') };

    return is_digit(word.ptr[scheme]) || find_char(name, '.') < name.len ? 0 : scheme;
}

/* Adds the normal form of a word. */
static void add_form(struct buf *out, struct str word, struct str home, bool any_port)
{
    size_t scheme = taint_scheme(word), slashes = scheme;

    if (scheme && word.ptr[scheme - 1] == ':')
        scheme = slashes = place_start(word, scheme);
    while (slashes && word.ptr[slashes - 1] == '/')
        slashes--;
    if (scheme > slashes && word.len > 5 && memcmp(word.ptr, "file:", 5) == 0) {
        size_t host = scheme - slashes == 2 ? find_char(str_behind(word, scheme), '/') : 0;

        add_names(out, str_behind(word, scheme + host), true);
    } else if (word.ptr[0] == '/') {
        add_names(out, word, true);
    } else if (word.len > 1 && word.ptr[0] == '~' && word.ptr[1] == '/' && home.len) {
        struct buf whole = { 0 };

        buf_add(&whole, home.ptr, home.len);
        buf_add(&whole, word.ptr + 1, word.len - 1);
        add_names(out, buf_str(&whole), true);
        buf_free(&whole);
    } else if (word.ptr[0] == '.') {
        add_names(out, word, false);
    } else {
        add_place(out, str_behind(word, scheme), scheme > slashes, any_port);
    }
}

/* Adds the word with each backslash left out, or (`with`) replaced. */
static void add_without(struct buf *out, struct str word, char with)
{
    for (size_t i = 0; i < word.len; i++)
        if (word.ptr[i] != '\\')
            buf_addc(out, word.ptr[i]);
        else if (with)
            buf_addc(out, with);
}

struct giving {
    struct str home;
    bool any_port; /* no port is kept */
    bool (*fn)(void *context, struct str form);
    void *context;
};

/* Gives the form of a word. True: whoever gets it needs none of which it is the end. */
static bool give_form(const struct giving *giving, struct str word, bool changed)
{
    struct buf out = { 0 };
    size_t scheme = taint_scheme(word), at;
    bool enough = false;

    if (!word.len)
        return false;
    add_form(&out, word, giving->home, giving->any_port);
    at = out.len <= word.len ? word.len - out.len : word.len;
    if (changed || (at != 0 && at != scheme && at + 1 != scheme) ||
        !str_same(str_behind(word, at), buf_str(&out)))
        enough = giving->fn(giving->context, buf_str(&out));
    buf_free(&out);
    if (word.len > 1 && word.ptr[0] == '/' && word.ptr[1] == '/') { /* a URL without scheme */
        while (word.len && word.ptr[0] == '/')
            word = str_behind(word, 1);
        give_form(giving, word, true);
    }
    return enough;
}

/* --- schemes around schemes ------------------------------------------------------------------- */

/* The scheme at the beginning if another one is in it: view-source:https://... 0: there is none. */
static size_t outer_scheme(struct str word)
{
    size_t scheme = taint_scheme(word);

    return scheme && word.ptr[scheme - 1] == ':' && taint_scheme(str_behind(word, scheme)) ? scheme
                                                                                           : 0;
}

/* Where the part of the word begins that is in all outer schemes. */
static size_t innermost(struct str word)
{
    size_t at = 0, scheme;

    while ((scheme = outer_scheme(str_behind(word, at))))
        at += scheme;
    return at;
}

enum { INNER_ALL = 8 /* parts of which all are given */ };

/* Gives the forms of the word and of its parts in outer schemes, each of which is the end of the
 * one before: the whole word has all of them, and what has a longer one has the shorter ones. Where
 * there are many, the longest and the shortest that is of use are enough: all together may have the
 * square of the word's length. */
static void give_inner(const struct giving *giving, struct str word)
{
    size_t at = innermost(word), slash = find_char(word, '/');
    bool same = slash < word.len && find_char(word, '@') < slash; /* users are left out */

    give_form(giving, word, true);
    for (int count = 1; at && !same; count++) {
        if (give_form(giving, str_behind(word, at), true) && count >= INNER_ALL)
            return;
        at--; /* the colon */
        while (at && word.ptr[at - 1] != ':')
            at--;
    }
}

enum { MAIL_HOST = 256 /* bytes of a host that an address of mail is compared by */ };

/* Gives the forms of the receiver's names before one tag: from `at` to the tag, which is at `to`.
 */
static void give_tagged(const struct giving *giving, struct str word, size_t at, size_t to,
                        struct str host)
{
    struct buf part = { 0 };
    size_t last = to, scheme;

    buf_lit(&part, "a:"); /* a scheme around the first of them */
    buf_add(&part, word.ptr + at, to - at + (word.ptr[to] == '+'));
    buf_add(&part, host.ptr, host.len);
    give_inner(giving, buf_str(&part));
    while (last > at && word.ptr[last - 1] != ':')
        last--;
    scheme = taint_scheme(str_behind(word, last));
    if (scheme && !place_start(str_behind(word, last), scheme))
        give_form(giving, str_behind(buf_str(&part), last - at + 2), true);
    buf_free(&part);
}

/* The same for addresses of mail. A tag ends the receiver's name, so that only the parts before the
 * same tag are ends of one another. */
static void give_inner_mails(const struct giving *giving, struct str word)
{
    size_t end = innermost(word), sign = word.len - 1, at, tag;
    struct str host;

    while (word.ptr[sign] != '@')
        sign--;
    host = str_behind(word, sign);
    host.len = host.len > MAIL_HOST ? MAIL_HOST : host.len;
    give_form(giving, word, true);
    if (end)
        give_form(giving, str_behind(word, end), true);
    for (at = place_start(word, taint_scheme(word)); at <= end; at = tag + 1) {
        tag = at + find_char((struct str){ word.ptr + at, sign - at }, '+');
        give_tagged(giving, word, at, tag, host);
        tag += find_char(str_behind(word, tag), ':');
    }
}

static void give_parts(const struct giving *giving, struct str word, bool changed)
{
    size_t slash = find_char(word, '/'), sign = find_char(word, '@') + 1;
    size_t scheme;

    if (!word.len)
        return;
    scheme = outer_scheme(word);
    give_form(giving, word, changed);
    if (scheme && slash == word.len && sign <= word.len)
        give_inner_mails(giving, str_behind(word, scheme));
    else if (scheme)
        give_inner(giving, str_behind(word, scheme));
    if (word.ptr[0] != '-' && word.ptr[0] != '@')
        return;
    if (slash < word.len) /* -I/usr/include */
        give_form(giving, str_behind(word, slash), true);
    if (sign < word.len) /* -d@notes/x */
        give_form(giving, str_behind(word, sign), true);
}

static void give_forms(const struct giving *giving, struct str word)
{
    struct buf out = { 0 };

    give_parts(giving, word, false);
    if (find_char(word, '\\') == word.len)
        return;
    while (word.len && word.ptr[0] == '\\')
        word = str_behind(word, 1);
    for (int i = 0; i < 2; i++) { /* an escape of a shell; a slash of a browser */
        out.len = 0;
        add_without(&out, word, i ? '/' : '\0');
        give_parts(giving, buf_str(&out), true);
    }
    buf_free(&out);
}

static bool has_port(struct str word)
{
    for (size_t i = 1; i + 1 < word.len; i++)
        if (word.ptr[i] == ':' && is_digit(word.ptr[i + 1]))
            return true;
    return false;
}

bool taint_has_forms(struct str word)
{
    size_t scheme = taint_scheme(word);
    const char *end = word.ptr + word.len;

    if (scheme ? is_digit(word.ptr[scheme]) || word.ptr[0] == 'f' : word.len && word.ptr[0] == '-')
        return true;
    for (const char *at = word.ptr + scheme; at < end; at++) {
        if (*at == '@' || *at == ':' || *at == '\\')
            return true;
        if (*at == '/' && at + 1 < end && (at[1] == '/' || at[1] == '.'))
            return true;
        if (*at == '.' && at + 1 < end && at[1] == '/')
            return true;
    }
    return false;
}

void taint_forms(struct str word, struct str home, bool (*fn)(void *context, struct str form),
                 void *context)
{
    struct giving giving = { home, false, fn, context };
    size_t equals = find_char(word, '=');

    for (int i = 0; i < (has_port(word) ? 2 : 1); i++) {
        giving.any_port = i;
        give_forms(&giving, word);
        if (equals + 1 < word.len)
            give_forms(&giving, str_behind(word, equals + 1));
    }
}
