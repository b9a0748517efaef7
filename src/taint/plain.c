#include "taint/plain.h"

#include <string.h>
#include <strings.h>

#include "base/util.h"

enum {
    LETTERS_MAX = 24,  /* letters in a row */
    DIGITS_MAX = 3,    /* digits behind letters: "sha256" */
    ALL_DIGITS = 4,    /* digits of a word that has letters: "mid-2026" */
    NUMBER_DIGITS = 6, /* digits of a number */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* The length of what begins the text and is of such characters. */
static size_t run(struct str text, bool (*is)(char c))
{
    size_t len = 0;

    while (len < text.len && is(text.ptr[len]))
        len++;
    return len;
}

static struct str behind(struct str text, size_t at)
{
    return (struct str){ text.ptr + at, text.len - at };
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* The number of digits if the text is digits with one sign between each two runs of them, always
 * the same; 0: it is not. `runs` gets their lengths, and `count` their number, at most four. */
static size_t number_digits(struct str text, size_t runs[4], size_t *count, char *sign)
{
    size_t digits = 0;

    *count = 0;
    *sign = '\0';
    while (*count < 4) {
        size_t len = run(text, is_digit);

        if (!len)
            return 0;
        runs[(*count)++] = len;
        digits += len;
        text = behind(text, len);
        if (!text.len)
            return digits;
        if (!strchr("-./:", *text.ptr) || (*sign && *text.ptr != *sign))
            return 0;
        *sign = *text.ptr;
        text = behind(text, 1);
    }
    return 0;
}

static bool is_plain_number(struct str word)
{
    size_t runs[4] = { 0 }, count, digits;
    char sign;

    digits = number_digits(word, runs, &count, &sign);
    if (!digits || count > 3) /* four numbers are an address */
        return false;
    if (count == 3 && sign != ':' && runs[1] <= 2)
        return (runs[0] == 4 && runs[2] <= 2) || (runs[2] == 4 && runs[0] <= 2) ||
               digits <= NUMBER_DIGITS;
    return digits <= NUMBER_DIGITS;
}

/* --- words ------------------------------------------------------------------------------------ */

/* How many letters there are. Scripts that put no blanks between words count more for each. */
static size_t letters_of(struct str text)
{
    size_t letters = 0;

    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];

        if (c < 0x80 || (c >= 0xc0 && c < 0xe0))
            letters++;
        else if (c >= 0xe0)
            letters += LETTERS_MAX / 4;
    }
    return letters;
}

/* The length of the number at the beginning, with its fractions: "3.11". `digits` is counted up. */
static size_t short_number(struct str text, size_t *digits)
{
    size_t len = 0;

    for (int parts = 0; parts < 3; parts++) {
        size_t more = run(behind(text, len), is_digit);

        *digits += more;
        len += more;
        if (!more || text.len - len < 2 || text.ptr[len] != '.' || !is_digit(text.ptr[len + 1]))
            break;
        len++;
    }
    return len;
}

/* The length of the part at the beginning: letters, a number, letters with a number behind them, or
 * a number with letters behind it. */
static size_t part_length(struct str text, size_t *digits)
{
    size_t before = *digits, first = run(text, is_letter), number, last;

    number = short_number(behind(text, first), digits);
    if (first)
        last = 0;
    else
        last = run(behind(text, number), is_letter);
    if (letters_of((struct str){ text.ptr, first }) >= LETTERS_MAX ||
        letters_of((struct str){ text.ptr + first + number, last }) >= LETTERS_MAX)
        return 0;
    if (first && *digits - before > DIGITS_MAX && number == *digits - before)
        return 0;
    return first + number + last;
}

static bool joins(char c)
{
    return c == '-' || c == '_' || c == '/' || c == '+';
}

static bool is_plain_word(struct str word, bool slash)
{
    size_t digits = 0, signs = 0, len;

    while (word.len && (*word.ptr == '-' || *word.ptr == '_'))
        word = behind(word, 1);
    while (word.len && (word.ptr[word.len - 1] == '-' || word.ptr[word.len - 1] == '_'))
        word.len--;
    for (;;) {
        len = part_length(word, &digits);
        if (!len || digits > ALL_DIGITS)
            return false;
        word = behind(word, len);
        if (!word.len)
            return true;
        if (!joins(*word.ptr) || (*word.ptr == '/' && !slash))
            return false;
        signs += *word.ptr != '+'; /* a combination of keys has some */
        if (signs > 1)             /* three words in a row */
            return false;
        word = behind(word, 1);
    }
}

/* --- scripts ---------------------------------------------------------------------------------- */

static const struct {
    const char *name, *members;
} libraries[] = {
    { "coroutine", " close create isyieldable resume running status wrap yield " },
    { "io", " close input lines open output popen read stderr stdin stdout tmpfile type write " },
    { "math",
      " abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min mininteger "
      "modf pi rad random randomseed sin sqrt tan tointeger type ult " },
    { "os", " clock date difftime execute exit getenv remove rename setlocale time tmpname " },
    { "string",
      " byte char dump find format gmatch gsub len lower match pack packsize rep reverse sub "
      "unpack upper " },
    { "table", " concat insert move pack remove sort unpack " },
    { "utf8", " char charpattern codepoint codes len offset " },
};

static bool is_among(struct str word, const char *list)
{
    for (const char *at = strchr(list, ' ') + 1; *at; at += strcspn(at, " ") + 1)
        if (word.len == strcspn(at, " ") && strncasecmp(word.ptr, at, word.len) == 0)
            return true;
    return false;
}

bool taint_in_scripts(struct str word)
{
    const char *dot = word.len ? memchr(word.ptr, '.', word.len) : NULL;
    struct str name = { word.ptr, dot ? (size_t)(dot - word.ptr) : 0 };
    struct str member = behind(word, name.len + (dot != NULL));

    if (!dot)
        return false;
    if (name.len == 5 && strncasecmp(name.ptr, "tools", 5) == 0)
        return member.len && memchr(member.ptr, '_', member.len) &&
               !memchr(member.ptr, '.', member.len);
    for (size_t i = 0; i < countof(libraries); i++)
        if (name.len == strlen(libraries[i].name) &&
            strncasecmp(name.ptr, libraries[i].name, name.len) == 0)
            return is_among(member, libraries[i].members);
    return false;
}

bool taint_plain(struct str word, bool slash)
{
    return is_plain_number(word) || is_plain_word(word, slash) || taint_in_scripts(word);
}
