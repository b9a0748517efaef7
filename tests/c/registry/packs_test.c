/* Packs: the files of one, the approved ones, and the ones that are found. */

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "files/file.h"
#include "registry/libs.h"
#include "registry/packs.h"
#include "registry/source.h"
#include "registry/source_text.h"

struct world {
    uv_loop_t loop;
    struct vm *vm;
    char *top, *roots[2]; /* the program's folder, and the user's */
    struct packs *packs;
    struct source_list sources;
};

/* Writes FILE in the user's folder, which is made. */
static char *put(const struct world *world, const char *name, const char *text)
{
    char *path = path_join(world->roots[1], name), *folder = mem_strdup(path);
    struct error err;

    *strrchr(folder, '/') = '\0';
    assert_true(folder_make(folder, &err));
    assert_true(file_write_atomic(path, text, strlen(text), 0644, &err));
    free(folder);
    return path;
}

static void write_file(const struct world *world, const char *name, const char *text)
{
    free(put(world, name, text));
}

static int setup(void **state)
{
    struct world *world = mem_zero(sizeof *world);
    struct vm_limits limits = { 0 };
    struct error err;

    uv_loop_init(&world->loop);
    world->vm = vm_new(&world->loop, &limits, &err);
    assert_non_null(world->vm);
    world->top = folder_make_temp(&err);
    assert_non_null(world->top);
    world->roots[0] = path_join(world->top, "shipped");
    world->roots[1] = path_join(world->top, "home");
    world->packs = packs_new(world->roots[1]);
    write_file(world, "../shipped/lib/words.lua", "return 'shipped'");
    write_file(world, "../shipped/tools/set/taken.lua", "return 'shipped'");
    write_file(world, "lib/mine.lua", "return 'mine'");
    write_file(world, "packs/sun/pack.lua", "return {}");
    write_file(world, "packs/sun/tools/shine.lua", "return 'shine'");
    write_file(world, "packs/sun/prompts/ask.lua", "return 'ask'");
    write_file(world, "packs/sun/lib/words.lua", "return 'sun'");
    write_file(world, "packs/sun/policy.lua", "return {}");
    *state = world;
    return 0;
}

static int teardown(void **state)
{
    struct world *world = *state;

    folder_remove_all(world->top, NULL);
    sources_free(&world->sources);
    packs_free(world->packs);
    vm_free(world->vm);
    uv_run(&world->loop, UV_RUN_DEFAULT);
    uv_loop_close(&world->loop);
    free(world->top);
    free(world->roots[0]);
    free(world->roots[1]);
    free(world);
    return 0;
}

static const struct pack *look(const struct world *world, const char *name)
{
    const struct pack *pack;

    packs_look(world->packs);
    pack = packs_find(world->packs, name);
    assert_non_null(pack);
    return pack;
}

/* Writes packs.json, as `perigee pack approve` does. */
static void approve(const struct world *world, const char *name, bool stamps)
{
    const struct pack *pack = look(world, name);
    struct buf out = { 0 };

    buf_addf(&out, "{\"packs\":{\"%s\":{\"approved\":true,\"files\":[", name);
    for (size_t i = 0; i < pack->files.count; i++) {
        const struct pack_file *file = &pack->files.items[i];
        char *path = path_join(pack->path, file->path), stamp[PACK_STAMP_TEXT];
        unsigned char sum[CRYPTO_SHA256];
        struct buf text = { 0 };

        assert_true(file_read_all(path, PACK_FILE_BYTES, &text, NULL));
        assert_true(crypto_sha256(buf_str(&text), sum, NULL));
        pack_stamp_text(&file->stamp, stamp);
        buf_addf(&out, "%s{\"path\":\"%s\",\"stamp\":\"%s\",\"sha256\":\"", i ? "," : "",
                 file->path, stamps ? stamp : "");
        buf_hex(&out, sum, sizeof sum);
        buf_lit(&out, "\"}");
        buf_free(&text);
        free(path);
    }
    buf_lit(&out, "]}}}");
    write_file(world, "packs.json", buf_text(&out));
    buf_free(&out);
}

static void scan(struct world *world)
{
    sources_free(&world->sources);
    sources_scan(&world->sources, world->roots, 2, world->packs);
}

static bool has_problem(const struct world *world, const char *text)
{
    for (size_t i = 0; i < world->sources.problem_count; i++)
        if (strstr(world->sources.problems[i].text, text))
            return true;
    return false;
}

/* --- the files of a pack ------------------------------------------------------------------ */

/* Checks the reason why the pack is not used. */
static void refused(const struct world *world, const char *why)
{
    const struct pack *pack = look(world, "sun");

    assert_false(pack->usable);
    assert_non_null(strstr(pack->problem, why));
}

