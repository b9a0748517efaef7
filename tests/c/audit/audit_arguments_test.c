/* The arguments that a line of the audit log shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "audit/arguments.h"
#include "base/log.h"
#include "json/document.h"

static struct json_doc *read_doc(const char *text)
{
    struct json_doc *doc = json_parse(text, strlen(text), NULL, NULL);

    assert_non_null(doc);
    return doc;
}

/* Both strings have ' in place of ". */
static void shows_by(const char *args, const char *schema, const char *want)
{
    struct buf out = { 0 };
    const char *parts[] = { args, schema, want };
    char *texts[3];

    for (size_t i = 0; i < countof(parts); i++) {
        texts[i] = mem_strdup(parts[i]);
        for (char *at = texts[i]; *at; at++)
            *at = *at == '\'' ? '"' : *at;
    }
    struct json_doc *doc = read_doc(texts[0]), *by = read_doc(texts[1]);

    audit_arguments(json_root(doc), json_root(by), &out);
    assert_string_equal(buf_text(&out), texts[2]);
    json_doc_free(doc);
    json_doc_free(by);
    for (size_t i = 0; i < countof(texts); i++)
        free(texts[i]);
    buf_free(&out);
}

static void shows(const char *args, const char *want)
{
    shows_by(args, "{}", want);
}

/* Ways in which a schema says something of a value, with a value that has it: %s is the rule. */
static void secrets_are_found_in_all_parts_of_a_schema(void **state)
{
    static const struct {
        const char *schema, *args, *want;
    } ways[] = {
        { "%s", "'x'", "{'a':{'bytes':1}}" },
        { "{'items':%s}", "['x','yy']", "{'a':[{'bytes':1},{'bytes':2}]}" },
        { "{'prefixItems':[{},%s]}", "['x','yy']", "{'a':[{'bytes':1},{'bytes':2}]}" },
        { "{'items':[{},%s]}", "['x','yy']", "{'a':[{'bytes':1},{'bytes':2}]}" },
        { "{'additionalItems':%s}", "['x']", "{'a':[{'bytes':1}]}" },
        { "{'contains':%s}", "['x']", "{'a':[{'bytes':1}]}" },
        { "{'unevaluatedItems':%s}", "['x']", "{'a':[{'bytes':1}]}" },
        { "{'anyOf':[{'type':'null'},%s]}", "'x'", "{'a':{'bytes':1}}" },
        { "{'oneOf':[%s]}", "'x'", "{'a':{'bytes':1}}" },
        { "{'allOf':[{},{'anyOf':[%s]}]}", "'x'", "{'a':{'bytes':1}}" },
        { "{'if':{},'then':%s}", "'x'", "{'a':{'bytes':1}}" },
        { "{'if':{},'else':%s}", "'x'", "{'a':{'bytes':1}}" },
        { "{'dependentSchemas':{'b':%s}}", "'x'", "{'a':{'bytes':1}}" },
        { "{'properties':{'b':%s}}", "{'b':'x','c':'y'}", "{'a':{'b':{'bytes':1},'c':'y'}}" },
        { "{'additionalProperties':%s}", "{'b':'x'}", "{'a':{'b':{'bytes':1}}}" },
        { "{'unevaluatedProperties':%s}", "{'b':'x'}", "{'a':{'b':{'bytes':1}}}" },
        { "{'patternProperties':{'^b':%s}}", "{'b':'x'}", "{'a':{'b':{'bytes':1}}}" },
        { "{'allOf':[{'properties':{'b':%s}}]}", "{'b':'x'}", "{'a':{'b':{'bytes':1}}}" },
        { "{'items':{'anyOf':[{'items':%s}]}}", "[['x']]", "{'a':[[{'bytes':1}]]}" },
        { "{'$ref':'#/$defs/s'}", "'x'", "{'a':{'bytes':1}}" },
        { "{'items':{'$ref':'#/$defs/s'}}", "[5]", "{'a':[{'bytes':1}]}" },
        { "{'$ref':'#/$defs/a~1b~0c/0'}", "'x'", "{'a':{'bytes':1}}" },
        { "{'$ref':'#nowhere'}", "'x'", "{'a':{'bytes':1}}" },
        { "{'$ref':'#/$defs/o'}", "'x'", "{'a':'x'}" },
    };
    static const char *const secrets[] = { "{'writeOnly':true}", "{'format':'password'}" };

    (void)state;
    for (size_t i = 0; i < countof(ways); i++)
        for (size_t k = 0; k < countof(secrets); k++) {
            struct buf schema = { 0 };
            char *args = mem_printf("{'a':%s}", ways[i].args);
            const char *rule = strstr(ways[i].schema, "%s");

            buf_lit(&schema, "{'properties':{'a':");
            buf_add(&schema, ways[i].schema,
                    rule ? (size_t)(rule - ways[i].schema) : strlen(ways[i].schema));
            if (rule) {
                buf_adds(&schema, secrets[k]);
                buf_adds(&schema, rule + 2);
            }
            buf_addf(&schema, "},'$defs':{'s':%s,'o':{},'a/b~c':[%s]}}", secrets[k], secrets[k]);
            shows_by(args, buf_text(&schema), ways[i].want);
            buf_free(&schema);
            free(args);
        }
}

