/* How long the JSON layer takes: nanoseconds for each step on a small
 * tools/call message and on a message with one string of a megabyte.
 * The best of several rounds is printed: the machine's noise only adds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "json/document.h"
#include "json/schema/schema.h"
#include "json/writer.h"

enum { ROUNDS = 15 };

static const char small[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1234,\"method\":\"tools/"
    "call\",\"params\":{\"name\":\"draw_rectangle\","
    "\"arguments\":{\"x\":120,\"y\":45.5,\"width\":640,\"height\":360,\"label\":\"a \\\"quoted\\\" "
    "line\\nand another\",\"style\":{\"fill\":\"#ff8800\",\"dash\":[1,2,4]}}}}";

static const char arguments_schema[] =
    "{\"type\":\"object\",\"required\":[\"x\",\"y\",\"width\",\"height\"],"
    "\"additionalProperties\":false,\"properties\":{\"x\":{\"type\":\"number\"},"
    "\"y\":{\"type\":\"number\"},\"width\":{\"type\":\"number\",\"minimum\":0},"
    "\"height\":{\"type\":\"number\",\"minimum\":0},\"label\":{\"type\":\"string\","
    "\"maxLength\":1000},\"style\":{\"type\":\"object\",\"properties\":{\"fill\":"
    "{\"type\":\"string\",\"pattern\":\"^#[0-9a-f]{6}$\"},\"dash\":{\"type\":\"array\","
    "\"items\":{\"type\":\"integer\"}}}}}}";

struct text {
    const char *name, *ptr;
    size_t len;
    int times;
};

static double now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

static void run_scan(const struct text *text)
{
    struct json_scan found;

    if (!json_scan(text->ptr, text->len, NULL, &found, NULL))
        abort();
}

static void run_parse(const struct text *text)
{
    struct json_doc *doc = json_parse(text->ptr, text->len, NULL, NULL);

    if (!doc)
        abort();
    json_doc_free(doc);
}

static void run_write(const struct text *text)
{
    static struct json_doc *doc;
    static const char *of;
    static struct buf out;

    if (of != text->ptr) {
        json_doc_free(doc);
        doc = json_parse(text->ptr, text->len, NULL, NULL);
        of = text->ptr;
    }
    out.len = 0;
    json_write(&out, json_root(doc));
}

static void run_string(const struct text *text)
{
    static struct buf out;

    out.len = 0;
    json_write_string(&out, text->ptr, text->len);
}

/* The arguments of the small message. */
static void run_check(const struct text *text)
{
    static struct schema *schema;
    static struct json_doc *doc;
    static const cJSON *value;

    if (!schema) {
        struct json_doc *source =
            json_parse(arguments_schema, sizeof arguments_schema - 1, NULL, NULL);

        schema = schema_compile(json_root(source), NULL);
        json_doc_free(source);
        doc = json_parse(text->ptr, text->len, NULL, NULL);
        value = json_get(json_get(json_root(doc), "params"), "arguments");
    }
    if (!schema_check(schema, value, NULL))
        abort();
}

static void run_compile(const struct text *text)
{
    struct json_doc *source = json_parse(arguments_schema, sizeof arguments_schema - 1, NULL, NULL);

    (void)text;
    schema_free(schema_compile(json_root(source), NULL));
    json_doc_free(source);
}

static void measure(const char *what, void (*run)(const struct text *), const struct text *text)
{
    double best = 1e30;

    for (int round = 0; round < ROUNDS; round++) {
        double start = now(), took;

        for (int i = 0; i < text->times; i++)
            run(text);
        took = (now() - start) / text->times;
        if (took < best)
            best = took;
    }
    printf("%-14s %-12s %10.0f ns %8.2f GB/s\n", what, text->name, best, (double)text->len / best);
}

int main(void)
{
    struct buf big = { 0 };
    struct text texts[2];

    buf_lit(&big, "{\"id\":1,\"text\":\"");
    while (big.len < 1000000)
        buf_lit(&big, "The quick brown fox jumps over the lazy dog. ");
    buf_lit(&big, "\"}");
    texts[0] = (struct text){ "small", small, sizeof small - 1, 20000 };
    texts[1] = (struct text){ "1 MB string", big.data, big.len, 20 };
    json_init();
    for (size_t i = 0; i < countof(texts); i++) {
        measure("scan", run_scan, &texts[i]);
        measure("parse", run_parse, &texts[i]);
        measure("write", run_write, &texts[i]);
        measure("write string", run_string, &texts[i]);
    }
    measure("schema check", run_check, &texts[0]);
    measure("schema compile", run_compile, &texts[0]);
    printf("the small message has %zu bytes\n", sizeof small - 1);
    buf_free(&big);
    return 0;
}
