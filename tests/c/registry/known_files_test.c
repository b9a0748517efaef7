/* The short look at folders: it gives the list of a full look, or none at all. */
#include "registry/known_files.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "files/file.h"
#include "files/file_at.h"
#include "script/vm.h"

struct world {
    uv_loop_t loop;
    struct vm *vm;
    struct libs *libs;
    char *top, *roots[2]; /* the second does not exist */
    struct source_list sources;
    struct buf known;
};

static char *path_of(const struct world *world, const char *name)
{
    return path_join(world->roots[0], name);
}

/* Writes a file, in place if it exists. */
static void put(const struct world *world, const char *name, const char *text)
{
    char *path = path_of(world, name), *folder = mem_strdup(path);
    int fd;

    *strrchr(folder, '/') = '\0';
    assert_true(folder_make(folder, NULL));
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    assert_true(file_write_all(fd, text, strlen(text)));
    close(fd);
    free(folder);
    free(path);
}

static void keep(struct world *world)
{
    sources_free(&world->sources);
    sources_scan(&world->sources, world->roots, 2, NULL);
    libs_unref(world->libs);
    world->libs = libs_new(world->vm, &world->sources, NULL);
    world->sources.time += 60; /* all files are old enough */
    assert_true(known_files_may_write(&world->sources));
    world->known.len = 0;
    known_files_write(&world->sources, world->libs, &world->known);
}

static int setup(void **state)
{
    struct world *world = mem_zero(sizeof *world);
    struct vm_limits limits = { 0 };
    struct error err;

    uv_loop_init(&world->loop);
    world->vm = vm_new(&world->loop, &limits, &err);
    assert_non_null(world->vm);
    world->top = folder_make_temp(NULL);
    world->roots[0] = path_join(world->top, "root");
    world->roots[1] = path_join(world->top, "none");
    put(world, "lib/words.lua", "return {}");
    put(world, "lib/deep/down/more.lua", "return {}");
    put(world, "tools/test/a.lua", "return 'a'");
    put(world, "tools/b.lua", "return 'b'");
    put(world, "prompts/p.lua", "return 'p'");
    put(world, "resources/set/r.lua", "return 'r'");
    put(world, "commands/c.lua", "return 'c'");
    keep(world);
    *state = world;
    return 0;
}

static int teardown(void **state)
{
    struct world *world = *state;

    folder_remove_all(world->top, NULL);
    sources_free(&world->sources);
    libs_unref(world->libs);
    vm_free(world->vm);
    uv_run(&world->loop, UV_RUN_DEFAULT);
    uv_loop_close(&world->loop);
    buf_free(&world->known);
    free(world->top);
    free(world->roots[0]);
    free(world->roots[1]);
    free(world);
    return 0;
}

static bool look(const struct world *world, struct source_list *list)
{
    return known_files_look(buf_str(&world->known), world->roots, 2, list);
}

/* True if the short look is valid. */
static bool counts(const struct world *world)
{
    struct source_list list;
    bool ok = look(world, &list);

    assert_true(ok || (!list.count && !list.folder_count));
    sources_free(&list);
    return ok;
}

static bool is_seen(const struct world *world, enum source_kind kind, const char *name,
                    bool *same_stamp)
{
    struct source_list list;
    struct source *source;
    bool seen;

    assert_true(look(world, &list));
    source = sources_find(&list, kind, name);
    assert_non_null(source);
    seen = !source->unseen;
    *same_stamp = stamp_same(&source->stamp, &sources_find(&world->sources, kind, name)->stamp);
    sources_free(&list);
    return seen;
}

/* --- cases ---------------------------------------------------------------------------- */

static void it_is_the_list_of_a_full_look(void **state)
{
    struct world *world = *state;
    struct source_list list;

    assert_true(look(world, &list));
    assert_int_equal(list.count, world->sources.count);
    for (size_t i = 0; i < list.count; i++) {
        const struct source *a = &list.items[i], *b = &world->sources.items[i];

        assert_int_equal(a->kind, b->kind);
        assert_string_equal(a->name, b->name);
        assert_string_equal(a->toolset, b->toolset);
        assert_string_equal(a->path, b->path);
        assert_string_equal(a->label, b->label);
        assert_int_equal(a->root, b->root);
        assert_true(stamp_same(&a->stamp, &b->stamp));
        assert_int_equal(a->unseen, a->kind == SOURCE_LIB || a->kind == SOURCE_COMMAND);
    }
    assert_int_equal(list.folder_count, world->sources.folder_count);
    for (size_t i = 0; i < list.folder_count; i++)
        assert_string_equal(list.folders[i].path, world->sources.folders[i].path);
    sources_free(&list);
}

