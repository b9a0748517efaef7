/* The clipboard: the general pasteboard, read, written and kept.
 *
 * Types are uniform type identifiers there; the usual ones are returned as media types here, others
 * as they are. Files are one item each. A copy that a password manager marked (nspasteboard.org) is
 * never kept. */
#include <stdlib.h>

#include "platform/macos/clipboard.h"
#include "platform/macos/connection.h"
#include "platform/macos/system/cf.h"
#include "platform/macos/system/pasteboard.h"

struct macos_clipboard {
    PasteboardRef board; /* opened by the first call */
    struct clip_list history;
    size_t entries, entry_bytes; /* limits of the history; 0: none is kept */
    uint64_t copies;             /* those of other applications that were noticed */
};

static const struct clip_kind {
    const char *media, *uti;
} kinds[] = {
    { "text/plain", "public.utf8-plain-text" },
    { "text/html", "public.html" },
    { "text/rtf", "public.rtf" },
    { "image/png", "public.png" },
    { "image/tiff", "public.tiff" },
    { "image/jpeg", "public.jpeg" },
    { "application/pdf", "com.adobe.pdf" },
    { "text/uri-list", "public.file-url" },
};

static const char *const usual[] = { "text/plain", "text/html", "text/uri-list", "image/png",
                                     NULL };

static const char *media_of(const char *uti)
{
    for (size_t i = 0; i < countof(kinds); i++) {
        if (strcmp(kinds[i].uti, uti) == 0)
            return kinds[i].media;
    }
    return uti;
}

static const char *uti_of(const char *media)
{
    for (size_t i = 0; i < countof(kinds); i++) {
        if (strcmp(kinds[i].media, media) == 0)
            return kinds[i].uti;
    }
    return media;
}

static struct macos_clipboard *clipboard_of(struct macos_desktop *desktop)
{
    if (!desktop->clipboard)
        desktop->clipboard = mem_zero(sizeof *desktop->clipboard);
    return desktop->clipboard;
}

/* Begins one call, until pasteboard_leave(); NULL and err. */
static struct macos_clipboard *clipboard_enter(struct macos_desktop *desktop,
                                               struct deadline *deadline, struct error *err)
{
    struct macos_clipboard *clipboard = clipboard_of(desktop);

    if (!macos_begin(desktop, deadline, err) || !pasteboard_enter(deadline, err))
        return NULL;
    if (!clipboard->board)
        clipboard->board = pasteboard_open(err);
    if (clipboard->board)
        return clipboard;
    pasteboard_leave();
    return NULL;
}

void macos_clipboard_free(struct macos_desktop *desktop)
{
    if (!desktop->clipboard)
        return;
    cf_release(desktop->clipboard->board);
    clip_list_free(&desktop->clipboard->history);
    free(desktop->clipboard);
    desktop->clipboard = NULL;
}

/* --- reading ---------------------------------------------------------------------------- */

/* Looks for other content, and counts it if another application copied it. True: there is some. */
static bool synchronize(struct macos_clipboard *clipboard)
{
    PasteboardSyncFlags flags = PasteboardSynchronize(clipboard->board);

    if (!(flags & kPasteboardModified))
        return false;
    clipboard->copies += !(flags & kPasteboardClientIsOwner);
    return true;
}

static void add_clip_type(struct clip *clip, const char *uti)
{
    const char *media = media_of(uti);

    clip->secret = clip->secret || pasteboard_is_mark(uti);
    if (clip_has_type(clip, media))
        return;
    clip->types = mem_resize(clip->types, sizeof *clip->types * (clip->type_count + 1));
    clip->types[clip->type_count++] = mem_strdup(media);
}

static void add_types_of_item(PasteboardRef board, PasteboardItemID item, struct clip *clip)
{
    CFArrayRef flavors = NULL;

    if (PasteboardCopyItemFlavors(board, item, &flavors) != noErr)
        return;
    for (CFIndex i = 0; i < CFArrayGetCount(flavors); i++) {
        char *uti = cf_text(CFArrayGetValueAtIndex(flavors, i), 256, NULL);

        add_clip_type(clip, uti);
        free(uti);
    }
    CFRelease(flavors);
}

static void add_clip_types(PasteboardRef board, struct clip *clip)
{
    size_t count = pasteboard_count(board);

    for (size_t i = 1; i <= count; i++) {
        PasteboardItemID item = pasteboard_item(board, i);

        if (item)
            add_types_of_item(board, item, clip);
    }
}

