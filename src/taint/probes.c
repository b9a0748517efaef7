/* A probe is a piece of the cleaned text; words in a row are in a row there. */
#include "taint/probes.h"

#include <stdlib.h>

#include "taint/clean.h"
#include "taint/decoded.h"
#include "taint/forms.h"
#include "taint/host.h"
#include "taint/inner.h"
#include "taint/joined.h"
#include "taint/plain.h"
#include "taint/readings.h"

enum {
    STANDS_MIN = 7, /* bytes of one word that identifies something */
    LONG_MIN = 12,  /* bytes of one without a mark */
    COMMAND_MAX = 64,
};

void probes_free(struct probes *probes)
{
    buf_free(&probes->text);
    buf_free(&probes->others);
    buf_free(&probes->hosts);
    buf_free(&probes->rows);
    free(probes->items);
    *probes = (struct probes){ 0 };
}

void probes_clear(struct probes *probes, const struct names *except, struct str home)
{
    probes->text.len = probes->others.len = probes->hosts.len = probes->rows.len = 0;
    probes->count = probes->row_count = 0;
    probes->more = probes->slash = false;
    probes->except = except;
    probes->home = home;
}

/* --- words --------------------------------------------------------------------------------- */

enum {
    SPACE = 1,
    MARK = 2,  /* makes a short word identify something: a digit or one of . / : @ _ \ - */
    JOINT = 4, /* a word with it has the same meaning as others */
};

static const unsigned char kinds[256] = {
    [' '] = SPACE,        ['-'] = MARK,          ['.'] = MARK,         ['/'] = MARK | JOINT,
    ['0'] = MARK,         ['1'] = MARK,          ['2'] = MARK,         ['3'] = MARK,
    ['4'] = MARK,         ['5'] = MARK,          ['6'] = MARK,         ['7'] = MARK,
    ['8'] = MARK,         ['9'] = MARK,          [':'] = MARK | JOINT, ['='] = JOINT,
    ['@'] = MARK | JOINT, ['\\'] = MARK | JOINT, ['_'] = MARK,         ['~'] = JOINT,
};

struct word {
    size_t len;
    unsigned kinds; /* the kinds of its characters */
};

/* The first word of the text, which ends at a space. */
static struct word first_word(struct str text)
{
    struct word word = { 0 };

    for (; word.len < text.len; word.len++) {
        unsigned kind = kinds[(unsigned char)text.ptr[word.len]];

        if (kind == SPACE)
            break;
        word.kinds |= kind;
    }
    return word;
}

/* True if the word at the beginning of the text identifies something by itself. */
static bool stands(struct str text, struct word word, bool slash)
{
    return word.len >= (word.kinds & MARK ? STANDS_MIN : LONG_MIN) &&
           !taint_plain((struct str){ text.ptr, word.len }, slash);
}

bool probes_stands(struct str word)
{
    return stands(word, first_word(word), false);
}

static bool begins(struct str *rest, const char *text)
{
    size_t len = strlen(text);

    if (rest->len < len || memcmp(rest->ptr, text, len) != 0)
        return false;
    *rest = (struct str){ rest->ptr + len, rest->len - len };
    return true;
}

/* True if the text has only these characters, and at least one. */
static bool all_of(struct str text, const char *characters)
{
    size_t i = 0;

    while (i < text.len && text.ptr[i] && strchr(characters, text.ptr[i]))
        i++;
    return i > 0 && i == text.len;
}

