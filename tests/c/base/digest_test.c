/* Digests in pieces are those of the whole. Needs the module "nettle" in the build folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/digest.h"

static const struct {
    enum digest_kind kind;
    const char *plain, *keyed; /* digests of "abc", and of it with the key "key" */
} samples[] = {
    { DIGEST_MD5, "900150983cd24fb0d6963f7d28e17f72", "d2fe98063f876b03193afb49b4979591" },
    { DIGEST_SHA1, "a9993e364706816aba3e25717850c26c9cd0d89d",
      "4fd0b215276ef12f2b3e4c8ecac2811498b656fc" },
    { DIGEST_SHA256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "9c196e32dc0175f86f4b1cb89289d6619de6bee699e4c378e68309ed97a1a6ab" },
    { DIGEST_SHA512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
      "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
      "3926a207c8c42b0c41792cbd3e1a1aaaf5f7a25704f62dfc939c4987dd7ce060"
      "009c5bb1c2447355b3216f10b537e9afa7b64a4e5391b0d631172d07939e087a" },
    { DIGEST_CRC32, "352441c2", NULL },
};

static void assert_digest(enum digest_kind kind, const struct str *key, size_t piece,
                          const char *wanted)
{
    struct str text = STR("abc");
    unsigned char out[DIGEST_MAX];
    struct digest digest;
    struct buf hex = { 0 };
    struct error err;

    assert_true(digest_begin(&digest, kind, key, &err));
    for (size_t at = 0; at < text.len; at += piece)
        digest_add(&digest,
                   (struct str){ text.ptr + at, text.len - at < piece ? text.len - at : piece });
    buf_hex(&hex, out, digest_end(&digest, out));
    assert_string_equal(buf_text(&hex), wanted);
    for (size_t i = 0; i < countof(digest.state); i++)
        assert_int_equal(digest.state[i], 0);
    buf_free(&hex);
}

static void pieces_make_no_difference(void **state)
{
    const struct str key = STR("key");

    (void)state;
    for (size_t i = 0; i < countof(samples); i++) {
        for (size_t piece = 1; piece <= 3; piece++) {
            assert_digest(samples[i].kind, NULL, piece, samples[i].plain);
            if (samples[i].keyed)
                assert_digest(samples[i].kind, &key, piece, samples[i].keyed);
        }
    }
}

static void two_at_once_do_not_mix(void **state)
{
    unsigned char out[DIGEST_MAX], again[DIGEST_MAX];
    struct digest one, other;
    struct error err;

    (void)state;
    assert_true(digest_begin(&one, DIGEST_SHA256, NULL, &err));
    assert_true(digest_begin(&other, DIGEST_SHA256, NULL, &err));
    digest_add(&one, STR("ab"));
    digest_add(&other, STR("x"));
    digest_add(&one, STR("c"));
    assert_int_equal(digest_end(&one, out), 32);
    assert_int_equal(digest_end(&other, again), 32);
    assert_memory_equal(out, "\xba\x78\x16\xbf", 4);
    assert_memory_not_equal(out, again, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_make_no_difference),
        cmocka_unit_test(two_at_once_do_not_mix),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
