/* Elements on X11: they are read over AT-SPI, and placed by their windows.
 *
 * Applications report bounds in units of their own: GTK 4 within its window, all of them in logical
 * pixels where they scale. Both sides know the windows, so each top-level element is matched to a
 * window, and the elements in it are moved and scaled to fit that. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "platform/atspi.h"
#include "platform/freedesktop/proc.h"
#include "platform/x11/elements.h"
#include "platform/x11/windows/windows.h"
#include "platform/x11/wire/property.h"

static const struct atspi_ops *atspi;

static bool elements_ready(struct error *err)
{
    if (!atspi)
        atspi = atspi_ready(err);
    return atspi != NULL;
}

enum { ADDRESS_BYTES = 512 };

/* The accessibility bus that the root window names. */
static char *display_bus(void *arg)
{
    struct x11_desktop *desktop = arg;
    bool cut;

    return x11_answer_text(desktop,
                           x11_ask(desktop, desktop->root, A(AT_SPI_BUS), ADDRESS_BYTES / 4),
                           ADDRESS_BYTES, &cut);
}

static bool begin_reading(struct desktop *handle, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);

    if (!atspi)
        return error_set(err, "not_supported", "elements of this desktop cannot be read");
    if (!desktop->atspi)
        desktop->atspi = atspi->open(display_bus, desktop, err);
    return desktop->atspi != NULL;
}

void x11_elements_free(struct x11_desktop *desktop)
{
    if (desktop->atspi)
        atspi->close(desktop->atspi);
    desktop->atspi = NULL;
}

enum { WAKE_SLOW_MS = 500, WAKE_AGAIN_MS = 60000 };

/* A bus that hangs delays one opening of an application, not each of them. */
void x11_elements_wake(struct x11_desktop *desktop, struct deadline *deadline)
{
    static _Atomic uint64_t again; /* deadline_now() of the next try, for all connections */
    uint64_t began = deadline_now();
    struct error err;

    if (!atspi || began < atomic_load(&again) || !begin_reading((struct desktop *)desktop, &err))
        return;
    if (atspi->wake(desktop->atspi, deadline, &err))
        return;
    log_debug("applications are started without accessibility: %s", err.text);
    if (deadline_now() - began >= WAKE_SLOW_MS)
        atomic_store(&again, deadline_now() + WAKE_AGAIN_MS);
}

/* --- the window of an element ----------------------------------------------------------------- */

/* How a top-level element lies in its window: there = offset + scale * reported. */
struct fit {
    uint64_t window; /* 0: none was found */
    bool dialog;     /* the window manager calls it a dialog */
    double x, y, scale;
};

static double apart(double a, double b)
{
    return fabs(a - b);
}

static double skew(const struct rect *there, const struct rect *told)
{
    return apart(there->width / told->width, there->height / told->height);
}

/* How badly a window fits a top-level element, the less the better; negative: it is another window.
 * The name is the best sign, then the size in proportion, with the title bar or without. */
static double unlikeness(const struct atspi_frame *frame, const struct window_info *window)
{
    double unlike;

    if (window->ref.pid != frame->pid)
        return -1;
    if (!frame->placed)
        return strcmp(window->title, frame->name) == 0 ? 0 : -1;
    unlike = fmin(skew(&window->content, &frame->raw), skew(&window->frame, &frame->raw));
    if (unlike > 0.35)
        return -1;
    return unlike + (strcmp(window->title, frame->name) == 0 ? 0 : 1) +
           (apart(window->content.x, frame->raw.x) + apart(window->content.y, frame->raw.y)) / 1e5;
}

static bool is_taken(const struct window_info *window, const struct fit *fits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (fits[i].window == window->ref.id)
            return true;
    }
    return false;
}

/* The window that fits the element best. taken: the fits of other elements, whose windows are left
 * out; NULL: none. */
static const struct window_info *match_frame(const struct atspi_frame *frame,
                                             const struct window_list *windows,
                                             const struct fit *taken, size_t count)
{
    const struct window_info *best = NULL;
    double least = 0;

    for (size_t i = 0; i < windows->count; i++) {
        double unlike = unlikeness(frame, &windows->items[i]);

        if (unlike >= 0 && (!best || unlike < least) &&
            !(taken && is_taken(&windows->items[i], taken, count))) {
            best = &windows->items[i];
            least = unlike;
        }
    }
    return best;
}

