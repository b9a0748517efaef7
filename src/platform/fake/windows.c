/* The fake's windows and displays. */
#include <stdio.h>
#include <stdlib.h>

#include "platform/fake/world.h"

static bool on_screen(struct fake *fake, const struct fake_window *window)
{
    const struct rect *r = &window->frame;

    if (window->state & (WINDOW_MINIMIZED | WINDOW_HIDDEN))
        return false;
    list_each (link, &fake->displays) {
        const struct rect *d = &container_of(link, struct fake_display, link)->bounds;

        if (r->x < d->x + d->width && d->x < r->x + r->width && r->y < d->y + d->height &&
            d->y < r->y + r->height)
            return true;
    }
    return false;
}

static void describe_window(struct fake *fake, const struct fake_window *window, int order,
                            struct window_info *out)
{
    struct rect content = window->frame;

    content.x += window->inset.x;
    content.y += window->inset.y;
    content.width -= window->inset.width;
    content.height -= window->inset.height;
    *out = (struct window_info){
        .ref = window->ref,
        .kind = window->menu_of  ? WINDOW_POPUP
                : window->copied ? window->kind
                : window->parent ? WINDOW_DIALOG
                                 : WINDOW_NORMAL,
        .title = mem_strdup(window->title),
        .app = mem_strdup(window->app),
        .instance = mem_strdup(window->instance ? window->instance : window->app),
        .frame = window->frame,
        .content = content,
        .state = window->state,
        .workspace = window->workspace,
        .order = order,
        .focused = fake->focus == window->ref.id,
        .on_screen = on_screen(fake, window),
        .parent = window->menu_of ? window->menu_of : window->parent,
    };
}

static bool windows_list(struct desktop *handle, struct deadline *deadline,
                         const struct window_query *query, struct window_list *out,
                         struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);

    *out = (struct window_list){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    list_each (link, &desktop->fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        if ((query && query->pid && window->ref.pid != query->pid) ||
            ((window->menu_of || window->unmanaged) && !(query && query->all_kinds)))
            continue;
        out->items = mem_resize(out->items, sizeof *out->items * (out->count + 1));
        describe_window(desktop->fake, window, (int)out->count, &out->items[out->count]);
        out->count++;
    }
    fake_leave(desktop);
    return true;
}

