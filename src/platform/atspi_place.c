/* Applications report bounds in units of their own: GTK 4 within its window, all of them in logical
 * pixels where they scale. Both sides know the windows, so each top-level element is matched to a
 * window, and the elements in it are moved and scaled to fit that. */
#include "platform/atspi_place.h"

#include <math.h>
#include <stdlib.h>

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

void atspi_place(struct element_tree *tree, const struct atspi_frames *frames,
                 const struct window_list *windows)
{
    struct fit *fits = mem_zero((frames->count + 1) * sizeof *fits);

    find_fits(frames, windows, fits);
    hide_closed(tree, frames, fits);
    put_elements(tree, frames, fits);
    free(fits);
}
