/* inet_pton() and inet_aton() read numbers, and libidn2 names, by way of libcurl. */
#include "taint/host.h"

#include <arpa/inet.h>
#include <strings.h>

#include "base/fold.h"
#include "json/hex.h"
#include "taint/clean.h"
#include "taint/plain.h"

static bool (*idn)(struct buf *out, struct str name);

void host_use_idn(bool (*to_ascii)(struct buf *out, struct str name))
{
    idn = to_ascii;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_ascii(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] >= 0x80)
            return false;
    return true;
}

/* --- one host -------------------------------------------------------------------------------- */

/* Appends the text without %XX. True: there was one. */
static bool add_decoded(struct buf *out, struct str text)
{
    bool any = false;

    for (size_t i = 0; i < text.len; i++) {
        int high = text.ptr[i] == '%' && text.len - i > 2 ? hex_value(text.ptr[i + 1]) : -1;
        int low = high >= 0 ? hex_value(text.ptr[i + 2]) : -1;

        if (low >= 0) {
            buf_addc(out, (char)(high << 4 | low));
            i += 2;
            any = true;
        } else {
            buf_addc(out, text.ptr[i]);
        }
    }
    return any;
}

/* Replaces the ideographic full stop (U+3002), which IDNA reads as a dot. */
static void replace_stops(struct buf *name)
{
    size_t to = 0;

    for (size_t i = 0; i < name->len; i++) {
        if (name->len - i >= 3 && memcmp(name->data + i, "\xe3\x80\x82", 3) == 0) {
            name->data[to++] = '.';
            i += 2;
        } else {
            name->data[to++] = name->data[i];
        }
    }
    name->len = to;
}

/* False: it has signs that are not of a name, where a URL would read them. */
static bool is_name_beyond(struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];

        if (!is_letter(c) && !is_digit(c) && c != '.' && c != '-' && c != '_' && c >= 0)
            return false;
    }
    return true;
}

/* Makes ASCII of a name beyond it. False: programs may read it differently. */
static bool make_ascii(struct buf *name)
{
    struct buf direct = { 0 }, folded = { 0 }, by_fold = { 0 };
    bool plain;

    if (!is_name_beyond(buf_str(name)))
        return false;
    plain = idn && idn(&direct, buf_str(name));
    if (!fold_text(&folded, buf_str(name)))
        buf_add(&folded, name->data, name->len);
    replace_stops(&folded);
    if (!is_ascii(buf_str(&folded)) && idn && idn(&by_fold, buf_str(&folded))) {
        buf_free(&folded);
        folded = by_fold;
    }
    plain = plain && str_same(buf_str(&direct), buf_str(&folded));
    name->len = 0;
    buf_add(name, direct.len ? direct.data : folded.data, direct.len ? direct.len : folded.len);
    buf_free(&direct);
    buf_free(&folded);
    return plain;
}

static bool is_name(struct str name)
{
    bool dot = true; /* an empty label would begin here */

    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];

        if (c == '.' ? dot : !is_letter(c) && !is_digit(c) && c != '-' && c != '_' && c >= 0)
            return false;
        dot = c == '.';
    }
    return name.len && !dot;
}

static void add_ipv4(struct buf *out, struct in_addr address)
{
    char text[INET_ADDRSTRLEN];
    uint32_t number = ntohl(address.s_addr);

    if (number >> 24 == 127 || !number)
        buf_lit(out, "localhost");
    else if (inet_ntop(AF_INET, &address, text, sizeof text))
        buf_adds(out, text);
}

