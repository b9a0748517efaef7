/* The public JSON-Schema-Test-Suite, draft 2020-12: every case of every file is
 * run, but for the groups named below with the reason.
 *
 * The data is not part of the project: it is looked for in $PERIGEE_SHARED,
 * or in ../shared beside the folder the tests are run in. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "json/document.h"
#include "json/schema/schema.h"

/* A group may be skipped only if compiling it is refused, as promised: a schema that compiles must
 * always give the suite's answers. */
static const struct skipped {
    const char *file, *group; /* group: NULL for any of the file */
    const char *why;          /* a part of the refusal */
} skipped[] = {
    { "defs.json", "validate definition against metaschema", "never fetched" },
    { "ref.json", "remote ref, containing refs itself", "never fetched" },
    { "dynamicRef.json", NULL, "dynamic scope" },
    { "dynamicRef.json", NULL, "never fetched" },
    { "unevaluatedItems.json", "unevaluatedItems with $dynamicRef", "dynamic scope" },
    { "unevaluatedProperties.json", "unevaluatedProperties with $dynamicRef", "dynamic scope" },
    { "vocabulary.json", NULL, "not a known dialect" },
};

struct counts {
    unsigned passed, failed, skipped;
};

static struct counts total;
static char folder[4096];

static bool may_skip(const char *file, const char *group, const struct error *err)
{
    for (size_t i = 0; i < countof(skipped); i++) {
        if (strcmp(skipped[i].file, file) == 0 && strstr(err->text, skipped[i].why) &&
            (!skipped[i].group || strcmp(skipped[i].group, group) == 0))
            return strcmp(err->code, "invalid_schema") == 0;
    }
    return false;
}

static bool read_file(const char *path, struct buf *out)
{
    FILE *file = fopen(path, "rb");
    size_t got;

    if (!file)
        return false;
    do {
        got = fread(buf_reserve(out, 65536), 1, 65536, file);
        out->len += got;
    } while (got);
    fclose(file);
    return true;
}

static void run_case(const struct schema *schema, const cJSON *test, const char *file,
                     const char *group, struct counts *counts)
{
    bool want = cJSON_IsTrue(json_get(test, "valid"));
    struct error err = { "", "" };
    bool got = schema_check(schema, json_get(test, "data"), &err);
    bool said = got || (strcmp(err.code, "invalid_arguments") == 0 && *err.text);

    if (got == want && said) {
        counts->passed++;
        return;
    }
    counts->failed++;
    print_message("# %s: %s: %s: expected %s, got %s (%s: %s)\n", file, group,
                  json_get(test, "description")->valuestring, want ? "valid" : "invalid",
                  got ? "valid" : "invalid", err.code, err.text);
}

static void run_group(const cJSON *group, const char *file, struct counts *counts)
{
    const char *name = json_get(group, "description")->valuestring;
    const cJSON *tests = json_get(group, "tests");
    struct error err;
    struct schema *schema = schema_compile(json_get(group, "schema"), &err);
    bool skipping = !schema && may_skip(file, name, &err);
    unsigned count = (unsigned)cJSON_GetArraySize(tests);

    if (!schema) {
        *(skipping ? &counts->skipped : &counts->failed) += count;
        print_message("# %s: %s: %s: %s\n", skipping ? "skipped" : "failed", file, name, err.text);
        return;
    }
    for (const cJSON *test = tests->child; test; test = test->next)
        run_case(schema, test, file, name, counts);
    schema_free(schema);
}

static void every_case_is_judged_as_the_suite_says(void **state)
{
    const char *file = *state;
    struct counts counts = { 0 };
    struct buf text = { 0 };
    char path[4400];
    struct error err = { "", "" };
    struct json_doc *doc;

    snprintf(path, sizeof path, "%s/%s", folder, file);
    assert_true(read_file(path, &text));
    doc = json_parse(text.data, text.len, NULL, &err);
    assert_string_equal(err.text, "");
    for (const cJSON *group = json_root(doc)->child; group; group = group->next)
        run_group(group, file, &counts);
    json_doc_free(doc);
    buf_free(&text);
    print_message("# %-28s %3u passed, %u failed, %u skipped\n", file, counts.passed, counts.failed,
                  counts.skipped);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
    assert_int_equal(counts.failed, 0);
    assert_true(counts.passed + counts.skipped > 0);
}

static int json_files_only(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && strcmp(dot, ".json") == 0;
}

static int run_files(struct dirent **files, int count)
{
    struct CMUnitTest *tests = calloc((size_t)count, sizeof *tests);
    int failed;

    for (int i = 0; i < count; i++) {
        tests[i].name = files[i]->d_name;
        tests[i].test_func = every_case_is_judged_as_the_suite_says;
        tests[i].initial_state = files[i]->d_name;
    }
    failed = _cmocka_run_group_tests("JSON Schema 2020-12", tests, (size_t)count, NULL, NULL);
    printf("# JSON-Schema-Test-Suite: %u passed, %u failed, %u skipped\n", total.passed,
           total.failed, total.skipped);
    for (int i = 0; i < count; i++)
        free(files[i]);
    free(files);
    free(tests);
    return failed;
}

int main(void)
{
    const char *shared = getenv("PERIGEE_SHARED");
    struct dirent **files;
    int count;

    cmocka_set_message_output(CM_OUTPUT_TAP);
    snprintf(folder, sizeof folder, "%s/data/json-schema/draft2020-12",
             shared && *shared ? shared : "../shared");
    count = scandir(folder, &files, json_files_only, alphasort);
    if (count > 0)
        return run_files(files, count);
    printf("1..1\nok 1 - JSON-Schema-Test-Suite # SKIP there is no %s\n", folder);
    return 0;
}
