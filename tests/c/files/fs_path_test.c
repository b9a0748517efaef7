/* The places that scripts' paths lead to: none is outside of the grants. */
#include "fs_world.h"

#include <pthread.h>
#include <stdatomic.h>

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

/* A state folder that a tool named was a granted folder like any other. */
static void a_tools_own_folder_is_not_what_the_user_granted(void **state)
{
    unsigned given = FS_WRITE | FS_GIVEN;
    struct fs_grants grants = { 0 };
    struct fs_place place;

    (void)state;
    assert_true(fs_grants_add_own(&grants, at("home/sub"), NULL));
    assert_null(fs_grants_first(&grants));
    assert_true(fs_write_atomic(&grants, str_from(at("home/sub/own")), STR("x"), NULL, NULL));
    assert_false(fs_write_atomic(&grants, STR("own"), STR("x"), NULL, &world.err));
    assert_string_equal(world.err.code, "not_granted");
    assert_false(fs_locate(&grants, str_from(at("home/sub/own")), given, &place, &world.err));
    assert_string_equal(world.err.code, "not_granted");

    assert_true(fs_grants_add(&grants, at("library"), true, NULL));
    assert_false(fs_locate(&grants, str_from(at("home/sub/own")), given, &place, &world.err));
    assert_null(strstr(strstr(world.err.text, "Granted:"), "home"));
    assert_true(fs_write_atomic(&grants, STR("note"), STR("x"), NULL, NULL));
    is("library/note", "x");

    assert_true(fs_grants_add(&grants, at("home/sub"), true, NULL));
    assert_true(fs_grants_add_own(&grants, at("home/sub"), NULL));
    assert_true(fs_locate(&grants, str_from(at("home/sub/own")), given, &place, NULL));
    fs_place_close(&place);
    fs_grants_free(&grants);
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
            fs_append(&world.grants, str_from(write), STR("x"), 0666, NULL);
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
        CASE(a_tools_own_folder_is_not_what_the_user_granted),
        CASE(the_whole_disk_can_be_granted),
        CASE(the_real_path_can_be_had),
        CASE(swapping_a_folder_in_mid_walk_opens_nothing),
        CASE(swapping_a_file_at_the_last_moment_opens_nothing),
        CASE(no_call_leaves_a_file_open),
    };

    alarm(HANG_SECONDS);
    umask(022);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