static size_t digits_of(struct str text)
{
    size_t i = 0;

    while (i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9')
        i++;
    return i;
}

/* True for names that Perigee gives, which every call repeats: applications/PID, with /windows/ID,
 * displays/ID, image-ID. */
static bool is_ours(struct str word)
{
    size_t count;

    if (begins(&word, "applications/")) {
        count = digits_of(word);
        word = (struct str){ word.ptr + count, word.len - count };
        return count && (!word.len ||
                         (begins(&word, "/windows/") && word.len && digits_of(word) == word.len));
    }
    if (begins(&word, "displays/"))
        return all_of(word, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return begins(&word, "image-") && all_of(word, "abcdef0123456789-") &&
           memchr(word.ptr, '-', word.len);
}

/* --- adding -------------------------------------------------------------------------------- */

/* False: the word is excepted. */
static bool probes_add_word(struct probes *probes, size_t from, size_t len)
{
    struct str word = { probes->text.data + from, len };

    if (probes->except && names_has(probes->except, word))
        return false;
    if (probes->count == PROBES_MAX) {
        probes->more = true;
        return true;
    }
    if (probes->count == probes->room) {
        probes->room = probes->room ? probes->room * 2 : 64;
        probes->items = mem_resize(probes->items, probes->room * sizeof *probes->items);
    }
    probes->items[probes->count++] = (struct probe){ (uint32_t)from, (uint32_t)len };
    return true;
}

static bool add_part(struct probes *probes, size_t from, size_t len)
{
    struct str word = { probes->text.data + from, len };

    return stands(word, first_word(word), probes->slash) && !is_ours(word) &&
           probes_add_word(probes, from, len);
}

/* Adds text that is not a piece of the arguments, behind all others. False: it is not sought. */
static bool add_other(struct probes *probes, struct str first, struct str second)
{
    size_t from = probes->text.len;

    buf_reserve(&probes->text, first.len + second.len); /* `second` may lie in it: no move below */
    buf_add(&probes->text, first.ptr, first.len);
    buf_add(&probes->text, second.ptr, second.len);
    return add_part(probes, from, probes->text.len - from);
}

static void add_path(struct probes *probes, size_t from, size_t len)
{
    struct str home = probes->home, path = { probes->text.data + from, len };

    if (!home.len || len < 2)
        return;
    if (path.ptr[0] == '~' && path.ptr[1] == '/') {
        buf_reserve(&probes->text, home.len + len);
        add_other(probes, home, (struct str){ probes->text.data + from + 1, len - 1 });
    } else if (len > home.len && memcmp(path.ptr, home.ptr, home.len) == 0 &&
               path.ptr[home.len] == '/') {
        buf_reserve(&probes->text, len);
        add_other(probes, STR("~"),
                  (struct str){ probes->text.data + from + home.len, len - home.len });
    }
}

/* True: it is looked for. */
static bool add_form(void *context, struct str form)
{
    struct probes *probes = context;
    size_t from = probes->text.len;
    bool sought = add_other(probes, form, STR(""));

    add_path(probes, from, form.len);
    return sought;
}

/* Adds text with the same meaning as a word, and the important part of one: "--file=/etc/x",
 * "mailto:ann@x.example", "~/x". */
static void add_also(struct probes *probes, size_t from, size_t len)
{
    const char *word = probes->text.data + from, *equals = memchr(word, '=', len);
    size_t value = equals ? (size_t)(equals - word) + 1 : 0;
    size_t scheme = taint_scheme((struct str){ word, len });
    size_t inner =
        value && value < len ? taint_scheme((struct str){ word + value, len - value }) : 0;
    struct buf whole = { 0 };

    if (value && value < len)
        add_part(probes, from + value, len - value);
    if (inner)
        add_part(probes, from + value + inner, len - value - inner);
    if (value && value < len)
        add_path(probes, from + value, len - value);
    if (scheme) {
        add_part(probes, from + scheme, len - scheme);
        word = probes->text.data + from;
        if (word[scheme - 1] == '/') { /* a path begins with one of the slashes */
            add_part(probes, from + scheme - 1, len - scheme + 1);
            add_path(probes, from + scheme - 1, len - scheme + 1);
        }
    }
    add_path(probes, from, len);
    if (!taint_has_forms((struct str){ probes->text.data + from, len }))
        return;
    buf_add(&whole, probes->text.data + from, len); /* the text moves while forms are added */
    taint_forms(buf_str(&whole), probes->home, add_form, probes);
    buf_free(&whole);
}

static bool is_option(const struct probes *probes, size_t at, size_t len)
{
    return len > 1 && probes->text.data[at] == '-';
}

/* Adds a row without the dashes before its words: "curl-s-x" is what dashes make of "curl -s x". */
static void add_undashed(struct probes *probes, size_t from, size_t len)
{
    size_t to = probes->text.len;

    buf_reserve(&probes->text, len);
    for (size_t i = from; i < from + len; i++)
        if (probes->text.data[i] != '-' || (i > from && probes->text.data[i - 1] != ' '))
            buf_addc(&probes->text, probes->text.data[i]);
    probes_add_word(probes, to, probes->text.len - to);
}

/* Adds the probes of this part of the text. More text is added behind it meanwhile. */
static void add_words_within(struct probes *probes, size_t from, size_t end, bool pairs)
{
    size_t first[PROBES_ROW] = { 0 }; /* where the last words begin */
    bool excepted = false;            /* the word before is excepted */
    unsigned dashed = 0;              /* a bit for each of the last words that is an option */

    for (size_t at = from, count = 0; at < end; count++) {
        struct str text = { probes->text.data + at, end - at };
        struct word word = first_word(text);
        bool stand = stands(text, word, probes->slash), except;

        text.len = word.len;
        except = stand && probes->except && names_has(probes->except, text);
        memmove(first, first + 1, sizeof first - sizeof *first);
        first[PROBES_ROW - 1] = at;
        if (stand && !is_ours(text))
            probes_add_word(probes, at, word.len);
        if (count && (pairs || excepted || except))
            probes_add_word(probes, first[PROBES_ROW - 2], at + word.len - first[PROBES_ROW - 2]);
        if (count + 1 >= PROBES_ROW)
            probes_add_word(probes, first[0], at + word.len - first[0]);
        if (word.kinds & JOINT)
            add_also(probes, at, word.len);
        dashed = (dashed << 1 | is_option(probes, at, word.len)) & ((1u << PROBES_ROW) - 1);
        if (count + 1 >= PROBES_ROW && dashed)
            add_undashed(probes, first[0], at + word.len - first[0]);
        excepted = except;
        at += word.len + 1;
    }
}

static void add_words(struct probes *probes, size_t from, bool pairs)
{
    add_words_within(probes, from, probes->text.len, pairs);
}

/* --- words that a sign joins ------------------------------------------------------------------ */

/* Adds the rows of words that are at the end of the text. */
static void add_rows(struct probes *probes, size_t from)
{
    size_t end = probes->text.len, first[PROBES_ROW] = { 0 };

    for (size_t at = from, count = 1; at < end; count++) {
        struct word word = first_word((struct str){ probes->text.data + at, end - at });

        memmove(first, first + 1, sizeof first - sizeof *first);
        first[PROBES_ROW - 1] = at;
        if (count >= PROBES_ROW)
            probes_add_word(probes, first[0], at + word.len - first[0]);
        at += word.len + 1;
    }
}

static void add_kept_row(void *context, struct str spaced, bool dashes)
{
    struct probes *probes = context;
    size_t from = probes->text.len;

    (void)dashes;
    buf_add(&probes->text, spaced.ptr, spaced.len);
    add_rows(probes, from);
}

/* Adds the words, with a dash before each of those that `which` has a bit for. */
static void add_dashed(struct probes *probes, struct str spaced, unsigned which)
{
    size_t from = probes->text.len, number = 0;

    for (size_t i = 0; i < spaced.len; i++) {
        if ((!i || spaced.ptr[i - 1] == ' ') && which >> number++ % PROBES_ROW & 1 &&
            spaced.ptr[i] != '-')
            buf_addc(&probes->text, '-');
        buf_addc(&probes->text, spaced.ptr[i]);
    }
    add_rows(probes, from);
}

static void add_row(void *context, struct str spaced, bool dashes)
{
    struct probes *probes = context;

    for (unsigned which = 0; which < (dashes ? 1u << PROBES_ROW : 1); which++)
        add_dashed(probes, spaced, which);
}

/* Adds those of the words in this part of the text. */
static void add_joined(struct probes *probes, size_t from, size_t end,
                       void (*fn)(void *context, struct str spaced, bool dashes))
{
    struct buf copy = { 0 }; /* the text moves while probes are added */

    for (size_t at = from; at < end;) {
        struct str text = { probes->text.data + at, end - at };
        struct word word = first_word(text);

        text.len = word.len;
        if (!(probes->except && names_has(probes->except, text))) {
            copy.len = 0;
            buf_add(&copy, text.ptr, text.len);
            taint_joined(buf_str(&copy), fn, probes);
        }
        at += word.len + 1;
    }
    buf_free(&copy);
}

/* --- text ---------------------------------------------------------------------------------- */

static void add_decoded(void *context, struct str decoded)
{
    struct probes *probes = context;

    taint_clean(&probes->others, decoded);
    buf_addc(&probes->others, '\n');
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* True if a word of the text has nothing but signs of a shell: the star in "rm -rf *". */
static bool has_sign_word(struct str text)
{
    for (size_t i = 0, from; i < text.len; i++) {
        bool signs = true;

        for (from = i; i < text.len && !is_blank(text.ptr[i]); i++)
            signs = signs && text.ptr[i] && strchr("*.?~/&|;<>", text.ptr[i]);
        if (signs && i > from)
            return true;
    }
    return false;
}

/* Adds a short command whose signs are no words in cleaned text. */
static void add_command(struct probes *probes, size_t from, struct str text)
{
    size_t blanks = 0;

    if (text.len > COMMAND_MAX || !has_sign_word(text))
        return;
    for (size_t i = from; i < probes->text.len; i++)
        blanks += probes->text.data[i] == ' ';
    if (blanks == 1)
        probes_add_word(probes, from, probes->text.len - from);
}

void probes_add(struct probes *probes, struct str text)
{
    size_t before = probes->text.len;

    if (before)
        buf_addc(&probes->text, ' ');
    taint_clean(&probes->text, text);
    if (before && probes->text.len == before + 1)
        probes->text.len = before;
    else
        add_command(probes, before ? before + 1 : 0, text);
    taint_decoded(text, add_decoded, probes);
    taint_readings(text, add_decoded, probes);
}

/* Adds cleaned text from another buffer. */
static void add_text(struct probes *probes, struct str cleaned)
{
    size_t from = probes->text.len;

    buf_add(&probes->text, cleaned.ptr, cleaned.len);
    add_words(probes, from, false);
}

static void add_others(struct probes *probes)
{
    struct str rest = buf_str(&probes->others);

    while (rest.len && !probes->more) {
        size_t line = (size_t)((const char *)memchr(rest.ptr, '\n', rest.len) - rest.ptr);

        add_text(probes, (struct str){ rest.ptr, line });
        rest = (struct str){ rest.ptr + line + 1, rest.len - line - 1 };
    }
}

/* --- hosts ---------------------------------------------------------------------------------- */

struct host_adding {
    struct buf *lines;
    void (*add)(void *context, struct str host, enum host_use use);
    bool all;
};

static void add_marks(void *context, struct str host, enum host_use use)
{
    taint_host_marks(((struct host_adding *)context)->lines, host, use);
}

static void add_host_line(void *context, struct str host, enum host_use use)
{
    struct host_adding *adding = context;

    buf_addc(adding->lines, (char)('0' + use));
    buf_add(adding->lines, host.ptr, host.len);
    buf_addc(adding->lines, '\n');
}

static void add_hosts_of(void *context, struct str text)
{
    struct host_adding *adding = context;

    adding->all &= taint_hosts(text, adding->add, adding);
}

static bool add_all_hosts(struct host_adding *adding, struct str text)
{
    add_hosts_of(adding, text);
    taint_decoded(text, add_hosts_of, adding);
    taint_readings(text, add_hosts_of, adding);
    return adding->all;
}

bool probes_add_hosts(struct probes *probes, struct str text)
{
    return add_all_hosts(&(struct host_adding){ &probes->hosts, add_marks, true }, text);
}

bool probes_list_hosts(struct buf *lines, struct str text)
{
    return add_all_hosts(&(struct host_adding){ lines, add_host_line, true }, text);
}

static void add_host_mark(struct probes *probes, struct str host, enum host_use use)
{
    bool dotted = memchr(host.ptr, '.', host.len) || memchr(host.ptr, ':', host.len);

    if (dotted || use != HOST_BARE)
        taint_host_mark(&probes->hosts, host,
                        use == HOST_MAIL || (use == HOST_BARE && !host_stands(host)));
}

void probes_seek_host(struct probes *probes, struct str host, enum host_use use)
{
    add_host_mark(probes, host, use);
    if (use == HOST_MAIL)
        return;
    taint_reverse(&probes->others, host);
    buf_addc(&probes->others, '\n');
}

static void add_inner(void *context, struct str host)
{
    add_host_mark(context, host, HOST_BARE);
}

void probes_seek_inner_hosts(struct probes *probes, struct str host)
{
    taint_inner_hosts(host, add_inner, probes);
}

/* Adds a probe for each line; `whole`: with its line break. */
static void add_lines(struct probes *probes, const struct buf *lines, bool whole)
{
    size_t end = probes->text.len;

    buf_add(&probes->text, lines->data, lines->len);
    for (size_t at = end; at < probes->text.len;) {
        const char *line = probes->text.data + at;
        size_t len = (size_t)((const char *)memchr(line, '\n', probes->text.len - at) - line) + 1;

        probes_add_word(probes, at, whole ? len : len - 1);
        at += len;
    }
}

/* The mark of a host ends with its line break. */
static void add_hosts(struct probes *probes)
{
    add_lines(probes, &probes->hosts, true);
}

static bool add_order(void *context, struct str row)
{
    struct probes *probes = context;

    buf_add(&probes->rows, row.ptr, row.len);
    buf_addc(&probes->rows, '\n');
    probes->more |= ++probes->row_count > PROBES_MAX;
    return !probes->more;
}

void probes_add_orders(struct probes *probes, const struct orders *orders)
{
    orders_rows(orders, add_order, probes);
}

void probes_end(struct probes *probes)
{
    size_t len = probes->text.len, from;

    add_words(probes, 0, false);
    add_lines(probes, &probes->rows, false);
    probes->reversed = probes->count;
    from = probes->text.len;
    buf_reserve(&probes->text, len + 1); /* so that the text does not move below */
    taint_reverse(&probes->text, (struct str){ probes->text.data, len });
    add_words(probes, from, false);
    probes->joined = probes->count;
    add_joined(probes, 0, len, add_row);
    probes->decoded = probes->count;
    add_others(probes);
    add_hosts(probes);
}

void probes_end_kept(struct probes *probes)
{
    size_t len = probes->text.len;

    add_hosts(probes); /* first: they are found even if there is too much text */
    add_words_within(probes, 0, len, false);
    add_joined(probes, 0, len, add_kept_row);
    probes->reversed = probes->joined = probes->decoded = probes->count;
    add_others(probes);
}

void probes_of_path(struct probes *probes, struct str path)
{
    size_t slash = path.len;

    while (slash && path.ptr[slash - 1] != '/')
        slash--;
    for (struct str part = { path.ptr + slash, path.len - slash };;) {
        size_t from = probes->text.len;

        taint_clean(&probes->text, part);
        add_words(probes, from, true);
        if (part.ptr != path.ptr) {
            part = path;
            continue;
        }
        while (part.len && part.ptr[part.len - 1] != '/')
            part.len--;
        if (part.len < 2)
            return;
        part.len--;
    }
}
