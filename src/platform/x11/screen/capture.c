/* Pictures of displays, regions and windows.
 *
 * A window that can be seen whole is taken from the screen. Else it is taken from its composite
 * pixmap, which the server keeps up to date even for covered parts; the window is redirected as
 * long as the picture takes. The picture has the frame, as the user sees it, without the shadow
 * that some applications count to their window. */
#include <X11/Xlib.h> /* the extensions' headers need it before them */

#include <X11/extensions/Xcomposite.h>
#include <X11/extensions/Xfixes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "platform/x11/screen/cover.h"
#include "platform/x11/screen/drawing.h"
#include "platform/x11/screen/shot.h"
#include "platform/x11/windows/stack.h"
#include "platform/x11/windows/windows.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/displays.h"

enum {
    PAINT_MS = 500, /* for a covered window to paint itself; some windows have nothing to paint */
    PAINT_LOOK_MS = 15, /* between two looks: about the time of a screen's frame */
    PAINT_CALM = 2,     /* looks in a row that have to be equal */
};

/* --- areas to take ---------------------------------------------------------------- */

static bool root_shot(struct x11_desktop *desktop, struct rect area, struct shot *shot,
                      struct error *err)
{
    struct point at = x11_to_root(desktop, (struct point){ area.x, area.y });
    Window root;
    int none;
    unsigned width = 0, height = 0, border, depth;

    if (!XGetGeometry(desktop->display, desktop->root, &root, &none, &none, &width, &height,
                      &border, &depth))
        return x11_lost(desktop, err);
    double left = fmax(0, floor(at.x)), top = fmax(0, floor(at.y));
    double right = fmin(width, ceil(at.x + area.width));
    double bottom = fmin(height, ceil(at.y + area.height));
    if (!(right > left && bottom > top))
        return error_set(err, "outside",
                         "the area of %.0f x %.0f at %.0f, %.0f is outside all displays. Call "
                         "list_displays to get their bounds",
                         area.width, area.height, area.x, area.y);
    *shot = (struct shot){ .drawable = desktop->root,
                           .visual = DefaultVisual(desktop->display, desktop->screen),
                           .depth = (int)depth,
                           .x = (int)left,
                           .y = (int)top,
                           .width = (int)(right - left),
                           .height = (int)(bottom - top),
                           .root_x = (int)left,
                           .root_y = (int)top };
    return true;
}

static bool display_area(struct x11_desktop *desktop, struct deadline *deadline,
                         const struct capture *what, struct rect *area, struct error *err)
{
    struct display_list list;
    bool found = false;

    if (what->kind == CAPTURE_REGION) {
        *area = what->region;
        return true;
    }
    if (what->kind == CAPTURE_ALL) {
        struct point at = x11_from_root(desktop, 0, 0);

        *area = (struct rect){ at.x, at.y, 65535, 65535 };
        return true;
    }
    if (!x11_display_list(desktop, deadline, &list, err))
        return false;
    for (size_t i = 0; i < list.count && !found; i++) {
        if (what->display ? list.items[i].id == what->display : list.items[i].main) {
            *area = list.items[i].bounds;
            found = true;
        }
    }
    display_list_free(&list);
    return found ||
           error_set(err, "display_not_found", "there is no display %llu. List the displays again",
                     (unsigned long long)what->display);
}

/* --- covered parts ----------------------------------------------------------------- */

/* A sum that changes when a pixel does: FNV-1a over words of four bytes; the fourth byte of a pixel
 * is left out without alpha. */
static uint64_t image_sum(const struct image *image)
{
    uint64_t sum = 14695981039346656037u;
    uint8_t none[4] = { 255, 255, 255, image->alpha ? 255 : 0 };
    uint32_t mask;

    memcpy(&mask, none, sizeof mask);
    for (int y = 0; y < image->height; y++) {
        const uint8_t *row = image_row(image, y);

        for (int x = 0; x < image->width; x++, row += 4) {
            uint32_t pixel;

            memcpy(&pixel, row, sizeof pixel);
            sum = (sum ^ (pixel & mask)) * 1099511628211u;
        }
    }
    return sum;
}

/* --- a window ---------------------------------------------------------------------- */

/* Finds the visible frame (or content) within the outermost window. */
static bool window_shot(struct x11_desktop *desktop, Window outer, const struct rect *area,
                        struct shot *shot)
{
    struct point at = x11_to_root(desktop, (struct point){ area->x, area->y });
    XWindowAttributes attributes;
    int left, top, right, bottom, wide, high;

    x11_trap(desktop);
    if (!XGetWindowAttributes(desktop->display, outer, &attributes) || x11_trapped(desktop))
        return false;
    left = (int)at.x - attributes.x;
    top = (int)at.y - attributes.y;
    right = left + (int)area->width;
    bottom = top + (int)area->height;
    left = left < 0 ? 0 : left;
    top = top < 0 ? 0 : top;
    wide = attributes.width + 2 * attributes.border_width; /* the pixmap has the border */
    high = attributes.height + 2 * attributes.border_width;
    right = right > wide ? wide : right;
    bottom = bottom > high ? high : bottom;
    *shot = (struct shot){ .visual = attributes.visual,
                           .depth = attributes.depth,
                           .x = left,
                           .y = top,
                           .width = right - left,
                           .height = bottom - top,
                           .root_x = attributes.x + left,
                           .root_y = attributes.y + top };
    return right > left && bottom > top && attributes.map_state == IsViewable;
}