static void links_are_refused(void **state)
{
    struct world *world = *state;
    char *path = put(world, "packs/sun/data/x", "x");

    unlink(path);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    refused(world, "data/x is a symbolic link");
    unlink(path);
    assert_int_equal(symlink("..", path), 0);
    refused(world, "data/x is a symbolic link");
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    refused(world, "data/x is not a file");
    free(path);
}

static void a_link_to_a_pack_is_refused(void **state)
{
    struct world *world = *state;
    char *path = path_join(world->roots[1], "packs/moon");

    assert_int_equal(symlink("sun", path), 0);
    assert_non_null(strstr(look(world, "moon")->problem, "it is a link"));
    free(path);
}

static void a_large_file_is_refused(void **state)
{
    struct world *world = *state;
    char *path = put(world, "packs/sun/data/large", "");

    assert_int_equal(truncate(path, (off_t)3 * 1024 * 1024 * 1024), 0);
    refused(world, "data/large has 3221225472 bytes");
    free(path);
}

static void many_files_are_refused(void **state)
{
    struct world *world = *state;

    for (int i = 0; i <= PACK_FILES_MAX; i++) {
        char name[60];

        snprintf(name, sizeof name, "packs/sun/data/%d", i);
        write_file(world, name, "");
    }
    refused(world, "more than 1000 files");
}

static void deep_folders_are_refused(void **state)
{
    struct world *world = *state;

    write_file(world, "packs/sun/1/2/3/4/5/6/7/8/x", "");
    assert_true(look(world, "sun")->usable);
    write_file(world, "packs/sun/1/2/3/4/5/6/7/8/9/x", "");
    refused(world, "more than 8 folders in one another");
}

static void odd_names_are_refused(void **state)
{
    static const char *const names[] = { "packs/sun/a\nb", "packs/sun/a\xff", "packs/sun/a\\b",
                                         "packs/sun/a\xe2\x80\xae"
                                         "b" };
    struct world *world = *state;

    for (size_t i = 0; i < countof(names); i++) {
        char *path = put(world, names[i], "");

        refused(world, "Rename the file");
        unlink(path);
        free(path);
    }
    assert_true(look(world, "sun")->usable);
}

static void names_of_packs(void **state)
{
    static const char *const odd[] = { "",     "Sun", "1sun", "sun.lua",
                                       "sun ", "..",  "_x",   "s\xc3\xbcn" };

    (void)state;
    assert_true(pack_name_ok("sun_and-moon2"));
    for (size_t i = 0; i < countof(odd); i++)
        assert_false(pack_name_ok(odd[i]));
}

static void what_tools_leave_is_left_out(void **state)
{
    struct world *world = *state;
    size_t count = look(world, "sun")->files.count;

    write_file(world, "packs/sun/.git/config", "");
    write_file(world, "packs/sun/lib/.DS_Store", "");
    assert_int_equal(look(world, "sun")->files.count, count);
    write_file(world, "packs/sun/lib/.git/config", "");
    write_file(world, "packs/sun/.hidden", "");
    assert_int_equal(look(world, "sun")->files.count, count + 2);
}

static void what_is_no_pack(void **state)
{
    struct world *world = *state;
    size_t count;

    write_file(world, "packs/README", "");
    write_file(world, "packs/.adding/pack.lua", "");
    write_file(world, "packs/empty/x", "");
    assert_non_null(strstr(look(world, "empty")->problem, "no pack.lua"));
    packs_all(world->packs, &count);
    assert_int_equal(count, 2);
}

/* --- approved packs ----------------------------------------------------------------------- */

static void approved_is_what_was_approved(void **state)
{
    struct world *world = *state;

    assert_false(look(world, "sun")->approved);
    approve(world, "sun", false);
    assert_true(look(world, "sun")->approved);
    approve(world, "sun", true);
    assert_true(look(world, "sun")->approved);
}

static void another_content_is_not(void **state)
{
    struct world *world = *state;
    const struct pack *pack;

    approve(world, "sun", true);
    write_file(world, "packs/sun/tools/shine.lua", "return 'SHINE'");
    pack = look(world, "sun");
    assert_false(pack->approved);
    assert_true(pack->changed);
    assert_non_null(strstr(pack->problem, "tools/shine.lua was changed after you approved"));
    write_file(world, "packs/sun/tools/shine.lua", "return 'shine'");
    assert_true(look(world, "sun")->approved);
}

