/* A small world of granted and other folders, for the tests of scripts' files. */
#ifndef PERIGEE_TESTS_FS_WORLD_H
#define PERIGEE_TESTS_FS_WORLD_H

#include "io_help.h"

#include "files/file.h"
#include "files/granted.h"

/* A granted folder beside one that is not:
 *   BASE/home/      rw   a.txt "hello", sub/b.txt "inner"
 *   BASE/library/   ro   book.txt "words"
 *   BASE/secret/    --   key.txt "secret" */
struct world {
    char *base;
    struct fs_grants grants;
    struct buf out;
    struct error err;
};

static struct world world;

static inline char *at(const char *path) /* leaks nothing: a ring of names */
{
    static char names[8][512];
    static unsigned next;
    char *name = names[next++ % countof(names)];

    snprintf(name, sizeof names[0], "%s/%s", world.base, path);
    return name;
}

static inline void put(const char *path, const char *text)
{
    assert_true(file_write_atomic(at(path), text, strlen(text), 0, NULL));
}

static inline void is(const char *path, const char *text)
{
    struct buf out = { 0 };

    assert_true(file_read_all(at(path), 1 << 20, &out, NULL));
    assert_string_equal(buf_text(&out), text);
    buf_free(&out);
}

static inline bool exists(const char *path)
{
    struct stat info;

    return lstat(at(path), &info) == 0;
}

static inline unsigned mode_of(const char *path)
{
    struct stat info;

    assert_int_equal(lstat(at(path), &info), 0);
    return info.st_mode & 07777;
}

static inline size_t entries_in(const char *path)
{
    DIR *folder = opendir(at(path));
    size_t count = 0;

    while (readdir(folder))
        count++;
    closedir(folder);
    return count - 2;
}

static inline int world_setup(void **state)
{
    (void)state;
    world = (struct world){ .base = temp_make() };
    mkdir(at("home"), 0755);
    mkdir(at("home/sub"), 0755);
    mkdir(at("library"), 0755);
    mkdir(at("secret"), 0755);
    put("home/a.txt", "hello");
    put("home/sub/b.txt", "inner");
    put("library/book.txt", "words");
    put("secret/key.txt", "secret");
    fs_grants_add(&world.grants, at("home"), true, NULL);
    fs_grants_add(&world.grants, at("library"), false, NULL);
    return 0;
}

static inline int world_teardown(void **state)
{
    (void)state;
    fs_grants_free(&world.grants);
    buf_free(&world.out);
    temp_remove(world.base);
    free(world.base);
    return 0;
}

static inline bool read_it(const char *path)
{
    world.out.len = 0;
    world.err = (struct error){ .code = "" };
    return fs_read(&world.grants, str_from(path), 1000, &world.out, &world.err);
}

static inline void reads(const char *path, const char *text)
{
    if (!read_it(path))
        fail_msg("%s: %s: %s", path, world.err.code, world.err.text);
    assert_string_equal(buf_text(&world.out), text);
}

static inline void refuses(const char *path, const char *code)
{
    if (read_it(path))
        fail_msg("%s was read: %s", path, buf_text(&world.out));
    if (strcmp(world.err.code, code) != 0)
        fail_msg("%s: wanted %s, got %s: %s", path, code, world.err.code, world.err.text);
    assert_int_equal(world.out.len, 0);
}

static inline bool write_it(const char *path, const char *text)
{
    world.err = (struct error){ .code = "" };
    return fs_write_atomic(&world.grants, str_from(path), str_from(text), NULL, &world.err);
}

static inline void refuses_write(const char *path, const char *code)
{
    if (write_it(path, "x"))
        fail_msg("%s was written", path);
    if (strcmp(world.err.code, code) != 0)
        fail_msg("%s: wanted %s, got %s: %s", path, code, world.err.code, world.err.text);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

#endif