static bool too_large(size_t most, struct error *err)
{
    return error_set(err, "too_large", "the clipboard holds more than %zu bytes", most);
}

/* Reads the first item that has the type; of files all, as lines of a list (RFC 2483, section
 * 5). */
static bool read_type(PasteboardRef board, const char *media, size_t most, struct clip *clip,
                      struct error *err)
{
    bool files = strcmp(media, "text/uri-list") == 0, ok = true;
    size_t count = pasteboard_count(board);
    struct buf bytes = { 0 };
    bool found = false;

    for (size_t i = 1; i <= count && ok && (files || !found); i++) {
        PasteboardItemID item = pasteboard_item(board, i);
        CFDataRef data = item ? pasteboard_copy(board, item, uti_of(media)) : NULL;

        if (!data)
            continue;
        found = true;
        ok = (size_t)CFDataGetLength(data) + bytes.len <= most || too_large(most, err);
        if (ok && files)
            pasteboard_add_url(&bytes, data);
        else if (ok)
            buf_add(&bytes, CFDataGetBytePtr(data), (size_t)CFDataGetLength(data));
        CFRelease(data);
    }
    if (ok && found)
        clip_add(clip, media, bytes.data ? bytes.data : "", bytes.len);
    buf_free(&bytes);
    if (ok && !found) /* it was promised, and not given */
        return error_set(err, "clipboard_no_answer",
                         "the application that owns the clipboard did not provide its %.80s: it "
                         "hangs or has exited. Copy something else to replace its content",
                         media);
    return ok;
}

static bool read_board(struct macos_clipboard *clipboard, const char *const *types,
                       size_t max_bytes, struct clip *out, struct error *err)
{
    PasteboardRef board = clipboard->board;

    synchronize(clipboard);
    add_clip_types(board, out);
    for (types = types ? types : usual; *types; types++) {
        if (clip_has_type(out, *types) && !read_type(board, *types, max_bytes, out, err))
            return false;
    }
    return true;
}

/* --- the history ------------------------------------------------------------------------- */

static bool read_kept(void *arg, const char *type, struct clip *clip)
{
    const struct macos_clipboard *clipboard = arg;

    return !clip_has_type(clip, type) ||
           read_type(clipboard->board, type, clipboard->entry_bytes, clip, NULL);
}

/* Keeps what was copied since the last look. A marked copy is not even read. Content that a paste
 * put back is not new. */
static void look_at_board(struct macos_clipboard *clipboard)
{
    struct clip clip = { 0 };

    if (!clipboard->entries || !clipboard->board || !synchronize(clipboard))
        return;
    add_clip_types(clipboard->board, &clip);
    if (!clip.secret && clip_history_read(&clip, read_kept, clipboard))
        clip_history_add(&clipboard->history, clipboard->entries, clipboard->entry_bytes, &clip);
    clip_free(&clip);
}

/* --- reading and writing as a whole -------------------------------------------------- */

static bool clip_read(struct desktop *handle, struct deadline *deadline, const char *const *types,
                      size_t max_bytes, struct clip *out, struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    struct macos_clipboard *clipboard;
    bool ok;

    *out = (struct clip){ 0 };
    clipboard = clipboard_enter(desktop, deadline, err);
    if (!clipboard)
        return false;
    look_at_board(clipboard); /* it is called before this change is noted as seen */
    ok = read_board(clipboard, types, max_bytes ? max_bytes : CLIP_BYTES_MAX, out, err);
    pasteboard_leave();
    if (!ok)
        clip_free(out);
    return ok;
}

/* Keeps a copy of our own at once, and notes the change as seen. */
static void note_own(struct macos_clipboard *clipboard, const struct clip *clip)
{
    PasteboardSynchronize(clipboard->board);
    clip_history_add(&clipboard->history, clipboard->entries, clipboard->entry_bytes, clip);
}

/* Puts each line as an item of its own; comments are left out. */
static OSStatus put_files(PasteboardRef board, const struct clip_part *part)
{
    const char *at = part->data, *end = at + part->len;
    OSStatus status = noErr;
    uintptr_t item = 2; /* 1 has the parts that are not files */

    while (at < end && status == noErr) {
        const char *line = at;
        size_t len = 0;

        while (at < end && *at != '\r' && *at != '\n')
            at++;
        len = (size_t)(at - line);
        while (at < end && (*at == '\r' || *at == '\n'))
            at++;
        if (len && line[0] != '#')
            status = pasteboard_put(board, item++, "public.file-url", line, len);
    }
    return status;
}