static void a_schema_that_goes_in_circles_ends(void **state)
{
    (void)state;
    shows_by(
        "{'a':{'a':{'a':'x'}}}",
        "{'$ref':'#','anyOf':[{'$ref':'#/anyOf/0'},{'$ref':'#'}],'properties':{'a':{'$ref':'#'}}}",
        "{'a':{'a':{'a':'x'}}}");
}

static void plain_arguments_are_shown(void **state)
{
    (void)state;
    shows("{'x':1,'name':'windows/3','on':true,'n':null,'list':[1,'a',{'b':2.5}]}",
          "{'x':1,'name':'windows/3','on':true,'n':null,'list':[1,'a',{'b':2.5}]}");
    shows("{}", "{}");
    shows("{'a':{},'b':[]}", "{'a':{},'b':[]}");
}

static void no_arguments_are_an_empty_object(void **state)
{
    struct buf out = { 0 };

    (void)state;
    audit_arguments(NULL, NULL, &out);
    assert_string_equal(buf_text(&out), "{}");
    buf_free(&out);
}

static void secrets_are_counted_by_their_names(void **state)
{
    static const char *const names[] = { "password",     "Password",      "api_key",  "apiKey",
                                         "API-KEY",      "authorization", "Cookie",   "set_cookie",
                                         "access_token", "client_secret", "pin",      "passphrase",
                                         "privateKey",   "otp",           "tokens[0]" };

    (void)state;
    for (size_t i = 0; i < countof(names); i++) {
        char *args = mem_printf("{'%s':'hunter2'}", names[i]);
        char *want = mem_printf("{'%s':{'bytes':7}}", names[i]);

        shows(args, want);
        free(args);
        free(want);
    }
    shows("{'pin':1234,'secret':{'a':'b'},'tokens':['x']}",
          "{'pin':{'bytes':4},'secret':{'bytes':9},'tokens':{'bytes':5}}");
    shows("{'spinner':'on','compass':'n'}", "{'spinner':'on','compass':'n'}");
}

static void typed_text_is_counted(void **state)
{
    (void)state;
    shows("{'text':'dear diary','value':5,'body':'x','content':[{'type':'text','text':'y'}]}",
          "{'text':{'bytes':10},'value':{'bytes':1},'body':{'bytes':1},'content':{'bytes':28}}");
    shows("{'steps':[{'click':'Save'},{'type':'secret words'}]}",
          "{'steps':[{'click':'Save'},{'type':{'bytes':12}}]}");
    shows("{'text':'\\u0000\\u00e9'}", "{'text':{'bytes':3}}");
}

static void the_schema_says_what_else_is_secret(void **state)
{
    const char *schema =
        "{'properties':{'a':{'writeOnly':true},'b':{'format':'password'},"
        "'type':{'enum':['click','drag']},'in':{'properties':{'c':{'writeOnly':true}}},"
        "'list':{'items':{'properties':{'d':{'format':'password'}}}}}}";

    (void)state;
    shows_by("{'a':'1','b':'12','type':'drag','in':{'c':'123','x':'y'},'list':[{'d':'1234'}]}",
             schema,
             "{'a':{'bytes':1},'b':{'bytes':2},'type':'drag','in':{'c':{'bytes':3},'x':'y'},"
             "'list':[{'d':{'bytes':4}}]}");
}

static void a_long_string_is_cut_and_measured(void **state)
{
    struct buf args = { 0 }, want = { 0 };

    (void)state;
    buf_lit(&args, "{'q':'");
    buf_lit(&want, "{'q':{'text':'");
    for (int i = 0; i < 300; i++)
        buf_adds(&args, "\xc3\xa9");
    for (int i = 0; i < 100; i++)
        buf_adds(&want, "\xc3\xa9");
    buf_lit(&args, "'}");
    buf_lit(&want, "','bytes':600}}");
    shows(buf_text(&args), buf_text(&want));
    buf_free(&args);
    buf_free(&want);
}

static void secrets_of_the_environment_are_stars(void **state)
{
    struct buf args = { 0 }, want = { 0 };

    (void)state;
    log_add_secret("swordfish-and-more");
    shows("{'q':'say swordfish-and-more now','swordfish-and-more':1}",
          "{'q':'say *** now','***':1}");
    /* The cut would leave a part of this character. */
    buf_lit(&args, "{'q':'");
    buf_lit(&want, "{'q':{'text':'");
    for (int i = 0; i < 195; i++) {
        buf_addc(&args, 'x');
        buf_addc(&want, 'x');
    }
    buf_lit(&args, "swordfish-and-more!'}");
    buf_lit(&want, "***!','bytes':214}}");
    shows(buf_text(&args), buf_text(&want));
    buf_free(&args);
    buf_free(&want);
}

