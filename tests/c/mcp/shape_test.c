/* Results of odd shapes: repaired, or refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "json/document.h"
#include "json/writer.h"
#include "mcp/shape.h"

static struct buf reports;

static void on_report(void *arg, const char *text)
{
    (void)arg;
    buf_addf(&reports, "%s\n", text);
}

/* want: the JSON text that remains; NULL: the result is refused with the text of `said`. */
static void becomes(const char *method, const char *given, const char *want, const char *said)
{
    struct json_doc *doc = json_parse(given, strlen(given), NULL, NULL);
    cJSON *root = (cJSON *)json_root(doc);
    const struct shape *shape = shape_of_result(method, root);
    struct buf text = { 0 };
    struct error err;

    reports.len = 0;
    assert_non_null(shape);
    if (!shape_fit(shape, root, "result", on_report, NULL, &err)) {
        assert_null(want);
        assert_string_equal(err.code, "protocol");
        assert_string_equal(err.text, said);
    } else {
        assert_non_null(want);
        json_write(&text, root);
        assert_string_equal(buf_text(&text), want);
        assert_string_equal(reports.len ? buf_text(&reports) : "", said);
    }
    json_doc_free(doc);
    buf_free(&text);
    buf_free(&reports);
}

static void null_of_an_optional_member_is_taken_out_in_silence(void **state)
{
    (void)state;
    becomes("tools/list",
            "{\"tools\":[{\"name\":\"a\",\"description\":null,\"annotations\":null,\"x\":null}],"
            "\"nextCursor\":null}",
            "{\"tools\":[{\"name\":\"a\",\"x\":null}]}", "");
    becomes("tools/call", "{\"content\":[],\"structuredContent\":null,\"isError\":null}",
            "{\"content\":[]}", "");
    becomes("tasks/get", "{\"taskId\":\"t\",\"status\":\"working\",\"ttl\":null}",
            "{\"taskId\":\"t\",\"status\":\"working\",\"ttl\":null}", "");
}

static void null_of_a_schema_means_something(void **state)
{
    static const char text[] = "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\","
                               "\"properties\":{\"b\":{\"default\":null,\"const\":null,"
                               "\"enum\":[null]}}}}]}";

    (void)state;
    becomes("tools/list", text, text, "");
}

static void a_prompt_with_odd_arguments_keeps_the_others(void **state)
{
    (void)state;
    becomes(
        "prompts/list", "{\"prompts\":[{\"name\":\"a\",\"arguments\":[1,{\"name\":\"b\"}]}]}",
        "{\"prompts\":[{\"name\":\"a\",\"arguments\":[{\"name\":\"b\"}]}]}",
        "result.prompts[0].arguments[0] must be an object, not a number; the item is omitted\n");
    becomes("prompts/list", "{\"prompts\":[{\"name\":\"a\",\"arguments\":{}}]}",
            "{\"prompts\":[{\"name\":\"a\"}]}",
            "result.prompts[0].arguments must be a list, not an object; it is ignored\n");
}

static void an_item_without_a_name_is_omitted(void **state)
{
    (void)state;
    becomes("tools/list", "{\"tools\":[{\"name\":7},{\"name\":\"a\"},{},3]}",
            "{\"tools\":[{\"name\":\"a\"}]}",
            "result.tools[0].name must be text, not a number; the item is omitted\n"
            "result.tools[2].name is missing; the item is omitted\n"
            "result.tools[3] must be an object, not a number; the item is omitted\n");
    becomes("resources/list", "{\"resources\":[{\"name\":\"a\"}]}", "{\"resources\":[]}",
            "result.resources[0].uri is missing; the item is omitted\n");
}

static void a_result_that_cannot_be_mended_is_refused(void **state)
{
    (void)state;
    becomes("tools/list", "{}", NULL, "result.tools is missing");
    becomes("tools/list", "{\"tools\":null}", NULL, "result.tools is missing");
    becomes("tools/list", "7", NULL, "result must be an object, not a number");
    becomes("tools/call", "{\"content\":[{\"type\":\"text\"}]}", NULL,
            "result.content[0].text is missing");
    becomes("tools/call", "{\"content\":[{\"type\":\"image\",\"data\":1,\"mimeType\":\"\"}]}", NULL,
            "result.content[0].data must be text, not a number");
    becomes("tools/call", "{\"isError\":\"yes\"}", NULL,
            "result.isError must be a boolean, not text");
    becomes("prompts/get", "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}", NULL,
            "result.messages[0].content must be a list, not text");
    becomes("resources/read", "{\"contents\":[{\"text\":\"\"}]}", NULL,
            "result.contents[0].uri is missing");
    becomes("completion/complete", "{\"completion\":{\"values\":[1]}}", NULL,
            "result.completion.values[0] must be text, not a number");
    becomes("tools/call",
            "{\"resultType\":\"input_required\",\"inputRequests\":{\"a\":{\"method\":"
            "\"elicitation/create\",\"params\":{\"requestedSchema\":{}}}}}",
            NULL, "result.inputRequests.a.params.message is missing");
}

static void what_a_later_revision_may_have_passes(void **state)
{
    static const char text[] = "{\"content\":[{\"type\":\"hologram\",\"rays\":[1]}],\"new\":1}";

    (void)state;
    becomes("tools/call", text, text, "");
    assert_null(shape_of_result("ping", NULL));
    assert_null(shape_of_question("roots/list"));
}

static void schemas_of_every_draft_pass(void **state)
{
    static const char text[] =
        "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
        "\"a\":{\"type\":[\"string\",\"null\"],\"items\":[{},true]},\"b\":true,"
        "\"c\":{\"minimum\":1,\"exclusiveMinimum\":true},\"d\":{\"items\":false}},"
        "\"definitions\":{},\"additionalProperties\":{\"type\":\"string\"}}}]}";

    (void)state;
    becomes("tools/list", text, text, "");
    becomes("tools/list",
            "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"properties\":{\"b\":{\"anyOf\":{},"
            "\"pattern\":7}}}}]}",
            "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"properties\":{\"b\":{}}}}]}",
            "result.tools[0].inputSchema.properties.b.anyOf must be a list, not an object; it is "
            "ignored\nresult.tools[0].inputSchema.properties.b.pattern must be text, not a number; "
            "it is ignored\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_of_an_optional_member_is_taken_out_in_silence),
        cmocka_unit_test(null_of_a_schema_means_something),
        cmocka_unit_test(a_prompt_with_odd_arguments_keeps_the_others),
        cmocka_unit_test(an_item_without_a_name_is_omitted),
        cmocka_unit_test(a_result_that_cannot_be_mended_is_refused),
        cmocka_unit_test(what_a_later_revision_may_have_passes),
        cmocka_unit_test(schemas_of_every_draft_pass),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
