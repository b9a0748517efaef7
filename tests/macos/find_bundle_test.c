/* Bundles of applications: found by name, identifier and the name that the user sees. */
#include <sys/stat.h>

#include "backend_run.h"
#include "platform/macos/system/bundles.h"

static void make_bundle(const char *home, const char *name)
{
    char *applications = mem_printf("%s/Applications", home);
    char *path = mem_printf("%s/%s.app", applications, name);

    mkdir(applications, 0700);
    assert_int_equal(mkdir(path, 0700), 0);
    free(path);
    free(applications);
}

static void bundles_are_found_by_name_and_identifier(void **state)
{
    struct bundle_list list;
    bool found = false;
    char *path;

    (void)state;
    setenv("HOME", stage.folder, 1);
    make_bundle(stage.folder, "Text Shop");
    bundles_list(&list);
    for (size_t i = 0; i < list.count; i++)
        found = found || (strcmp(list.items[i].name, "Text Shop") == 0 &&
                          strcmp(list.items[i].id, "sim.Text Shop.app") == 0);
    bundles_free(&list);
    assert_true(found);
    path = bundle_find("text shop", &stage.err);
    assert_non_null(path);
    assert_non_null(strstr(path, "/Applications/Text Shop.app"));
    free(path);
    path = bundle_find("Text Shop.app", &stage.err);
    assert_non_null(path);
    free(path);
    path = mem_printf("%s/Applications/Text Shop.app/", stage.folder);
    char *found_path = bundle_find(path, &stage.err);
    assert_non_null(found_path);
    assert_int_equal(strlen(found_path), strlen(path) - 1);
    free(found_path);
    free(path);
    assert_null(bundle_find("No Such Thing", &stage.err));
    assert_string_equal(stage.err.code, "app_not_found");
    assert_null(bundle_find("/etc", &stage.err));
    assert_string_equal(stage.err.code, "app_not_found");
}

static void write_in(const char *bundle, const char *name, const char *text)
{
    char *path = mem_printf("%s/Applications/%s/%s", stage.folder, bundle, name);
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(path);
}

static void bundles_are_found_by_the_name_the_user_sees(void **state)
{
    char *path, *icon, *want;

    (void)state;
    setenv("HOME", stage.folder, 1);
    make_bundle(stage.folder, "Calculator");
    write_in("Calculator.app", "localized", "Rechner");
    path = bundle_find("rechner", &stage.err);
    assert_non_null(path);
    assert_non_null(strstr(path, "/Calculator.app"));
    icon = bundle_icon(path);
    assert_string_equal(icon, path); /* in a catalog */
    free(icon);
    want = mem_printf("%s/Contents", path);
    mkdir(want, 0700);
    free(want);
    want = mem_printf("%s/Contents/Resources", path);
    mkdir(want, 0700);
    free(want);
    write_in("Calculator.app", "Contents/Resources/AppIcon.icns", "icns");
    want = mem_printf("%s/Contents/Resources/AppIcon.icns", path);
    icon = bundle_icon(path);
    assert_string_equal(icon, want);
    free(want);
    free(icon);
    free(path);
}

static void two_bundles_of_one_name_are_refused_with_their_paths(void **state)
{
    char *path;

    (void)state;
    setenv("HOME", stage.folder, 1);
    make_bundle(stage.folder, "Twin");
    make_bundle(stage.folder, "TWIN");
    path = bundle_find("twin", &stage.err);
    assert_null(path);
    assert_string_equal(stage.err.code, "app_ambiguous");
    assert_non_null(strstr(stage.err.text, "/Twin.app"));
    assert_non_null(strstr(stage.err.text, "/TWIN.app"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(bundles_are_found_by_name_and_identifier),
        CASE(bundles_are_found_by_the_name_the_user_sees),
        CASE(two_bundles_of_one_name_are_refused_with_their_paths),
    };

    return cmocka_run_group_tests_name("find_bundle", tests, NULL, NULL);
}
