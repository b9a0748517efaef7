/* The scanner decides what JSON is; text that it lets through has to mean the same to all code
 * after it: the reader, the writers, the walker over spans, and the scanner again. */
#include "fuzz.h"

#include "json/document.h"
#include "json/equal.h"
#include "json/span.h"
#include "json/utf8.h"
#include "json/writer.h"

static void check_again(const cJSON *root, const struct buf *text)
{
    struct error err;
    struct json_doc *again = json_parse(text->data, text->len, NULL, &err);

    MUST(again != NULL);
    MUST(json_equal(root, json_root(again)));
    MUST(json_hash(root) == json_hash(json_root(again)));
    json_doc_free(again);
}

static void check_spans(struct str text)
{
    struct str item, id = json_span_member(text, "id");

    MUST(!id.len || json_scan(id.ptr, id.len, NULL, &(struct json_scan){ 0 }, NULL));
    while (json_span_next(&text, &item))
        MUST(json_scan(item.ptr, item.len, NULL, &(struct json_scan){ 0 }, NULL));
}

static void check_written(const cJSON *root)
{
    struct buf plain = { 0 }, pretty = { 0 };

    json_write(&plain, root);
    json_write_pretty(&pretty, root, 2);
    check_again(root, &plain);
    check_again(root, &pretty);
    buf_free(&plain);
    buf_free(&pretty);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy(data, size);
    struct json_scan found = { 0 };
    struct error err;
    bool ok = json_scan(text, size, NULL, &found, &err);
    struct json_doc *doc = json_parse(text, size, NULL, &err);

    MUST(ok == (doc != NULL));
    if (doc) {
        MUST(utf8_valid(text, size, NULL));
        check_written(json_root(doc));
        if (cJSON_IsArray(json_root(doc)))
            check_spans((struct str){ text, size });
    } else {
        MUST(err.code[0] && err.text[0] && utf8_valid(err.text, strlen(err.text), NULL));
    }
    json_doc_free(doc);
    free(text);
    return 0;
}