static void another_file_is_not(void **state)
{
    struct world *world = *state;
    char *path;

    approve(world, "sun", true);
    path = put(world, "packs/sun/data/more", "");
    assert_non_null(strstr(look(world, "sun")->problem, "data/more was added"));
    unlink(path);
    free(path);
    path = put(world, "packs/sun/zzz", "");
    assert_non_null(strstr(look(world, "sun")->problem, "zzz was added"));
    unlink(path);
    free(path);
    assert_true(look(world, "sun")->approved);
    path = path_join(world->roots[1], "packs/sun/lib/words.lua");
    unlink(path);
    free(path);
    assert_non_null(strstr(look(world, "sun")->problem, "lib/words.lua is missing"));
}

static void a_record_that_is_none_approves_nothing(void **state)
{
    static const char *const records[] = {
        "{",
        "[]",
        "{\"packs\":{\"sun\":{\"approved\":true}}}",
        "{\"packs\":{\"sun\":{\"approved\":true,\"files\":{}}}}",
        "{\"packs\":{\"sun\":{\"approved\":true,\"files\":[1,null,{\"path\":\"lib/words.lua\"}]}}}",
        "{\"packs\":{\"sun\":{\"approved\":1,\"files\":[]}}}",
        "{\"packs\":[{\"approved\":true}]}"
    };
    struct world *world = *state;

    for (size_t i = 0; i < countof(records); i++) {
        write_file(world, "packs.json", records[i]);
        assert_false(look(world, "sun")->approved);
    }
    write_file(world, "packs.json", "{");
    scan(world);
    assert_true(has_problem(world, "No pack is approved while it cannot be read"));
}

static void a_pack_cannot_approve_itself(void **state)
{
    struct world *world = *state;

    write_file(world, "packs/sun/pack.lua",
               "return { name = 'sun', approved = true, trust = true }");
    write_file(world, "packs/sun/packs.json",
               "{\"packs\":{\"sun\":{\"approved\":true,\"files\":[]}}}");
    write_file(world, "packs/packs.json", "{\"packs\":{\"sun\":{\"approved\":true,\"files\":[]}}}");
    assert_false(look(world, "sun")->approved);
}

/* --- the sources of a pack ------------------------------------------------------------------ */

static void until_then_only_foreign_tools(void **state)
{
    struct world *world = *state;
    const struct source *tool;

    scan(world);
    tool = sources_find(&world->sources, SOURCE_TOOL, "shine");
    assert_non_null(tool);
    assert_true(tool->foreign && tool->packed);
    assert_string_equal(tool->toolset, "foreign/packs/sun");
    assert_string_equal(tool->label, "packs/sun/tools/shine.lua");
    assert_null(sources_find(&world->sources, SOURCE_PROMPT, "ask"));
    assert_null(sources_find(&world->sources, SOURCE_POLICY, "policy"));
    assert_true(has_problem(world, "1 in prompts/"));
}

static void then_all_but_its_policy(void **state)
{
    struct world *world = *state;
    const struct source *tool;

    approve(world, "sun", true);
    scan(world);
    tool = sources_find(&world->sources, SOURCE_TOOL, "shine");
    assert_false(tool->foreign);
    assert_string_equal(tool->toolset, "packs/sun");
    assert_non_null(sources_find(&world->sources, SOURCE_PROMPT, "ask"));
    assert_null(sources_find(&world->sources, SOURCE_POLICY, "policy"));
    assert_int_equal(world->sources.problem_count, 0);
}

static void what_is_in_foreign_stays_so(void **state)
{
    struct world *world = *state;

    write_file(world, "packs/sun/foreign/odd.lua", "return 'odd'");
    approve(world, "sun", true);
    scan(world);
    assert_true(sources_find(&world->sources, SOURCE_TOOL, "odd")->foreign);
    assert_string_equal(sources_find(&world->sources, SOURCE_TOOL, "odd")->toolset,
                        "foreign/packs/sun");
}

static void a_pack_replaces_nothing(void **state)
{
    struct world *world = *state;
    char *path;

    write_file(world, "packs/sun/tools/taken.lua", "return 'sun'");
    approve(world, "sun", true);
    scan(world);
    assert_false(sources_find(&world->sources, SOURCE_TOOL, "taken")->packed);
    assert_true(
        has_problem(world, "'taken' is taken by tools/set/taken.lua, which no pack replaces"));
    path = put(world, "packs/sun-set/pack.lua", "return {}");
    write_file(world, "packs/sun-set/tools/shine.lua", "return 'set'");
    scan(world);
    assert_string_equal(sources_find(&world->sources, SOURCE_TOOL, "shine")->label,
                        "packs/sun/tools/shine.lua");
    assert_true(has_problem(world, "which no foreign tool replaces"));
    free(path);
}

