/* Files for scripts: what the grants allow works, and nothing leads out. */
#include "io_help.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "io/file.h"
#include "io/fs.h"

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

static char *at(const char *path) /* leaks nothing: a ring of names */
{
    static char names[8][512];
    static unsigned next;
    char *name = names[next++ % countof(names)];

    snprintf(name, sizeof names[0], "%s/%s", world.base, path);
    return name;
}

static void put(const char *path, const char *text)
{
    assert_true(file_write_atomic(at(path), text, strlen(text), 0, NULL));
}

static void is(const char *path, const char *text)
{
    struct buf out = { 0 };

    assert_true(file_read_all(at(path), 1 << 20, &out, NULL));
    assert_string_equal(buf_text(&out), text);
    buf_free(&out);
}

static bool exists(const char *path)
{
    struct stat info;

    return lstat(at(path), &info) == 0;
}

static unsigned mode_of(const char *path)
{
    struct stat info;

    assert_int_equal(lstat(at(path), &info), 0);
    return info.st_mode & 07777;
}

static size_t entries_in(const char *path)
{
    DIR *folder = opendir(at(path));
    size_t count = 0;

    while (readdir(folder))
        count++;
    closedir(folder);
    return count - 2;
}

static int world_setup(void **state)
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

static int world_teardown(void **state)
{
    (void)state;
    fs_grants_free(&world.grants);
    buf_free(&world.out);
    temp_remove(world.base);
    free(world.base);
    return 0;
}

static bool read_it(const char *path)
{
    world.out.len = 0;
    world.err = (struct error){ .code = "" };
    return fs_read(&world.grants, str_from(path), 1000, &world.out, &world.err);
}

static void reads(const char *path, const char *text)
{
    if (!read_it(path))
        fail_msg("%s: %s: %s", path, world.err.code, world.err.text);
    assert_string_equal(buf_text(&world.out), text);
}

static void refuses(const char *path, const char *code)
{
    if (read_it(path))
        fail_msg("%s was read: %s", path, buf_text(&world.out));
    if (strcmp(world.err.code, code) != 0)
        fail_msg("%s: wanted %s, got %s: %s", path, code, world.err.code, world.err.text);
    assert_int_equal(world.out.len, 0);
}

static bool write_it(const char *path, const char *text)
{
    world.err = (struct error){ .code = "" };
    return fs_write_atomic(&world.grants, str_from(path), str_from(text), NULL, &world.err);
}

static void refuses_write(const char *path, const char *code)
{
    if (write_it(path, "x"))
        fail_msg("%s was written", path);
    if (strcmp(world.err.code, code) != 0)
        fail_msg("%s: wanted %s, got %s: %s", path, code, world.err.code, world.err.text);
}

/* --- where paths lead --------------------------------------------------------------- */

static void paths_are_relative_to_the_first_grant_or_absolute(void **state)
{
    (void)state;
    reads("a.txt", "hello");
    reads("sub/b.txt", "inner");
    reads("./sub//./b.txt", "inner");
    reads("sub/../a.txt", "hello");
    reads(at("home/a.txt"), "hello");
    reads(at("library/book.txt"), "words");
    reads("../library/book.txt", "words");
}

static void ways_out_are_refused(void **state)
{
    (void)state;
    refuses("../secret/key.txt", "not_granted");
    refuses("sub/../../secret/key.txt", "not_granted");
    refuses("../../../../../../../../etc/passwd", "not_granted");
    refuses("/etc/passwd", "not_granted");
    refuses(at("secret/key.txt"), "not_granted");
    refuses(at("home/../secret/key.txt"), "not_granted");
    refuses(at("homeless"), "not_granted");
    refuses("/", "not_granted");
    refuses("/no/such/place", "not_granted");
    assert_non_null(strstr(world.err.text, at("home")));
}

