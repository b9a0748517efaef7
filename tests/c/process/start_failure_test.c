/* Starts that fail, tried as a user without all permissions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <cmocka.h>

#include "base/buf.h"
#include "process/process.h"

static char folder[] = "/tmp/perigee-start-XXXXXX";
static uv_loop_t loop;

static uid_t before;

/* Root may search and read everything. */
static void become_ordinary(void)
{
    before = geteuid();
#ifdef __linux__
    if (before == 0)
        assert_int_equal(setresuid(65534, 65534, 0), 0);
#endif
}

/* LeakSanitizer looks as a debugger does, which a process of mixed users does not allow. */
static void become_root_again(void)
{
#ifdef __linux__
    if (before == 0) {
        assert_int_equal(setresuid(0, 0, 0), 0);
        prctl(PR_SET_DUMPABLE, 1);
    }
#endif
}

static char *in_folder(const char *name)
{
    return mem_printf("%s/%s", folder, name);
}

static void make_file(const char *name, const char *content, mode_t mode)
{
    char *path = in_folder(name);
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(content, file);
    fclose(file);
    chmod(path, mode);
    free(path);
}

static void make_folder(const char *name)
{
    char *path = in_folder(name);

    assert_int_equal(mkdir(path, 0700), 0);
    free(path);
}

static void set_mode(const char *name, mode_t mode)
{
    char *path = in_folder(name);

    assert_int_equal(chmod(path, mode), 0);
    free(path);
}

static int prepare(void **state)
{
    (void)state;
    become_ordinary();
    assert_non_null(mkdtemp(folder));
    uv_loop_init(&loop);
    make_folder("bin");
    make_folder("bin/thing");
    make_folder("shut");
    make_folder("shut/inner");
    make_file("shut/hidden", "#!/bin/sh\n", 0755);
    make_file("text", "no program\n", 0644);
    make_file("not_mine", "#!/bin/sh\n", 0601);
    make_file("bin/plain", "#!/bin/sh\n", 0644);
    make_file("bin/broken", "#! /no/such/interpreter -x\n", 0755);
    make_file("bin/by_text", "#!/etc/passwd\n", 0755);
    make_file("bin/dos", "#!/bin/sh\r\nexit 0\r\n", 0755);
    make_file("bin/good", "#!/bin/sh\n", 0755);
    set_mode("shut", 0);
    return 0;
}

static int clean(void **state)
{
    char *command = mem_printf("rm -rf %s", folder);
    int rc;

    (void)state;
    set_mode("shut", 0700);
    rc = system(command);
    free(command);
    uv_loop_close(&loop);
    become_root_again();
    return rc;
}

/* --- one attempt -------------------------------------------------------------------------- */

struct attempt {
    const char *name; /* with '/': in the folder, unless it begins with '/' */
    const char *path; /* PATH, of folders within the folder, joined by ':' */
    const char *cwd;  /* in the folder */
    const char *code;
    const char *says;
};

static char *path_variable(const char *folders)
{
    struct buf out = { 0 };

    buf_adds(&out, "PATH=");
    for (const char *at = folders; *at;) {
        size_t len = strcspn(at, ":");

        buf_addf(&out, "%s%s/%.*s", at == folders ? "" : ":", folder, (int)len, at);
        at += len + (at[len] == ':');
    }
    return buf_take(&out);
}

static void try(const struct attempt *it)
{
    char *variable = path_variable(it->path ? it->path : "bin");
    char *name = strchr(it->name, '/') && *it->name != '/' && !it->cwd ? in_folder(it->name)
                                                                       : mem_strdup(it->name);
    char *cwd = it->cwd ? in_folder(it->cwd) : NULL;
    const char *argv[] = { name, NULL }, *env[] = { variable, NULL };
    struct process_spec spec = { .argv = argv, .env = env, .cwd = cwd };
    struct error err = { .code = "" };
    struct process *process = process_start(&loop, &spec, NULL, NULL, &err);

    if (process)
        fail_msg("%s was started", it->name);
    if (strcmp(err.code, it->code) != 0 || !strstr(err.text, it->says))
        fail_msg("%s: %s: \"%s\", not %s: \"%s\"", it->name, err.code, err.text, it->code,
                 it->says);
    free(cwd);
    free(name);
    free(variable);
}

