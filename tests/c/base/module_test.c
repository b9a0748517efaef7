/* Modules: the places where they are looked for, and the errors when they are missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/module.h"

static char folder[] = "/tmp/perigee-module-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = { "odd.so", "pcre2.so" };
    char path[128];

    (void)state;
    unsetenv("PERIGEE_MODULES");
    for (size_t i = 0; i < countof(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static void the_program_knows_where_it_is(void **state)
{
    const char *path = module_executable();
    const char *slash = strrchr(path, '/');

    (void)state;
    assert_int_equal(path[0], '/');
    assert_non_null(slash);
    assert_string_equal(slash + 1, "module_test");
    assert_int_equal(access(path, X_OK), 0);
    assert_ptr_equal(module_executable(), path);
}

static void a_missing_module_is_named_with_the_places_tried(void **state)
{
    struct error err = { "", "" };

    (void)state;
    unsetenv("PERIGEE_MODULES");
    assert_null(module_symbol("nosuch", "x", &err));
    assert_string_equal(err.code, "module_missing");
    assert_non_null(strstr(err.text, "\"nosuch\""));
    assert_non_null(strstr(err.text, "/modules/nosuch.so"));
    assert_null(module_symbol("nosuch", "x", NULL));
}

/* Runs before the real module is opened: a module stays open once it is. */
static void the_variable_alone_decides_when_it_is_set(void **state)
{
    struct error err = { "", "" };

    (void)state;
    setenv("PERIGEE_MODULES", folder, 1);
    assert_null(module_symbol("pcre2", "perigee_regex", &err));
    assert_string_equal(err.code, "module_missing");
    assert_non_null(strstr(err.text, folder));
    assert_null(strstr(err.text, "../"));
}

static void a_file_that_is_no_library_is_broken(void **state)
{
    struct error err = { "", "" };

    (void)state;
    setenv("PERIGEE_MODULES", folder, 1);
    write_file("odd.so", "this is text");
    assert_null(module_symbol("odd", "x", &err));
    assert_string_equal(err.code, "module_broken");
    assert_non_null(strstr(err.text, "odd.so"));
    write_file("pcre2.so", "this is text, too");
    assert_null(module_symbol("pcre2", "x", &err));
    assert_non_null(strstr(err.text, "PCRE2"));
    assert_non_null(strstr(err.text, "libpcre2-8-0"));
}

static void a_module_of_the_build_is_found_and_stays_open(void **state)
{
    struct error err = { "", "" };
    void *symbol;

    (void)state;
    unsetenv("PERIGEE_MODULES");
    symbol = module_symbol("pcre2", "perigee_regex", &err);
    assert_string_equal(err.text, "");
    assert_non_null(symbol);
    setenv("PERIGEE_MODULES", folder, 1);
    assert_ptr_equal(module_symbol("pcre2", "perigee_regex", &err), symbol);
    assert_null(module_symbol("pcre2", "no_such_symbol", &err));
    assert_string_equal(err.code, "module_symbol");
}

static void a_process_that_may_open_no_file_has_what_is_open(void **state)
{
    struct error err = { "", "" };

    (void)state;
    unsetenv("PERIGEE_MODULES");
    module_seal();
    assert_non_null(module_symbol("pcre2", "perigee_regex", &err));
    assert_null(module_symbol("nettle", "perigee_crypto", &err));
    assert_string_equal(err.code, "module_missing");
    assert_non_null(strstr(err.text, "jail"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_knows_where_it_is),
        cmocka_unit_test(a_missing_module_is_named_with_the_places_tried),
        cmocka_unit_test(the_variable_alone_decides_when_it_is_set),
        cmocka_unit_test(a_file_that_is_no_library_is_broken),
        cmocka_unit_test(a_module_of_the_build_is_found_and_stays_open),
        cmocka_unit_test(a_process_that_may_open_no_file_has_what_is_open), /* the last one */
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
