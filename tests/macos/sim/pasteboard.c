/* The Pasteboard Manager over the fake's clipboard: written data goes there, and data that another
 * program copies there is found here. Files are an item each, as on a Mac. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "platform/fake/world.h"
#include "sim.h"

enum { ITEMS = 64 };

/* The content of the board when it was looked at last; items count from 1. */
static struct clip seen, items[ITEMS + 1];
static size_t count;
static struct clip ours; /* the content as this program left it */
static bool silent;      /* its owner does not answer: types are known, data does not come */

static const char *uti_of(const char *media)
{
    return strcmp(media, "text/plain") == 0  ? "public.utf8-plain-text"
           : strcmp(media, "text/html") == 0 ? "public.html"
           : strcmp(media, "image/png") == 0 ? "public.png"
                                             : media;
}

static const char *media_of(const char *uti)
{
    return strcmp(uti, "public.utf8-plain-text") == 0 ? "text/plain"
           : strcmp(uti, "public.html") == 0          ? "text/html"
           : strcmp(uti, "public.png") == 0           ? "image/png"
                                                      : uti;
}

static void forget(void)
{
    for (size_t i = 0; i <= ITEMS; i++)
        clip_free(&items[i]);
    clip_free(&seen);
    count = 0;
}

static void remember(void)
{
    clip_free(&ours);
    perigee_fake.clipboard->read(sim_desktop(), sim_deadline(), NULL, 0, &ours, NULL);
}

/* Not thread-safe, as the real one: calls that overlap end the test. */
static _Atomic int inside;

static void enter(void)
{
    if (atomic_fetch_add(&inside, 1)) {
        fprintf(stderr, "sim: two threads in the Pasteboard Manager\n");
        abort();
    }
}

static void leave(void)
{
    atomic_fetch_sub(&inside, 1);
}

void sim_forget_pasteboard(void)
{
    forget();
    clip_free(&ours);
}

/* The fake counts a write of ours by parts: cleared, then each type. Here only clearing counts. */
static long by_parts, cleared;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER; /* held while we write as well */

/* With that lock held. */
static long fakes_count(void)
{
    struct fake *fake = sim_fake();
    long now;

    pthread_mutex_lock(&fake->lock);
    now = (long)fake->clips;
    pthread_mutex_unlock(&fake->lock);
    return now;
}

long sim_clipboard_count(void)
{
    long now;

    pthread_mutex_lock(&counting);
    now = fakes_count() - by_parts + cleared;
    pthread_mutex_unlock(&counting);
    return now;
}

/* Each board is an object of its own, so that nothing stays when the last one goes. */
OSStatus PasteboardCreate(CFStringRef name, PasteboardRef *out)
{
    if (!CFEqual(name, kPasteboardClipboard))
        return -50;
    *out = (PasteboardRef)sim_object(SIM_PASTEBOARD);
    forget();
    return noErr;
}

static void add_lines(const struct clip_part *part)
{
    const char *at = part->data, *end = at + part->len;

    while (at < end && count < ITEMS) {
        const char *line = at;

        while (at < end && *at != '\r' && *at != '\n')
            at++;
        if (at > line)
            clip_add(&items[++count], "public.file-url", line, (size_t)(at - line));
        while (at < end && (*at == '\r' || *at == '\n'))
            at++;
    }
}

static bool same(const struct clip *one, const struct clip *two)
{
    if (one->count != two->count)
        return false;
    for (size_t i = 0; i < one->count; i++) {
        if (strcmp(one->parts[i].type, two->parts[i].type) != 0 ||
            one->parts[i].len != two->parts[i].len ||
            memcmp(one->parts[i].data, two->parts[i].data, one->parts[i].len) != 0)
            return false;
    }
    return true;
}

static PasteboardSyncFlags synchronize(void)
{
    struct clip clip;
    bool changed, mine;

    silent = !sim_desktop() ||
             !perigee_fake.clipboard->read(sim_desktop(), sim_deadline(), NULL, 0, &clip, NULL);
    if (silent)
        return 0;
    changed = !same(&clip, &seen);
    mine = same(&clip, &ours);
    forget();
    for (size_t i = 0; i < clip.count; i++) {
        const struct clip_part *part = &clip.parts[i];

        if (strcmp(part->type, "text/uri-list") == 0) {
            add_lines(part);
            continue;
        }
        count = count ? count : 1;
        clip_add(&items[1], uti_of(part->type), part->data, part->len);
    }
    if (clip.secret && count)
        clip_add(&items[1], "org.nspasteboard.ConcealedType", "", 0);
    seen = clip;
    return (changed ? kPasteboardModified : 0u) | (mine ? kPasteboardClientIsOwner : 0u);
}