static bool windows_get(struct desktop *handle, struct deadline *deadline,
                        const struct window_ref *ref, struct window_info *out, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake_window *found;
    int order = 0;

    *out = (struct window_info){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    found = fake_find_window(desktop->fake, ref, err);
    list_each (link, &desktop->fake->windows) {
        if (found && link == &found->link)
            describe_window(desktop->fake, found, order, out);
        order++;
    }
    fake_leave(desktop);
    return found != NULL;
}

/* --- acting ----------------------------------------------------------------------- */

static void resize(struct fake_window *window, const struct rect *to)
{
    window->frame.width = to->width < window->min_width ? window->min_width : to->width;
    window->frame.height = to->height < window->min_height ? window->min_height : to->height;
}

static void move(struct fake_window *window, const struct rect *to)
{
    window->frame.x = to->x;
    window->frame.y = to->y;
}

/* The area that the window fills: in a copy, the display that the window's corner is on; else the
 * main one. */
static struct rect filled_area(struct fake *fake, const struct fake_window *window, unsigned state)
{
    struct fake_display *display = fake_main_display(fake);

    list_each (link, &fake->displays) {
        struct fake_display *each = container_of(link, struct fake_display, link);
        const struct rect *d = &each->bounds, *w = &window->frame;

        if (fake->mirror && w->x >= d->x && w->x < d->x + d->width && w->y >= d->y &&
            w->y < d->y + d->height)
            display = each;
    }
    return state == WINDOW_MAXIMIZED ? display->work : display->bounds;
}

static void fill_area(struct fake *fake, struct fake_window *window, unsigned state)
{
    if (!(window->state & (WINDOW_MAXIMIZED | WINDOW_FULLSCREEN)))
        window->normal = window->frame;
    window->frame = filled_area(fake, window, state);
    window->state |= state;
}

static void give_own_place(struct fake_window *window)
{
    if (window->state & (WINDOW_MAXIMIZED | WINDOW_FULLSCREEN))
        window->frame = window->normal;
    window->state &= ~(unsigned)(WINDOW_MAXIMIZED | WINDOW_FULLSCREEN | WINDOW_SHADED);
}

static void restore_window(struct fake_window *window)
{
    if (window->state & WINDOW_MINIMIZED)
        window->state &= ~(unsigned)WINDOW_MINIMIZED;
    else
        give_own_place(window);
}

/* Changes the window. False: it is gone. */
static bool change_window(struct fake *fake, struct fake_window *window,
                          const struct window_change *change)
{
    switch (change->verb) {
    case WINDOW_FOCUS:
        window->state &= ~(unsigned)WINDOW_MINIMIZED;
        fake_raise(fake, window);
        break;
    case WINDOW_PLACE:
        give_own_place(window);
        move(window, &change->to);
        resize(window, &change->to);
        break;
    case WINDOW_MOVE:
        give_own_place(window);
        move(window, &change->to);
        break;
    case WINDOW_RESIZE:
        give_own_place(window);
        resize(window, &change->to);
        break;
    case WINDOW_MINIMIZE:
        window->state |= WINDOW_MINIMIZED;
        if (fake->focus == window->ref.id)
            fake->focus = 0;
        break;
    case WINDOW_RESTORE:
        if (window->state & WINDOW_MINIMIZED)
            fake_raise(fake, window);
        restore_window(window);
        break;
    case WINDOW_MAXIMIZE:
        fill_area(fake, window, WINDOW_MAXIMIZED);
        break;
    case WINDOW_SET_FULLSCREEN:
        fill_area(fake, window, WINDOW_FULLSCREEN);
        break;
    case WINDOW_CLOSE:
        return !fake_close_window(fake, window);
    }
    return true;
}

static void judge(const struct fake_window *window, const struct window_change *change,
                  struct window_outcome *out)
{
    bool sized = change->verb == WINDOW_RESIZE || change->verb == WINDOW_PLACE;

    out->done = true;
    if (change->verb == WINDOW_CLOSE) {
        out->done = false;
        snprintf(out->note, sizeof out->note, "the window is still open and shows \"%s\"",
                 window->stays);
    } else if (sized &&
               (out->after.width != change->to.width || out->after.height != change->to.height)) {
        out->done = false;
        snprintf(out->note, sizeof out->note,
                 "the window is %.0f x %.0f points instead of %.0f x %.0f", out->after.width,
                 out->after.height, change->to.width, change->to.height);
    }
}

static bool windows_act(struct desktop *handle, struct deadline *deadline,
                        const struct window_ref *ref, const struct window_change *change,
                        struct window_outcome *out, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake *fake = desktop->fake;
    struct fake_window *window;

    *out = (struct window_outcome){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    fake_close_menu(fake);
    window = fake_find_window(fake, ref, err);
    if (window) {
        fake_note(fake, "window.%s %llu", window_verb_name(change->verb),
                  (unsigned long long)ref->id);
        out->before = window->frame;
        out->gone = !change_window(fake, window, change);
        out->done = out->gone;
    }
    if (window && !out->gone) {
        out->after = window->frame;
        out->state = window->state;
        out->focused = fake->focus == window->ref.id;
        judge(window, change, out);
    }
    fake_leave(desktop);
    return window != NULL;
}

/* --- displays --------------------------------------------------------------------- */

static bool displays_list(struct desktop *handle, struct deadline *deadline,
                          struct display_list *out, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);

    *out = (struct display_list){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    list_each (link, &desktop->fake->displays) {
        struct fake_display *display = container_of(link, struct fake_display, link);

        out->items = mem_resize(out->items, sizeof *out->items * (out->count + 1));
        out->items[out->count] = (struct display_info){ .id = display->id,
                                                        .name = mem_strdup(display->name),
                                                        .bounds = display->bounds,
                                                        .work = display->work,
                                                        .scale = display->scale,
                                                        .rotation = display->rotation,
                                                        .main = out->count == 0 };
        out->count++;
    }
    fake_leave(desktop);
    return true;
}

static bool displays_cursor(struct desktop *handle, struct deadline *deadline, struct point *out,
                            struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);

    if (!fake_enter(desktop, deadline, err))
        return false;
    *out = desktop->fake->pointer;
    fake_leave(desktop);
    return true;
}

const struct window_ops fake_window_ops = { windows_list, windows_get, windows_act,
                                            fake_await,   NULL,        NULL };
const struct display_ops fake_display_ops = { displays_list, displays_cursor };
