/* The parts of a token, and whether they are valid. */
#include "http/oauth/jwt.h"

#include <stdlib.h>
#include <strings.h>

#include "base/base64.h"
#include "base/crypto.h"
#include "json/document.h"

enum { TRIES = 8 }; /* keys, for a token that names none */

struct jwt {
    struct json_doc *header, *payload;
    struct buf signature;
    struct str text; /* the signed part */
};

static enum jwt_result bad_token(struct error *err, const char *why)
{
    error_set(err, "bad_token", "%s", why);
    return JWT_BAD;
}

static bool is_string(const cJSON *node, const char *text)
{
    return cJSON_IsString(node) && str_same(json_string(node), str_from(text));
}

/* --- the three parts ------------------------------------------------------------------------- */

/* An object without duplicate names: of two, another reader may use the other one. */
static struct json_doc *read_jwt_part(struct str part)
{
    struct json_doc *doc = NULL;
    struct buf text = { 0 };
    const cJSON *one;

    if (base64_decode_url(&text, part))
        doc = json_parse(text.data ? text.data : "", text.len, NULL, NULL);
    buf_free(&text);
    if (!doc)
        return NULL;
    if (cJSON_IsObject(json_root(doc))) {
        cJSON_ArrayForEach (one, json_root(doc))
            if (json_get(json_root(doc), one->string) != one)
                break;
        if (!one)
            return doc;
    }
    json_doc_free(doc);
    return NULL;
}

static bool take_apart(struct jwt *jwt, struct str token)
{
    const char *first = memchr(token.ptr, '.', token.len);
    const char *end = token.ptr + token.len;
    const char *second = first ? memchr(first + 1, '.', (size_t)(end - first - 1)) : NULL;

    if (!second || memchr(second + 1, '.', (size_t)(end - second - 1)))
        return false;
    jwt->text = (struct str){ token.ptr, (size_t)(second - token.ptr) };
    jwt->header = read_jwt_part((struct str){ token.ptr, (size_t)(first - token.ptr) });
    jwt->payload = read_jwt_part((struct str){ first + 1, (size_t)(second - first - 1) });
    return jwt->header && jwt->payload &&
           base64_decode_url(&jwt->signature,
                             (struct str){ second + 1, (size_t)(end - second - 1) });
}

/* --- the header ------------------------------------------------------------------------------ */

/* Access tokens have this type or none; most have "JWT". */
static bool type_ok(const cJSON *type)
{
    if (!type)
        return true;
    return cJSON_IsString(type) && (strcasecmp(type->valuestring, "JWT") == 0 ||
                                    strcasecmp(type->valuestring, "at+jwt") == 0 ||
                                    strcasecmp(type->valuestring, "application/at+jwt") == 0);
}

static enum jwt_result check_header(const cJSON *header, enum jwk_kind *kind, struct error *err)
{
    const cJSON *alg = json_get(header, "alg"), *id = json_get(header, "kid");

    if (is_string(alg, "RS256"))
        *kind = JWK_RSA;
    else if (is_string(alg, "ES256"))
        *kind = JWK_P256;
    else
        return bad_token(err, "it is not signed with RS256 or ES256");
    if (json_get(header, "crit"))
        return bad_token(err, "it requires an extension that is not supported (crit)");
    if (!type_ok(json_get(header, "typ")))
        return bad_token(err, "it is another kind of token (typ)");
    if (id && !cJSON_IsString(id))
        return bad_token(err, "its kid is not a string");
    return JWT_GOOD;
}

/* --- the claims ------------------------------------------------------------------------------ */

static bool audience_is(const cJSON *audience, const struct jwt_wanted *wanted)
{
    for (size_t i = 0; i < wanted->audience_count; i++)
        if (is_string(audience, wanted->audiences[i]))
            return true;
    return false;
}

static bool audience_ok(const cJSON *audience, const struct jwt_wanted *wanted)
{
    const cJSON *one;

    if (!cJSON_IsArray(audience))
        return audience_is(audience, wanted);
    cJSON_ArrayForEach (one, audience)
        if (audience_is(one, wanted))
            return true;
    return false;
}

static enum jwt_result check_claims(const cJSON *payload, const struct jwt_wanted *wanted,
                                    struct error *err)
{
    const cJSON *expires = json_get(payload, "exp"), *begins = json_get(payload, "nbf");
    double now = (double)wanted->now;

    if (!is_string(json_get(payload, "iss"), wanted->issuer))
        return bad_token(err, "it is from another issuer (iss)");
    if (!audience_ok(json_get(payload, "aud"), wanted))
        return bad_token(err, "it is for another resource (aud)");
    if (!cJSON_IsNumber(expires))
        return bad_token(err, "it does not say when it expires (exp)");
    if (!(expires->valuedouble + JWT_LEEWAY > now))
        return bad_token(err, "it has expired (exp)");
    if (begins && (!cJSON_IsNumber(begins) || !(begins->valuedouble - JWT_LEEWAY <= now)))
        return bad_token(err, "it is not valid yet (nbf)");
    if (json_get(payload, "cnf"))
        return bad_token(err, "it is bound to a key, which is not supported (cnf)");
    return JWT_GOOD;
}

