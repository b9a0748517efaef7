/* sys.crypto -- digests, random bytes, base64, and comparing secrets. */
#include "base/crypto.h"

#include <lauxlib.h>

#include "base/base64.h"
#include "script/bind.h"
#include "sys/sys.h"

enum { RANDOM_MAX = 1 << 20 };

static struct str check_bytes(lua_State *L, int arg)
{
    struct str bytes;

    bytes.ptr = luaL_checklstring(L, arg, &bytes.len);
    return bytes;
}

static int push_digest(lua_State *L, const unsigned char *digest, bool ok, const struct error *err)
{
    if (!ok)
        return bind_error(L, err);
    lua_pushlstring(L, (const char *)digest, CRYPTO_SHA256);
    return 1;
}

static int crypto_sha256_(lua_State *L)
{
    unsigned char digest[CRYPTO_SHA256];
    struct error err;
    bool ok = crypto_sha256(check_bytes(L, 1), digest, &err);

    return push_digest(L, digest, ok, &err);
}

static int crypto_hmac_sha256_(lua_State *L)
{
    unsigned char digest[CRYPTO_SHA256];
    struct error err;
    bool ok = crypto_hmac_sha256(check_bytes(L, 1), check_bytes(L, 2), digest, &err);

    return push_digest(L, digest, ok, &err);
}

static int crypto_random_(lua_State *L)
{
    lua_Integer count = luaL_checkinteger(L, 1);
    luaL_Buffer bytes;

    luaL_argcheck(L, count >= 0 && count <= RANDOM_MAX, 1, "expected 0 to 1048576 bytes");
    crypto_random(luaL_buffinitsize(L, &bytes, (size_t)count), (size_t)count);
    luaL_pushresultsize(&bytes, (size_t)count);
    return 1;
}

static int crypto_same_(lua_State *L)
{
    lua_pushboolean(L, crypto_same(check_bytes(L, 1), check_bytes(L, 2)));
    return 1;
}

static int crypto_base64(lua_State *L)
{
    struct str bytes = check_bytes(L, 1);
    luaL_Buffer text;

    base64_encode(luaL_buffinitsize(L, &text, base64_length(bytes.len)), bytes.ptr, bytes.len);
    luaL_pushresultsize(&text, base64_length(bytes.len));
    return 1;
}

static int crypto_base64url(lua_State *L)
{
    struct str bytes = check_bytes(L, 1);
    struct buf *text = bind_buffer(L);

    base64_encode_url(text, bytes.ptr, bytes.len);
    lua_pushlstring(L, text->data ? text->data : "", text->len);
    return 1;
}

static int decode(lua_State *L, bool (*how)(struct buf *out, struct str text), const char *what)
{
    struct str text = check_bytes(L, 1);
    struct buf *bytes = bind_buffer(L);

    if (!how(bytes, text))
        return bind_fail(L, "not_base64", "this is not %s text", what);
    lua_pushlstring(L, bytes->data ? bytes->data : "", bytes->len);
    return 1;
}

static int crypto_unbase64(lua_State *L)
{
    return decode(L, base64_decode, "base64");
}

static int crypto_unbase64url(lua_State *L)
{
    return decode(L, base64_decode_url, "base64url");
}

static const luaL_Reg crypto_funcs[] = { { "base64", crypto_base64 },
                                         { "base64url", crypto_base64url },
                                         { "hmac_sha256", crypto_hmac_sha256_ },
                                         { "random", crypto_random_ },
                                         { "same", crypto_same_ },
                                         { "sha256", crypto_sha256_ },
                                         { "unbase64", crypto_unbase64 },
                                         { "unbase64url", crypto_unbase64url },
                                         { NULL, NULL } };

int luaopen_sys_crypto(lua_State *L)
{
    luaL_newlib(L, crypto_funcs);
    return 1;
}