static enum host_reading spell_ipv6(struct buf *out, struct str text)
{
    static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff }, none[15] = { 0 };
    char name[INET6_ADDRSTRLEN];
    const char *zone = text.len ? memchr(text.ptr, '%', text.len) : NULL;
    size_t len = zone ? (size_t)(zone - text.ptr) : text.len;
    struct in6_addr address;
    struct in_addr inner;

    if (len >= sizeof name)
        return HOST_NONE;
    memcpy(name, text.ptr, len);
    name[len] = '\0';
    if (inet_pton(AF_INET6, name, &address) != 1)
        return HOST_NONE;
    if (memcmp(address.s6_addr, mapped, sizeof mapped) == 0) {
        memcpy(&inner, address.s6_addr + 12, sizeof inner);
        add_ipv4(out, inner);
    } else if (memcmp(address.s6_addr, none, sizeof none) == 0 && address.s6_addr[15] <= 1) {
        buf_lit(out, "localhost");
    } else if (inet_ntop(AF_INET6, &address, name, sizeof name)) {
        buf_adds(out, name);
    }
    return zone || memchr(text.ptr, '.', text.len) ? HOST_ODD : HOST_PLAIN;
}

static bool ends_in_number(struct str name)
{
    size_t at = name.len;

    while (at && name.ptr[at - 1] != '.')
        at--;
    if (at < name.len && is_digit(name.ptr[at]) && name.len - at > 1 &&
        (name.ptr[at + 1] == 'x' || name.ptr[at + 1] == 'X'))
        return true;
    for (size_t i = at; i < name.len; i++)
        if (!is_digit(name.ptr[i]))
            return false;
    return at < name.len;
}

/* A name that ends in a number is an IPv4 address, in a usual spelling or not. */
static enum host_reading spell_ipv4(struct buf *out, struct str name)
{
    char text[64], usual[INET_ADDRSTRLEN];
    struct in_addr address;

    if (name.len >= sizeof text)
        return HOST_NONE;
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    if (!inet_aton(text, &address) || !inet_ntop(AF_INET, &address, usual, sizeof usual))
        return HOST_NONE;
    add_ipv4(out, address);
    return strcmp(text, usual) == 0 ? HOST_PLAIN : HOST_ODD;
}

static enum host_reading spell_name(struct buf *out, struct buf *name, bool plain)
{
    if (name->len && name->data[name->len - 1] == '.')
        name->len--;
    while (name->len && name->data[name->len - 1] == '.') {
        name->len--;
        plain = false;
    }
    if (!is_name(buf_str(name)))
        return HOST_NONE;
    if (ends_in_number(buf_str(name))) {
        enum host_reading reading = spell_ipv4(out, buf_str(name));

        return reading == HOST_PLAIN && !plain ? HOST_ODD : reading;
    }
    for (size_t i = 0; i < name->len; i++)
        buf_addc(out, (char)(name->data[i] >= 'A' && name->data[i] <= 'Z' ? name->data[i] + 32
                                                                          : name->data[i]));
    return plain ? HOST_PLAIN : HOST_ODD;
}

enum host_reading host_spell(struct buf *out, struct str text)
{
    struct buf name = { 0 };
    enum host_reading reading;
    bool plain;

    if (!text.len || text.len > HOST_MAX)
        return HOST_NONE;
    if (text.len > 2 && text.ptr[0] == '[' && text.ptr[text.len - 1] == ']')
        return spell_ipv6(out, (struct str){ text.ptr + 1, text.len - 2 });
    if (memchr(text.ptr, ':', text.len))
        return spell_ipv6(out, text);
    plain = !add_decoded(&name, text);
    if (!is_ascii(buf_str(&name)))
        plain &= make_ascii(&name);
    reading = spell_name(out, &name, plain);
    buf_free(&name);
    return reading;
}

/* --- those of a text ---------------------------------------------------------------------------
 */

struct finding {
    void (*fn)(void *context, struct str host, enum host_use use);
    void *context;
    int idn_left;
    bool all;
};

static bool give_host(struct finding *finding, struct str text, enum host_use use)
{
    struct buf host = { 0 };
    bool is_host = true;

    if (!is_ascii(text) && finding->idn_left-- <= 0)
        finding->all = false;
    else if ((is_host = host_spell(&host, text) != HOST_NONE))
        finding->fn(finding->context, buf_str(&host), use);
    buf_free(&host);
    return is_host;
}

