#include "mcp/server/notices.h"

#include <ctype.h>
#include <stdlib.h>
#include <uv.h>

#include "json/document.h"
#include "json/writer.h"
#include "mcp/server/request/reply.h"
#include "mcp/server/watched_resource.h"
#include "registry/call/gate.h"

#define URI "perigee://notices"

enum {
    ENDED_BYTES = 4096,
    ENDED_MS = 1500, /* in which the end of a window or process is seen, at the latest */
    KEPT = 16,       /* notices of a session; older ones are only counted */
    WEIGHT = 500, /* length of those on one result: at most 150 tokens with the text around them */
};

struct kept {
    struct link link; /* in notices->list */
    char *about, *text, *tool, *names;
};

struct notices {
    struct link list; /* oldest first */
    size_t count, lost;
    struct buf ended; /* the result of the last call that may have ended something */
    uint64_t ended_at;
    struct watched_resource *watch; /* held; or NULL */
};

bool notices_ride(const struct entry *entry)
{
    static const char *const toolsets[] = { "desktop", "elements" };

    for (size_t i = 0; i < countof(toolsets); i++) {
        if (strcmp(entry->toolset, toolsets[i]) == 0)
            return true;
    }
    return false;
}

/* --- what is kept ----------------------------------------------------------------------- */

static void notices_drop(struct notices *notices, struct kept *notice)
{
    list_remove(&notice->link);
    notices->count--;
    free(notice->about);
    free(notice->text);
    free(notice->tool);
    free(notice->names);
    free(notice);
}

static void notices_clear(struct notices *notices)
{
    while (!list_empty(&notices->list))
        notices_drop(notices, container_of(notices->list.next, struct kept, link));
    notices->lost = 0;
}

/* Is it this, or below it? */
static bool about_is_within(const char *about, const char *of)
{
    size_t len = strlen(of);

    return strncmp(about, of, len) == 0 && (about[len] == '\0' || about[len] == '/');
}

static void drop_within(struct notices *notices, const char *about)
{
    list_each (link, &notices->list) {
        struct kept *notice = container_of(link, struct kept, link);

        if (about_is_within(notice->about, about))
            notices_drop(notices, notice);
    }
}

static void notices_keep(struct notices *notices, const struct notice *said)
{
    struct kept *notice = mem_zero(sizeof *notice);

    drop_within(notices, said->about);
    if (notices->count == KEPT) {
        notices_drop(notices, container_of(notices->list.next, struct kept, link));
        notices->lost++;
    }
    notice->about = mem_strdup(said->about);
    notice->text = mem_strdup(said->text);
    notice->tool = mem_strdup(said->tool);
    notice->names = said->names ? mem_strdup(said->names) : NULL;
    list_push(&notices->list, &notice->link);
    notices->count++;
}

static const cJSON *tool_hint(const struct entry *entry, const char *name)
{
    return json_get(json_get(entry_definition((struct entry *)entry), "annotations"), name);
}

/* Is one of its calls acting on the desktop? */
static bool is_acting(const struct session *session)
{
    list_each (link, &session->calls) {
        const struct entry *entry = container_of(link, struct pending, link)->entry;

        if (entry && notices_ride(entry) && !cJSON_IsTrue(tool_hint(entry, "readOnlyHint")))
            return true;
    }
    return false;
}

/* Does the text name it, and not only what begins like it? */
static bool text_names(const char *text, const char *about)
{
    size_t len = strlen(about);

    for (const char *at = strstr(text, about); at; at = strstr(at + len, about)) {
        if (!isdigit((unsigned char)at[len]) && at[len] != '/')
            return true;
    }
    return false;
}

static uint64_t now_ms(void)
{
    return uv_hrtime() / 1000000;
}

/* The end of what a call has just ended, or of what is below it, may be seen after it. */
static bool was_ended(struct notices *notices, const char *about)
{
    const char *text = buf_text(&notices->ended), *below = strstr(about, "/windows/");
    char *owner = mem_strndup(about, below ? (size_t)(below - about) : strlen(about));
    bool named = text_names(text, about) || text_names(text, owner);

    free(owner);
    return named && now_ms() < notices->ended_at + ENDED_MS;
}

