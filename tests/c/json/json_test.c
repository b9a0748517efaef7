/* Documents: their content, lifetime and sources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "json/arena.h"
#include "json/document.h"
#include "json/writer.h"

static struct json_doc *parse_bytes(const char *text, size_t len)
{
    struct error err = { "", "" };
    struct json_doc *doc = json_parse(text, len, NULL, &err);

    if (!doc)
        fail_msg("%.*s: %s", (int)len, text, err.text);
    return doc;
}

static struct json_doc *parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static void same_bytes(struct str got, const char *want, size_t len)
{
    assert_int_equal(got.len, len);
    assert_memory_equal(got.ptr, want, len);
}

#define SAME(got, literal) same_bytes(got, literal, sizeof(literal) - 1)

/* --- access ------------------------------------------------------------------ */

static void members_are_found_by_exact_name(void **state)
{
    struct json_doc *doc = parse("{\"a\":1,\"A\":2,\"ab\":3,\"\":4}");
    const cJSON *root = json_root(doc);

    (void)state;
    assert_true(json_get(root, "a")->valuedouble == 1);
    assert_true(json_get(root, "A")->valuedouble == 2);
    assert_true(json_get(root, "ab")->valuedouble == 3);
    assert_true(json_get(root, "")->valuedouble == 4);
    assert_null(json_get(root, "b"));
    assert_null(json_get(json_get(root, "a"), "a"));
    assert_null(json_get(NULL, "a"));
    json_doc_free(doc);
}

static void of_members_with_one_name_the_last_counts(void **state)
{
    struct json_doc *doc = parse("{\"id\":1,\"a\":1,\"id\":\"x\",\"a\":2}");

    (void)state;
    assert_true(json_get(json_root(doc), "a")->valuedouble == 2);
    SAME(json_string(json_get(json_root(doc), "id")), "x");
    SAME(json_id_text(doc), "\"x\"");
    json_doc_free(doc);
}

static void names_are_not_looked_for_in_arrays(void **state)
{
    struct json_doc *doc = parse("[1]");

    (void)state;
    assert_null(json_get(json_root(doc), "0"));
    json_doc_free(doc);
}

static void strings_of_other_values_are_empty(void **state)
{
    struct json_doc *doc = parse("[1,null,true,{},[]]");

    (void)state;
    for (const cJSON *node = json_root(doc)->child; node; node = node->next)
        assert_int_equal(json_string(node).len, 0);
    assert_int_equal(json_string(NULL).len, 0);
    assert_int_equal(json_name(NULL).len, 0);
    assert_int_equal(json_name(json_root(doc)).len, 0);
    json_doc_free(doc);
}

static void integers_are_exact_up_to_two_to_the_53(void **state)
{
    static const struct {
        const char *text;
        bool whole;
        int64_t value;
    } samples[] = {
        { "0", true, 0 },
        { "-0", true, 0 },
        { "1", true, 1 },
        { "-1", true, -1 },
        { "3.0", true, 3 },
        { "1e3", true, 1000 },
        { "2147483648", true, 2147483648 },
        { "-2147483649", true, -2147483649 },
        { "9007199254740991", true, 9007199254740991 },
        { "9007199254740992", true, 9007199254740992 },
        { "-9007199254740992", true, -9007199254740992 },
        { "9007199254740994", false, 0 },
        { "1e300", false, 0 },
        { "0.5", false, 0 },
        { "9007199254740991.5", true, 9007199254740992 }, /* nearest double */
        { "\"1\"", false, 0 },
        { "true", false, 0 },
        { "null", false, 0 },
        { "[1]", false, 0 },
    };

    (void)state;
    for (size_t i = 0; i < countof(samples); i++) {
        struct json_doc *doc = parse(samples[i].text);
        int64_t value = 77;

        if (json_integer(json_root(doc), &value) != samples[i].whole ||
            value != (samples[i].whole ? samples[i].value : 77))
            fail_msg("%s: %lld", samples[i].text, (long long)value);
        json_doc_free(doc);
    }
    assert_false(json_integer(NULL, &(int64_t){ 0 }));
}

/* --- numbers ----------------------------------------------------------------- */