static void a_path_must_be_sound(void **state)
{
    char *big = mem_alloc(5001);
    char *name = mem_alloc(301);

    (void)state;
    memset(big, 'x', 5000);
    big[5000] = '\0';
    memset(name, 'x', 300);
    name[300] = '\0';
    refuses("", "bad_path");
    refuses(big, "name_too_long");
    refuses(name, "name_too_long");
    world.out.len = 0;
    assert_false(fs_read(&world.grants, STR("a.txt\0/../../x"), 10, &world.out, &world.err));
    assert_string_equal(world.err.code, "bad_path");
    free(name);
    free(big);
}

static void nothing_granted_means_nothing_allowed(void **state)
{
    struct fs_grants none = { 0 };

    (void)state;
    assert_false(fs_read(&none, STR("/etc/passwd"), 10, &world.out, &world.err));
    assert_string_equal(world.err.code, "not_granted");
    assert_false(fs_grants_add(&none, at("nowhere"), true, &world.err));
    assert_string_equal(world.err.code, "not_found");
    assert_false(fs_grants_add(&none, at("home/a.txt"), true, &world.err));
    assert_string_equal(world.err.code, "not_a_folder");
    assert_int_equal(none.count, 0);
    fs_grants_free(&none);
}

static void links_inside_the_grants_work(void **state)
{
    (void)state;
    assert_int_equal(symlink("sub/b.txt", at("home/near")), 0);
    assert_int_equal(symlink("sub", at("home/folder")), 0);
    assert_int_equal(symlink(at("library"), at("home/shelf")), 0);
    assert_int_equal(symlink("../a.txt", at("home/sub/up")), 0);
    reads("near", "inner");
    reads("folder/b.txt", "inner");
    reads("folder/../a.txt", "hello");
    reads("shelf/book.txt", "words");
    reads("folder/up", "hello");
}

static void links_out_of_the_grants_do_not(void **state)
{
    (void)state;
    assert_int_equal(symlink(at("secret/key.txt"), at("home/key")), 0);
    assert_int_equal(symlink("../secret", at("home/door")), 0);
    assert_int_equal(symlink("door/key.txt", at("home/detour")), 0);
    assert_int_equal(symlink("/etc", at("home/etc")), 0);
    refuses("key", "not_granted");
    refuses("door/key.txt", "not_granted");
    refuses("detour", "not_granted");
    refuses("etc/passwd", "not_granted");
    refuses("door/../home/../secret/key.txt", "not_granted");
    refuses_write("key", "not_granted");
    refuses_write("door/new", "not_granted");
    is("secret/key.txt", "secret");
    assert_false(exists("secret/new"));
}

static void links_in_a_circle_end(void **state)
{
    (void)state;
    assert_int_equal(symlink("two", at("home/one")), 0);
    assert_int_equal(symlink("one", at("home/two")), 0);
    refuses("one", "too_many_links");
    refuses("one/x", "too_many_links");
}

static void a_file_is_not_a_folder(void **state)
{
    (void)state;
    refuses("a.txt/x", "not_a_folder");
    refuses("sub", "is_a_folder");
    refuses("sub/", "is_a_folder");
    refuses(".", "is_a_folder");
    refuses("missing", "not_found");
    refuses("missing/x", "not_found");
}

static void a_granted_folder_may_be_named_through_a_link(void **state)
{
    (void)state;
    assert_int_equal(symlink("home", at("alias")), 0);
    reads(at("alias/a.txt"), "hello");
    assert_true(write_it(at("alias/new.txt"), "new"));
    is("home/new.txt", "new");
}

static void a_folder_granted_through_a_link_is_its_target(void **state)
{
    struct fs_grants grants = { 0 };

    (void)state;
    assert_int_equal(symlink("home", at("alias")), 0);
    assert_true(fs_grants_add(&grants, at("alias"), true, NULL));
    assert_true(fs_read(&grants, str_from(at("alias/a.txt")), 10, &world.out, NULL));
    assert_true(fs_read(&grants, str_from(at("home/a.txt")), 10, &world.out, NULL));
    assert_string_equal(buf_text(&world.out), "hellohello");
    fs_grants_free(&grants);
}

