/* Exec lines of desktop entries with files that a caller gave. */
#include "platform/freedesktop/entries.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "files/file.h"

static char *argv_text(const char *exec, const char *const *files)
{
    char none[] = "", *copy = mem_strdup(exec);
    struct desktop_entry entry = { .exec = copy, .name = none, .file = none, .icon = none };
    struct error err;
    size_t used = 0;
    char **argv = entry_argv(&entry, files, &used, &err);
    struct buf out = { 0 };

    assert_non_null(argv);
    for (size_t i = 0; argv[i]; i++)
        buf_addf(&out, "%s[%s]", i ? " " : "", argv[i]);
    argv_free(argv);
    free(copy);
    return buf_take(&out);
}

static void assert_argv(const char *exec, const char *const *files, const char *expected)
{
    char *text = argv_text(exec, files);

    assert_string_equal(text, expected);
    free(text);
}

static void files_are_paths_or_urls(void **state)
{
    const char *const files[] = { "/tmp/a b", "https://example.org/?q=1", "file:///tmp/%41", NULL };

    (void)state;
    assert_argv("edit %F", files, "[edit] [/tmp/a b] [https://example.org/?q=1] [/tmp/A]");
    assert_argv("edit --new %U", files,
                "[edit] [--new] [file:///tmp/a%20b] [https://example.org/?q=1] [file:///tmp/%41]");
}

/* "-c" as a file started the program in the next file. */
static void no_file_becomes_an_option(void **state)
{
    const char *const files[] = { "-c", "--run:rm", "x -e y", NULL };
    char *here = getcwd(NULL, 0), *expected;

    (void)state;
    expected = mem_printf("[sh] [%s/-c] [%s/--run:rm] [%s/x -e y]", here, here, here);
    assert_argv("sh %F", files, expected);
    free(expected);
    expected = mem_printf("[sh] [file://%s/-c] [file://%s/--run:rm] [file://%s/x%%20-e%%20y]", here,
                          here, here);
    assert_argv("sh", files, expected);
    free(expected);
    free(here);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_paths_or_urls),
        cmocka_unit_test(no_file_becomes_an_option),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
