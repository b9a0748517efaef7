/* The program's side of the regex module: ECMA-262 is translated here, so that
 * a malformed pattern is found without opening the module. */
#include "json/pattern/regex.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/module.h"
#include "json/pattern/ecma.h"

struct regex {
    const struct regex_ops *ops;
    void *code;
};

bool regex_check(const char *pattern, size_t len, struct error *err)
{
    struct buf translated = { 0 };
    bool valid = ecma_translate(&translated, pattern, len, err);

    buf_free(&translated);
    return valid;
}

struct regex *regex_compile(const char *pattern, size_t len, struct error *err)
{
    const struct regex_ops *ops = module_symbol("pcre2", "perigee_regex", err);
    struct buf translated = { 0 };
    struct regex *regex = NULL;
    void *code;

    if (!ops)
        return NULL;
    if (ecma_translate(&translated, pattern, len, err)) {
        buf_text(&translated); /* so that an empty pattern is a pointer, too */
        code = ops->compile(translated.data, translated.len, err);
        if (code) {
            regex = mem_alloc(sizeof *regex);
            *regex = (struct regex){ ops, code };
        }
    }
    buf_free(&translated);
    return regex;
}

void regex_free(struct regex *regex)
{
    if (!regex)
        return;
    regex->ops->free(regex->code);
    free(regex);
}

enum regex_result regex_match(const struct regex *regex, const char *text, size_t len,
                              struct error *err)
{
    return regex->ops->match(regex->code, text, len, err);
}