static void remember_end(struct notices *notices, const struct entry *entry, const struct buf *out,
                         size_t from)
{
    size_t len = out->len - from < ENDED_BYTES ? out->len - from : ENDED_BYTES;

    if (cJSON_IsTrue(tool_hint(entry, "readOnlyHint")) ||
        cJSON_IsFalse(tool_hint(entry, "destructiveHint")))
        return;
    notices->ended.len = 0;
    buf_add(&notices->ended, out->data + from, len);
    notices->ended_at = now_ms();
}

/* A window's event during a call that acts is an effect of it, and its result reports it. */
static bool is_effect(const struct session *session, const char *about)
{
    return strncmp(about, "applications/", 13) == 0 &&
           (is_acting(session) || was_ended(session->notices, about));
}

void notices_note(struct server *server, const struct notice *notice)
{
    list_each (link, &server->sessions) {
        struct session *session = container_of(link, struct session, link);

        if (session->notices && !is_effect(session, notice->about))
            notices_keep(session->notices, notice);
    }
}

/* --- what is told ------------------------------------------------------------------------- */

/* About three times its tokens. Letters share a token; a sign mostly has one of its own, so has a
 * character of three bytes (Chinese), and an emoji, of four, has two or three. */
static size_t weight_of(const char *text)
{
    size_t weight = 0;

    for (const char *at = text; *at; at++) {
        unsigned char c = (unsigned char)*at;

        weight += c >= 0xf0 ? 5 : c >= 0xe0 ? 2 : c < 0x80 && !isalnum(c) && c != ' ' ? 4 : 1;
    }
    return weight;
}

/* Notices that do not fit in, or that the caller may not be told, are counted. */
static void write_notices_text(const struct notices *notices, struct caller *caller,
                               struct buf *text)
{
    size_t more = notices->lost, weight = 0;

    buf_lit(text, "Meanwhile, not by this call:");
    list_each (link, &notices->list) {
        const struct kept *notice = container_of(link, struct kept, link);

        if (weight + weight_of(notice->text) > WEIGHT ||
            !gate_shows(caller, notice->tool, notice->names)) {
            more++;
            continue;
        }
        weight += weight_of(notice->text);
        buf_lit(text, "\n- ");
        buf_adds(text, notice->text);
    }
    if (more && weight)
        buf_addf(text, "\n- and %zu more; call list_windows", more);
    else if (more)
        buf_addf(text, "\n- %zu change%s on the desktop; list_windows tells what is there", more,
                 more == 1 ? "" : "s");
}

void notices_add(const struct pending *pending, struct buf *out, size_t from)
{
    struct notices *notices = pending->request.session->notices;
    struct buf said = { 0 }, text = { 0 };

    if (!notices || !notices_ride(pending->entry))
        return;
    remember_end(notices, pending->entry, out, from);
    if ((!notices->count && !notices->lost) || pending->quiet)
        return;
    buf_add(&said, out->data + from, out->len - from);
    list_each (link, &notices->list) {
        struct kept *notice = container_of(link, struct kept, link);

        if (text_names(buf_text(&said), notice->about))
            notices_drop(notices, notice);
    }
    buf_free(&said);
    if (notices->count || notices->lost) {
        write_notices_text(notices, session_caller(pending->request.session), &text);
        reply_add_text(out, from, buf_text(&text));
        buf_free(&text);
    }
    notices_clear(notices);
}

/* --- its life ----------------------------------------------------------------------------- */

void notices_begin(struct session *session)
{
    if (session->notices || session->stateless || session->closing)
        return;
    session->notices = mem_zero(sizeof *session->notices);
    list_init(&session->notices->list);
    session->notices->watch =
        watched_resource_hold(session->server, NULL, URI); /* the engine's own work */
}

void notices_end(struct session *session)
{
    struct notices *notices = session->notices;

    if (!notices)
        return;
    session->notices = NULL;
    if (notices->watch)
        watched_resource_drop(notices->watch);
    notices_clear(notices);
    buf_free(&notices->ended);
    free(notices);
}
