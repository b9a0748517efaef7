/* Reading a key set. */
#include "http/oauth/jwks.h"

#include <stdlib.h>

#include "base/base64.h"
#include "json/document.h"

struct jwks {
    size_t count;
    struct jwk items[JWKS_KEYS];
};

static bool is_string(const cJSON *node, const char *text)
{
    return cJSON_IsString(node) && str_same(json_string(node), str_from(text));
}

static bool absent_or(const cJSON *node, const char *text)
{
    return !node || is_string(node, text);
}

/* May the key verify signatures? "key_ops" and "use" can exclude it. */
static bool key_verifies(const cJSON *key)
{
    const cJSON *ops = json_get(key, "key_ops"), *op;

    if (!absent_or(json_get(key, "use"), "sig"))
        return false;
    if (!ops)
        return true;
    cJSON_ArrayForEach (op, ops)
        if (is_string(op, "verify"))
            return true;
    return false;
}

static bool read_number(const cJSON *key, const char *name, struct buf *out)
{
    const cJSON *text = json_get(key, name);

    return cJSON_IsString(text) && base64_decode_url(out, json_string(text)) && out->len > 0;
}

static bool read_key_numbers(const cJSON *key, struct jwk *jwk)
{
    const cJSON *kind = json_get(key, "kty"), *alg = json_get(key, "alg");

    if (is_string(kind, "RSA") && absent_or(alg, "RS256")) {
        jwk->kind = JWK_RSA;
        return read_number(key, "n", &jwk->first) && read_number(key, "e", &jwk->second);
    }
    if (is_string(kind, "EC") && is_string(json_get(key, "crv"), "P-256") &&
        absent_or(alg, "ES256")) {
        jwk->kind = JWK_P256;
        return read_number(key, "x", &jwk->first) && read_number(key, "y", &jwk->second);
    }
    return false;
}

static void jwk_clear(struct jwk *jwk)
{
    free(jwk->id);
    buf_free(&jwk->first);
    buf_free(&jwk->second);
    *jwk = (struct jwk){ 0 };
}

static void read_jwk(struct jwks *keys, const cJSON *key)
{
    const cJSON *id = json_get(key, "kid");
    struct jwk *jwk = &keys->items[keys->count];

    if (!cJSON_IsObject(key) || (id && !cJSON_IsString(id)) || !key_verifies(key) ||
        !read_key_numbers(key, jwk)) {
        jwk_clear(jwk);
        return;
    }
    if (id)
        jwk->id = mem_strdup(id->valuestring);
    keys->count++;
}

struct jwks *jwks_parse(struct str text, struct error *err)
{
    struct json_doc *doc;
    struct jwks *keys = NULL;
    const cJSON *list, *key;
    int count;

    doc = json_parse(text.ptr, text.len, NULL, err);
    if (!doc)
        return NULL;
    list = json_get(json_root(doc), "keys");
    count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : -1;
    if (count < 0 || count > JWKS_KEYS) {
        error_set(err, "bad_keys",
                  count < 0 ? "it is not a key set: \"keys\" is missing"
                            : "the set has more than %d keys",
                  JWKS_KEYS);
    } else {
        keys = mem_zero(sizeof *keys);
        cJSON_ArrayForEach (key, list)
            read_jwk(keys, key);
    }
    json_doc_free(doc);
    if (keys && !keys->count) {
        jwks_free(keys);
        error_set(err, "bad_keys", "the set has no key for RS256 or ES256");
        return NULL;
    }
    return keys;
}

void jwks_free(struct jwks *keys)
{
    for (size_t i = 0; keys && i < keys->count; i++)
        jwk_clear(&keys->items[i]);
    free(keys);
}

size_t jwks_count(const struct jwks *keys)
{
    return keys->count;
}

const struct jwk *jwks_at(const struct jwks *keys, size_t i)
{
    return &keys->items[i];
}
