/* The forms of schemes around one another, of which not all are given: no find is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "taint/forms.h"
#include "taint/probes.h"

enum { WORDS = 200000, PARTS_MAX = 40, FORMS_MAX = 100 };

struct forms {
    struct buf forms[FORMS_MAX];
    size_t count;
    bool all; /* false: none is wanted behind one that stands */
};

static void add_form(struct forms *forms, struct str form)
{
    assert_true(forms->count < FORMS_MAX);
    forms->forms[forms->count].len = 0;
    buf_add(&forms->forms[forms->count++], form.ptr, form.len);
}

static bool take_form(void *context, struct str form)
{
    struct forms *forms = context;

    add_form(forms, form);
    return forms->all || probes_stands(form);
}

static bool has(struct str text, struct str part)
{
    return !part.len || (text.len && memmem(text.ptr, text.len, part.ptr, part.len));
}

/* --- a definition of the forms ---------------------------------------------------------------- */

static struct str behind(struct str text, size_t at)
{
    return (struct str){ text.ptr + at, text.len - at };
}

/* The place of a character before `end`; `end`: it is nowhere. */
static size_t place_of(struct str text, char c, size_t end)
{
    for (size_t i = 0; i < end; i++)
        if (text.ptr[i] == c)
            return i;
    return end;
}

/* The length of "scheme:"; 0: no scheme, or nothing behind it. The words have no slashes. */
static size_t scheme_of(struct str word)
{
    size_t colon = place_of(word, ':', word.len);

    if (colon + 1 >= word.len || *word.ptr < 'a' || *word.ptr > 'z' ||
        place_of(word, '@', colon) < colon)
        return 0;
    return colon + 1;
}

/* The form of a word without digits: the place behind its scheme, or all of it if that has a dot,
 * without the tag of its receiver. */
static void form_of(struct buf *out, struct str word)
{
    size_t scheme = scheme_of(word), sign, tag;

    word = behind(word, place_of(word, '.', scheme) < scheme ? 0 : scheme);
    for (sign = word.len; sign && word.ptr[sign - 1] != '@';)
        sign--;
    out->len = 0;
    if (sign > 1) {
        tag = place_of(word, '+', sign - 1);
        buf_add(out, word.ptr, tag ? tag : sign - 1);
        buf_addc(out, '@');
    }
    buf_add(out, word.ptr + sign, word.len - sign);
}

/* The forms of the parts of a word in its schemes. */
static void inner_forms(struct forms *forms, struct str word)
{
    struct buf form = { 0 };

    forms->count = 0;
    for (size_t scheme; (scheme = scheme_of(word)) && scheme_of(behind(word, scheme));) {
        word = behind(word, scheme);
        form_of(&form, word);
        add_form(forms, buf_str(&form));
    }
    buf_free(&form);
}

/* --- words ------------------------------------------------------------------------------------ */

/* A word as cleaned text has it: of schemes and signs. */
static void make_word(struct buf *word)
{
    static const char *const parts[] = { "a:", "bb:", "a.b:", "a+b:", "b+:",  "a-:",
                                         "a:", "b:",  "a",    "b",    ".",    ":",
                                         "+",  "@",   "a:b",  "-",    "c.d@", "abcdefgh:" };
    int count = 1 + rand() % PARTS_MAX;

    word->len = 0;
    while (count--)
        buf_adds(word, parts[(size_t)rand() % (rand() % 2 ? 8 : countof(parts))]);
    while (word->len && memchr(".:", word->data[word->len - 1], 2))
        word->len--;
}

static bool any_has(const struct forms *forms, struct str part)
{
    for (size_t i = 0; i < forms->count; i++)
        if (has(buf_str(&forms->forms[i]), part))
            return true;
    return false;
}

static bool has_any(struct str form, const struct forms *forms)
{
    for (size_t i = 0; i < forms->count; i++)
        if (probes_stands(buf_str(&forms->forms[i])) && has(form, buf_str(&forms->forms[i])))
            return true;
    return false;
}

/* Kept text has each form, in the word or a longer form; and what has a form that is searched for
 * has one of those that are given. */
static void check_word(struct str word, struct forms *want, struct forms *got)
{
    inner_forms(want, word);
    for (int all = 0; all < 2; all++) {
        got->count = 0;
        got->all = all;
        taint_forms(word, STR(""), take_form, got);
        for (size_t i = 0; i < want->count; i++) {
            struct str form = buf_str(&want->forms[i]);
            bool good = all ? any_has(got, form) : !probes_stands(form) || has_any(form, got);

            if (!good)
                fail_msg("\"%.*s\" lacks the form \"%.*s\"", (int)word.len, word.ptr, (int)form.len,
                         form.ptr);
        }
    }
}

static void none_is_lost(void **state)
{
    static struct forms want, got;
    struct buf word = { 0 };
    size_t count = 0;

    (void)state;
    srand(1);
    for (int i = 0; i < WORDS; i++) {
        make_word(&word);
        check_word(buf_str(&word), &want, &got);
        count += want.count;
    }
    assert_true(count > WORDS / 2);
    for (size_t i = 0; i < FORMS_MAX; i++) {
        buf_free(&want.forms[i]);
        buf_free(&got.forms[i]);
    }
    buf_free(&word);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(none_is_lost) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
