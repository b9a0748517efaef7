/* The content of a clipboard, and the history of copies that backends keep. */
#include "platform/clip.h"

#include <stdlib.h>
#include <time.h>

void clip_free(struct clip *clip)
{
    for (size_t i = 0; i < clip->count; i++) {
        free(clip->parts[i].type);
        free(clip->parts[i].data);
    }
    for (size_t i = 0; i < clip->type_count; i++)
        free(clip->types[i]);
    free(clip->parts);
    free(clip->types);
    *clip = (struct clip){ 0 };
}

void clip_list_free(struct clip_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        clip_free(&list->items[i]);
    free(list->items);
    *list = (struct clip_list){ 0 };
}

void clip_state_free(struct clip_state *state)
{
    clip_free(&state->clip);
    clip_list_free(&state->history);
    *state = (struct clip_state){ 0 };
}

void clip_add(struct clip *clip, const char *type, const char *data, size_t len)
{
    struct clip_part *part;

    clip->parts = mem_resize(clip->parts, sizeof *clip->parts * (clip->count + 1));
    part = &clip->parts[clip->count++];
    part->type = mem_strdup(type);
    part->data = mem_strndup(data, len);
    part->len = len;
}

void clip_add_all(struct clip *clip, const struct clip *from)
{
    for (size_t i = 0; i < from->count; i++)
        clip_add(clip, from->parts[i].type, from->parts[i].data, from->parts[i].len);
}

const struct clip_part *clip_part(const struct clip *clip, const char *type)
{
    for (size_t i = 0; i < clip->count; i++) {
        if (strcmp(clip->parts[i].type, type) == 0)
            return &clip->parts[i];
    }
    return NULL;
}

bool clip_has_type(const struct clip *clip, const char *type)
{
    for (size_t i = 0; i < clip->type_count; i++) {
        if (strcmp(clip->types[i], type) == 0)
            return true;
    }
    return false;
}

/* --- the history ----------------------------------------------------------------------- */

#define PLAIN_TEXT "text/plain"

static const char *const types[] = { PLAIN_TEXT, "text/html", "text/uri-list", "image/png", NULL };

/* True if the part is to be kept. Many applications offer their text as a picture, too, and have to
 * draw it first. */
static bool wants(const struct clip *entry, const char *type)
{
    const struct clip_part *text = clip_part(entry, PLAIN_TEXT);

    return strcmp(type, "image/png") != 0 || !text || !text->len;
}

bool clip_history_read(struct clip *clip,
                       bool (*read)(void *arg, const char *type, struct clip *clip), void *arg)
{
    for (const char *const *type = types; *type; type++)
        if (wants(clip, *type) && !read(arg, *type, clip) && type == types)
            return false;
    return true;
}

static size_t bytes_of(const struct clip *clip)
{
    size_t bytes = 0;

    for (size_t i = 0; i < clip->count; i++)
        bytes += clip->parts[i].len;
    return bytes;
}

/* Takes the parts that fit. False: the text does not fit, and the other parts only stand for it. */
static bool take_parts(struct clip *entry, const struct clip *clip, size_t most)
{
    for (const char *const *type = types; *type; type++) {
        const struct clip_part *part = clip_part(clip, *type);

        if (!part || !part->len || !wants(entry, *type))
            continue;
        if (part->len <= most - bytes_of(entry))
            clip_add(entry, part->type, part->data, part->len);
        else if (type == types)
            return false;
    }
    return entry->count > 0;
}

static bool is_same_clip(const struct clip *a, const struct clip *b)
{
    for (size_t i = 0; i < a->count && a->count == b->count; i++) {
        const struct clip_part *part = &a->parts[i], *other = &b->parts[i];

        if (strcmp(part->type, other->type) != 0 || part->len != other->len ||
            memcmp(part->data, other->data, part->len) != 0)
            return false;
    }
    return a->count == b->count;
}

void clip_history_trim(struct clip_list *history, size_t entries)
{
    size_t bytes = 0, kept = 0;

    for (; kept < history->count && kept < entries; kept++) {
        bytes += bytes_of(&history->items[kept]);
        if (kept && bytes > CLIP_HISTORY_BYTES)
            break;
    }
    while (history->count > kept)
        clip_free(&history->items[--history->count]);
}

void clip_history_add(struct clip_list *history, size_t entries, size_t entry_bytes,
                      const struct clip *clip)
{
    struct clip entry = { 0 };
    struct timespec now;

    if (!entries || clip->secret || !take_parts(&entry, clip, entry_bytes) ||
        (history->count && is_same_clip(&entry, &history->items[0]))) {
        clip_free(&entry);
        return;
    }
    clock_gettime(CLOCK_REALTIME, &now);
    entry.when = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    history->items = mem_resize(history->items, sizeof *history->items * (history->count + 1));
    memmove(history->items + 1, history->items, sizeof *history->items * history->count);
    history->items[0] = entry;
    history->count++;
    clip_history_trim(history, entries);
}

void clip_history_copy(const struct clip_list *from, struct clip_list *out)
{
    out->count = from->count;
    out->items = mem_zero(sizeof *out->items * (from->count + 1));
    for (size_t i = 0; i < from->count; i++) {
        const struct clip *clip = &from->items[i];

        out->items[i].when = clip->when;
        clip_add_all(&out->items[i], clip);
    }
}