static struct str text_behind(struct str text, size_t at)
{
    return (struct str){ text.ptr + at, text.len - at };
}

static size_t find_char(struct str text, char c)
{
    const char *at = text.len ? memchr(text.ptr, c, text.len) : NULL;

    return at ? (size_t)(at - text.ptr) : text.len;
}

/* The authority of a URL, or what stands in its place: [user@]host[:port], host:path. */
static void give_authority(struct finding *finding, struct str text, enum host_use use)
{
    size_t from = text.len, end;

    while (from && text.ptr[from - 1] != '@')
        from--;
    text = text_behind(text, from);
    end = text.len;
    while (end && is_digit(text.ptr[end - 1]))
        end--;
    if (end && text.ptr[end - 1] == ':' && (text.ptr[0] == '[' || !memchr(text.ptr, ':', end - 1)))
        text.len = end - 1;
    if (give_host(finding, text, use) || !text.len)
        return;
    if (text.ptr[0] == '[') /* a note of text, such as [host] */
        give_host(finding, (struct str){ text.ptr + 1, find_char(text, ']') - 1 }, HOST_BARE);
    else if (find_char(text, ':') < text.len)
        give_host(finding, (struct str){ text.ptr, find_char(text, ':') }, use);
}

static bool ends_url_host(char c)
{
    return c == '/' || c == '?' || c == '#' || c == '\\';
}

static size_t authority_length(struct str text)
{
    size_t len = 0;

    while (len < text.len && !ends_url_host(text.ptr[len]))
        len++;
    return len;
}

/* Is it four numbers, or names with a domain of letters? */
static bool looks_like_host(struct str text)
{
    size_t dots = 0, last = 0;
    bool digits = true, beyond = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        beyond |= c < 0;
        digits &= is_digit(c) || c == '.';
        if (c == '.' && i && i + 1 < text.len) {
            dots++;
            last = i + 1;
        } else if (!is_letter(c) && !is_digit(c) && c != '-' && c != '_' && c >= 0) {
            return false;
        }
    }
    if (digits)
        return dots == 3;
    return dots && text.len - last >= 2 && (beyond || !is_digit(text.ptr[last]));
}

/* Looks it like a host, with or without a port? */
static bool looks_like_authority(struct str text)
{
    return looks_like_host((struct str){ text.ptr, find_char(text, ':') });
}

/* Gives the authority at the beginning of `rest`. One that does not look like a name with a domain
 * counts as a host only behind "scheme://": "/usr/bin:/usr/local/bin" names none. */
static void give_behind(struct finding *finding, struct str rest, bool url)
{
    struct str authority = { rest.ptr, authority_length(rest) };
    bool sure = url || looks_like_authority(text_behind(authority, 0)) ||
                find_char(authority, '@') < authority.len || (authority.len && *rest.ptr == '[');

    if (authority.len)
        give_authority(finding, authority, sure ? HOST_SURE : HOST_BARE);
}

/* Is it the path of a file URL? */
static bool is_file_path(struct str scheme, size_t slashes)
{
    return slashes != 2 && scheme.len >= 4 &&
           strncasecmp(scheme.ptr + scheme.len - 4, "file", 4) == 0;
}

/* The length of what stands at the beginning of the text, up to a sign that is in no host. */
static size_t bare_authority_length(struct str text)
{
    size_t len = 0;

    while (len < text.len && !ends_url_host(text.ptr[len]) && text.ptr[len] != '@' &&
           text.ptr[len] != '=')
        len++;
    return len;
}

/* Is there a URL in the text that ends there? */
static bool follows_scheme(struct str text)
{
    size_t from = text.len > HOST_MAX ? text.len - HOST_MAX : 0;

    return memmem(text.ptr + from, text.len - from, "//", 2) != NULL;
}

/* Behind the sign of user@host. Names that begin with the sign, and those in a path, are of users,
 * and one with numbers is a version. */