static void of_two_packs_the_first_has_a_name(void **state)
{
    struct world *world = *state;

    write_file(world, "packs/sun-set/pack.lua", "return {}");
    write_file(world, "packs/sun-set/tools/shine.lua", "return 'set'");
    write_file(world, "packs/air/pack.lua", "return {}");
    write_file(world, "packs/air/tools/z/shine.lua", "return 'air'");
    scan(world);
    assert_string_equal(sources_find(&world->sources, SOURCE_TOOL, "shine")->label,
                        "packs/air/tools/z/shine.lua");
    assert_true(has_problem(world, "of two packs the first by name has it"));
}

static void what_changes_after_the_look_is_not_read(void **state)
{
    struct world *world = *state;
    struct source *tool;
    struct buf text = { 0 };
    struct error err;

    approve(world, "sun", true);
    scan(world);
    tool = sources_find(&world->sources, SOURCE_TOOL, "shine");
    assert_true(source_text(tool, LUA_FILE_MAX, &text, &err));
    assert_int_equal(text.len, strlen("return 'shine'"));
    write_file(world, "packs/sun/tools/shine.lua", "return 'SHINE'");
    assert_false(source_text(tool, LUA_FILE_MAX, &text, &err));
    assert_string_equal(err.code, "changed");
    assert_int_equal(text.len, strlen("return 'shine'"));
    buf_free(&text);
}

/* --- the lib files of a pack ---------------------------------------------------------------- */

/* Checks the text that `require NAME` finds for a file of this home. */
static void requires(const struct world *world, int home, const char *name, const char *want)
{
    struct libs *libs = libs_new(world->vm, &world->sources, NULL);
    struct buf path = { 0 }, text = { 0 };
    struct error err;

    if (want) {
        assert_true(libs_find(libs, &home, name, &path, &text, &err));
        assert_string_equal(buf_text(&text), want);
    } else {
        assert_false(libs_find(libs, &home, name, &path, &text, &err));
    }
    buf_free(&path);
    buf_free(&text);
    libs_unref(libs);
}

static void lib_files_are_private(void **state)
{
    enum { SHIPPED, USER, SUN, MOON };
    struct world *world = *state;

    look(world, "sun"); /* its place is the first */
    write_file(world, "packs/moon/pack.lua", "return {}");
    write_file(world, "packs/moon/lib/craters.lua", "return 'craters'");
    approve(world, "sun", true);
    scan(world);
    requires(world, SUN, "words", "return 'sun'");
    requires(world, MOON, "words", "return 'shipped'");
    requires(world, USER, "words", "return 'shipped'");
    requires(world, SHIPPED, "words", "return 'shipped'");
    requires(world, HOME_NONE, "words", "return 'shipped'");
    requires(world, MOON, "craters", "return 'craters'");
    requires(world, SUN, "craters", NULL);
    requires(world, USER, "craters", NULL);
    requires(world, HOME_NONE, "craters", NULL);
    requires(world, SUN, "mine", NULL);
    requires(world, USER, "mine", "return 'mine'");
}

static void a_pack_keeps_its_place(void **state)
{
    struct world *world = *state;

    assert_int_equal(look(world, "sun")->place, 0);
    write_file(world, "packs/air/pack.lua", "return {}");
    assert_int_equal(look(world, "air")->place, 1);
    assert_int_equal(packs_find(world->packs, "sun")->place, 0);
}

static void no_lib_file_of_another_pack_runs_here(void **state)
{
    struct world *world = *state;
    struct libs *libs;
    static const char text[] = "return require 'words'";
    struct error err;

    scan(world);
    libs = libs_new(world->vm, &world->sources, NULL);
    assert_true(sandbox_load_file(libs_sandbox(libs), 2, "x", text, sizeof text - 1, &err));
    assert_false(vm_call(world->vm, 0, 1, SANDBOX_LOAD_MS, &err));
    assert_non_null(strstr(err.text, "its pack is not approved"));
    libs_unref(libs);
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(links_are_refused),
        CASE(a_link_to_a_pack_is_refused),
        CASE(a_large_file_is_refused),
        CASE(many_files_are_refused),
        CASE(deep_folders_are_refused),
        CASE(odd_names_are_refused),
        CASE(names_of_packs),
        CASE(what_tools_leave_is_left_out),
        CASE(what_is_no_pack),
        CASE(approved_is_what_was_approved),
        CASE(another_content_is_not),
        CASE(another_file_is_not),
        CASE(a_record_that_is_none_approves_nothing),
        CASE(a_pack_cannot_approve_itself),
        CASE(until_then_only_foreign_tools),
        CASE(then_all_but_its_policy),
        CASE(what_is_in_foreign_stays_so),
        CASE(a_pack_replaces_nothing),
        CASE(of_two_packs_the_first_has_a_name),
        CASE(what_changes_after_the_look_is_not_read),
        CASE(lib_files_are_private),
        CASE(a_pack_keeps_its_place),
        CASE(no_lib_file_of_another_pack_runs_here),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