/* Takes pictures of a window that was covered until it has painted the missing parts: until the
 * picture has changed, and stays the same. */
static bool take_painted(struct x11_desktop *desktop, struct deadline *deadline,
                         const struct shot *shot, struct picture *out, struct error *err)
{
    uint64_t until = deadline_now() + PAINT_MS, first, last, sum;
    int calm = 0;

    if (!shot_take(desktop, shot, out, err))
        return false;
    first = last = image_sum(&out->image);
    while (deadline_now() < until && (last == first || calm < PAINT_CALM)) {
        if (!deadline_wait(deadline, -1, deadline_now() + PAINT_LOOK_MS, err))
            return false;
        picture_free(out);
        if (!shot_take(desktop, shot, out, err))
            return false;
        sum = image_sum(&out->image);
        calm = sum == last ? calm + 1 : 0;
        last = sum;
    }
    return true;
}

/* The wanted part in whole points; all of the window if no part is wanted. */
static struct rect wanted_area(const struct window_info *info, const struct capture *what)
{
    struct rect area = what->content_only ? info->content : info->frame, region = what->region;
    double left = floor(region.x), top = floor(region.y);

    if (!what->part)
        return area;
    return rect_cut(area, (struct rect){ left, top, ceil(region.x + region.width) - left,
                                         ceil(region.y + region.height) - top });
}

static enum cover shot_cover(struct x11_desktop *desktop, Window outer, const struct shot *shot)
{
    return cover_of(desktop, outer, shot->root_x, shot->root_y, shot->width, shot->height);
}

/* Takes the window from the screen, if all of it can be seen: to redirect a large window, the
 * server copies all of its pixels, and back. False: meanwhile it moved, went, or was covered; or it
 * has an alpha channel, which the screen has not. */
static bool take_seen(struct x11_desktop *desktop, Window outer, const struct rect *area,
                      const struct shot *shot, struct picture *out)
{
    struct shot seen = *shot, after;

    if (shot->depth != DefaultDepth(desktop->display, desktop->screen))
        return false;
    seen.drawable = desktop->root;
    seen.visual = DefaultVisual(desktop->display, desktop->screen);
    seen.x = shot->root_x;
    seen.y = shot->root_y;
    if (!shot_take(desktop, &seen, out, NULL))
        return false;
    if (window_shot(desktop, outer, area, &after) && after.root_x == shot->root_x &&
        after.root_y == shot->root_y && after.width == shot->width &&
        after.height == shot->height && shot_cover(desktop, outer, shot) == COVER_NONE)
        return true;
    picture_free(out);
    return false;
}

static bool take_redirected(struct x11_desktop *desktop, struct deadline *deadline, Window outer,
                            struct shot *shot, bool covered, const char *title, struct picture *out,
                            struct error *err)
{
    bool ok;

    x11_trap(desktop);
    XCompositeRedirectWindow(desktop->display, outer, CompositeRedirectAutomatic);
    shot->drawable = XCompositeNameWindowPixmap(desktop->display, outer);
    ok = !x11_trapped(desktop);
    if (ok) {
        ok = covered ? take_painted(desktop, deadline, shot, out, err)
                     : shot_take(desktop, shot, out, err);
        XFreePixmap(desktop->display, shot->drawable);
    } else {
        error_set(err, "capture_failed",
                  "the X server has no image of window \"%.100s\". Try again", title);
    }
    XCompositeUnredirectWindow(desktop->display, outer, CompositeRedirectAutomatic);
    x11_trapped(desktop);
    return ok;
}

static bool take_window(struct x11_desktop *desktop, struct deadline *deadline,
                        const struct window_info *info, const struct capture *what,
                        struct picture *out, struct error *err)
{
    Window outer = x11_outermost(desktop, (Window)info->ref.id);
    struct rect area = wanted_area(info, what);
    struct shot shot = { 0 };
    enum cover cover;

    if (!window_shot(desktop, outer, &area, &shot))
        return desktop->dead ? x11_lost(desktop, err)
                             : error_set(err, "capture_failed",
                                         "window \"%.100s\" is not on screen: it has closed or is "
                                         "on another workspace. Focus it first",
                                         info->title);
    shot.lend = what->lend && !what->popups;
    cover = shot_cover(desktop, outer, &shot);
    if (cover == COVER_NONE && take_seen(desktop, outer, &area, &shot, out))
        return true;
    if (cover == COVER_NONE)
        cover = shot_cover(desktop, outer, &shot);
    return take_redirected(desktop, deadline, outer, &shot, cover == COVER_SOME, info->title, out,
                           err);
}