static void what_is_deep_is_counted(void **state)
{
    (void)state;
    shows("{'a':{'a':{'a':{'a':{'a':{'a':{'a':1,'b':2}}}}}}}",
          "{'a':{'a':{'a':{'a':{'a':{'a':{'left_out':2}}}}}}}");
}

static void arguments_never_fill_a_line(void **state)
{
    static const char *const members[] = { "\"k\":\"v\"", "[1,2]", "{\"a\":1}",
                                           "\"\\u0001\\u0001\"" };
    struct json_doc *doc;
    struct buf out = { 0 }, args = { 0 };

    (void)state;
    for (size_t m = 0; m < countof(members); m++) {
        for (int object = 0; object < 2; object++) {
            args.len = out.len = 0;
            buf_addc(&args, object ? '{' : '[');
            for (int i = 0; i < 20000; i++)
                buf_addf(&args, object ? "%s\"n%d\":%s" : "%s%.0d%s", i ? "," : "", object ? i : 0,
                         m ? members[m] : "\"v\"");
            buf_addc(&args, object ? '}' : ']');
            doc = read_doc(buf_text(&args));
            audit_arguments(json_root(doc), NULL, &out);
            json_doc_free(doc);
            assert_true(out.len < AUDIT_ARGUMENTS_MAX);
            assert_non_null(strstr(buf_text(&out), "\"left_out\":1"));
            json_doc_free(read_doc(buf_text(&out)));
        }
    }
    buf_free(&args);
    buf_free(&out);
}

/* Nested at every level and escaped at worst: still a line. */
static void the_worst_arguments_fit_a_line(void **state)
{
    struct buf out = { 0 }, args = { 0 };
    struct json_doc *doc;

    (void)state;
    buf_addc(&args, '[');
    for (int i = 0; i < 100; i++) {
        buf_adds(&args, i ? ",{\"" : "{\"");
        for (int k = 0; k < 100; k++)
            buf_adds(&args, "\\u0001");
        buf_adds(&args, "\":\"");
        for (int k = 0; k < 1000; k++)
            buf_adds(&args, "\\u0001");
        buf_adds(&args, "\"}");
    }
    buf_addc(&args, ']');
    doc = read_doc(buf_text(&args));
    audit_arguments(json_root(doc), NULL, &out);
    json_doc_free(doc);
    assert_true(out.len < 3500);
    json_doc_free(read_doc(buf_text(&out)));
    buf_free(&args);
    buf_free(&out);
}

static void hides(const char *args, const char *want)
{
    struct buf members = { 0 };

    buf_adds(&members, "\"id\":1,\"args\":");
    buf_adds(&members, args);
    audit_hide_texts(&members);
    assert_string_equal(buf_text(&members), want);
    buf_free(&members);
}

static void texts_are_hidden_afterwards(void **state)
{
    (void)state;
    hides("{\"a\":\"four\",\"n\":1,\"l\":[\"x\"]}",
          "\"id\":1,\"args\":{\"a\":{\"bytes\":4},\"n\":1,\"l\":[{\"bytes\":1}]}");
    hides("{\"a\":{\"text\":\"cut\",\"bytes\":900}}", "\"id\":1,\"args\":{\"a\":{\"bytes\":900}}");
    /* This object only looks like text that was cut. */
    hides("{\"text\":\"x\",\"bytes\":\"four\"}",
          "\"id\":1,\"args\":{\"text\":{\"bytes\":1},\"bytes\":{\"bytes\":4}}");
    /* Text that is not JSON is left out. */
    hides("{\"a\":\"four\"", "\"id\":1,\"args\":{\"left_out\":true}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_are_found_in_all_parts_of_a_schema),
        cmocka_unit_test(a_schema_that_goes_in_circles_ends),
        cmocka_unit_test(plain_arguments_are_shown),
        cmocka_unit_test(no_arguments_are_an_empty_object),
        cmocka_unit_test(secrets_are_counted_by_their_names),
        cmocka_unit_test(typed_text_is_counted),
        cmocka_unit_test(the_schema_says_what_else_is_secret),
        cmocka_unit_test(a_long_string_is_cut_and_measured),
        cmocka_unit_test(secrets_of_the_environment_are_stars),
        cmocka_unit_test(what_is_deep_is_counted),
        cmocka_unit_test(arguments_never_fill_a_line),
        cmocka_unit_test(the_worst_arguments_fit_a_line),
        cmocka_unit_test(texts_are_hidden_afterwards),
    };

    json_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
