/* Programs of Chromium's family are started so that they report their elements. */
#include "platform/freedesktop/chromium.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/util.h"
#include "files/file.h"
#include "platform/freedesktop/entries.h"

#define FORCED " --force-renderer-accessibility"

/* The words of `line` as they would be started, with a blank between them. */
static char *started(const char *line)
{
    char *copy = mem_strdup(line), *rest = NULL, *out = mem_strdup("");
    char **argv = mem_zero(sizeof *argv * (strlen(line) + 2));
    size_t count = 0;

    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        argv[count++] = mem_strdup(word);
    argv = chromium_argv(argv);
    for (size_t i = 0; argv[i]; i++) {
        char *longer = mem_printf("%s%s%s", out, i ? " " : "", argv[i]);

        free(out);
        out = longer;
    }
    argv_free(argv);
    free(copy);
    return out;
}

static void check(const char *line, const char *want)
{
    char *got = started(line);

    assert_string_equal(got, want);
    free(got);
}

static void the_family_gets_the_option_and_others_do_not(void **state)
{
    (void)state;
    check("/usr/bin/google-chrome-stable %U", "/usr/bin/google-chrome-stable" FORCED " %U");
    check("brave-browser", "brave-browser" FORCED);
    check("/opt/x/Discord a", "/opt/x/Discord" FORCED " a");
    check("mousepad chromium", "mousepad chromium");
    check("/usr/bin/codeblocks x", "/usr/bin/codeblocks x");
    check("chromium a" FORCED, "chromium a" FORCED);
}

/* The option went to env, which does not know it: snap's Chromium never started. */
static void behind_env_the_program_gets_it(void **state)
{
    (void)state;
    check("env A=b /snap/bin/chromium %U", "env A=b /snap/bin/chromium" FORCED " %U");
    check("/usr/bin/env -u X A=b chromium", "/usr/bin/env -u X A=b chromium" FORCED);
    check("env A=b", "env A=b");
    check("env", "env");
}

static void what_flatpak_runs_gets_it(void **state)
{
    (void)state;
    check(
        "/usr/bin/flatpak run --branch=stable --command=brave --file-forwarding com.brave.Browser "
        "@@u x @@",
        "/usr/bin/flatpak run --branch=stable --command=brave --file-forwarding "
        "com.brave.Browser" FORCED " @@u x @@");
    check("flatpak run --command=gedit org.gnome.gedit",
          "flatpak run --command=gedit org.gnome.gedit");
    check("flatpak run --command=brave", "flatpak run --command=brave");
}

/* Such an application is known by the resources beside the file that a link leads to. */
static void an_application_made_with_electron_is_known_by_its_files(void **state)
{
    char folder[] = "/tmp/perigee-electron-XXXXXX";
    char *program, *link, *resources, *want;
    struct error err;

    (void)state;
    assert_non_null(mkdtemp(folder));
    program = path_join(folder, "somechat");
    link = path_join(folder, "bin");
    mkdir(link, 0700);
    free(link);
    link = path_join(folder, "bin/chat");
    resources = path_join(folder, "chrome_100_percent.pak");
    assert_true(file_write_atomic(program, "#!/bin/sh\n", 10, 0700, &err));
    assert_int_equal(symlink(program, link), 0);
    check(link, link);
    assert_true(file_write_atomic(resources, "x", 1, 0600, &err));
    want = mem_printf("%s%s", link, FORCED);
    check(link, want);
    unlink(resources);
    unlink(program);
    unlink(link);
    free(want);
    free(link);
    link = path_join(folder, "bin");
    rmdir(link);
    rmdir(folder);
    free(link);
    free(program);
    free(resources);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_family_gets_the_option_and_others_do_not),
        cmocka_unit_test(behind_env_the_program_gets_it),
        cmocka_unit_test(what_flatpak_runs_gets_it),
        cmocka_unit_test(an_application_made_with_electron_is_known_by_its_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
