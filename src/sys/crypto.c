/* sys.crypto -- digests, random bytes, base64, and comparing secrets. */
#include "base/crypto.h"

#include <lauxlib.h>

#include "base/base64.h"
#include "base/digest.h"
#include "script/bind.h"
#include "script/budget.h"
#include "sys/sys.h"

enum { RANDOM_MAX = 1 << 20, SLICE = 16 * 1024, STEPS_A_BYTE = 2 };

static struct str check_bytes(lua_State *L, int arg)
{
    struct str bytes;

    bytes.ptr = luaL_checklstring(L, arg, &bytes.len);
    return bytes;
}

/* --- digests, in turns ----------------------------------------------------------------------- */

static int push_digest(lua_State *L, struct digest *digest)
{
    bool is_number = digest->kind == DIGEST_CRC32;
    unsigned char out[DIGEST_MAX];
    size_t len = digest_end(digest, out);

    if (is_number)
        lua_pushinteger(L, (lua_Integer)out[0] << 24 | out[1] << 16 | out[2] << 8 | out[3]);
    else
        lua_pushlstring(L, (const char *)out, len);
    return 1;
}

/* Continues a digest. The bytes and the digest are on top of the stack; `done` of the bytes are in
 * the digest. */
static int digest_go_on(lua_State *L, int status, lua_KContext done)
{
    struct digest *digest = lua_touserdata(L, -1);
    struct str bytes = check_bytes(L, lua_gettop(L) - 1);
    struct budget budget = { .L = L };
    size_t at = (size_t)done;

    (void)status;
    while (at < bytes.len) {
        size_t len = bytes.len - at < SLICE ? bytes.len - at : SLICE;

        digest_add(digest, (struct str){ bytes.ptr + at, len });
        at += len;
        budget_step(&budget, (ptrdiff_t)len * STEPS_A_BYTE);
        if (budget.over)
            return lua_yieldk(L, 0, (lua_KContext)at, digest_go_on);
    }
    return push_digest(L, digest);
}

/* Called with (bytes), or with (key, bytes) if `keyed`. */
static int push_digest_of(lua_State *L, enum digest_kind kind, bool keyed)
{
    struct str key = check_bytes(L, 1);
    struct digest *made;
    struct error err;

    if (keyed)
        check_bytes(L, 2);
    lua_settop(L, keyed ? 2 : 1);
    made = lua_newuserdatauv(L, sizeof *made, 0);
    if (!digest_begin(made, kind, keyed ? &key : NULL, &err))
        return bind_error(L, &err);
    return digest_go_on(L, LUA_OK, 0);
}

static int crypto_md5(lua_State *L)
{
    return push_digest_of(L, DIGEST_MD5, false);
}

static int crypto_sha1(lua_State *L)
{
    return push_digest_of(L, DIGEST_SHA1, false);
}

static int crypto_sha256_(lua_State *L)
{
    return push_digest_of(L, DIGEST_SHA256, false);
}

static int crypto_sha512(lua_State *L)
{
    return push_digest_of(L, DIGEST_SHA512, false);
}

static int crypto_crc32(lua_State *L)
{
    return push_digest_of(L, DIGEST_CRC32, false);
}

static int crypto_hmac_sha1(lua_State *L)
{
    return push_digest_of(L, DIGEST_SHA1, true);
}

static int crypto_hmac_sha256_(lua_State *L)
{
    return push_digest_of(L, DIGEST_SHA256, true);
}

static int crypto_hmac_sha512(lua_State *L)
{
    return push_digest_of(L, DIGEST_SHA512, true);
}

/* --- secrets --------------------------------------------------------------------------------- */

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

/* --- bytes as text --------------------------------------------------------------------------- */

static int crypto_hex(lua_State *L)
{
    struct str bytes = check_bytes(L, 1);
    struct buf *text = bind_buffer(L);

    buf_hex(text, bytes.ptr, bytes.len);
    lua_pushlstring(L, text->data ? text->data : "", text->len);
    return 1;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int crypto_unhex(lua_State *L)
{
    struct str text = check_bytes(L, 1);
    luaL_Buffer bytes;
    char *out;

    if (text.len % 2)
        return bind_fail(L, "not_hex", "hexadecimal digits come in pairs, and these are %zu",
                         text.len);
    out = luaL_buffinitsize(L, &bytes, text.len / 2);
    for (size_t i = 0; i < text.len; i += 2) {
        int high = hex_digit(text.ptr[i]), low = hex_digit(text.ptr[i + 1]);

        if (high < 0 || low < 0)
            return bind_fail(L, "not_hex", "byte %zu is not a hexadecimal digit",
                             i + (high < 0 ? 1 : 2));
        out[i / 2] = (char)(high << 4 | low);
    }
    luaL_pushresultsize(&bytes, text.len / 2);
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

static int push_decoded_with(lua_State *L, bool (*how)(struct buf *out, struct str text),
                             const char *what)
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
    return push_decoded_with(L, base64_decode, "base64");
}

static int crypto_unbase64url(lua_State *L)
{
    return push_decoded_with(L, base64_decode_url, "base64url");
}

static const luaL_Reg crypto_funcs[] = { { "base64", crypto_base64 },
                                         { "base64url", crypto_base64url },
                                         { "crc32", crypto_crc32 },
                                         { "hex", crypto_hex },
                                         { "hmac_sha1", crypto_hmac_sha1 },
                                         { "hmac_sha256", crypto_hmac_sha256_ },
                                         { "hmac_sha512", crypto_hmac_sha512 },
                                         { "md5", crypto_md5 },
                                         { "random", crypto_random_ },
                                         { "same", crypto_same_ },
                                         { "sha1", crypto_sha1 },
                                         { "sha256", crypto_sha256_ },
                                         { "sha512", crypto_sha512 },
                                         { "unbase64", crypto_unbase64 },
                                         { "unbase64url", crypto_unbase64url },
                                         { "unhex", crypto_unhex },
                                         { NULL, NULL } };

int luaopen_sys_crypto(lua_State *L)
{
    luaL_newlib(L, crypto_funcs);
    return 1;
}
