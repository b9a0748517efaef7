/* URI templates, read backwards: the examples of RFC 6570, levels 1 to 3, and URIs that must not
 * match. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "registry/uri_template.h"

/* want: "a=1;b=2" from uri_template_match(), decoded; "-" without a match; "a" alone: no value. */
static void reads(const char *text, const char *uri, const char *want)
{
    struct error err;
    struct uri_template *template = uri_template_new(text, &err);
    struct uri_values values;
    char got[512] = "-", value[256];
    size_t at = 0;

    assert_non_null(template);
    if (uri_template_match(template, str_from(uri), &values)) {
        got[0] = '\0';
        for (size_t i = 0; i < uri_template_count(template); i++) {
            at += (size_t)snprintf(got + at, sizeof got - at, "%s%s", i ? ";" : "",
                                   uri_template_name(template, i));
            if (values.at[i].ptr)
                at += (size_t)snprintf(got + at, sizeof got - at, "=%.*s",
                                       (int)uri_template_decode(value, values.at[i]), value);
        }
    }
    assert_string_equal(got, want);
    uri_template_free(template);
}

static void refused(const char *text, const char *part)
{
    struct error err = { .text = "" };

    assert_null(uri_template_new(text, &err));
    assert_string_equal(err.code, "bad_template");
    if (!strstr(err.text, part))
        fail_msg("%s: %s", text, err.text);
}

static void simple(void **state)
{
    (void)state;
    reads("test://template/{id}/data", "test://template/123/data", "id=123");
    reads("test://template/{id}/data", "test://template/1/2/data", "-");
    reads("test://template/{id}/data", "test://template//data", "-");
    reads("test://template/{id}/data", "test://template/123/data/", "-");
    reads("x:{a}-{b}", "x:1-2-3", "a=1-2;b=3");
    reads("x:{name}.{kind}", "x:a.b.c", "name=a.b;kind=c");
    reads("x:{a}", "x:Hello%20World%21", "a=Hello World!");
    reads("x:{a}", "x:%E6%BC%A2", "a=\xe6\xbc\xa2");
    reads("x:{a}", "x:100%", "a=100%");
    reads("x:{a,b}", "x:1024,768", "a=1024;b=768");
    reads("x:plain", "x:plain", "");
    reads("x:plain", "x:plainer", "-");
}

static void operators(void **state)
{
    (void)state;
    reads("file://{+path}", "file:///a/b%20c?d", "path=/a/b c?d");
    reads("x:{+path}/here", "x:foo/bar/here", "path=foo/bar");
    reads("x{#part}", "x#some/part", "part=some/part");
    reads("x:{/a,b}", "x:/1/2", "a=1;b=2");
    reads("x:file{.ext}", "x:file.tar", "ext=tar");
    reads("x:{;a,b}", "x:;a=1;b=2", "a=1;b=2");
}

static void queries(void **state)
{
    (void)state;
    reads("x:log{?from,to}", "x:log?from=1&to=2", "from=1;to=2");
    reads("x:log{?from,to}", "x:log?to=2", "from;to=2");
    reads("x:log{?from,to}", "x:log?to=2&more=9&from=1", "from=1;to=2");
    reads("x:log{?from,to}", "x:log", "from;to");
    reads("x:log{?from}", "x:log?from=", "from=");
    reads("x:log?fixed=1{&from}", "x:log?fixed=1&from=3", "from=3");
    reads("x:{id}{?full}", "x:7?full=yes", "id=7;full=yes");
}

static void wrong(void **state)
{
    (void)state;
    refused("x:{a", "without its }");
    refused("x:a}", "without its {");
    refused("x:{}", "1 to 64");
    refused("x:{a*}", "not supported");
    refused("x:{a:3}", "not supported");
    refused("x:{a}{a}", "twice");
    refused("x:{a b}", "A-Z");
    refused("x:{a,}", "1 to 64");
}

/* Fills in values of the first two variables; "-": no value. */
static void fills(const char *text, const char *a, const char *b, const char *want)
{
    const char *given[] = { a, b };
    struct error err;
    struct uri_template *template = uri_template_new(text, &err);
    struct str values[URI_NAMES] = { { NULL, 0 } };
    struct buf out = { 0 };

    assert_non_null(template);
    for (size_t i = 0; i < 2; i++)
        if (strcmp(given[i], "-") != 0)
            values[i] = str_from(given[i]);
    uri_template_fill(template, values, &out);
    assert_string_equal(buf_text(&out), want);
    buf_free(&out);
    uri_template_free(template);
}

static void filled(void **state)
{
    (void)state;
    fills("x:{a}/{b}", "1 2/3", "-", "x:1%202%2F3/{b}");
    fills("x:{+a}", "1 2/3", "-", "x:1%202/3");
    fills("x:{/a,b}{?c}", "1", "2", "x:/1/2");
    fills("x:{;a,b}", "1", "-", "x:;a=1;b={b}");
    fills("x:{?a,b}", "-", "2&", "x:?b=2%26");
    fills("x:{?a,b}", "1", "", "x:?a=1&b=");
    fills("x:y?z=1{&a}", "\xc3\xa9", "-", "x:y?z=1&a=%C3%A9");
    fills("x:plain", "-", "-", "x:plain");
}

/* Many ways to read a URI end in "no", not in a long search. */
static void hard_ones_end(void **state)
{
    char uri[4000];

    (void)state;
    memset(uri, 'a', sizeof uri - 1);
    memcpy(uri, "x:", 2);
    uri[sizeof uri - 1] = '\0';
    reads("x:{a}{b}{c}{d}{e}{f}{g}{h}!", uri, "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple), cmocka_unit_test(operators),     cmocka_unit_test(queries),
        cmocka_unit_test(wrong),  cmocka_unit_test(hard_ones_end), cmocka_unit_test(filled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