static void add_scopes(struct buf *out, const cJSON *list)
{
    const cJSON *one;

    if (cJSON_IsString(list)) {
        struct str text = json_string(list);

        buf_add(out, text.ptr, text.len);
        buf_addc(out, ' ');
    }
    if (cJSON_IsArray(list))
        cJSON_ArrayForEach (one, list)
            if (cJSON_IsString(one))
                add_scopes(out, one);
}

/* A subject that looks like one of ours is told apart from it: no two subjects have one text. */
static const char *subject_prefix(const char *sub)
{
    bool reserved = strncmp(sub, "client:", 7) == 0 || strncmp(sub, "sub:", 4) == 0;

    return reserved ? "sub:" : "";
}

static bool read_subject(const cJSON *payload, char **subject)
{
    static const char *const from[] = { "sub", "client_id", "azp" };

    for (size_t i = 0; i < countof(from); i++) {
        const cJSON *claim = json_get(payload, from[i]);

        if (!cJSON_IsString(claim) || !*claim->valuestring)
            continue;
        *subject = mem_printf(
            "%s%s", i == 0 ? subject_prefix(claim->valuestring) : "client:", claim->valuestring);
        return true;
    }
    return false;
}

static enum jwt_result read_claims(const cJSON *payload, struct jwt_claims *claims,
                                   struct error *err)
{
    double expires = json_get(payload, "exp")->valuedouble;
    struct buf scopes = { 0 };

    if (!read_subject(payload, &claims->subject))
        return bad_token(err, "it does not name its subject (sub)");
    buf_addc(&scopes, ' ');
    add_scopes(&scopes, json_get(payload, "scope"));
    add_scopes(&scopes, json_get(payload, "scp"));
    claims->scopes = buf_take(&scopes);
    claims->expires = expires < 1e15 ? (int64_t)expires : (int64_t)1e15;
    return JWT_GOOD;
}

/* --- the signature --------------------------------------------------------------------------- */

static bool verify_with_key(const struct jwt *jwt, const struct jwk *key, bool *valid,
                            struct error *err)
{
    struct str first = buf_str(&key->first), second = buf_str(&key->second);

    return (key->kind == JWK_RSA ? crypto_rs256 : crypto_es256)(
        first, second, buf_str(&jwt->signature), jwt->text, valid, err);
}

static enum jwt_result check_signature(const struct jwt *jwt, enum jwk_kind kind,
                                       const struct jwks *keys, struct error *err)
{
    const cJSON *id = json_get(json_root(jwt->header), "kid");
    size_t tried = 0;

    for (size_t i = 0; keys && i < jwks_count(keys) && tried < TRIES; i++) {
        const struct jwk *key = jwks_at(keys, i);
        bool valid;

        if (key->kind != kind || (id && !(key->id && is_string(id, key->id))))
            continue;
        if (!verify_with_key(jwt, key, &valid, err))
            return JWT_FAILED;
        if (valid)
            return JWT_GOOD;
        tried++;
    }
    if (id && tried)
        return bad_token(err, "its signature is wrong");
    error_set(err, "unknown_key", "it is signed with a key that its issuer does not list");
    return JWT_UNKNOWN_KEY;
}

enum jwt_result jwt_verify(struct str token, const struct jwks *keys,
                           const struct jwt_wanted *wanted, struct jwt_claims *claims,
                           struct error *err)
{
    struct jwt jwt = { 0 };
    enum jwt_result result;
    enum jwk_kind kind;

    *claims = (struct jwt_claims){ 0 };
    if (token.len > JWT_BYTES)
        return bad_token(err, "it is too long");
    if (!take_apart(&jwt, token))
        result = bad_token(err, "it is not a signed JSON Web Token");
    else
        result = check_header(json_root(jwt.header), &kind, err);
    if (result == JWT_GOOD)
        result = check_claims(json_root(jwt.payload), wanted, err);
    if (result == JWT_GOOD)
        result = check_signature(&jwt, kind, keys, err);
    if (result == JWT_GOOD)
        result = read_claims(json_root(jwt.payload), claims, err);
    json_doc_free(jwt.header);
    json_doc_free(jwt.payload);
    buf_free(&jwt.signature);
    return result;
}

void jwt_claims_clear(struct jwt_claims *claims)
{
    free(claims->subject);
    free(claims->scopes);
    *claims = (struct jwt_claims){ 0 };
}

bool jwt_has_scope(const struct jwt_claims *claims, const char *scope)
{
    struct buf word = { 0 };
    bool has;

    buf_addf(&word, " %s ", scope);
    has = claims->scopes && strstr(claims->scopes, buf_text(&word));
    buf_free(&word);
    return has;
}
