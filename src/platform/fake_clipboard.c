/* The fake's clipboard and its history. */
#include <time.h>

#include "platform/fake_impl.h"

static void copy_clip(struct clip *to, const struct clip *from, const char *const *types)
{
    *to = (struct clip){ .secret = from->secret, .when = from->when };
    for (size_t i = 0; i < from->count; i++) {
        const struct clip_part *part = &from->parts[i];
        bool wanted = types == NULL;

        for (size_t k = 0; types && types[k]; k++)
            wanted = wanted || strcmp(types[k], part->type) == 0;
        to->types = mem_resize(to->types, sizeof *to->types * (to->type_count + 1));
        to->types[to->type_count++] = mem_strdup(part->type);
        if (wanted)
            clip_add(to, part->type, part->data, part->len);
    }
}

static void remember(struct fake *fake)
{
    const struct clip_part *text = clip_part(&fake->clip, "text/plain");
    struct clip_list *history = &fake->history;
    struct timespec now;

    if (!fake->history_entries || !text || fake->clip.secret || text->len > fake->history_bytes)
        return;
    if (history->count == fake->history_entries)
        clip_free(&history->items[--history->count]);
    history->items = mem_resize(history->items, sizeof *history->items * (history->count + 1));
    memmove(history->items + 1, history->items, sizeof *history->items * history->count);
    history->count++;
    history->items[0] = (struct clip){ 0 };
    clip_add(&history->items[0], "text/plain", text->data, text->len);
    clock_gettime(CLOCK_REALTIME, &now);
    history->items[0].when = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void fake_put_clip(struct fake *fake, struct clip *clip)
{
    clip_free(&fake->clip);
    copy_clip(&fake->clip, clip, NULL);
    clip_free(clip);
    fake->mute = false;
    remember(fake);
}

void fake_copy(struct fake *fake, const struct clip *clip)
{
    struct clip copy;

    copy_clip(&copy, clip, NULL);
    pthread_mutex_lock(&fake->lock);
    fake_put_clip(fake, &copy);
    pthread_mutex_unlock(&fake->lock);
}

void fake_mute_clipboard(struct fake *fake, bool mute)
{
    pthread_mutex_lock(&fake->lock);
    fake->mute = mute;
    pthread_mutex_unlock(&fake->lock);
}

static bool clip_read(struct desktop *desktop, struct ticket *ticket, const char *const *types,
                      size_t max_bytes, struct clip *out, struct error *err)
{
    size_t size = 0;
    bool ok = true;

    *out = (struct clip){ 0 };
    if (!fake_enter(desktop, ticket, err))
        return false;
    if (desktop->fake->mute)
        ok = error_set(err, "clipboard_no_answer",
                       "the application that owns the clipboard does not answer");
    else
        copy_clip(out, &desktop->fake->clip, types);
    fake_leave(desktop);
    for (size_t i = 0; i < out->count; i++)
        size += out->parts[i].len;
    if (size > (max_bytes ? max_bytes : CLIP_BYTES_MAX)) {
        clip_free(out);
        return error_set(err, "too_large", "the clipboard holds %zu bytes", size);
    }
    return ok;
}

static bool clip_write(struct desktop *desktop, struct ticket *ticket, const struct clip *clip,
                       struct error *err)
{
    struct fake *fake = desktop->fake;
    struct clip copy;

    if (!fake_enter(desktop, ticket, err))
        return false;
    copy_clip(&copy, clip, NULL);
    fake_put_clip(fake, &copy);
    fake_note(fake, "clipboard.write %zu", clip->count);
    fake_leave(desktop);
    return true;
}

static bool clip_clear(struct desktop *desktop, struct ticket *ticket, struct error *err)
{
    if (!fake_enter(desktop, ticket, err))
        return false;
    clip_free(&desktop->fake->clip);
    fake_note(desktop->fake, "clipboard.clear");
    fake_leave(desktop);
    return true;
}

static bool clip_keep_history(struct desktop *desktop, struct ticket *ticket, size_t entries,
                              size_t entry_bytes, struct error *err)
{
    struct fake *fake = desktop->fake;

    if (!fake_enter(desktop, ticket, err))
        return false;
    fake->history_entries = entries > CLIP_HISTORY_MAX ? CLIP_HISTORY_MAX : entries;
    fake->history_bytes = entry_bytes;
    while (fake->history.count > fake->history_entries)
        clip_free(&fake->history.items[--fake->history.count]);
    fake_leave(desktop);
    return true;
}

static bool clip_history(struct desktop *desktop, struct ticket *ticket, struct clip_list *out,
                         struct error *err)
{
    struct clip_list *history = &desktop->fake->history;

    *out = (struct clip_list){ 0 };
    if (!fake_enter(desktop, ticket, err))
        return false;
    out->items = mem_alloc(sizeof *out->items * (history->count + 1));
    for (; out->count < history->count; out->count++)
        copy_clip(&out->items[out->count], &history->items[out->count], NULL);
    fake_leave(desktop);
    return true;
}

const struct clipboard_ops fake_clipboard_ops = {
    .read = clip_read,
    .write = clip_write,
    .clear = clip_clear,
    .keep_history = clip_keep_history,
    .history = clip_history,
};
