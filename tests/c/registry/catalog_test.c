/* The file with the declarations of Lua files: what it returns, and that it is used only with its
 * key. */
#include "registry/catalog.h"

#include <dirent.h>
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
#include "registry/catalog_folder.h"

struct world {
    char *top, *roots[1], *cache;
    struct catalog_key key;
    struct source_list sources;
    char *path; /* the path of the one catalog */
};

static void put(const struct world *world, const char *name, const char *text)
{
    char *path = path_join(world->roots[0], name), *folder = mem_strdup(path);

    *strrchr(folder, '/') = '\0';
    assert_true(folder_make(folder, NULL));
    assert_true(file_write_atomic(path, text, strlen(text), 0, NULL));
    free(folder);
    free(path);
}

static void look(struct world *world)
{
    sources_free(&world->sources);
    sources_scan(&world->sources, world->roots, 1, NULL);
}

/* Saves a catalog in which every file's declaration is its name in brackets, and its whole
 * definition is in braces. */
static void save(struct world *world)
{
    struct catalog_draft draft = { .now = (int64_t)time(NULL) + 60 };

    for (size_t i = 0; i < world->sources.count; i++) {
        const struct source *source = &world->sources.items[i];
        char *text = mem_printf("[%s]", source->name), *whole = mem_printf("{%s}", source->name);
        bool is_lib = source->kind == SOURCE_LIB;

        assert_true(catalog_add(&draft, source, is_lib ? (struct str){ 0 } : str_from(text),
                                is_lib ? (struct str){ 0 } : str_from(whole)));
        free(text);
        free(whole);
    }
    catalog_save(&draft, &world->key);
}

