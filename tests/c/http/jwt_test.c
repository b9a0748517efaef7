/* Signatures by known answers (RFC 7515, appendices A.2 and A.3), key sets, and the claims of a
 * token. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base64.h"
#include "base/crypto.h"
#include "http/oauth/issuer.h"
#include "http/oauth/jwt.h"

/* The key, the token and its claims of RFC 7515, A.3: {"iss":"joe","exp":1300819380,...}, which has
 * no audience; A.2 signs the same with RSA. */
#define BODY                                                                                       \
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVl" \
    "fQ"
#define EC_X "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
#define EC_Y "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
#define EC_SIGNATURE                                                                               \
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
#define RSA_N                                                                                      \
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4" \
    "d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5re" \
    "xMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxX" \
    "FvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
#define RSA_SIGNATURE                                                                              \
    "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5" \
    "jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb" \
    "1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QO" \
    "YEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
#define EC_HEADER  "eyJhbGciOiJFUzI1NiJ9"
#define RSA_HEADER "eyJhbGciOiJSUzI1NiJ9"

static struct buf decoded(const char *text)
{
    struct buf out = { 0 };

    assert_true(base64_decode_url(&out, str_from(text)));
    return out;
}

static bool es256(const char *x, const char *y, const char *signature, const char *text)
{
    struct buf a = decoded(x), b = decoded(y), c = decoded(signature);
    struct error err;
    bool valid;

    assert_true(crypto_es256(buf_str(&a), buf_str(&b), buf_str(&c), str_from(text), &valid, &err));
    buf_free(&a);
    buf_free(&b);
    buf_free(&c);
    return valid;
}

static bool rs256(const char *n, const char *e, const char *signature, const char *text)
{
    struct buf a = decoded(n), b = decoded(e), c = decoded(signature);
    struct error err;
    bool valid;

    assert_true(crypto_rs256(buf_str(&a), buf_str(&b), buf_str(&c), str_from(text), &valid, &err));
    buf_free(&a);
    buf_free(&b);
    buf_free(&c);
    return valid;
}

static void known_answers(void **state)
{
    (void)state;
    assert_true(es256(EC_X, EC_Y, EC_SIGNATURE, EC_HEADER "." BODY));
    assert_false(es256(EC_X, EC_Y, EC_SIGNATURE, EC_HEADER "." BODY "x"));
    assert_false(es256(EC_Y, EC_X, EC_SIGNATURE, EC_HEADER "." BODY)); /* not on the curve */
    assert_true(rs256(RSA_N, "AQAB", RSA_SIGNATURE, RSA_HEADER "." BODY));
    assert_true(rs256("AAAA" RSA_N, "AAAAAQAB", RSA_SIGNATURE, RSA_HEADER "." BODY)); /* zeros */
    assert_false(rs256(RSA_N, "AQAB", RSA_SIGNATURE, RSA_HEADER "." BODY "x"));
    assert_false(rs256(RSA_N, "AQAB", EC_SIGNATURE, RSA_HEADER "." BODY));
}

static void keys_that_are_none(void **state)
{
    (void)state;
    assert_false(rs256(RSA_N, "AQ", RSA_SIGNATURE, RSA_HEADER "." BODY));   /* 1 */
    assert_false(rs256(RSA_N, "AQAA", RSA_SIGNATURE, RSA_HEADER "." BODY)); /* even */
    assert_false(rs256(RSA_N, "", RSA_SIGNATURE, RSA_HEADER "." BODY));
    assert_false(rs256(RSA_N, RSA_N, RSA_SIGNATURE, RSA_HEADER "." BODY)); /* would take long */
    assert_false(rs256("", "AQAB", RSA_SIGNATURE, RSA_HEADER "." BODY));
    assert_false(rs256(EC_X, "AQAB", EC_X, RSA_HEADER "." BODY)); /* 256 bits */
    assert_false(es256(EC_X, "", EC_SIGNATURE, EC_HEADER "." BODY));
    assert_false(es256(EC_X, EC_Y, "", EC_HEADER "." BODY));
}

