/* Files for scripts: reading, writing, moving, removing, copying. */
#include "fs_world.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* --- reading ------------------------------------------------------------------------ */

static void a_file_over_the_limit_is_an_error_not_a_piece(void **state)
{
    char *big = mem_zero(1001);

    (void)state;
    memset(big, 'x', 1000);
    put("home/big", big);
    reads("big", big);
    big = mem_resize(big, 1002);
    strcpy(big + 1000, "x");
    put("home/big", big);
    refuses("big", "too_large");
    free(big);
}

static void a_file_can_be_read_in_parts(void **state)
{
    bool more = false;

    (void)state;
    assert_true(fs_read_part(&world.grants, STR("a.txt"), 1, 3, &world.out, &more, NULL));
    assert_string_equal(buf_text(&world.out), "ell");
    assert_true(more);
    assert_true(fs_read_part(&world.grants, STR("a.txt"), 4, 1, &world.out, &more, NULL));
    assert_string_equal(buf_text(&world.out), "ello");
    assert_false(more);
    assert_true(fs_read_part(&world.grants, STR("a.txt"), 400, 10, &world.out, &more, NULL));
    assert_int_equal(world.out.len, 4);
    assert_false(more);
}

static void pipes_and_devices_do_not_hang_us(void **state)
{
    struct fs_grants dev = { 0 };

    (void)state;
    assert_int_equal(mkfifo(at("home/fifo"), 0600), 0);
    refuses("fifo", "not_a_file");
    refuses_write("fifo", "not_a_file");
    assert_false(fs_append(&world.grants, STR("fifo"), STR("x"), 0666, &world.err));
    assert_string_equal(world.err.code, "not_a_file");
    assert_true(fs_grants_add(&dev, "/dev", true, NULL));
    assert_false(fs_read(&dev, STR("zero"), 10, &world.out, &world.err));
    assert_string_equal(world.err.code, "not_a_file");
    fs_grants_free(&dev);
}

static void entries_are_listed_by_name(void **state)
{
    struct fs_listing listing;

    (void)state;
    assert_int_equal(symlink("/etc", at("home/link")), 0);
    assert_int_equal(mkfifo(at("home/fifo"), 0600), 0);
    assert_true(fs_list(&world.grants, STR("."), 100, &listing, NULL));
    assert_int_equal(listing.count, 4);
    assert_false(listing.truncated);
    assert_string_equal(listing.entries[0].name, "a.txt");
    assert_string_equal(fs_kind_name(listing.entries[0].kind), "file");
    assert_int_equal(listing.entries[0].size, 5);
    assert_true(listing.entries[0].modified_ms > INT64_C(1500000000000));
    assert_string_equal(fs_kind_name(listing.entries[1].kind), "other");
    assert_string_equal(fs_kind_name(listing.entries[2].kind), "link");
    assert_string_equal(listing.entries[3].name, "sub");
    assert_string_equal(fs_kind_name(listing.entries[3].kind), "folder");
    assert_int_equal(listing.entries[3].size, 0);
    fs_listing_free(&listing);
}

static void a_long_listing_says_it_was_cut(void **state)
{
    struct fs_listing listing;

    (void)state;
    assert_true(fs_list(&world.grants, STR("sub/.."), 1, &listing, NULL));
    assert_int_equal(listing.count, 1);
    assert_true(listing.truncated);
    fs_listing_free(&listing);
    assert_false(fs_list(&world.grants, STR("a.txt"), 10, &listing, &world.err));
    assert_string_equal(world.err.code, "not_a_folder");
    fs_listing_free(&listing);
}

static void an_entry_can_be_looked_at(void **state)
{
    struct fs_entry entry;

    (void)state;
    assert_int_equal(symlink("a.txt", at("home/link")), 0);
    assert_int_equal(chmod(at("home/a.txt"), 0640), 0);
    assert_true(fs_stat(&world.grants, STR("link"), &entry, NULL));
    assert_int_equal(entry.kind, FS_FILE);
    assert_int_equal(entry.size, 5);
    assert_int_equal(entry.mode, 0640);
    assert_true(fs_stat(&world.grants, STR("."), &entry, NULL));
    assert_int_equal(entry.kind, FS_FOLDER);
    assert_false(fs_stat(&world.grants, STR("missing"), &entry, &world.err));
    assert_string_equal(world.err.code, "not_found");
}

/* --- writing ------------------------------------------------------------------------ */