static char *only_file(const char *folder)
{
    DIR *dir = opendir(folder);
    char *path = NULL;

    assert_non_null(dir);
    for (struct dirent *entry; !path && (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            path = path_join(folder, entry->d_name);
    closedir(dir);
    assert_non_null(path);
    return path;
}

static int setup(void **state)
{
    struct world *world = mem_zero(sizeof *world);

    world->top = folder_make_temp(NULL);
    world->roots[0] = path_join(world->top, "root");
    world->cache = path_join(world->top, "cache");
    world->key = (struct catalog_key){ world->cache, world->roots, 1 };
    put(world, "lib/words.lua", "return {}");
    put(world, "tools/test/a.lua", "return 'a'");
    put(world, "tools/test/b.lua", "return 'b'");
    look(world);
    save(world);
    world->path = only_file(world->cache);
    *state = world;
    return 0;
}

static int teardown(void **state)
{
    struct world *world = *state;

    folder_remove_all(world->top, NULL);
    sources_free(&world->sources);
    free(world->path);
    free(world->top);
    free(world->roots[0]);
    free(world->cache);
    free(world);
    return 0;
}

static const struct source *source_of(struct world *world, const char *name)
{
    const struct source *source = sources_find(&world->sources, SOURCE_TOOL, name);

    assert_non_null(source);
    return source;
}

/* Opens the catalog for these files; NULL: there is none. */
static struct catalog *open_fitting(const struct world *world)
{
    struct catalog *catalog = catalog_open(&world->key);

    if (!catalog || catalog_fits(catalog, &world->sources))
        return catalog;
    catalog_unref(catalog);
    return NULL;
}

static bool has(struct world *world, struct catalog *catalog, const char *name)
{
    return catalog_find(catalog, source_of(world, name)) != NULL;
}

static bool opens(struct world *world)
{
    struct catalog *catalog = open_fitting(world);

    catalog_unref(catalog);
    return catalog != NULL;
}

/* --- cases ---------------------------------------------------------------------------- */

static void what_was_added_is_found(void **state)
{
    struct world *world = *state;
    struct catalog *catalog = open_fitting(world);
    struct buf text = { 0 };
    const struct cached_file *found;
    struct cached_file kept;

    assert_non_null(catalog);
    for (int turn = 0; turn < 2; turn++) { /* the second time in another order */
        assert_true(has(world, catalog, turn ? "b" : "a"));
        assert_true(has(world, catalog, turn ? "a" : "b"));
    }
    found = catalog_find(catalog, source_of(world, "b"));
    assert_non_null(found);
    assert_true(str_same(found->declaration, STR("[b]")));
    kept = *found;
    catalog_drop_index(catalog);
    assert_true(catalog_read(&kept.text, &text, NULL));
    assert_true(catalog_read(&kept.whole, &text, NULL));
    assert_true(str_same(buf_str(&text), STR("return 'b'{b}")));
    buf_free(&text);
    catalog_unref(catalog);
}

static void a_changed_file_is_not_found_and_others_are(void **state)
{
    struct world *world = *state;
    struct catalog *catalog;

    put(world, "tools/test/a.lua", "return 'A'");
    look(world);
    catalog = open_fitting(world);
    assert_non_null(catalog);
    assert_false(has(world, catalog, "a"));
    assert_true(has(world, catalog, "b"));
    catalog_unref(catalog);
}

static void a_text_stays_when_its_file_changes(void **state)
{
    struct world *world = *state;
    struct catalog *catalog = open_fitting(world);
    struct buf text = { 0 };
    const struct cached_file *found = catalog_find(catalog, source_of(world, "a"));

    assert_non_null(found);
    put(world, "tools/test/a.lua", "return {");
    look(world);
    save(world); /* another catalog takes its name */
    assert_true(catalog_read(&found->text, &text, NULL));
    assert_true(str_same(buf_str(&text), STR("return 'a'")));
    buf_free(&text);
    catalog_unref(catalog);
}

static void any_change_of_a_lib_file_makes_it_void(void **state)
{
    struct world *world = *state;

    assert_true(opens(world));
    put(world, "lib/words.lua", "return { 1 }");
    look(world);
    assert_false(opens(world));
    save(world);
    assert_true(opens(world));
    put(world, "lib/more.lua", "return {}");
    look(world);
    assert_false(opens(world));
    save(world);
    unlink(world->sources.items[world->sources.count - 1].path);
    look(world);
    assert_false(opens(world));
}

static void other_roots_have_others(void **state)
{
    struct world *world = *state;
    char *roots[] = { world->roots[0], world->top };
    struct catalog_key two = { world->cache, roots, 2 }, none = { NULL, roots, 1 };

    assert_null(catalog_open(&two));
    assert_null(catalog_open(&none));
}

static void set_byte(const char *path, off_t at, int change)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    unsigned char byte;

    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte ^= (unsigned char)change;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

/* The number of bytes behind the index. */
static int texts_of(const struct world *world)
{
    struct catalog *catalog = open_fitting(world);
    int len = 0;

    assert_non_null(catalog);
    for (size_t i = 0; i < world->sources.count; i++) {
        const struct cached_file *kept = catalog_find(catalog, &world->sources.items[i]);

        assert_true(kept->code.len > 0);
        len += (int)(kept->text.len + kept->code.len + kept->whole.len);
    }
    catalog_unref(catalog);
    return len;
}

/* Damages each byte in turn: the index is void, or, behind it, one text is. */
static void damage_is_noticed(void **state)
{
    struct world *world = *state;
    struct stat st;
    int voids = 0, texts = 0, behind = texts_of(world);

    assert_int_equal(stat(world->path, &st), 0);
    for (off_t at = 0; at < st.st_size; at++) {
        struct catalog *catalog;
        struct buf text = { 0 };
        bool all = true;

        set_byte(world->path, at, 0x55);
        catalog = open_fitting(world);
        for (size_t i = 0; catalog && i < world->sources.count; i++) {
            const struct cached_file *found = catalog_find(catalog, &world->sources.items[i]);

            assert_non_null(found);
            all = catalog_read(&found->text, &text, NULL) && all;
            all = catalog_read(&found->code, &text, NULL) && all;
            all = (!found->whole.len || catalog_read(&found->whole, &text, NULL)) && all;
        }
        assert_true(!catalog || !all);
        voids += !catalog;
        texts += catalog != NULL;
        buf_free(&text);
        catalog_unref(catalog);
        set_byte(world->path, at, 0x55);
    }
    assert_int_equal(texts, behind);
    assert_true(voids > 300);
    assert_true(opens(world));
}

static void a_cut_off_one_is_void(void **state)
{
    struct world *world = *state;
    int behind = texts_of(world);
    struct stat st;

    assert_int_equal(stat(world->path, &st), 0);
    for (off_t len = st.st_size - behind - 1; len >= 0; len -= 7) {
        assert_int_equal(truncate(world->path, len), 0);
        assert_false(opens(world));
    }
}

static void one_that_others_may_write_is_void(void **state)
{
    struct world *world = *state;
    char *other = mem_printf("%s.other", world->path);

    assert_int_equal(chmod(world->path, 0620), 0);
    assert_false(opens(world));
    assert_int_equal(chmod(world->path, 0600), 0);
    assert_true(opens(world));
    assert_int_equal(rename(world->path, other), 0);
    assert_int_equal(symlink(other, world->path), 0);
    assert_false(opens(world));
    assert_int_equal(unlink(world->path), 0);
    assert_int_equal(mkfifo(world->path, 0600), 0);
    assert_false(opens(world)); /* and does not wait */
    free(other);
}

static void a_file_that_was_just_changed_is_not_added(void **state)
{
    struct world *world = *state;
    struct catalog_draft draft = { 0 };
    struct source old = *source_of(world, "a");

    assert_false(catalog_add(&draft, &old, STR("x"), STR("y")));
    draft.now = (int64_t)time(NULL) + 60;
    assert_true(catalog_add(&draft, &old, STR("x"), STR("y")));
    old.stamp.inode++; /* the loaded file is not the present one */
    assert_false(catalog_add(&draft, &old, STR("x"), STR("y")));
    assert_int_equal(draft.count, 1);
    catalog_draft_free(&draft);
}

static void the_folder_stays_small(void **state)
{
    struct world *world = *state;
    struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
    char *left = path_join(world->cache, ".perigee-1-1.tmp");
    int there = 0;

    assert_true(file_write_atomic(left, "", 0, 0600, NULL));
    assert_int_equal(utimensat(AT_FDCWD, left, old, 0), 0);
    for (int i = 0; i < 40; i++) {
        char *path = mem_printf("%s/" CATALOG_PREFIX "%d", world->cache, i);

        assert_true(catalog_folder_write(world->cache, path, STR("x"), NULL));
        old[1].tv_sec = 2000 + i;
        assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
        free(path);
    }
    for (int i = 0; i < 40; i++) {
        char *path = mem_printf("%s/" CATALOG_PREFIX "%d", world->cache, i);

        there += access(path, F_OK) == 0;
        if (i == 39)
            assert_int_equal(access(path, F_OK), 0);
        free(path);
    }
    assert_in_range(there, 20, 24);
    assert_int_equal(access(left, F_OK), -1);
    free(left);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_added_is_found, setup, teardown),
        cmocka_unit_test_setup_teardown(a_changed_file_is_not_found_and_others_are, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_text_stays_when_its_file_changes, setup, teardown),
        cmocka_unit_test_setup_teardown(any_change_of_a_lib_file_makes_it_void, setup, teardown),
        cmocka_unit_test_setup_teardown(other_roots_have_others, setup, teardown),
        cmocka_unit_test_setup_teardown(damage_is_noticed, setup, teardown),
        cmocka_unit_test_setup_teardown(a_cut_off_one_is_void, setup, teardown),
        cmocka_unit_test_setup_teardown(one_that_others_may_write_is_void, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_that_was_just_changed_is_not_added, setup, teardown),
        cmocka_unit_test_setup_teardown(the_folder_stays_small, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