/* Puts a picture over the other, which grows to hold both, black where neither has pixels. */
static bool lay_over(struct picture *out, const struct picture *top, struct error *err)
{
    const struct image *old = &out->image, *new = &top->image;
    double x = fmin(out->origin.x, top->origin.x), y = fmin(out->origin.y, top->origin.y);
    double right = fmax(out->origin.x + old->width, top->origin.x + new->width);
    double bottom = fmax(out->origin.y + old->height, top->origin.y + new->height);
    const struct picture *layers[] = { out, top };
    struct image whole;

    if (!image_new(&whole, (int)(right - x), (int)(bottom - y), false, err))
        return false;
    for (int row = 0; row < whole.height; row++)
        memset(image_row(&whole, row), 0, whole.stride);
    for (size_t i = 0; i < countof(layers); i++) {
        const struct image *from = &layers[i]->image;
        size_t left = (size_t)(layers[i]->origin.x - x), down = (size_t)(layers[i]->origin.y - y);

        for (int row = 0; row < from->height; row++)
            memcpy(image_row(&whole, (int)down + row) + left * 4, image_row(from, row),
                   (size_t)from->width * 4);
    }
    image_free(&out->image);
    out->image = whole;
    out->origin = (struct point){ x, y };
    return true;
}

/* Adds the popups of the window's application that lie over it, the lowest first. */
static bool add_popups(struct x11_desktop *desktop, struct deadline *deadline,
                       const struct window_info *info, struct picture *out, struct error *err)
{
    struct window_query query = { .pid = info->ref.pid, .all_kinds = true };
    struct capture what = { .kind = CAPTURE_WINDOW, .popups = true };
    struct window_list list = { 0 };
    size_t own = 0;
    bool ok = true;

    if (!x11_window_list(desktop, &query, &list, err))
        return false;
    while (own < list.count && list.items[own].ref.id != info->ref.id)
        own++;
    for (size_t i = own; ok && i-- > 0;) {
        struct picture top = { 0 };

        if (list.items[i].kind != WINDOW_POPUP)
            continue;
        if (take_window(desktop, deadline, &list.items[i], &what, &top, NULL)) /* else it is gone */
            ok = lay_over(out, &top, err);
        picture_free(&top);
    }
    window_list_free(&list);
    return ok;
}

static bool capture_window(struct x11_desktop *desktop, struct deadline *deadline,
                           const struct capture *what, struct picture *out, struct error *err)
{
    struct window_info info;
    bool ok;

    if (!x11_window_info(desktop, &what->window, &info, err))
        return false;
    if (info.state & WINDOW_MINIMIZED)
        ok = error_set(err, "window_minimized",
                       "window \"%.100s\" is minimized and cannot be captured. Restore it first",
                       info.title);
    else
        ok = take_window(desktop, deadline, &info, what, out, err) &&
             (!what->popups || add_popups(desktop, deadline, &info, out, err));
    window_info_free(&info);
    return ok;
}

/* --- all of it --------------------------------------------------------------------- */

static void draw_cursor(struct x11_desktop *desktop, struct picture *out)
{
    XFixesCursorImage *cursor;
    struct image image;
    struct point at;

    if (desktop->fixes_event < 0 || !(cursor = XFixesGetCursorImage(desktop->display)))
        return;
    at = x11_from_root(desktop, cursor->x - cursor->xhot, cursor->y - cursor->yhot);
    if (image_new(&image, cursor->width, cursor->height, true, NULL)) {
        for (size_t i = 0; i < (size_t)cursor->width * cursor->height; i++) {
            uint32_t pixel = (uint32_t)cursor->pixels[i], a = pixel >> 24;
            uint8_t *to = image.pixels + i * 4;

            for (int c = 0; c < 3; c++) { /* the server's are premultiplied */
                uint32_t value = pixel >> (8 * c) & 255;

                to[c] = (uint8_t)(a ? (value * 255 / a > 255 ? 255 : value * 255 / a) : 0);
            }
            to[3] = (uint8_t)a;
        }
        image_blend(&out->image, &image, (int)(at.x - out->origin.x), (int)(at.y - out->origin.y));
        image_free(&image);
    }
    XFree(cursor);
}

static bool capture_root(struct x11_desktop *desktop, struct deadline *deadline,
                         const struct capture *what, struct picture *out, struct error *err)
{
    struct rect area = { 0 };
    struct shot shot = { 0 };

    if (!display_area(desktop, deadline, what, &area, err) || !root_shot(desktop, area, &shot, err))
        return false;
    shot.lend = what->lend;
    return shot_take(desktop, &shot, out, err);
}

static bool capture_take(struct desktop *handle, struct deadline *deadline,
                         const struct capture *what, struct picture *out, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    bool ok;

    *out = (struct picture){ 0 };
    if (!x11_begin(desktop, deadline, err))
        return false;
    ok = what->kind == CAPTURE_WINDOW ? capture_window(desktop, deadline, what, out, err)
                                      : capture_root(desktop, deadline, what, out, err);
    if (ok && what->cursor)
        draw_cursor(desktop, out);
    if (!ok)
        picture_free(out);
    return ok;
}

const struct capture_ops x11_capture_ops = { capture_take, x11_await_drawing };