static void the_inner_of_two_grants_decides(void **state)
{
    (void)state;
    mkdir(at("library/desk"), 0755);
    mkdir(at("home/frozen"), 0755);
    assert_true(fs_grants_add(&world.grants, at("library/desk"), true, NULL));
    assert_true(fs_grants_add(&world.grants, at("home/frozen"), false, NULL));
    assert_true(write_it(at("library/desk/note"), "n"));
    assert_true(write_it(at("library/./desk/../desk/note"), "m"));
    is("library/desk/note", "m");
    refuses_write(at("library/note"), "read_only");
    refuses_write("frozen/note", "read_only");
    refuses_write("./sub/../frozen/note", "read_only");
}

static void granting_again_changes_the_right(void **state)
{
    struct fs_grants copy;

    (void)state;
    fs_grants_copy(&copy, &world.grants);
    assert_true(fs_grants_add(&world.grants, at("library/"), true, NULL));
    assert_int_equal(world.grants.count, 2);
    assert_true(write_it(at("library/note"), "n"));
    assert_false(fs_write_atomic(&copy, str_from(at("library/note")), STR("x"), NULL, &world.err));
    assert_string_equal(world.err.code, "read_only");
    fs_grants_free(&copy);
}

static void the_whole_disk_can_be_granted(void **state)
{
    struct fs_grants grants = { 0 };

    (void)state;
    assert_true(fs_grants_add(&grants, "/", false, NULL));
    assert_true(fs_read(&grants, str_from(at("secret/key.txt")), 10, &world.out, NULL));
    assert_true(fs_read(&grants, str_from(at("home/../../../../../../etc/passwd") + 1), 1 << 20,
                        &world.out, NULL));
    assert_false(fs_write_atomic(&grants, str_from(at("x")), STR("x"), NULL, &world.err));
    assert_string_equal(world.err.code, "read_only");
    fs_grants_free(&grants);
}

static void the_real_path_can_be_had(void **state)
{
    char *path;

    (void)state;
    path = fs_resolve(&world.grants, STR("sub/../new.txt"), true, NULL);
    assert_string_equal(path_name(path), "new.txt");
    assert_int_equal(*path, '/');
    free(path);
    assert_null(fs_resolve(&world.grants, str_from(at("library/x")), true, &world.err));
    assert_string_equal(world.err.code, "read_only");
}

/* --- a thread that swaps a folder for a link out, again and again --------------------- */

static atomic_bool swapping;

static void *swap(void *arg)
{
    const char *name = arg;
    char inside[512], aside[512], outside[512];

    snprintf(inside, sizeof inside, "%s/home/%s", world.base, name);
    snprintf(aside, sizeof aside, "%s/home/aside", world.base);
    snprintf(outside, sizeof outside, "%s/secret/%s", world.base, name);
    while (atomic_load(&swapping)) {
        rename(inside, aside);
        symlink(outside, inside);
        unlink(inside);
        rename(aside, inside);
    }
    return NULL;
}

static void never_leads_out(const char *swapped, const char *read, const char *write)
{
    pthread_t thread;
    unsigned good = 0;

    atomic_store(&swapping, true);
    assert_int_equal(pthread_create(&thread, NULL, swap, (void *)(uintptr_t)swapped), 0);
    for (int i = 0; i < 20000 || good == 0; i++) {
        if (write)
            fs_append(&world.grants, str_from(write), STR("x"), NULL);
        if (!read_it(read))
            continue;
        good++;
        if (strcmp(buf_text(&world.out), "secret") == 0)
            break;
    }
    atomic_store(&swapping, false);
    pthread_join(thread, NULL);
    assert_string_not_equal(buf_text(&world.out), "secret");
}

static void swapping_a_folder_in_mid_walk_opens_nothing(void **state)
{
    (void)state;
    mkdir(at("secret/swap"), 0755);
    mkdir(at("home/swap"), 0755);
    put("secret/swap/key.txt", "secret");
    put("home/swap/key.txt", "public");
    never_leads_out("swap", "swap/key.txt", "swap/planted.txt");
    assert_int_equal(entries_in("secret/swap"), 1);
}