static void a_write_replaces_the_whole_and_keeps_the_mode(void **state)
{
    (void)state;
    assert_int_equal(chmod(at("home/a.txt"), 0604), 0);
    assert_true(write_it("a.txt", "new"));
    is("home/a.txt", "new");
    assert_int_equal(mode_of("home/a.txt"), 0604);
    assert_true(write_it("fresh.txt", ""));
    is("home/fresh.txt", "");
    assert_int_equal(entries_in("home"), 3); /* and no temporary file */
}

static void a_write_goes_through_a_link(void **state)
{
    char target[64];

    (void)state;
    assert_int_equal(symlink("sub/b.txt", at("home/link")), 0);
    assert_true(write_it("link", "through"));
    is("home/sub/b.txt", "through");
    assert_int_equal(readlink(at("home/link"), target, sizeof target), 9);
}

static void a_write_can_make_the_folders_above(void **state)
{
    struct fs_write_options options = { .make_parents = true };

    (void)state;
    refuses_write("x/y/z.txt", "not_found");
    assert_true(fs_write_atomic(&world.grants, STR("x/y/z.txt"), STR("deep"), &options, NULL));
    is("home/x/y/z.txt", "deep");
    assert_false(
        fs_write_atomic(&world.grants, str_from(at("library/x/y")), STR(""), &options, &world.err));
    assert_string_equal(world.err.code, "read_only");
    assert_false(exists("library/x"));
}

static void a_write_can_insist_on_a_new_file(void **state)
{
    struct fs_write_options options = { .exclusive = true };

    (void)state;
    assert_true(fs_write_atomic(&world.grants, STR("new.txt"), STR("1"), &options, NULL));
    assert_false(fs_write_atomic(&world.grants, STR("new.txt"), STR("2"), &options, &world.err));
    assert_string_equal(world.err.code, "exists");
    is("home/new.txt", "1");
}

static void a_failed_write_leaves_nothing_behind(void **state)
{
    (void)state;
    refuses_write("sub", "is_a_folder");
    refuses_write("new/", "is_a_folder");
    refuses_write(at("library/book.txt"), "read_only");
    assert_int_equal(entries_in("home"), 2);
    assert_int_equal(entries_in("library"), 1);
    is("library/book.txt", "words");
}

static void a_full_disk_leaves_the_old_contents(void **state)
{
    pid_t pid;
    int status = 0;

    (void)state;
    pid = fork(); /* the limit on file size is for life */
    if (pid == 0) {
        struct buf big = { 0 };
        bool ok;

        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 4096, 4096 });
        memset(buf_reserve(&big, 100000), 'x', 100000);
        big.len = 100000;
        ok = !fs_write_atomic(&world.grants, STR("a.txt"), buf_str(&big), NULL, NULL) &&
             !fs_append(&world.grants, STR("sub/b.txt"), buf_str(&big), 0666, NULL) &&
             !fs_write_atomic(&world.grants, STR("new"), buf_str(&big),
                              &(struct fs_write_options){ .exclusive = true }, NULL);
        _exit(ok ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    is("home/a.txt", "hello");
    is("home/sub/b.txt", "inner");
    assert_int_equal(entries_in("home"), 2);
}

static void appending_adds_at_the_end(void **state)
{
    (void)state;
    assert_true(fs_append(&world.grants, STR("a.txt"), STR(" world"), 0666, NULL));
    assert_true(fs_append(&world.grants, STR("log"), STR("first\n"), 0666, NULL));
    assert_true(fs_append(&world.grants, STR("log"), STR("second\n"), 0666, NULL));
    is("home/a.txt", "hello world");
    is("home/log", "first\nsecond\n");
    assert_false(
        fs_append(&world.grants, str_from(at("library/book.txt")), STR("x"), 0666, &world.err));
    assert_string_equal(world.err.code, "read_only");
}

static void folders_are_made_with_those_above(void **state)
{
    (void)state;
    assert_true(fs_mkdirs(&world.grants, STR("p/q/r"), 0777, NULL));
    assert_true(fs_mkdirs(&world.grants, STR("p/q/r/"), 0777, NULL));
    assert_true(fs_mkdirs(&world.grants, STR("."), 0777, NULL));
    assert_true(exists("home/p/q/r"));
    assert_false(fs_mkdirs(&world.grants, STR("a.txt/x"), 0777, &world.err));
    assert_string_equal(world.err.code, "not_a_folder");
    assert_false(fs_mkdirs(&world.grants, STR("a.txt"), 0777, &world.err));
    assert_string_equal(world.err.code, "exists");
    assert_false(fs_mkdirs(&world.grants, STR("../secret/x"), 0777, &world.err));
    assert_string_equal(world.err.code, "not_granted");
}