static void give_behind_user(struct finding *finding, struct str word, size_t sign)
{
    struct str rest = text_behind(word, sign + 1);
    struct str authority = { rest.ptr, bare_authority_length(rest) };
    bool other = !sign || word.ptr[sign - 1] == '/';
    bool version = is_digit(*rest.ptr) && find_char(authority, '.') < authority.len &&
                   !looks_like_authority(authority);
    bool mail = authority.len == rest.len && find_char(authority, ':') == authority.len &&
                !follows_scheme((struct str){ word.ptr, sign });

    if (authority.len && !version && (authority.len == rest.len || rest.ptr[authority.len] != '@'))
        give_authority(finding, authority, other ? HOST_BARE : mail ? HOST_MAIL : HOST_SURE);
}

static size_t count_slashes(struct str text)
{
    size_t count = 0;

    while (count < text.len && (text.ptr[count] == '/' || text.ptr[count] == '\\'))
        count++;
    return count;
}

/* Is it two numbers with a colon between them: a time, or a line of a file? */
static bool is_time(struct str text)
{
    size_t colons = 0;

    for (size_t i = 0; i < text.len; i++) {
        colons += text.ptr[i] == ':';
        if (text.ptr[i] != ':' && !is_digit(text.ptr[i]))
            return false;
    }
    return colons < 3;
}

/* Gives what the word begins with, unless that is the scheme of a URL. */
static void give_first(struct finding *finding, struct str word, bool url)
{
    struct str first = { word.ptr, bare_authority_length(word) };
    bool path = first.len < word.len;

    if (!first.len || (path && !ends_url_host(word.ptr[first.len])))
        return; /* user@host and name=host are given by their signs */
    if (looks_like_authority(first))
        give_authority(finding, first, path ? HOST_SURE : HOST_BARE);
    else if (!url && (*first.ptr == '[' || (memchr(first.ptr, ':', first.len) && first.len > 2)) &&
             !is_time(first))
        give_authority(finding, first, HOST_BARE); /* an IPv6 address, or a name with a port */
}

static void give_word_hosts(struct finding *finding, struct str word)
{
    bool any = false;

    for (size_t i = 0; i + 1 < word.len; i++) {
        struct str rest = text_behind(word, i + 1);
        size_t slashes = word.ptr[i] == ':' || !i ? count_slashes(rest) : 0;

        if ((word.ptr[i] == ':' && slashes) || (!i && slashes && ends_url_host(word.ptr[0]))) {
            if (!is_file_path((struct str){ word.ptr, i }, slashes))
                give_behind(finding, text_behind(rest, slashes), i > 1 && slashes > 1);
            any = true;
        } else if (word.ptr[i] == '@') {
            give_behind_user(finding, word, i);
        } else if (word.ptr[i] == '=') {
            give_first(finding, rest, true);
        }
    }
    give_first(finding, word, any);
}

static bool parts_words(unsigned char c)
{
    static const uint64_t set[2] = {
        UINT64_C(0x1ffffffff) | UINT64_C(1) << '"' | UINT64_C(1) << '\'' | UINT64_C(1) << '<' |
            UINT64_C(1) << '>' | UINT64_C(1) << '(' | UINT64_C(1) << ')' | UINT64_C(1) << ',' |
            UINT64_C(1) << ';' | UINT64_C(1) << '!' | UINT64_C(1) << '*' | UINT64_C(1) << '&',
        UINT64_C(1) << ('{' - 64) | UINT64_C(1) << ('}' - 64) | UINT64_C(1) << ('|' - 64) |
            UINT64_C(1) << ('^' - 64) | UINT64_C(1) << ('`' - 64) | UINT64_C(1) << (0x7f - 64)
    };

    return c < 128 && set[c >> 6] >> (c & 63) & 1;
}