static void swapping_a_file_at_the_last_moment_opens_nothing(void **state)
{
    (void)state;
    put("home/key.txt", "public");
    never_leads_out("key.txt", "key.txt", NULL);
    never_leads_out("key.txt", "a.txt", "key.txt");
    is("secret/key.txt", "secret");
}

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
    assert_false(fs_append(&world.grants, STR("fifo"), STR("x"), &world.err));
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
             !fs_append(&world.grants, STR("sub/b.txt"), buf_str(&big), NULL) &&
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
    assert_true(fs_append(&world.grants, STR("a.txt"), STR(" world"), NULL));
    assert_true(fs_append(&world.grants, STR("log"), STR("first\n"), NULL));
    assert_true(fs_append(&world.grants, STR("log"), STR("second\n"), NULL));
    is("home/a.txt", "hello world");
    is("home/log", "first\nsecond\n");
    assert_false(fs_append(&world.grants, str_from(at("library/book.txt")), STR("x"), &world.err));
    assert_string_equal(world.err.code, "read_only");
}

static void folders_are_made_with_those_above(void **state)
{
    (void)state;
    assert_true(fs_mkdirs(&world.grants, STR("p/q/r"), NULL));
    assert_true(fs_mkdirs(&world.grants, STR("p/q/r/"), NULL));
    assert_true(fs_mkdirs(&world.grants, STR("."), NULL));
    assert_true(exists("home/p/q/r"));
    assert_false(fs_mkdirs(&world.grants, STR("a.txt/x"), &world.err));
    assert_string_equal(world.err.code, "not_a_folder");
    assert_false(fs_mkdirs(&world.grants, STR("a.txt"), &world.err));
    assert_string_equal(world.err.code, "exists");
    assert_false(fs_mkdirs(&world.grants, STR("../secret/x"), &world.err));
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

static void a_temporary_folder_is_granted_and_private(void **state)
{
    struct fs_grants grants = { 0 };
    struct stat info;
    const char *path;

    (void)state;
    path = fs_temp_dir(&grants, NULL);
    assert_non_null(path);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    assert_true(fs_write_atomic(&grants, STR("x"), STR("y"), NULL, NULL));
    assert_true(folder_remove_all(path, NULL));
    assert_int_equal(stat(path, &info), -1);
    fs_grants_free(&grants);
}

static void no_call_leaves_a_file_open(void **state)
{
    int before = open_files();

    (void)state;
    reads("sub/../a.txt", "hello");
    assert_true(write_it("a.txt", "x"));
    links_out_of_the_grants_do_not(NULL);
    links_in_a_circle_end(NULL);
    refuses("missing/x", "not_found");
    refuses("sub/", "is_a_folder");
    assert_int_equal(open_files(), before);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(paths_are_relative_to_the_first_grant_or_absolute),
        CASE(ways_out_are_refused),
        CASE(a_path_must_be_sound),
        CASE(nothing_granted_means_nothing_allowed),
        CASE(links_inside_the_grants_work),
        CASE(links_out_of_the_grants_do_not),
        CASE(links_in_a_circle_end),
        CASE(a_file_is_not_a_folder),
        CASE(a_granted_folder_may_be_named_through_a_link),
        CASE(a_folder_granted_through_a_link_is_its_target),
        CASE(the_inner_of_two_grants_decides),
        CASE(granting_again_changes_the_right),
        CASE(the_whole_disk_can_be_granted),
        CASE(the_real_path_can_be_had),
        CASE(swapping_a_folder_in_mid_walk_opens_nothing),
        CASE(swapping_a_file_at_the_last_moment_opens_nothing),
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
        CASE(a_temporary_folder_is_granted_and_private),
        CASE(no_call_leaves_a_file_open),
    };

    alarm(HANG_SECONDS);
    umask(022);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