/* --- cases -------------------------------------------------------------------------------- */

static void a_name_that_no_directory_has_is_not_found(void **state)
{
    (void)state;
    try(&(struct attempt){ "no-such-program", "bin", NULL, "not_found", "Install it or give" });
    try(&(struct attempt){ "no-such-program", "bin:nowhere", NULL, "not_found", "PATH is /" });
}

static void a_directory_that_may_not_be_searched_hides_nothing_that_is_known(void **state)
{
    (void)state;
    try(&(struct attempt){ "no-such-program", "shut:bin", NULL, "not_found",
                           "no program of this name is on PATH (this user may not search /tmp/" });
    try(&(struct attempt){ "no-such-program", "bin:shut/inner", NULL, "not_found", "shut/inner)" });
    try(&(struct attempt){ "hidden", "shut", NULL, "not_found", "may not search" });
    try(&(struct attempt){ "plain", "shut:bin", NULL, "permission_denied", "chmod +x" });
}

static void a_file_on_path_is_not_taken_for_a_directory_of_programs(void **state)
{
    (void)state;
    try(&(struct attempt){ "no-such-program", "bin:text", NULL, "not_found", "Install it" });
}

static void a_directory_of_that_name_is_no_program(void **state)
{
    (void)state;
    try(&(struct attempt){ "thing", "bin", NULL, "not_found", "no program of this name" });
    try(&(struct attempt){ "./bin/thing", NULL, NULL, "permission_denied", "it is a directory" });
}

static void what_may_not_be_executed_is_said_to_be_so(void **state)
{
    (void)state;
    try(&(struct attempt){ "./text", NULL, NULL, "permission_denied", "chmod +x" });
    try(&(struct attempt){ "./not_mine", NULL, NULL, "permission_denied", "run a copy of your" });
    try(&(struct attempt){ "./shut/hidden", NULL, NULL, "permission_denied", "may not search" });
    try(&(struct attempt){ "plain", "bin", NULL, "permission_denied", "/bin/plain): it is not" });
}

static void a_broken_first_line_is_named(void **state)
{
    (void)state;
    try(&(struct attempt){ "./bin/broken", NULL, NULL, "not_found",
                           "the interpreter \"/no/such/interpreter\", which does not exist" });
    try(&(struct attempt){ "broken", "shut:bin", NULL, "not_found", "/no/such/interpreter" });
    try(&(struct attempt){ "./bin/dos", NULL, NULL, "not_found", "CR LF" });
    try(&(struct attempt){ "./bin/by_text", NULL, NULL, "permission_denied",
                           "\"/etc/passwd\", which cannot be started" });
}

static void a_missing_file_is_looked_for_where_the_child_would_be(void **state)
{
    (void)state;
    try(&(struct attempt){ "./no-such", NULL, "bin", "not_found", "there is no such file" });
    try(&(struct attempt){ "./plain", NULL, "bin", "permission_denied", "chmod +x" });
    try(&(struct attempt){ "./no-such", NULL, NULL, "not_found", "there is no such file" });
}

static void a_working_directory_that_may_not_be_searched_is_named(void **state)
{
    (void)state;
    try(&(struct attempt){ "good", "bin", "shut", "permission_denied", "in directory" });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_that_no_directory_has_is_not_found),
        cmocka_unit_test(a_directory_that_may_not_be_searched_hides_nothing_that_is_known),
        cmocka_unit_test(a_file_on_path_is_not_taken_for_a_directory_of_programs),
        cmocka_unit_test(a_directory_of_that_name_is_no_program),
        cmocka_unit_test(what_may_not_be_executed_is_said_to_be_so),
        cmocka_unit_test(a_broken_first_line_is_named),
        cmocka_unit_test(a_missing_file_is_looked_for_where_the_child_would_be),
        cmocka_unit_test(a_working_directory_that_may_not_be_searched_is_named),
    };

    return cmocka_run_group_tests(tests, prepare, clean);
}