/* cJSON reads numbers through a buffer of 64 bytes. */
static void numbers_of_any_length_are_read_whole(void **state)
{
    static const struct {
        const char *text;
        double value;
    } samples[] = {
        { "0.00000000000000000000000000000000000000000000000000000000000000000000000000000012",
          1.2e-79 },
        { "10000000000000000000000000000000000000000000000000000000000000000000000000000", 1e76 },
        { "-10000000000000000000000000000000000000000000000000000000000000000000000000000.0e-76",
          -1 },
        { "0.1000000000000000055511151231257827021181583404541015625000000000000000000000", 0.1 },
        { "100000000000000000000000000000000000000000000000000000000000000", 1e62 },
        { "1000000000000000000000000000000000000000000000000000000000000000", 1e63 },
    };

    (void)state;
    for (size_t i = 0; i < countof(samples); i++) {
        struct buf text = { 0 };
        struct json_doc *doc;

        buf_addf(&text, "{\"a\":[%s , 7],\"id\":%s}", samples[i].text, samples[i].text);
        doc = parse(buf_text(&text));
        assert_true(json_get(json_root(doc), "a")->child->valuedouble == samples[i].value);
        assert_true(json_get(json_root(doc), "a")->child->next->valuedouble == 7);
        assert_string_equal(json_id_text(doc).ptr, samples[i].text);
        json_doc_free(doc);
        buf_free(&text);
    }
}

/* --- the request's id ----------------------------------------------------------- */

static void ids_are_echoed_as_they_were_written(void **state)
{
    static const struct {
        const char *text, *id;
    } samples[] = {
        { "{\"id\":1}", "1" },
        { "{\"id\" : \n 1.0 , \"a\":2}", "1.0" },
        { "{\"id\":\"a\\u0062\\/\"}", "\"a\\u0062\\/\"" },
        { "{\"id\":null}", "null" },
        { "{\"id\":true }", "true" },
        { "{\"id\":12345678901234567890}", "12345678901234567890" },
        { "{\"id\":[1, {\"id\":2}] ,\"x\":{\"id\":3}}", "[1, {\"id\":2}]" },
        { "{\"id\":{}}", "{}" },
        { "{\"id\":[ ]}", "[ ]" },
        { "{\"a\":{\"id\":1}}", "" },
        { "{\"a\":[{\"id\":1}],\"b\":2}", "" },
        { "[{\"id\":1}]", "" },
        { "{}", "" },
        { "\"id\"", "" },
        { "{\"ID\":1}", "" },
        { "{\"i\":1,\"idx\":2}", "" },
        { "{\"\\u0069d\":5}", "5" },
        { "{\"i\\u0064\":5}", "5" },
        { "{\"\\u0069\\u0064\":5}", "5" },
        { "{\"\\u0069\\u0065\":5}", "" },
        { "{\"\\u0069dd\":5}", "" },
        { "{\"\\n\":5}", "" },
        { "{\"id\":1,\"\\u0069d\":2}", "2" },
        { "{\"a\":\"\\u0000\",\"id\":\"\\u0000\"}", "\"\\u0000\"" },
    };

    (void)state;
    for (size_t i = 0; i < countof(samples); i++) {
        char *text = mem_strdup(samples[i].text);
        struct json_doc *doc = parse(text);
        struct str id;

        memset(text, '?', strlen(text)); /* the document does not need it any more */
        id = json_id_text(doc);
        if (id.len != strlen(samples[i].id) || memcmp(id.ptr, samples[i].id, id.len) != 0)
            fail_msg("%s: \"%.*s\"", samples[i].text, (int)id.len, id.ptr);
        json_doc_free(doc);
        free(text);
    }
}

/* --- NUL ----------------------------------------------------------------------- */

static void a_nul_in_a_string_survives(void **state)
{
    struct json_doc *doc =
        parse("[\"\\u0000\",\"a\\u0000b\",\"\\u0000\\u0000\xc3\xa9\",\"\\\\u0000\","
              "\"plain\",\"\"]");
    const cJSON *node = json_root(doc)->child;

    (void)state;
    for (int twice = 0; twice < 2; twice++) { /* asking does not change the answer */
        node = json_root(doc)->child;
        SAME(json_string(node), "\0");
        SAME(json_string(node->next), "a\0b");
        SAME(json_string(node->next->next), "\0\0\xc3\xa9");
        SAME(json_string(node->next->next->next), "\\u0000");
        SAME(json_string(node->next->next->next->next), "plain");
        SAME(json_string(node->next->next->next->next->next), "");
    }
    json_doc_free(doc);
}

