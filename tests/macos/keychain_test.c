/* Secrets in the keychain of the simulation. */
#include "backend_run.h"
#include "files/secrets.h"

extern const struct keychain perigee_keychain;

static bool kept(const char *folder, const char *want)
{
    struct buf out = { 0 };
    bool same =
        secrets_read(folder, "tokens", &out, &stage.err) && strcmp(buf_text(&out), want) == 0;

    buf_free(&out);
    return same;
}

static void secrets_move_from_files_into_the_keychain(void **state)
{
    char *path = mem_printf("%s/tokens", stage.folder);

    (void)state;
    secrets_use(NULL);
    assert_ok(secrets_write(stage.folder, "tokens", STR("of a file"), &stage.err));
    secrets_use(&perigee_keychain);
    assert_true(kept(stage.folder, "of a file"));
    assert_ok(secrets_write(stage.folder, "tokens", STR("one"), &stage.err));
    assert_int_equal(access(path, F_OK), -1);
    assert_ok(secrets_write(stage.folder, "tokens", STR("two"), &stage.err));
    assert_true(kept(stage.folder, "two"));
    assert_ok(secrets_write(stage.folder, "tokens", (struct str){ 0 }, &stage.err));
    assert_false(kept(stage.folder, "two"));
    assert_string_equal(stage.err.code, "not_found");
    secrets_use(NULL);
    free(path);
}

/* The simulation ends the test if a call could raise a dialog. */
static void the_keychain_is_asked_without_a_dialog_and_not_by_a_build_of_today(void **state)
{
    (void)state;
    secrets_use(&perigee_keychain);
    assert_ok(secrets_write(stage.folder, "tokens", STR("quiet"), &stage.err));
    assert_true(kept(stage.folder, "quiet"));
    assert_true(sim_keychain_may_ask()); /* as it was */
    secrets_use(NULL);
    assert_true(perigee_keychain.usable());
    sim_sign_ad_hoc(true);
    assert_false(perigee_keychain.usable());
}

static void a_locked_keychain_is_named_and_nothing_is_lost(void **state)
{
    (void)state;
    secrets_use(&perigee_keychain);
    assert_ok(secrets_write(stage.folder, "tokens", STR("precious"), &stage.err));
    sim_lock_keychain(true);
    assert_false(kept(stage.folder, "precious"));
    assert_string_equal(stage.err.code, "keychain_locked");
    assert_non_null(strstr(stage.err.text, "PERIGEE_KEYCHAIN=0"));
    assert_false(secrets_write(stage.folder, "tokens", STR("other"), &stage.err));
    assert_string_equal(stage.err.code, "keychain_locked");
    secrets_use(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(secrets_move_from_files_into_the_keychain),
        CASE(the_keychain_is_asked_without_a_dialog_and_not_by_a_build_of_today),
        CASE(a_locked_keychain_is_named_and_nothing_is_lost),
    };

    return cmocka_run_group_tests_name("keychain", tests, NULL, NULL);
}
