/* Exec lines of desktop entries with files that a caller gave. */
#include "platform/freedesktop/entries.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "files/file.h"

static char **argv_of(const char *exec, const char *const *files, struct error *err)
{
    char none[] = "", *copy = mem_strdup(exec);
    struct desktop_entry entry = { .exec = copy, .name = none, .file = none, .icon = none };
    size_t used = 0;
    char **argv = entry_argv(&entry, files, &used, err);

    free(copy);
    return argv;
}

static char *argv_text(const char *exec, const char *const *files)
{
    struct error err;
    char **argv = argv_of(exec, files, &err);
    struct buf out = { 0 };

    assert_non_null(argv);
    for (size_t i = 0; argv[i]; i++)
        buf_addf(&out, "%s[%s]", i ? " " : "", argv[i]);
    argv_free(argv);
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

/* Wine's menu builder writes lines of this form. */
static void words_are_split_as_glib_does(void **state)
{
    const char *const files[] = { "/x'; touch y; '", NULL };

    (void)state;
    assert_argv("env WINEPREFIX=\"/tmp/pre fix\" a C:\\\\Start\\ Menu\\\\App.lnk", NULL,
                "[env] [WINEPREFIX=/tmp/pre fix] [a] [C:\\Start Menu\\App.lnk]");
    assert_argv("a --file=%f 'b \"c' \"\\$d\\e\" \"\" %%", files,
                "[a] [--file=/x'; touch y; '] [b \"c] [$d\\e] [] [%]");
    assert_argv("a \"%f\" %c", files, "[a] [/x'; touch y; ']");
}

/* The name "x'; touch y; '" ran as a command. */
static void no_file_becomes_the_text_of_a_command(void **state)
{
    static const char *const refused[] = {
        "sh -c \"cat '%f'\"",
        "sh -c \"cat %f\"",
        "sh -c %f",
        "sh -c -- %f",
        "bash -euo pipefail -c %u",
        "sh -c -o pipefail %f",
        "/bin/bash -lc 'cat %F'",
        "bash -c",
        "env A=b sh -c \"cat '%f'\"",
        "env A=b %f -- nice -n 5 /usr/bin/zsh -ic 'cat %u'",
        "sudo -u x sh -c 'cat %U'",
        "pkexec bash -c 'a %f'",
        "flatpak run --command=sh org.x -c 'a %f'",
        "flatpak run --command=/bin/bash org.x -c %u",
        "systemd-run --user sh -c 'a %f'",
        "busybox sh -c 'a %f'",
        "timeout 5 dash -c 'a %f'",
        "python3 -c 'print(\"%f\")'",
        "python3.11 -Ic 'a(\"%f\")'",
        "perl -ne 'print %f'",
        "perl -e'print %f'",
        "ruby -e 'a \"%f\"'",
        "node -e 'a(\"%f\")'",
        "node --eval='a(\"%f\")'",
        "node -pe 'a(\"%f\")'",
        "php8.2 -r 'a(\"%f\");'",
        "lua5.4 -e 'a(\"%f\")'",
        "fish --command='a %f'",
        "pwsh -Command 'a %f'",
        "xterm -e 'less %f'",
        "xterm -e %f",
        "xterm -T a -e sh -c 'less %f'",
        "x-terminal-emulator -e 'less %u'",
        "xfce4-terminal --command='less %f'",
        "gnome-terminal -x sh -c 'less %f'",
        "konsole -e'less %f'",
        "su -c 'less %f'",
        "script -qc 'less %f'",
        "flock a -c 'less %f'",
        "env -S 'less %f'",
        "env --split-string='less %f'",
        "ssh host less %f",
        "watch ls %f",
        "gksu 'less %f'",
        "wine cmd /c 'a %f'",
        "wine cmd.exe /c start %f",
        "emacsclient --eval '(a \"%f\")'",
        "vim '+e %f'",
        "awk '{ print \"%f\" }'",
        "unknown -c 'cat %f'",
        "unknown --eval='a \"%f\"'",
        "sh -c 'a \"$0\"' --b=%f",
    };
    static const char *const passed[] = {
        "sh -c 'cat \"$0\"' %f",
        "bash -lc 'exec a \"$@\"' sh %F",
        "xterm -e less %f",
        "xterm -e a --file=%f",
        "sh a %f",
        "python3 a --b=%f",
        "env A=b a --file=%f",
        "nice a '%f'",
        "xterm -T 'a %f'",
        "flatpak run --command=a org.x @@u %U @@",
        "gtk-launch a %u",
        "sudo a %F",
        "vim -c 'set x' %f",
        "a -c %f",
        "a -cfile=%f",
        "unknown --title 'a %f'",
        "node a.js %U",
        "wine start /unix %f",
        "env -u A a %f",
    };
    const char *const files[] = { "/x'; touch y; '", NULL };
    struct error err;

    (void)state;
    for (size_t i = 0; i < countof(refused); i++) {
        char **argv = argv_of(refused[i], files, &err);

        if (argv)
            fail_msg("passed: %s", refused[i]);
        assert_string_equal(err.code, "launch_failed");
        argv = argv_of(refused[i], NULL, &err); /* nothing is wrong without a file */
        assert_non_null(argv);
        argv_free(argv);
    }
    assert_non_null(strstr(err.text, "could run as one"));
    for (size_t i = 0; i < countof(passed); i++) {
        char **argv = argv_of(passed[i], files, &err);

        if (!argv)
            fail_msg("refused: %s: %s", passed[i], err.text);
        argv_free(argv);
    }
}

/* Prints the words of argv[1], an Exec line, with the files argv[2] and on, for tests/wide. */
static int print_words(char **argv)
{
    struct error err;
    char **words = argv_of(argv[1], (const char *const *)(argv + 2), &err);

    if (!words)
        return 1;
    for (size_t i = 0; words[i]; i++)
        fwrite(words[i], 1, strlen(words[i]) + 1, stdout);
    argv_free(words);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_paths_or_urls),
        cmocka_unit_test(no_file_becomes_an_option),
        cmocka_unit_test(words_are_split_as_glib_does),
        cmocka_unit_test(no_file_becomes_the_text_of_a_command),
    };

    if (argc > 1)
        return print_words(argv);

    return cmocka_run_group_tests(tests, NULL, NULL);
}