static void a_nul_in_a_name_survives(void **state)
{
    struct json_doc *doc = parse("{\"a\\u0000b\":{\"\\u0000\":1},\"a\":2}");
    const cJSON *first = json_root(doc)->child;

    (void)state;
    SAME(json_name(first), "a\0b");
    SAME(json_name(first->child), "\0");
    SAME(json_name(first->next), "a");
    assert_true(json_get(json_root(doc), "a")->valuedouble == 2);
    json_doc_free(doc);
}

static void documents_with_nul_live_beside_each_other(void **state)
{
    struct json_doc *docs[4];

    (void)state;
    docs[0] = parse("\"a\\u0000\"");
    docs[1] = parse("\"bb\\u0000\"");
    docs[2] = parse("\"plain\"");
    docs[3] = parse("\"c\\u0000c\"");
    json_doc_free(docs[1]);
    SAME(json_string(json_root(docs[0])), "a\0");
    SAME(json_string(json_root(docs[2])), "plain");
    SAME(json_string(json_root(docs[3])), "c\0c");
    json_doc_free(docs[3]);
    SAME(json_string(json_root(docs[0])), "a\0");
    json_doc_free(docs[0]);
    json_doc_free(docs[2]);
}

static void a_duplicate_of_a_node_with_nul_is_harmless(void **state)
{
    struct json_doc *doc = parse("\"a\\u0000b\"");
    cJSON *copy = cJSON_Duplicate(json_root(doc), true);
    struct buf text = { 0 };

    (void)state;
    SAME(json_string(copy), "a\xc0\x80"
                            "b");
    json_write(&text, copy);
    assert_string_equal(buf_text(&text), "\"a\\u0000b\"");
    buf_free(&text);
    cJSON_Delete(copy);
    json_doc_free(doc);
}

/* --- copies ------------------------------------------------------------------ */

static void a_copy_outlives_its_source(void **state)
{
    struct json_doc *doc = parse("{\"a\":[1,2.5,\"x\\u0000\\n\"],\"b\":{}}");
    struct json_doc *copy = json_copy(json_get(json_root(doc), "a"), NULL);
    struct buf text = { 0 };

    (void)state;
    json_doc_free(doc);
    json_write(&text, json_root(copy));
    assert_string_equal(buf_text(&text), "[1,2.5,\"x\\u0000\\n\"]");
    SAME(json_string(json_root(copy)->child->next->next), "x\0\n");
    json_doc_free(copy);
    buf_free(&text);
}

static void a_tree_too_deep_is_not_copied(void **state)
{
    cJSON *tree = cJSON_CreateArray();
    struct error err = { "", "" };

    (void)state;
    for (int i = 0; i < 200; i++) {
        cJSON *outer = cJSON_CreateArray();

        cJSON_AddItemToArray(outer, tree);
        tree = outer;
    }
    assert_null(json_copy(tree, &err));
    assert_string_equal(err.code, "json_depth");
    cJSON_Delete(tree);
}

/* --- memory ------------------------------------------------------------------ */

static void trees_of_ones_own_live_beside_documents(void **state)
{
    struct json_doc *doc = parse("{\"a\":[1,2,3],\"b\":\"text\"}");
    cJSON *own = cJSON_CreateObject();
    struct buf text = { 0 };
    char *printed;

    (void)state;
    cJSON_AddItemToObject(own, "copy", cJSON_Duplicate(json_root(doc), true));
    cJSON_AddStringToObject(own, "more", "text");
    printed = cJSON_PrintUnformatted(own);
    assert_string_equal(printed, "{\"copy\":{\"a\":[1,2,3],\"b\":\"text\"},\"more\":\"text\"}");
    cJSON_free(printed);
    json_doc_free(doc);
    doc = parse("[]");
    cJSON_DeleteItemFromObject(own, "more");
    json_write(&text, own);
    assert_string_equal(buf_text(&text), "{\"copy\":{\"a\":[1,2,3],\"b\":\"text\"}}");
    cJSON_Delete(own);
    json_doc_free(doc);
    buf_free(&text);
}

