/* The check whether this program's processor is emulated. A run under qemu's user emulation sees it
 * otherwise. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "process/emulation.h"

#ifdef __linux__
static size_t read_arguments(int folder, const char *name, char *bytes, size_t size)
{
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    ssize_t got = read(fd, bytes, size);

    assert_true(got > 0);
    close(fd);
    return (size_t)got;
}

/* An independent sign: qemu has arguments of its own before those of the program. */
static bool has_arguments_of_its_own(void)
{
    static char told[4096], kernels[4096];
    int folder = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    size_t len = read_arguments(AT_FDCWD, "/proc/self/cmdline", told, sizeof told);
    size_t other = read_arguments(folder, "cmdline", kernels, sizeof kernels);

    close(folder);
    return len != other || memcmp(told, kernels, len) != 0;
}
#endif

static void an_emulator_is_found_where_there_is_one(void **state)
{
    struct emulation found = { .by = "" };
    bool emulated = emulation_find(&found);

    (void)state;
    if (emulated)
        print_message("emulated by %s on %s\n", found.by, found.machine);
    assert_true(emulated == (*found.by != '\0'));
    assert_true(!emulated || !strchr(found.by, '/'));
    assert_true(emulation_find(&found) == emulated); /* the check leaves nothing behind */
}

static void this_machine_is_told_from_an_emulated_one(void **state)
{
    struct emulation found;

    (void)state;
#ifdef __linux__
    assert_int_equal(emulation_find(&found), has_arguments_of_its_own());
#else
    assert_false(emulation_find(&found));
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_emulator_is_found_where_there_is_one),
        cmocka_unit_test(this_machine_is_told_from_an_emulated_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
