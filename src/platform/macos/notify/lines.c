#include "platform/macos/notify/lines.h"

#include <stdlib.h>
#include <unistd.h>

#include "json/writer.h"
#include "platform/macos/notify/image.h"
#include "platform/macos/system/line_source.h"

/* --- requests ------------------------------------------------------------------------------- */

static const char *member_text(const cJSON *object, const char *key)
{
    const cJSON *value = json_given(object, key);

    return cJSON_IsString(value) ? value->valuestring : NULL;
}

static const char *text_or_none(const cJSON *object, const char *key)
{
    const char *text = member_text(object, key);

    return text ? text : "";
}

static enum note_urgency urgency_of(const char *name)
{
    if (strcmp(name, "low") == 0)
        return NOTE_LOW;
    return strcmp(name, "critical") == 0 ? NOTE_CRITICAL : NOTE_NORMAL;
}

/* Reads a note. The image is copied now, because the original may change. */
static void read_note(struct notify_request *request, const cJSON *root)
{
    const char *image = member_text(root, "image");
    const cJSON *timeout = json_given(root, "timeout"), *button;

    request->note = (struct note){ .id = request->id,
                                   .title = text_or_none(root, "title"),
                                   .text = text_or_none(root, "text"),
                                   .category = text_or_none(root, "category"),
                                   .buttons = request->buttons,
                                   .reply = member_text(root, "reply"),
                                   .urgency = urgency_of(text_or_none(root, "urgency")) };
    cJSON_ArrayForEach (button, json_get(root, "buttons")) {
        if (request->note.count < NOTIFY_BUTTONS_MOST && cJSON_IsString(button))
            request->buttons[request->note.count++] = button->valuestring;
    }
    request->image = image ? notify_image_copy(image) : NULL;
    request->note.image = request->image;
    request->held = cJSON_IsTrue(json_get(root, "held"));
    request->replaces = cJSON_IsTrue(json_get(root, "replaces"));
    request->timeout = cJSON_IsNumber(timeout) ? timeout->valuedouble : 0;
}

struct notify_request *notify_request_read(const char *line)
{
    struct error err;
    struct json_doc *doc = json_parse(line, strlen(line), NULL, &err);
    const cJSON *root = json_root(doc);
    struct notify_request *request;
    const char *verb;

    if (!doc)
        return NULL;
    request = mem_zero(sizeof *request);
    request->doc = doc;
    json_integer(json_get(root, "request"), &request->number);
    verb = text_or_none(root, "do");
    request->shows = strcmp(verb, "show") == 0;
    if (request->shows || strcmp(verb, "remove") == 0)
        request->id = member_text(root, "id");
    if (request->shows && request->id)
        read_note(request, root);
    return request;
}

void notify_request_free(struct notify_request *request)
{
    if (!request)
        return;
    notify_image_end(request->image);
    json_doc_free(request->doc);
    free(request);
}

/* --- lines ---------------------------------------------------------------------------------- */

/* Writes the line, and frees it. */
static void say_line(struct buf *line)
{
    buf_adds(line, "}\n");
    line_write(STDOUT_FILENO, line);
    buf_free(line);
}

static void add_string(struct buf *line, const char *name, const char *text)
{
    buf_addf(line, ",\"%s\":", name);
    json_write_string(line, text, strlen(text));
}

void notify_say_what(const char *what)
{
    struct buf line = { 0 };

    buf_addf(&line, "{\"what\":\"%s\"", what);
    say_line(&line);
}

void notify_say_event(const char *id, const char *what, const char *name, const char *text)
{
    struct buf line = { 0 };

    buf_addf(&line, "{\"what\":\"%s\"", what);
    add_string(&line, "id", id);
    if (name)
        add_string(&line, name, text);
    say_line(&line);
}

void notify_say_button(const char *id, int index)
{
    struct buf line = { 0 };

    buf_addf(&line, "{\"what\":\"button\",\"index\":%d", index);
    add_string(&line, "id", id);
    say_line(&line);
}

static void add_number(struct buf *line, const struct notify_request *request)
{
    buf_adds(line, "{\"request\":");
    json_write_integer(line, request->number);
}

void notify_say_shown(const struct notify_request *request, bool urgent)
{
    struct buf line = { 0 };

    add_number(&line, request);
    buf_addf(&line, ",\"image\":%s,\"urgent\":%s", request->image ? "true" : "false",
             urgent ? "true" : "false");
    say_line(&line);
}

void notify_say_removed(const struct notify_request *request)
{
    struct buf line = { 0 };

    add_number(&line, request);
    say_line(&line);
}

void notify_say_failed(const struct notify_request *request, const char *code, const char *why)
{
    struct buf line = { 0 };

    add_number(&line, request);
    add_string(&line, "code", code);
    if (why)
        add_string(&line, "why", why);
    say_line(&line);
}