static void a_changed_file_has_its_new_stamp(void **state)
{
    struct world *world = *state;
    bool same;

    put(world, "tools/test/a.lua", "return 'A'");
    assert_true(is_seen(world, SOURCE_TOOL, "a", &same));
    assert_false(same);
}

static void a_lib_file_that_was_used_is_looked_at(void **state)
{
    struct world *world = *state;
    struct buf path = { 0 }, text = { 0 };
    int home = 0;
    bool same;

    put(world, "lib/words.lua", "return { 1 }");
    assert_false(is_seen(world, SOURCE_LIB, "words", &same));
    assert_true(same);
    keep(world);
    assert_true(libs_find(world->libs, &home, "words", &path, &text, NULL));
    known_files_write(&world->sources, world->libs, (world->known.len = 0, &world->known));
    put(world, "lib/words.lua", "return { 2 }");
    assert_true(is_seen(world, SOURCE_LIB, "words", &same));
    assert_false(same);
    assert_false(is_seen(world, SOURCE_LIB, "deep.down.more", &same));
    buf_free(&path);
    buf_free(&text);
}

static void it_does_not_count_with_other_names(void **state)
{
    struct world *world = *state;
    char *a = path_of(world, "tools/test/a.lua"), *z = path_of(world, "tools/test/z.lua");

    put(world, "lib/deep/down/new.lua", "return {}");
    assert_false(counts(world));
    keep(world);
    assert_true(counts(world));
    put(world, "providers/new.lua", "return {}"); /* in a folder that did not exist */
    assert_false(counts(world));
    keep(world);
    assert_int_equal(rename(a, z), 0);
    assert_false(counts(world));
    keep(world);
    assert_int_equal(unlink(z), 0);
    assert_false(counts(world));
    free(a);
    free(z);
}

static void it_does_not_count_once_a_root_appears(void **state)
{
    struct world *world = *state;
    char *tools = path_join(world->roots[1], "tools");

    assert_true(folder_make(world->roots[1], NULL));
    assert_true(counts(world)); /* no file in it is ours */
    assert_true(folder_make(tools, NULL));
    assert_false(counts(world));
    free(tools);
}

/* The other file has the same name, size and time. */
static void it_does_not_count_with_another_file_in_its_place(void **state)
{
    struct world *world = *state;
    char *old = path_of(world, "lib/words.lua"), *new = path_of(world, "lib/.words");
    struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };

    assert_int_equal(utimensat(AT_FDCWD, old, times, 0), 0);
    keep(world);
    assert_true(counts(world));
    put(world, "lib/.words", "return []");
    assert_int_equal(utimensat(AT_FDCWD, new, times, 0), 0);
    assert_int_equal(rename(new, old), 0);
    assert_false(counts(world));
    free(old);
    free(new);
}

static void links_problems_and_what_just_changed_are_not_known(void **state)
{
    struct world *world = *state;
    char *link = path_of(world, "tools/link.lua");

    sources_free(&world->sources);
    sources_scan(&world->sources, world->roots, 2, NULL);
    assert_false(known_files_may_write(&world->sources));
    world->sources.time += 60;
    assert_true(known_files_may_write(&world->sources));
    assert_int_equal(symlink(world->sources.items[0].path, link), 0);
    sources_free(&world->sources);
    sources_scan(&world->sources, world->roots, 2, NULL);
    world->sources.time += 60;
    assert_false(known_files_may_write(&world->sources));
    assert_int_equal(unlink(link), 0);
    put(world, "tools/a name.lua", "return {}");
    sources_free(&world->sources);
    sources_scan(&world->sources, world->roots, 2, NULL);
    world->sources.time += 60;
    assert_false(known_files_may_write(&world->sources));
    free(link);
}

static void damage_reads_nothing_beyond_it(void **state)
{
    struct world *world = *state;
    size_t len = world->known.len;

    for (world->known.len = 0; world->known.len < len; world->known.len++)
        assert_false(counts(world));
    for (size_t at = 0; at < len; at++) {
        struct source_list list;

        world->known.data[at] ^= 0x55;
        look(world, &list);
        sources_free(&list);
        world->known.data[at] ^= 0x55;
    }
    assert_true(counts(world));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_is_the_list_of_a_full_look, setup, teardown),
        cmocka_unit_test_setup_teardown(a_changed_file_has_its_new_stamp, setup, teardown),
        cmocka_unit_test_setup_teardown(a_lib_file_that_was_used_is_looked_at, setup, teardown),
        cmocka_unit_test_setup_teardown(it_does_not_count_with_other_names, setup, teardown),
        cmocka_unit_test_setup_teardown(it_does_not_count_once_a_root_appears, setup, teardown),
        cmocka_unit_test_setup_teardown(it_does_not_count_with_another_file_in_its_place, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(links_problems_and_what_just_changed_are_not_known, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(damage_reads_nothing_beyond_it, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
