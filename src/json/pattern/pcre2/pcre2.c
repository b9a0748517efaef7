/* The module "pcre2": PCRE2, and nothing of it shows outside this file.
 *
 * Without PCRE2_UCP \d, \w and \b mean ASCII, as in ECMA-262. The interpreter
 * is used and not the JIT compiler: patterns and texts are short, writable code
 * pages are not allowed everywhere, and its limits count the same everywhere. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "json/pattern/regex.h"

enum { HEAP_KIB = 16 * 1024 };

extern const struct regex_ops perigee_regex;

/* Shared by all patterns; the workspace of a match is kept in the last two. One
 * pair of offsets is enough: only whether there is a match is asked. */
static pcre2_compile_context *extras;
static pcre2_match_context *limits;
static pcre2_match_data *data;

static bool compile_ready(void)
{
    if (!extras && (extras = pcre2_compile_context_create(NULL))) {
        pcre2_set_compile_extra_options(extras, PCRE2_EXTRA_ALT_BSUX);
#if PCRE2_MAJOR > 10 || PCRE2_MINOR >= 43
        pcre2_set_max_varlookbehind(extras, 0); /* older versions have none */
#endif
    }
    return extras != NULL;
}

static bool match_ready(void)
{
    if (!limits && (limits = pcre2_match_context_create(NULL))) {
        pcre2_set_match_limit(limits, REGEX_STEPS);
        pcre2_set_heap_limit(limits, HEAP_KIB);
    }
    if (!data)
        data = pcre2_match_data_create(1, NULL);
    return limits && data;
}

static void *compile_pattern(const char *pattern, size_t len, struct error *err)
{
    const uint32_t options = PCRE2_UTF | PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS |
                             PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_UCP |
                             PCRE2_NEVER_BACKSLASH_C;
    PCRE2_UCHAR why[160];
    PCRE2_SIZE where;
    pcre2_code *code = NULL;
    int number = PCRE2_ERROR_NOMEMORY;

    if (compile_ready())
        code = pcre2_compile((PCRE2_SPTR)pattern, len, options, &number, &where, extras);
    if (!code) {
        pcre2_get_error_message(number, why, sizeof why);
        error_set(err, "invalid_pattern", "the pattern is not supported: %s", (const char *)why);
    }
    return code;
}

static enum regex_result match_pattern(const void *code, const char *text, size_t len,
                                       struct error *err)
{
    PCRE2_UCHAR why[160];
    int result = PCRE2_ERROR_NOMEMORY;

    if (match_ready())
        result = pcre2_match(code, (PCRE2_SPTR)text, len, 0, 0, data, limits);
    if (result >= 0)
        return REGEX_YES;
    if (result == PCRE2_ERROR_NOMATCH ||
        (result <= PCRE2_ERROR_UTF8_ERR1 && result >= PCRE2_ERROR_UTF8_ERR21))
        return REGEX_NO;
    if (result == PCRE2_ERROR_MATCHLIMIT || result == PCRE2_ERROR_HEAPLIMIT ||
        result == PCRE2_ERROR_DEPTHLIMIT) {
        error_set(err, "pattern_too_costly",
                  "matching was given up after %d steps; simplify the pattern, above all "
                  "repetitions inside repetitions",
                  REGEX_STEPS);
        return REGEX_ERROR;
    }
    pcre2_get_error_message(result, why, sizeof why);
    error_set(err, "pattern_failed", "matching failed: %s", (const char *)why);
    return REGEX_ERROR;
}

static void release_pattern(void *code)
{
    pcre2_code_free(code);
}

const struct regex_ops perigee_regex = { compile_pattern, match_pattern, release_pattern };
