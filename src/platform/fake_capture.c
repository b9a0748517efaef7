/* The fake's pictures: every window a rectangle in a colour of its own. */
#include <math.h>

#include "platform/fake_impl.h"

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

/* A colour of its own for every window. */
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
    return error_set(err, "display_not_found", "there is no display %llu: list the displays again",
                     (unsigned long long)id);
}

static bool capture_area(struct fake *fake, const struct capture *what, struct rect *area,
                         struct error *err)
{
    struct fake_display *display = NULL;
    struct fake_window *window;

    switch (what->kind) {
    case CAPTURE_REGION:
        *area = what->region;
        return fake_on_display(fake, (struct point){ area->x, area->y }) ||
               error_set(err, "outside", "the region lies on no display");
    case CAPTURE_WINDOW:
        window = fake_find_window(fake, &what->window, err);
        if (!window)
            return false;
        *area = window->frame;
        return !(window->state & WINDOW_MINIMIZED) ||
               error_set(err, "window_minimized",
                         "a minimized window has no picture: restore it first");
    default:
        if (!find_display(fake, what->display, &display, err) || !display)
            return false;
        *area = display->bounds;
        return true;
    }
}

static bool capture_take(struct desktop *desktop, struct ticket *ticket, const struct capture *what,
                         struct picture *out, struct error *err)
{
    struct fake *fake = desktop->fake;
    struct rect area = { 0 };
    bool ok;

    *out = (struct picture){ .scale = 1, .route = "fake" };
    if (!fake_enter(desktop, ticket, err))
        return false;
    ok = capture_area(fake, what, &area, err) &&
         image_new(&out->image, (int)ceil(area.width), (int)ceil(area.height), false, err);
    if (ok) {
        out->origin = (struct point){ area.x, area.y };
        paint(&out->image, area, out->origin, 1, 0xff202020u);
        for (struct link *l = fake->windows.prev; l != &fake->windows; l = l->prev) {
            struct fake_window *window = container_of(l, struct fake_window, link);

            if (!(window->state & (WINDOW_MINIMIZED | WINDOW_HIDDEN)) &&
                (what->kind != CAPTURE_WINDOW || window->ref.id == what->window.id))
                paint(&out->image, window->frame, out->origin, 1, colour_of(window->ref.id));
        }
    }
    fake_leave(desktop);
    return ok;
}

const struct capture_ops fake_capture_ops = { capture_take };
