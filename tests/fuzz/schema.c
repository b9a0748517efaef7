/* A schema, a newline, a value: compiling and checking end, and failures say something. */
#include "fuzz.h"

#include "json/document.h"
#include "json/schema/schema.h"
#include "json/utf8.h"

static void check_error(const struct error *err)
{
    MUST(err->code[0] && err->text[0] && utf8_valid(err->text, strlen(err->text), NULL));
}

static void check_value(const struct schema *schema, struct str text)
{
    struct error err;
    struct json_doc *value = json_parse(text.ptr, text.len, NULL, &err);

    if (value && !schema_check(schema, json_root(value), &err))
        check_error(&err);
    json_doc_free(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = fuzz_copy(data, size);
    struct str rest = { copy, size }, text = STR("");
    struct error err;
    struct json_doc *root;
    struct schema *schema;

    fuzz_piece(&rest, '\n', &text);
    root = json_parse(text.ptr, text.len, NULL, &err);
    schema = root ? schema_compile(json_root(root), &err) : NULL;
    if (!schema)
        check_error(&err);
    json_doc_free(root);
    while (schema && fuzz_piece(&rest, '\n', &text))
        check_value(schema, text);
    if (schema && !schema_check(schema, NULL, &err))
        check_error(&err);
    schema_free(schema);
    free(copy);
    return 0;
}
