/* Access tokens, and sets of keys. A line is a token as it stands, or, with "|" between them, the
 * texts of its parts. Only the holder of the key can make a valid one. */
#include "fuzz.h"

#include "base/base64.h"
#include "http/oauth/issuer.h"
#include "http/oauth/jwt.h"

/* The public key of RFC 7515, A.3. */
#define KEY                                                                                        \
    "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"a\","                                  \
    "\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","                                       \
    "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}]}"

static void check_token(struct str token, const struct jwks *keys)
{
    static const char *const here[] = { "https://desk/mcp" };
    struct jwt_wanted wanted = { "https://a", here, 1, 1800000000 };
    struct jwt_claims claims;
    struct error err = { 0 };

    MUST(jwt_verify(token, keys, &wanted, &claims, &err) != JWT_GOOD);
    MUST(*err.text && !claims.subject && !claims.scopes);
}

static void check_parts(struct str line, const struct jwks *keys)
{
    struct buf token = { 0 };
    struct str part;

    while (fuzz_piece(&line, '|', &part)) {
        if (token.len)
            buf_addc(&token, '.');
        base64_encode_url(&token, part.ptr, part.len);
    }
    check_token(buf_str(&token), keys);
    buf_free(&token);
}

static void check_set(struct str text)
{
    struct error err = { 0 };
    struct jwks *keys = jwks_parse(text, &err);

    MUST(!keys == (*err.text != '\0'));
    MUST(!keys || (jwks_count(keys) > 0 && jwks_count(keys) <= JWKS_KEYS));
    jwks_free(keys);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = fuzz_copy(data, size), *url = mem_strndup(copy, size);
    struct str text = { copy, size };
    struct jwks *keys = jwks_parse(STR(KEY), NULL);

    MUST(keys);
    check_set(text);
    check_token(text, keys);
    check_token(text, NULL);
    check_parts(text, keys);
    issuer_url_ok(url, NULL);
    jwks_free(keys);
    free(copy);
    free(url);
    return 0;
}