/* --- the place of an element in its window --------------------------------------------------- */

/* The bounds that GTK 4 reports, whose windows have no title bar of the window manager's, leave out
 * the shadow, which is a part of the window. The bounds of a window with such a title bar may
 * include it (GTK 3). */
static struct fit fit_of(const struct atspi_frame *frame, const struct window_info *window)
{
    struct fit fit = { .window = window->ref.id,
                       .dialog = window->kind == WINDOW_DIALOG,
                       .scale = 1 };
    struct rect place = window->content;
    double ratio = place.width / frame->raw.width;

    if (!frame->placed)
        return fit;
    if (apart(frame->raw.width, window->frame.width) <= 2 &&
        apart(frame->raw.height, window->frame.height) <= 2)
        place = window->frame;
    else
        fit.scale = round(ratio * 4) / 4 > 0 ? round(ratio * 4) / 4 : 1;
    fit.x = place.x + (place.width - frame->raw.width * fit.scale) / 2 - frame->raw.x * fit.scale;
    fit.y = place.y + (place.height - frame->raw.height * fit.scale) / 2 - frame->raw.y * fit.scale;
    return fit;
}

static const struct fit *find_fit(const struct atspi_frames *frames, const struct fit *fits,
                                  uint64_t id)
{
    for (size_t i = 0; i < frames->count; i++) {
        if (frames->items[i].id == id)
            return &fits[i];
    }
    return NULL;
}

/* GTK 4 reports a dialog as a mere group. */
static void name_window(struct element_info *info, const struct fit *fit)
{
    if (info->role == ELEMENT_GROUP && fit->dialog)
        info->role = ELEMENT_DIALOG;
}

static void put_elements(struct element_tree *tree, const struct atspi_frames *frames,
                         const struct fit *fits)
{
    for (size_t i = 0; i < tree->count; i++) {
        struct element_info *info = &tree->items[i];
        const struct fit *fit = find_fit(frames, fits, info->window);

        if (fit && fit->window && info->id == info->window)
            name_window(info, fit);
        info->window = fit ? fit->window : 0;
        info->placed = info->placed && fit && fit->window;
        if (!info->placed)
            continue;
        info->bounds =
            (struct rect){ fit->x + info->bounds.x * fit->scale,
                           fit->y + info->bounds.y * fit->scale, info->bounds.width * fit->scale,
                           info->bounds.height * fit->scale };
    }
}

/* Matches first the elements that report where they are: the others go by their names alone, and a
 * closed dialog of GTK 4 stays in its application, without a place, beside the next one of its
 * name. */
static void find_fits(const struct atspi_frames *frames, const struct window_list *windows,
                      struct fit *fits)
{
    for (int placed = 1; placed >= 0; placed--) {
        for (size_t i = 0; i < frames->count; i++) {
            const struct atspi_frame *frame = &frames->items[i];
            const struct window_info *window =
                frame->placed == placed
                    ? match_frame(frame, windows, placed ? NULL : fits, frames->count)
                    : NULL;

            if (window)
                fits[i] = fit_of(frame, window);
        }
    }
}

/* A top-level element with neither a place nor a window, in an application that has windows here,
 * is not shown. */
static void hide_closed(struct element_tree *tree, const struct atspi_frames *frames,
                        const struct fit *fits)
{
    bool here = false;

    for (size_t i = 0; i < frames->count; i++)
        here = here || fits[i].window;
    for (size_t i = 0; here && i < frames->count; i++) {
        for (size_t k = 0; !frames->items[i].placed && !fits[i].window && k < tree->count; k++) {
            if (tree->items[k].window == frames->items[i].id)
                tree->items[k].states &= ~(unsigned)ELEMENT_SHOWN;
        }
    }
}

static bool place_elements(struct desktop *handle, struct element_tree *tree,
                           const struct atspi_frames *frames, struct error *err)
{
    struct fit *fits = mem_zero((frames->count + 1) * sizeof *fits);
    struct window_query query = { .all_kinds = true };
    struct window_list windows;
    bool ok = x11_window_list(x11_of(handle), &query, &windows, err);

    if (ok) {
        find_fits(frames, &windows, fits);
        hide_closed(tree, frames, fits);
        put_elements(tree, frames, fits);
        window_list_free(&windows);
    }
    free(fits);
    return ok;
}

