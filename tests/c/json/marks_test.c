/* Marks that only the engine may set are taken out of the results of others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json/marks.h"

static void leaves(const char *text, const char *want)
{
    char *copy = strdup(text);
    size_t len = strlen(text);

    json_drop_marks(copy, &len);
    copy[len] = '\0';
    assert_string_equal(copy, want);
    free(copy);
}

static void of_leaves(const char *text, const char *const *kept, const char *want)
{
    char *copy = strdup(text);
    size_t len = strlen(text);

    json_drop_marks_of(copy, &len, kept);
    copy[len] = '\0';
    assert_string_equal(copy, want);
    free(copy);
}

static void objects(void **state)
{
    static const char *const kept[] = { "perigee/code", NULL };

    (void)state;
    leaves("{\"_meta\":{\"perigee/from\":[\"own\"]}}", "{\"_meta\":{}}");
    leaves(
        "[{\"_meta\":{\"a\":1,\"perigee/from\":{\"x\":[1,{}]},\"b\":\"}\"}},{\"_meta\":{\"perigee/"
        "hidden\":0,\"c\":null}}]",
        "[{\"_meta\":{\"a\":1,\"b\":\"}\"}},{\"_meta\":{\"c\":null}}]");
    leaves(
        "\"content\":[{\"text\":\"x\",\"_meta\":{\"perigee/a\":\"\\\\\",\"perigee/b\":\"\\\"\"}}],"
        "\"x\":1",
        "\"content\":[{\"text\":\"x\",\"_meta\":{}}],\"x\":1");
    of_leaves("{\"perigee/code\":\"a\",\"perigee/from\":[],\"n\":1}", kept,
              "{\"perigee/code\":\"a\",\"n\":1}");
    of_leaves("{\"perigee/code\":\"a\"}", NULL, "{}");
}

static void others_stay(void **state)
{
    (void)state;
    leaves("{\"perigee/from\":1,\"_meta\":{\"perigee\":1,\"x/perigee/\":2}}",
           "{\"perigee/from\":1,\"_meta\":{\"perigee\":1,\"x/perigee/\":2}}");
    leaves("{\"text\":\"\\\"_meta\\\":{\\\"perigee/from\\\":1}\",\"a\":\"perigee/\"}",
           "{\"text\":\"\\\"_meta\\\":{\\\"perigee/from\\\":1}\",\"a\":\"perigee/\"}");
    leaves("{\"_meta\":[\"perigee/from\"],\"a\":\"_meta\"}",
           "{\"_meta\":[\"perigee/from\"],\"a\":\"_meta\"}");
    leaves("", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(objects), cmocka_unit_test(others_stay) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