static struct jwks *set(const char *text)
{
    struct error err;

    return jwks_parse(str_from(text), &err);
}

#define EC_KEY "\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"" EC_X "\",\"y\":\"" EC_Y "\""

static void key_sets(void **state)
{
    static const char *const of_no_use[] = {
        "",
        "[]",
        "{}",
        "{\"keys\":{}}",
        "{\"keys\":[]}",
        "{\"keys\":[1,null,{}]}",
        "{\"keys\":[{" EC_KEY ",\"use\":\"enc\"}]}",
        "{\"keys\":[{" EC_KEY ",\"alg\":\"ES512\"}]}",
        "{\"keys\":[{" EC_KEY ",\"key_ops\":[\"sign\"]}]}",
        "{\"keys\":[{" EC_KEY ",\"kid\":7}]}",
        "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AAAA\"}]}",
        "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"=\",\"e\":\"AQAB\"}]}",
    };
    struct jwks *keys =
        set("{\"keys\":[{\"kty\":\"oct\"},{" EC_KEY ",\"kid\":\"a\",\"use\":\"sig\"}]}");
    struct buf many = { 0 };

    (void)state;
    assert_non_null(keys);
    assert_int_equal(jwks_count(keys), 1);
    assert_string_equal(jwks_at(keys, 0)->id, "a");
    jwks_free(keys);
    for (size_t i = 0; i < countof(of_no_use); i++)
        assert_null(set(of_no_use[i]));
    buf_lit(&many, "{\"keys\":[{" EC_KEY "}");
    for (size_t i = 0; i < JWKS_KEYS; i++)
        buf_lit(&many, ",{}");
    buf_lit(&many, "]}");
    assert_null(set(buf_text(&many)));
    buf_free(&many);
}

/* The RFC's token has no audience: it fails there, and not before. */
static void one_token(void **state)
{
    static const char *const here[] = { "http://127.0.0.1:7717/mcp" };
    struct jwt_wanted wanted = { "joe", here, 1, 1300819380 };
    struct jwks *keys = set("{\"keys\":[{" EC_KEY "}]}");
    struct jwt_claims claims;
    struct error err;

    (void)state;
    assert_int_equal(
        jwt_verify(STR(EC_HEADER "." BODY "." EC_SIGNATURE), keys, &wanted, &claims, &err),
        JWT_BAD);
    assert_non_null(strstr(err.text, "(aud)"));
    wanted.issuer = "jo";
    assert_int_equal(
        jwt_verify(STR(EC_HEADER "." BODY "." EC_SIGNATURE), keys, &wanted, &claims, &err),
        JWT_BAD);
    assert_non_null(strstr(err.text, "(iss)"));
    jwks_free(keys);
}

static void issuers(void **state)
{
    static const char *const good[] = { "https://a.example", "https://a.example/b/",
                                        "http://localhost",  "http://127.0.0.1:8080/x",
                                        "http://[::1]:1",    "HTTPS://a" };
    static const char *const bad[] = { "",           "https://",           "https:///x",
                                       "http://a",   "http://127.0.0.1.a", "http://localhost@a",
                                       "https://a?", "https://a#",         "https://a b",
                                       "https://\"", "file:///x",          "https://u@a" };
    struct error err;

    (void)state;
    for (size_t i = 0; i < countof(good); i++)
        assert_true(issuer_url_ok(good[i], &err));
    for (size_t i = 0; i < countof(bad); i++)
        assert_false(issuer_url_ok(bad[i], &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers), cmocka_unit_test(keys_that_are_none),
        cmocka_unit_test(key_sets),      cmocka_unit_test(one_token),
        cmocka_unit_test(issuers),
    };

    return cmocka_run_group_tests_name("jwt", tests, NULL, NULL);
}