/* --- the operations ------------------------------------------------------------------------- */

static bool finish_reading(struct desktop *handle, bool read, struct element_tree *out,
                           struct atspi_frames *frames, struct error *err)
{
    bool ok = read && place_elements(handle, out, frames, err);

    atspi_frames_free(frames);
    if (!ok)
        element_tree_free(out);
    return ok;
}

/* False if the process has ended; another one may have got its number since. */
static bool is_running(const struct element_query *query, struct error *err)
{
    if (!query->pid || !query->started || proc_started(query->pid, NULL) == query->started)
        return true;
    return error_set(err, "app_not_found", "process %d has ended", query->pid);
}

/* Keeps the application and the elements of this window. */
static void keep_window(struct element_tree *tree, uint64_t window)
{
    size_t kept = 0;

    for (size_t i = 0; i < tree->count; i++) {
        if (tree->items[i].window == window || tree->items[i].role == ELEMENT_APPLICATION)
            tree->items[kept++] = tree->items[i];
        else
            element_info_free(&tree->items[i]);
    }
    tree->count = kept;
}

static bool elements_tree(struct desktop *handle, struct deadline *deadline,
                          const struct element_query *query, struct element_tree *out,
                          struct error *err)
{
    struct atspi_frames frames = { 0 };
    bool read = is_running(query, err) && begin_reading(handle, err) &&
                atspi->tree(x11_of(handle)->atspi, deadline, query, out, &frames, err);

    if (!finish_reading(handle, read, out, &frames, err))
        return false;
    if (query->window)
        keep_window(out, query->window);
    return true;
}

static bool is_in(const struct element_info *info, struct point at)
{
    return info->placed && at.x >= info->bounds.x && at.y >= info->bounds.y &&
           at.x < info->bounds.x + info->bounds.width &&
           at.y < info->bounds.y + info->bounds.height;
}

/* Finds the deepest element that says that it is at this point; of two siblings the later one lies
 * above the other. */
static bool elements_at(struct desktop *handle, struct deadline *deadline, int pid, struct point at,
                        uint64_t *id, struct error *err)
{
    struct element_query query = { .pid = pid, .bounds = true };
    const struct element_info *best = NULL;
    struct element_tree tree;

    *id = 0;
    if (!elements_tree(handle, deadline, &query, &tree, err))
        return false;
    for (size_t i = 0; i < tree.count; i++) {
        if (is_in(&tree.items[i], at) && (!best || tree.items[i].depth >= best->depth))
            best = &tree.items[i];
    }
    *id = best ? best->id : 0;
    element_tree_free(&tree);
    return true;
}

static bool elements_get(struct desktop *handle, struct deadline *deadline, const uint64_t *ids,
                         size_t count, struct element_tree *out, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct atspi_frames frames = { 0 };
    bool read = begin_reading(handle, err) &&
                atspi->get(desktop->atspi, deadline, ids, count, out, &frames, err);

    return finish_reading(handle, read, out, &frames, err);
}

static bool elements_act(struct desktop *handle, struct deadline *deadline, uint64_t id,
                         const struct element_change *change, struct element_outcome *out,
                         struct error *err)
{
    return begin_reading(handle, err) &&
           atspi->act(x11_of(handle)->atspi, deadline, id, change, out, err);
}

static bool elements_text(struct desktop *handle, struct deadline *deadline, uint64_t id, int from,
                          int to, struct element_text *out, struct error *err)
{
    return begin_reading(handle, err) &&
           atspi->text(x11_of(handle)->atspi, deadline, id, from, to, out, err);
}

static bool elements_events(struct desktop *handle, struct deadline *deadline, int pid,
                            uint64_t since, uint64_t until, struct element_events *out,
                            struct error *err)
{
    return begin_reading(handle, err) &&
           atspi->events(x11_of(handle)->atspi, deadline, pid, since, until, out, err);
}

static bool elements_hear(struct desktop *handle, struct deadline *deadline, struct error *err)
{
    return begin_reading(handle, err) && atspi->hear(x11_of(handle)->atspi, deadline, err);
}

extern const struct element_ops x11_element_ops;
const struct element_ops x11_element_ops = {
    .ready = elements_ready,
    .tree = elements_tree,
    .get = elements_get,
    .act = elements_act,
    .text = elements_text,
    .at = elements_at,
    .events = elements_events,
    .hear = elements_hear,
};
