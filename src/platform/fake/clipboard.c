/* The fake's clipboard and its history. */
#include "platform/fake/clipboard.h"

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

void fake_put_clip(struct fake *fake, struct clip *clip)
{
    clip_free(&fake->clip);
    copy_clip(&fake->clip, clip, NULL);
    clip_free(clip);
    fake->mute = false;
    fake->clips++;
    clip_history_add(&fake->history, fake->history_entries, fake->history_bytes, &fake->clip);
}

void fake_copy(struct fake *fake, const struct clip *clip)
{
    struct clip copy;

    copy_clip(&copy, clip, NULL);
    pthread_mutex_lock(&fake->lock);
    fake_put_clip(fake, &copy);
    fake_wake_watchers(fake, NULL);
    pthread_mutex_unlock(&fake->lock);
}

void fake_mute_clipboard(struct fake *fake, bool mute)
{
    pthread_mutex_lock(&fake->lock);
    fake->mute = mute;
    pthread_mutex_unlock(&fake->lock);
}

static bool clip_read(struct desktop *handle, struct deadline *deadline, const char *const *types,
                      size_t max_bytes, struct clip *out, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    size_t size = 0;
    bool ok = true;

    *out = (struct clip){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    if (desktop->fake->mute)
        ok = error_set(err, "clipboard_no_answer",
                       "the application that owns the clipboard does not respond. Copy something "
                       "else to replace its content");
    else
        copy_clip(out, &desktop->fake->clip, types);
    fake_leave(desktop);
    for (size_t i = 0; i < out->count; i++)
        size += out->parts[i].len;
    if (size > (max_bytes ? max_bytes : CLIP_BYTES_MAX)) {
        clip_free(out);
        return error_set(err, "too_large",
                         "the clipboard holds %zu bytes, more than this call accepts", size);
    }
    return ok;
}

static bool clip_write(struct desktop *handle, struct deadline *deadline, const struct clip *clip,
                       struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake *fake = desktop->fake;
    struct clip copy;

    if (!fake_enter(desktop, deadline, err))
        return false;
    copy_clip(&copy, clip, NULL);
    fake_put_clip(fake, &copy);
    fake->own_clips++;
    fake_note(fake, "clipboard.write %zu", clip->count);
    fake_leave(desktop);
    return true;
}

static bool clip_clear(struct desktop *handle, struct deadline *deadline, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);

    if (!fake_enter(desktop, deadline, err))
        return false;
    clip_free(&desktop->fake->clip);
    fake_note(desktop->fake, "clipboard.clear");
    fake_leave(desktop);
    return true;
}

static bool clip_keep_history(struct desktop *handle, struct deadline *deadline, size_t entries,
                              size_t entry_bytes, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake *fake = desktop->fake;

    if (!fake_enter(desktop, deadline, err))
        return false;
    fake->history_entries = entries > CLIP_HISTORY_MAX ? CLIP_HISTORY_MAX : entries;
    fake->history_bytes = entry_bytes;
    clip_history_trim(&fake->history, fake->history_entries);
    fake_leave(desktop);
    return true;
}

static bool clip_history(struct desktop *handle, struct deadline *deadline, struct clip_list *out,
                         struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);

    *out = (struct clip_list){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    clip_history_copy(&desktop->fake->history, out);
    fake_leave(desktop);
    return true;
}

static bool clip_changes(struct desktop *handle, struct deadline *deadline,
                         struct clip_changes *changes, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);

    if (!fake_enter(desktop, deadline, err))
        return false;
    changes->next = desktop->fake->clips - desktop->fake->own_clips + 1;
    changes->changed = changes->since && changes->since < changes->next;
    fake_leave(desktop);
    return true;
}

const struct clipboard_ops fake_clipboard_ops = {
    .read = clip_read,
    .write = clip_write,
    .clear = clip_clear,
    .keep_history = clip_keep_history,
    .history = clip_history,
    .changes = clip_changes,
};