/* True if a word may have a host in it. */
static bool may_have_host(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (word.ptr[i] == '.' || word.ptr[i] == ':' || word.ptr[i] == '@' ||
            (word.ptr[i] == '/' && !i))
            return word.len > 2;
    return false;
}

static void find_hosts(struct finding *finding, struct str text)
{
    size_t from = 0;

    for (size_t i = 0; i <= text.len; i++) {
        struct str word = { text.ptr + from, i - from };

        if (i < text.len && !parts_words((unsigned char)text.ptr[i]))
            continue;
        while (word.len && (word.ptr[word.len - 1] == '.' || word.ptr[word.len - 1] == ':'))
            word.len--;
        if (may_have_host(word))
            give_word_hosts(finding, word);
        from = i + 1;
    }
}

bool taint_hosts(struct str text, void (*fn)(void *context, struct str host, enum host_use use),
                 void *context)
{
    struct finding finding = { fn, context, HOSTS_IDN, true };
    struct buf cleaned = { 0 };

    find_hosts(&finding, text);
    if (!is_ascii(text)) { /* quotes and blanks beyond ASCII, characters that nobody sees */
        taint_clean(&cleaned, text);
        find_hosts(&finding, buf_str(&cleaned));
        buf_free(&cleaned);
    }
    return finding.all;
}

/* --- marks ------------------------------------------------------------------------------------ */

enum { STANDS_MIN = 7 }; /* bytes of a word that identifies something */

/* The ends of usual names of files, most of which are no domains. */
/* clang-format off */
static const char *const files[] = {
    "avi",  "bak",  "bash", "bin",  "bz2",  "cc",   "cfg",  "conf", "cpp",  "cs",   "css",  "csv",
    "db",   "deb",  "diff", "dll",  "doc",  "docx", "exe",  "gif",  "go",   "gz",   "hpp",  "htm",
    "html", "ico",  "ics",  "img",  "ini",  "ipynb", "iso", "java", "jpeg", "jpg",  "js",   "json",
    "jsx",  "key",  "kt",   "lock", "log",  "lua",  "md",   "mjs",  "mkv",  "mov",  "mp3",  "mp4",
    "odp",  "ods",  "odt",  "ogg",  "patch", "pdf", "pem",  "php",  "pl",   "pm",   "png",  "ppt",
    "pptx", "ps",   "py",   "pyc",  "rar",  "rb",   "rpm",  "rs",   "rst",  "rtf",  "service", "sh",
    "so",   "socket", "sql", "sqlite", "svg", "swift", "tar", "tex", "tgz", "tmp",  "toml", "ts",
    "tsv",  "tsx",  "txt",  "vim",  "wav",  "webp", "xls",  "xlsx", "xml",  "xz",   "yaml", "yml",
    "zip",  "zsh",  "zst",
};
/* clang-format on */

bool host_stands(struct str host)
{
    size_t dot = host.len;

    while (dot && host.ptr[dot - 1] != '.')
        dot--;
    for (size_t i = 0; i < countof(files); i++)
        if (str_same(text_behind(host, dot), str_from(files[i])))
            return false;
    return host.len >= STANDS_MIN && !taint_in_scripts(host);
}

struct str host_parent(struct str host)
{
    struct str parent = text_behind(host, find_char(host, '.'));

    if (!parent.len || ends_in_number(host) || find_char(host, ':') < host.len)
        return (struct str){ NULL, 0 };
    parent = text_behind(parent, 1);
    return find_char(parent, '.') < parent.len ? parent : (struct str){ NULL, 0 };
}

void taint_host_marks(struct buf *out, struct str host, enum host_use use)
{
    taint_host_mark(out, host, false);
    if (use == HOST_SURE || (use == HOST_BARE && host_stands(host)))
        taint_host_mark(out, host, true);
}

void taint_host_mark(struct buf *out, struct str host, bool strong)
{
    buf_addc(out, strong ? '\3' : '\1');
    buf_add(out, host.ptr, host.len);
    buf_addc(out, '\n');
}
