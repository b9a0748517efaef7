/* Content blocks on a terminal or in a pipe. */
#include "cli/render.h"

#include <stdlib.h>

#include "cli/terminal.h"
#include "json/document.h"
#include "json/writer.h"

static const char *text_of(const cJSON *node, const char *key, const char *absent)
{
    const cJSON *member = json_get(node, key);

    return cJSON_IsString(member) ? member->valuestring : absent;
}

/* --- base64 ------------------------------------------------------------------------- */

static int digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;

    return at ? (int)(at - digits) : -1;
}

static size_t binary_size(const char *base64)
{
    size_t len = strlen(base64);

    while (len && base64[len - 1] == '=')
        len--;
    return len * 3 / 4;
}

/* Appends what it stands for, up to the first character that is none of its digits. */
static void decode(struct buf *out, const char *base64)
{
    uint32_t bits = 0;
    int have = 0, value;

    for (; (value = digit(*base64)) >= 0; base64++) {
        bits = bits << 6 | (uint32_t)value;
        have += 6;
        if (have >= 8) {
            have -= 8;
            buf_addc(out, (char)(bits >> have & 0xff));
        }
    }
}

/* The base64 text of a block, or of the resource in it; NULL if it has none. */
static const char *data_of(const cJSON *block, const char **mime)
{
    const cJSON *resource = json_get(block, "resource");
    const char *data = text_of(block, "data", NULL);

    *mime = text_of(resource ? resource : block, "mimeType", "application/octet-stream");
    return data ? data : text_of(resource, "blob", NULL);
}

bool render_binary(const cJSON *result, struct buf *bytes, const char **mime)
{
    const cJSON *block;
    const char *data, *type;

    cJSON_ArrayForEach (block, json_get(result, "content")) {
        if (!(data = data_of(block, &type)))
            continue;
        decode(bytes, data);
        if (mime)
            *mime = type;
        return true;
    }
    return false;
}

/* --- blocks ----------------------------------------------------------------------------- */

static void end_line(FILE *out, const char *text, size_t len)
{
    if (!len || text[len - 1] != '\n')
        putc('\n', out);
}

static void write_text(FILE *out, struct str text)
{
    terminal_write(out, text.ptr, text.len);
    end_line(out, text.ptr, text.len);
}

/* [image: image/png, 1234 bytes] */
static void write_binary(FILE *out, const char *kind, const char *mime, size_t size)
{
    struct buf line = { 0 };

    buf_addf(&line, "[%s: %s, %zu bytes; --output FILE saves it]", kind, mime, size);
    write_text(out, buf_str(&line));
    buf_free(&line);
}

static void write_link(FILE *out, const cJSON *block, const char *kind)
{
    struct buf line = { 0 };

    buf_addf(&line, "[%s: %s]", kind, text_of(block, "uri", "?"));
    write_text(out, buf_str(&line));
    buf_free(&line);
}

static void write_block(FILE *out, const cJSON *block)
{
    const char *type = text_of(block, "type", "?");
    const cJSON *resource = json_get(block, "resource");
    const char *mime, *data = data_of(block, &mime);

    if (data)
        write_binary(out, type, mime, binary_size(data));
    else if (json_get(block, "text"))
        write_text(out, json_string(json_get(block, "text")));
    else if (json_get(resource, "text"))
        write_text(out, json_string(json_get(resource, "text")));
    else
        write_link(out, resource ? resource : block, type);
}

/* Is the one block the text of the structured result? Then it can be shown indented. */
static bool mirrors_structure(const cJSON *result)
{
    const cJSON *structure = json_get(result, "structuredContent");
    const cJSON *content = json_get(result, "content");
    struct buf text = { 0 };
    bool same;

    if (!structure || cJSON_GetArraySize(content) != 1)
        return false;
    json_write(&text, structure);
    same = str_same(buf_str(&text), json_string(json_get(cJSON_GetArrayItem(content, 0), "text")));
    buf_free(&text);
    return same;
}

void render_result(const cJSON *result, FILE *out)
{
    struct buf pretty = { 0 };
    const cJSON *block;

    if (terminal_is(out) && mirrors_structure(result)) {
        json_write_pretty(&pretty, json_get(result, "structuredContent"), 2);
        write_text(out, buf_str(&pretty));
        buf_free(&pretty);
        return;
    }
    cJSON_ArrayForEach (block, json_get(result, "content"))
        write_block(out, block);
}

void render_text(const cJSON *result, struct buf *out)
{
    const cJSON *block;

    cJSON_ArrayForEach (block, json_get(result, "content")) {
        struct str text = json_string(json_get(block, "text"));

        if (out->len && text.len)
            buf_addc(out, '\n');
        buf_add(out, text.ptr, text.len);
    }
}