static void freeing_nothing_is_fine(void **state)
{
    (void)state;
    json_doc_free(NULL);
}

/* Every document of this many shapes fits the one block that was asked for, whatever the block held
 * before. */
static void blocks_are_used_again(void **state)
{
    static const char *const texts[] = {
        "[]",
        "{\"a\":{\"b\":{\"c\":[1,2,3,\"x\"]}}}",
        "\"\"",
        "[\"\",\"\",\"\",\"\",\"\",\"\"]",
        "[\"\\u0000\"]",
        "{\"id\":1,\"method\":\"ping\"}",
    };

    (void)state;
    for (int round = 0; round < 1000; round++) {
        struct json_doc *docs[countof(texts)];

        for (size_t i = 0; i < countof(texts); i++)
            docs[i] = parse(texts[i]);
        for (size_t i = 0; i < countof(texts); i++) {
            struct buf text = { 0 };

            json_write(&text, json_root(docs[i]));
            assert_string_equal(buf_text(&text), texts[i]);
            buf_free(&text);
            json_doc_free(docs[i]);
        }
        assert_true(arena_kept() <= ARENA_KEPT_MAX);
    }
}

static void the_store_of_blocks_is_bounded(void **state)
{
    struct json_doc *docs[3 * ARENA_KEPT_MAX];

    (void)state;
    for (size_t i = 0; i < countof(docs); i++)
        docs[i] = parse("[1,2,3]");
    for (size_t i = 0; i < countof(docs); i++)
        json_doc_free(docs[i]);
    assert_true(arena_kept() <= ARENA_KEPT_MAX);
}

static void large_texts_are_read_whole(void **state)
{
    struct buf text = { 0 }, again = { 0 };
    struct json_doc *doc;

    (void)state;
    buf_addc(&text, '[');
    for (int i = 0; i < 100000; i++)
        buf_addf(&text, "{\"n\":%d,\"text\":\"line\\n%d\"},", i, i);
    buf_lit(&text, "0]");
    doc = parse_bytes(text.data, text.len);
    json_write(&again, json_root(doc));
    assert_int_equal(again.len, text.len);
    assert_memory_equal(again.data, text.data, text.len);
    json_doc_free(doc);
    buf_free(&text);
    buf_free(&again);
}

static void an_arena_grows_beyond_what_was_asked_for(void **state)
{
    struct arena arena;

    (void)state;
    arena_init(&arena, 100);
    for (int i = 0; i < 1000; i++) {
        char *piece = arena_alloc(&arena, 33);

        assert_int_equal((uintptr_t)piece % sizeof(double), 0);
        memset(piece, i, 33);
        assert_true(arena_holds(&arena, piece) && arena_holds(&arena, piece + 32));
    }
    assert_false(arena_holds(&arena, &arena));
    memset(arena_alloc(&arena, 1000000), 1, 1000000);
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_found_by_exact_name),
        cmocka_unit_test(of_members_with_one_name_the_last_counts),
        cmocka_unit_test(names_are_not_looked_for_in_arrays),
        cmocka_unit_test(strings_of_other_values_are_empty),
        cmocka_unit_test(integers_are_exact_up_to_two_to_the_53),
        cmocka_unit_test(numbers_of_any_length_are_read_whole),
        cmocka_unit_test(ids_are_echoed_as_they_were_written),
        cmocka_unit_test(a_nul_in_a_string_survives),
        cmocka_unit_test(a_nul_in_a_name_survives),
        cmocka_unit_test(documents_with_nul_live_beside_each_other),
        cmocka_unit_test(a_duplicate_of_a_node_with_nul_is_harmless),
        cmocka_unit_test(a_copy_outlives_its_source),
        cmocka_unit_test(a_tree_too_deep_is_not_copied),
        cmocka_unit_test(trees_of_ones_own_live_beside_documents),
        cmocka_unit_test(freeing_nothing_is_fine),
        cmocka_unit_test(blocks_are_used_again),
        cmocka_unit_test(the_store_of_blocks_is_bounded),
        cmocka_unit_test(large_texts_are_read_whole),
        cmocka_unit_test(an_arena_grows_beyond_what_was_asked_for),
    };

    json_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