PasteboardSyncFlags PasteboardSynchronize(PasteboardRef board)
{
    PasteboardSyncFlags flags;

    (void)board;
    enter();
    flags = synchronize();
    leave();
    return flags;
}

OSStatus PasteboardClear(PasteboardRef board)
{
    long before;
    bool ok;

    (void)board;
    enter();
    forget();
    pthread_mutex_lock(&counting);
    before = fakes_count();
    ok = perigee_fake.clipboard->clear(sim_desktop(), sim_deadline(), NULL);
    by_parts += fakes_count() - before;
    cleared++;
    pthread_mutex_unlock(&counting);
    remember();
    leave();
    return ok ? noErr : -25130;
}

OSStatus PasteboardGetItemFlavorFlags(PasteboardRef board, PasteboardItemID item,
                                      CFStringRef flavor, PasteboardFlavorFlags *flags)
{
    (void)board;
    (void)item;
    (void)flavor;
    *flags = 0;
    return noErr;
}

OSStatus PasteboardGetItemCount(PasteboardRef board, ItemCount *out)
{
    (void)board;
    *out = count;
    return noErr;
}

OSStatus PasteboardGetItemIdentifier(PasteboardRef board, CFIndex index, PasteboardItemID *item)
{
    (void)board;
    if (index < 1 || (size_t)index > count)
        return -25133; /* badPasteboardIndexErr */
    *item = (PasteboardItemID)(uintptr_t)index;
    return noErr;
}

OSStatus PasteboardCopyItemFlavors(PasteboardRef board, PasteboardItemID item, CFArrayRef *flavors)
{
    const struct clip *clip = &items[(uintptr_t)item];

    (void)board;
    *flavors = sim_array();
    for (size_t i = 0; i < clip->count; i++)
        sim_append(*flavors, sim_string(clip->parts[i].type));
    return noErr;
}

OSStatus PasteboardCopyItemFlavorData(PasteboardRef board, PasteboardItemID item,
                                      CFStringRef flavor, CFDataRef *data)
{
    const struct clip_part *part =
        clip_part(&items[(uintptr_t)item], buf_text(&sim_of(flavor)->bytes));

    (void)board;
    if (!part || silent)
        return -25133;
    *data = sim_data(part->data, part->len);
    return noErr;
}

/* Writes all items so far again, with files as one list. */
static bool store(void)
{
    struct clip clip = { 0 };
    struct buf files = { 0 };
    long before;
    bool ok;

    for (size_t i = 1; i <= count; i++) {
        for (size_t k = 0; k < items[i].count; k++) {
            const struct clip_part *part = &items[i].parts[k];

            if (strcmp(part->type, "public.file-url") == 0)
                buf_addf(&files, "%.*s\r\n", (int)part->len, part->data);
            else
                clip_add(&clip, media_of(part->type), part->data, part->len);
        }
    }
    if (files.len)
        clip_add(&clip, "text/uri-list", files.data, files.len);
    pthread_mutex_lock(&counting);
    before = fakes_count();
    ok = perigee_fake.clipboard->write(sim_desktop(), sim_deadline(), &clip, NULL);
    by_parts += fakes_count() - before;
    pthread_mutex_unlock(&counting);
    buf_free(&files);
    clip_free(&clip);
    return ok;
}

OSStatus PasteboardPutItemFlavor(PasteboardRef board, PasteboardItemID item, CFStringRef flavor,
                                 CFDataRef data, PasteboardFlavorFlags flags)
{
    uintptr_t at = (uintptr_t)item;
    bool ok;

    (void)board;
    (void)flags;
    if (at < 1 || at > ITEMS)
        return -25133;
    if (at > count)
        count = at;
    clip_add(&items[at], buf_text(&sim_of(flavor)->bytes), sim_of(data)->bytes.data,
             sim_of(data)->bytes.len);
    enter();
    ok = store();
    remember();
    leave();
    return ok ? noErr : -25130;
}