static bool remove_it(const char *path)
{
    return fs_remove(&world.grants, str_from(path), &world.err);
}

static void removing_takes_files_links_and_empty_folders(void **state)
{
    (void)state;
    assert_int_equal(symlink(at("secret/key.txt"), at("home/link")), 0);
    assert_true(remove_it("link"));
    is("secret/key.txt", "secret");
    assert_false(remove_it("sub"));
    assert_string_equal(world.err.code, "not_empty");
    assert_true(remove_it("sub/b.txt"));
    assert_true(remove_it("sub"));
    assert_false(remove_it("sub"));
    assert_string_equal(world.err.code, "not_found");
    assert_false(remove_it(at("library/book.txt")));
    assert_string_equal(world.err.code, "read_only");
    assert_true(remove_it("a.txt"));
    assert_false(remove_it("."));
    assert_string_equal(world.err.code, "not_granted");
    assert_true(exists("home"));
}

static bool move_it(const char *from, const char *to, bool replace)
{
    return fs_rename(&world.grants, str_from(from), str_from(to), replace, &world.err);
}

static void moving_stays_inside_what_may_be_written(void **state)
{
    (void)state;
    assert_true(move_it("a.txt", "sub/c.txt", false));
    is("home/sub/c.txt", "hello");
    assert_false(move_it("sub/c.txt", "sub/b.txt", false));
    assert_string_equal(world.err.code, "exists");
    assert_true(move_it("sub/c.txt", "sub/b.txt", true));
    is("home/sub/b.txt", "hello");
    assert_true(move_it("sub", "folder", false));
    is("home/folder/b.txt", "hello");
    assert_false(move_it("folder", "folder/inside", false));
    assert_false(move_it(at("library/book.txt"), "book.txt", false));
    assert_string_equal(world.err.code, "read_only");
    assert_false(move_it("folder/b.txt", at("library/b.txt"), false));
    assert_string_equal(world.err.code, "read_only");
    assert_false(move_it("folder/b.txt", "../secret/b.txt", false));
    assert_string_equal(world.err.code, "not_granted");
}

static void a_granted_folder_cannot_be_moved_away(void **state)
{
    (void)state;
    mkdir(at("home/sub/frozen"), 0755);
    assert_true(fs_grants_add(&world.grants, at("home/sub/frozen"), false, NULL));
    assert_false(move_it("sub", "elsewhere", false));
    assert_string_equal(world.err.code, "not_granted");
    assert_true(exists("home/sub/frozen"));
}

static void copying_takes_contents_and_mode(void **state)
{
    (void)state;
    assert_int_equal(chmod(at("library/book.txt"), 0640), 0);
    assert_true(
        fs_copy(&world.grants, str_from(at("library/book.txt")), STR("mine.txt"), false, NULL));
    is("home/mine.txt", "words");
    assert_int_equal(mode_of("home/mine.txt"), 0640);
    assert_false(fs_copy(&world.grants, STR("a.txt"), STR("mine.txt"), false, &world.err));
    assert_string_equal(world.err.code, "exists");
    assert_true(fs_copy(&world.grants, STR("a.txt"), STR("mine.txt"), true, NULL));
    is("home/mine.txt", "hello");
    assert_true(fs_copy(&world.grants, STR("a.txt"), STR("a.txt"), true, NULL));
    is("home/a.txt", "hello");
    assert_false(fs_copy(&world.grants, STR("sub"), STR("sub2"), true, &world.err));
    assert_string_equal(world.err.code, "is_a_folder");
    assert_int_equal(entries_in("home"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_file_over_the_limit_is_an_error_not_a_piece),
        CASE(a_file_can_be_read_in_parts),
        CASE(pipes_and_devices_do_not_hang_us),
        CASE(entries_are_listed_by_name),
        CASE(a_long_listing_says_it_was_cut),
        CASE(an_entry_can_be_looked_at),
        CASE(a_write_replaces_the_whole_and_keeps_the_mode),
        CASE(a_write_goes_through_a_link),
        CASE(a_write_can_make_the_folders_above),
        CASE(a_write_can_insist_on_a_new_file),
        CASE(a_failed_write_leaves_nothing_behind),
        CASE(a_full_disk_leaves_the_old_contents),
        CASE(appending_adds_at_the_end),
        CASE(folders_are_made_with_those_above),
        CASE(removing_takes_files_links_and_empty_folders),
        CASE(moving_stays_inside_what_may_be_written),
        CASE(a_granted_folder_cannot_be_moved_away),
        CASE(copying_takes_contents_and_mode),
    };

    alarm(HANG_SECONDS);
    umask(022);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
