/* The fake's pictures: each window is a rectangle in a color of its own, the pointer a white
 * square. */
#include <math.h>

#include "platform/fake/mirror.h"

static void paint(struct image *image, struct rect where, struct point origin, double scale,
                  uint32_t colour)
{
    int left = (int)((where.x - origin.x) * scale), top = (int)((where.y - origin.y) * scale);
    int right = left + (int)(where.width * scale), bottom = top + (int)(where.height * scale);

    for (int y = top < 0 ? 0 : top; y < bottom && y < image->height; y++) {
        for (int x = left < 0 ? 0 : left; x < right && x < image->width; x++)
            memcpy(image_row(image, y) + (size_t)x * 4, &colour, 4);
    }
}

/* The color of a window, different for each. */
static uint32_t colour_of(uint64_t id)
{
    return 0xff000000u | ((uint32_t)(id * 2654435761u) & 0xffffffu);
}

static bool find_display(struct fake *fake, uint64_t id, struct fake_display **out,
                         struct error *err)
{
    *out = NULL;
    list_each (link, &fake->displays) {
        *out = container_of(link, struct fake_display, link);
        if (!id || (*out)->id == id)
            return true;
    }
    return error_set(err, "display_not_found", "there is no display %llu. List the displays again",
                     (unsigned long long)id);
}

/* The area of all displays together. */
static struct rect whole(struct fake *fake)
{
    struct rect all = { 0 };

    list_each (link, &fake->displays) {
        struct rect bounds = container_of(link, struct fake_display, link)->bounds;
        double right = fmax(all.x + all.width, bounds.x + bounds.width);
        double bottom = fmax(all.y + all.height, bounds.y + bounds.height);

        all.x = fmin(all.x, bounds.x);
        all.y = fmin(all.y, bounds.y);
        all.width = right - all.x;
        all.height = bottom - all.y;
    }
    return all;
}

/* Cuts the area. False: the two have nothing in common. */
static bool cut_area(struct rect *area, struct rect to)
{
    double right = fmin(area->x + area->width, to.x + to.width);
    double bottom = fmin(area->y + area->height, to.y + to.height);

    area->x = fmax(area->x, to.x);
    area->y = fmax(area->y, to.y);
    area->width = right - area->x;
    area->height = bottom - area->y;
    return area->width > 0 && area->height > 0;
}

/* The scale of the display that the point is on. */
static double scale_at(struct fake *fake, double x, double y)
{
    list_each (link, &fake->displays) {
        struct fake_display *display = container_of(link, struct fake_display, link);
        struct rect point = { x, y, 1, 1 };

        if (cut_area(&point, display->bounds))
            return display->scale;
    }
    return 1;
}

static struct rect around(struct rect a, struct rect b)
{
    double left = fmin(a.x, b.x), top = fmin(a.y, b.y);

    return (struct rect){ left, top, fmax(a.x + a.width, b.x + b.width) - left,
                          fmax(a.y + a.height, b.y + b.height) - top };
}

static bool window_area(struct fake *fake, const struct capture *what, struct rect *area,
                        struct error *err)
{
    struct fake_window *window = fake_find_window(fake, &what->window, err);

    if (!window)
        return false;
    if (window->state & WINDOW_MINIMIZED)
        return error_set(err, "window_minimized",
                         "window \"%.100s\" is minimized and cannot be captured. Restore it first",
                         window->title);
    *area = window->frame;
    if (what->content_only) {
        area->y += FAKE_TITLE_BAR;
        area->height -= FAKE_TITLE_BAR;
    }
    list_each (link, &fake->windows) {
        const struct fake_window *menu = container_of(link, struct fake_window, link);

        if (what->popups && menu->menu_of == window->ref.id)
            *area = around(*area, menu->frame);
    }
    return true;
}

static bool capture_area(struct fake *fake, const struct capture *what, struct rect *area,
                         struct error *err)
{
    struct fake_display *display = NULL;

    switch (what->kind) {
    case CAPTURE_ALL:
        *area = whole(fake);
        return true;
    case CAPTURE_REGION:
        *area = what->region;
        return cut_area(area, whole(fake)) ||
               error_set(err, "outside",
                         "the area of %.0f x %.0f at %.0f, %.0f is outside all displays. Call "
                         "list_displays to get their bounds",
                         what->region.width, what->region.height, what->region.x, what->region.y);
    case CAPTURE_WINDOW:
        return window_area(fake, what, area, err);
    default:
        if (!find_display(fake, what->display, &display, err) || !display)
            return false;
        *area = display->bounds;
        return true;
    }
}

static bool is_shown_in(const struct capture *what, const struct fake_window *window)
{
    if (window->state & (WINDOW_MINIMIZED | WINDOW_HIDDEN))
        return false;
    return what->kind != CAPTURE_WINDOW || window->ref.id == what->window.id ||
           (what->popups && window->menu_of == what->window.id);
}

static void paint_all(struct fake *fake, const struct capture *what, struct rect area,
                      struct picture *out)
{
    paint(&out->image, area, out->origin, out->scale, 0xff202020u);
    for (struct link *l = fake->windows.prev; l != &fake->windows; l = l->prev) {
        struct fake_window *window = container_of(l, struct fake_window, link);

        if (is_shown_in(what, window))
            paint(&out->image, window->frame, out->origin, out->scale, colour_of(window->ref.id));
    }
    if (what->cursor)
        paint(&out->image, (struct rect){ fake->pointer.x, fake->pointer.y, 8, 8 }, out->origin,
              out->scale, 0xffffffffu);
}

static bool capture_take(struct desktop *handle, struct deadline *deadline,
                         const struct capture *what, struct picture *out, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake *fake = desktop->fake;
    struct rect area = { 0 };
    bool ok;

    *out = (struct picture){ .scale = 1, .route = "fake" };
    if (!fake_enter(desktop, deadline, err))
        return false;
    if (fake->mirror) {
        ok = fake_mirror_capture(fake, deadline, what, out, err);
        fake_leave(desktop);
        return ok;
    }
    ok = capture_area(fake, what, &area, err);
    if (ok && what->kind != CAPTURE_ALL)
        out->scale = scale_at(fake, area.x, area.y);
    ok = ok && image_new(&out->image, (int)ceil(area.width * out->scale),
                         (int)ceil(area.height * out->scale), false, err);
    if (ok) {
        out->origin = (struct point){ area.x, area.y };
        paint_all(fake, what, area, out);
    }
    fake_leave(desktop);
    return ok;
}

const struct capture_ops fake_capture_ops = { .take = capture_take };
