/* Hosts in URLs and in Host headers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "http/authority.h"

static void assert_str(struct str is, const char *expected)
{
    assert_int_equal(is.len, strlen(expected));
    if (is.len)
        assert_memory_equal(is.ptr, expected, is.len);
}

static void authority_of_url(void **state)
{
    static const char *const cases[][2] = {
        { "https://example.org/mcp", "example.org" },
        { "http://example.org:80?q=//x@y", "example.org:80" },
        { "http://user:secret@[::1]:8080/", "[::1]:8080" },
        { "http://host#at@nowhere", "host" },
        { "example.org:1/x", "example.org:1" },
        { "http://", "" },
        { "", "" },
    };

    (void)state;
    for (size_t i = 0; i < countof(cases); i++)
        assert_str(url_authority(cases[i][0]), cases[i][1]);
}

static void host_of_authority(void **state)
{
    static const char *const cases[][2] = {
        { "localhost", "localhost" },
        { "localhost:80", "localhost" },
        { "[::1]", "::1" },
        { "[::1]:80", "::1" },
        { "[::1", "" },
        { "[::1]x", "" },
        { ":80", "" },
        { "", "" },
    };

    (void)state;
    for (size_t i = 0; i < countof(cases); i++)
        assert_str(authority_host(str_from(cases[i][0])), cases[i][1]);
}

static void a_plain_authority_has_a_name_and_a_port_at_most(void **state)
{
    static const char *const plain[] = { "localhost", "a.example:80",  "[::1]", "[::1]:8080",
                                         "127.0.0.1", "x_y-z.example", "a.b.",  "host:" };
    static const char *const others[] = { "",       "u@host",      "host:80@evil", "host/path",
                                          "host:x", "a b",         "[::1",         "[::1]x",
                                          ":80",    "host:123456", "[::1]:@",      "h\x01" };

    (void)state;
    for (size_t i = 0; i < countof(plain); i++)
        assert_true(authority_is_plain(str_from(plain[i])));
    for (size_t i = 0; i < countof(others); i++)
        assert_false(authority_is_plain(str_from(others[i])));
}

static void a_host_is_of_the_world_a_network_or_this_machine(void **state)
{
    static const char *const world[] = { "example.org",      "8.8.8.8",
                                         "172.15.0.1",       "172.32.0.1",
                                         "100.63.0.1",       "2606::1",
                                         "1.2.3.4.example",  "10.example",
                                         "::ffff:8.8.8.8",   "127.0.0.1.example.org",
                                         "localhost.example" };
    static const char *const network[] = { "10.0.0.1",        "172.16.0.1",      "172.31.255.255",
                                           "192.168.1.1",     "169.254.1.1",     "100.64.0.1",
                                           "224.0.0.1",       "255.255.255.255", "fe80::1",
                                           "fe80::1%eth0",    "fd00::1",         "ff02::1",
                                           "::ffff:10.0.0.1", "64:ff9b::a00:1",  "2002:a00:1::" };
    static const char *const machine[] = { "localhost",
                                           "LOCALHOST.",
                                           "a.localhost",
                                           "127.0.0.1",
                                           "127.9.9.9",
                                           "0.0.0.0",
                                           "0.1.2.3",
                                           "::",
                                           "::1",
                                           "::127.0.0.1",
                                           "::ffff:127.0.0.1",
                                           "::ffff:7f00:1",
                                           "64:ff9b::7f00:1" };
    static const char *const odd[] = { "2130706433", "0x7f000001", "127.1",      "0177.0.0.1",
                                       "0x7f.0.0.1", "1.2.3",      "127.0.0.1.", "",
                                       "10.0.0.0x1", "8.8.8.256" };

    (void)state;
    for (size_t i = 0; i < countof(world); i++)
        assert_int_equal(host_scope(str_from(world[i])), HOST_WORLD);
    for (size_t i = 0; i < countof(network); i++)
        assert_int_equal(host_scope(str_from(network[i])), HOST_NETWORK);
    for (size_t i = 0; i < countof(machine); i++)
        assert_int_equal(host_scope(str_from(machine[i])), HOST_MACHINE);
    for (size_t i = 0; i < countof(odd); i++)
        assert_int_equal(host_scope(str_from(odd[i])), HOST_ODD);
}

static void some_forms_of_private_addresses_were_taken_for_public_ones(void **state)
{
    static const char *const network[] = { "::ffff:0:10.0.0.1", "64:ff9b:1::7f00:1", "192.0.0.8",
                                           "198.18.0.1", "198.19.255.255" };
    static const char *const world[] = { "::ffff:0:8.8.8.8", "192.0.2.1", "198.17.0.1",
                                         "198.20.0.1" };

    (void)state;
    assert_int_equal(host_scope(str_from("::ffff:0:127.0.0.1")), HOST_MACHINE);
    for (size_t i = 0; i < countof(network); i++)
        assert_int_equal(host_scope(str_from(network[i])), HOST_NETWORK);
    for (size_t i = 0; i < countof(world); i++)
        assert_int_equal(host_scope(str_from(world[i])), HOST_WORLD);
}

static void only_whole_names_are_local(void **state)
{
    static const char *const local[] = { "localhost", "LocalHost", "127.0.0.1", "::1" };
    static const char *const far[] = { "",           "localhost.", "localhost.example.org",
                                       "127.0.0.11", "::",         "local" };

    (void)state;
    for (size_t i = 0; i < countof(local); i++)
        assert_true(host_is_local(str_from(local[i])));
    for (size_t i = 0; i < countof(far); i++)
        assert_false(host_is_local(str_from(far[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(authority_of_url),
        cmocka_unit_test(host_of_authority),
        cmocka_unit_test(a_plain_authority_has_a_name_and_a_port_at_most),
        cmocka_unit_test(a_host_is_of_the_world_a_network_or_this_machine),
        cmocka_unit_test(some_forms_of_private_addresses_were_taken_for_public_ones),
        cmocka_unit_test(only_whole_names_are_local),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