static bool clip_write(struct desktop *handle, struct deadline *deadline, const struct clip *clip,
                       struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    struct macos_clipboard *clipboard;
    OSStatus status;

    for (size_t i = 0; i < clip->count; i++) {
        if (clip->parts[i].len > CLIP_BYTES_MAX)
            return too_large(CLIP_BYTES_MAX, err);
    }
    clipboard = clipboard_enter(desktop, deadline, err);
    if (!clipboard)
        return false;
    status = PasteboardClear(clipboard->board);
    for (size_t i = 0; i < clip->count && status == noErr; i++) {
        const struct clip_part *part = &clip->parts[i];

        if (strcmp(part->type, "text/uri-list") == 0)
            status = put_files(clipboard->board, part);
        else
            status = pasteboard_put(clipboard->board, 1, uti_of(part->type), part->data, part->len);
    }
    if (clip->secret && status == noErr)
        status = pasteboard_mark(clipboard->board);
    if (status == noErr)
        note_own(clipboard, clip);
    pasteboard_leave();
    return status == noErr || pasteboard_fail(status, "written", err);
}

static bool clip_clear(struct desktop *handle, struct deadline *deadline, struct error *err)
{
    static const struct clip nothing;

    return clip_write(handle, deadline, &nothing, err);
}

bool macos_clipboard_watches(const struct macos_desktop *desktop)
{
    return desktop->clipboard && desktop->clipboard->entries;
}

void macos_clipboard_idle(struct macos_desktop *desktop)
{
    if (!macos_clipboard_watches(desktop) || !pasteboard_try())
        return;
    look_at_board(desktop->clipboard);
    pasteboard_leave();
}

static bool clip_keep_history(struct desktop *handle, struct deadline *deadline, size_t entries,
                              size_t entry_bytes, struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    struct macos_clipboard *clipboard;

    clipboard = clipboard_enter(desktop, deadline, err);
    if (!clipboard)
        return false;
    if (entries && !clipboard->entries)
        synchronize(clipboard); /* the present content is not new */
    pasteboard_leave();
    clipboard->entries = entries > CLIP_HISTORY_MAX ? CLIP_HISTORY_MAX : entries;
    clipboard->entry_bytes = entry_bytes;
    clip_history_trim(&clipboard->history, clipboard->entries);
    return true;
}

static bool clip_history(struct desktop *handle, struct deadline *deadline, struct clip_list *out,
                         struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    struct macos_clipboard *clipboard;

    *out = (struct clip_list){ 0 };
    clipboard = clipboard_enter(desktop, deadline, err);
    if (!clipboard)
        return false;
    look_at_board(clipboard);
    pasteboard_leave();
    clip_history_copy(&clipboard->history, out);
    return true;
}

/* The pasteboard says nothing of who copied. */
static bool clip_changes(struct desktop *handle, struct deadline *deadline,
                         struct clip_changes *changes, struct error *err)
{
    struct macos_clipboard *clipboard = clipboard_enter(macos_of(handle), deadline, err);

    if (!clipboard)
        return false;
    look_at_board(clipboard);
    synchronize(clipboard);
    pasteboard_leave();
    changes->next = clipboard->copies + 1;
    changes->changed = changes->since && changes->since < changes->next;
    return true;
}

/* Takes the history. The content outlives us in the pasteboard's server. */
static void clip_retire(struct desktop *handle, struct clip_state *out)
{
    struct macos_desktop *desktop = macos_of(handle);
    struct macos_clipboard *clipboard = desktop->clipboard;

    *out = (struct clip_state){ 0 };
    if (!clipboard)
        return;
    out->history = clipboard->history;
    out->entries = clipboard->entries;
    out->entry_bytes = clipboard->entry_bytes;
    clipboard->history = (struct clip_list){ 0 };
}

static void clip_adopt(struct desktop *handle, struct clip_state *state)
{
    struct macos_desktop *desktop = macos_of(handle);
    struct macos_clipboard *clipboard = clipboard_of(desktop);

    clip_list_free(&clipboard->history);
    clipboard->history = state->history;
    clipboard->entries = state->entries;
    clipboard->entry_bytes = state->entry_bytes;
    state->history = (struct clip_list){ 0 };
}

const struct clipboard_ops macos_clipboard_ops = {
    .read = clip_read,
    .write = clip_write,
    .clear = clip_clear,
    .keep_history = clip_keep_history,
    .history = clip_history,
    .changes = clip_changes,
    .retire = clip_retire,
    .adopt = clip_adopt,
};
