/* Small readers of others' texts: UTF-8, base64, addresses in schemas, Retry-After, ids in messages
 * that cannot be parsed. */
#include "fuzz.h"

#include "base/base64.h"
#include "http/retry.h"
#include "http/server/address.h"
#include "json/schema/uri.h"
#include "json/utf8.h"
#include "mcp/peek.h"

static void check_utf8(struct str text)
{
    struct buf clean = { 0 };
    size_t bad = 0, cut = utf8_cut(text.ptr, text.len, text.len / 2);
    bool valid = utf8_valid(text.ptr, text.len, &bad);

    utf8_clean(&clean, text.ptr, text.len);
    MUST(utf8_valid(clean.data, clean.len, NULL));
    MUST(valid == str_same(buf_str(&clean), text));
    MUST(valid || bad < text.len);
    MUST(cut <= text.len / 2);
    MUST(!valid || utf8_valid(text.ptr, cut, NULL));
    MUST(utf8_length(text.ptr, text.len) == utf8_length(clean.data, clean.len));
    buf_free(&clean);
}

/* Strict: what is accepted is the one way to write it. */
static void check_base64(struct str text)
{
    struct buf bytes = { 0 }, again = { 0 };

    if (base64_decode(&bytes, text)) {
        MUST(base64_length(bytes.len) == text.len);
        base64_encode(buf_reserve(&again, text.len), bytes.data, bytes.len);
        again.len = text.len;
        MUST(str_same(buf_str(&again), text));
    }
    bytes.len = again.len = 0;
    if (base64_decode_url(&bytes, text)) {
        base64_encode_url(&again, bytes.data, bytes.len);
        MUST(str_same(buf_str(&again), text));
    }
    bytes.len = again.len = 0;
    base64_encode_url(&again, text.ptr, text.len);
    MUST(base64_decode_url(&bytes, buf_str(&again)));
    MUST(str_same(buf_str(&bytes), text));
    buf_free(&bytes);
    buf_free(&again);
}

static void check_address(const char *text)
{
    struct http_address address = { 0 };
    struct error err;

    if (http_address_parse(&address, text, &err))
        http_address_free(&address);
    else
        MUST(err.code[0] && err.text[0]); /* it quotes a word of the command line as it is */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = fuzz_copy(data, size);
    struct str text = { copy, size };
    char *ended = mem_strndup(copy, size);
    struct buf out = { 0 };
    uint64_t wait;
    int64_t id;

    check_utf8(text);
    check_base64(text);
    check_address(ended);
    retry_after_parse(text, 1700000000, &wait);
    message_peek_id(text, text, &id);
    uri_resolve(&out, "https://example.com/a/b?c", ended);
    uri_resolve(&out, ended, "../x#y");
    uri_decode(&out, ended);
    buf_free(&out);
    free(ended);
    free(copy);
    return 0;
}
