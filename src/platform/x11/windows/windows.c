/* Windows: the list, and single ones. */
#include "platform/x11/windows/windows.h"

#include <stdlib.h>

#include "platform/x11/windows/focus.h"
#include "platform/x11/windows/manager.h"
#include "platform/x11/windows/window_facts.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/property.h"

/* --- the survey of windows ---------------------------------------------------------- */

/* Everything that does not depend on the set of windows, in one go. */
struct survey {
    struct view view;
    uint32_t *ids; /* the managed windows, in no order */
    size_t count;
};

struct view_question {
    xcb_query_tree_cookie_t tree;
    xcb_get_property_cookie_t workspace;
    struct focus_question focus;
};

static struct view_question view_ask(struct x11_desktop *desktop)
{
    return (struct view_question){ stack_ask(desktop),
                                   x11_ask(desktop, desktop->root, A(_NET_CURRENT_DESKTOP), 1),
                                   x11_focus_ask(desktop) };
}

static void view_answer(struct x11_desktop *desktop, struct view_question question,
                        struct view *view)
{
    *view = (struct view){ .width = DisplayWidth(desktop->display, desktop->screen),
                           .height = DisplayHeight(desktop->display, desktop->screen) };
    stack_answer(desktop, question.tree, &view->stack);
    x11_answer_longs(desktop, question.workspace, &view->workspace, 1);
    view->active = x11_focus_answer(desktop, question.focus);
}

/* The window manager's list says which windows are managed, and nothing about their order. Without
 * a manager, or with one that keeps no list, the windows are searched for. */
static void survey(struct x11_desktop *desktop, struct survey *out)
{
    struct view_question view = view_ask(desktop);
    xcb_get_property_cookie_t manager = x11_manager_ask(desktop);
    xcb_get_property_cookie_t list = x11_ask_list(desktop, desktop->root, A(_NET_CLIENT_LIST));

    *out = (struct survey){ 0 };
    view_answer(desktop, view, &out->view);
    out->ids = x11_answer_list(desktop, list, &out->count);
    if (!x11_manager_answer(desktop, manager)) {
        free(out->ids); /* the list of a manager that is gone */
        out->ids = stack_clients(desktop, &out->view.stack, &out->count);
    } else if (!out->ids) {
        out->ids =
            x11_read_longs(desktop, desktop->root, A(_NET_CLIENT_LIST_STACKING), &out->count);
    }
}

static void survey_free(struct survey *survey)
{
    stack_free(&survey->view.stack);
    free(survey->ids);
}

/* --- the list --------------------------------------------------------------------- */

/* True for the id of a window that has just gone, if a new program has got it for a window that it
 * never shows. A manager's list may still hold it. */
static bool is_leftover(const struct inquiry *in)
{
    return !in->marked && !in->mapped;
}

static bool is_wanted(const struct window_query *query, const struct inquiry *in, bool popups)
{
    const struct window_info *info = &in->info;

    if (!in->there || (query && query->pid && info->ref.pid != query->pid))
        return false;
    if (popups) /* lists visible ones that have an owner */
        return in->unmanaged && info->on_screen && (info->ref.pid || info->app[0]);
    if (in->unmanaged || is_leftover(in) ||
        (!info->on_screen && !info->state && !info->app[0] && !info->title[0]))
        return false;
    return (query && query->all_kinds) ||
           (info->kind != WINDOW_PANEL && info->kind != WINDOW_POPUP);
}

/* A window of the list, and the facts that decide its place in it. */
struct listed {
    struct window_info info;
    bool shown;
    int place;
};

struct gathering {
    struct listed *items;
    size_t count;
    Window *outers; /* the frames of all managed windows, wanted or not */
    size_t outer_count;
};

static void gather_windows(struct x11_desktop *desktop, const struct view *view,
                           const uint32_t *ids, size_t count, const struct window_query *query,
                           bool popups, struct gathering *out)
{
    struct inquiry *in = mem_alloc(sizeof *in * (count + 1));

    for (size_t i = 0; i < count; i++)
        window_inquire(desktop, ids[i], &in[i]);
    window_conclude(desktop, view, in, count);
    out->items = mem_resize(out->items, sizeof *out->items * (out->count + count + 1));
    out->outers = mem_resize(out->outers, sizeof *out->outers * (out->outer_count + count + 1));
    for (size_t i = 0; i < count; i++) {
        out->outers[out->outer_count++] = in[i].outer;
        if (is_wanted(query, &in[i], popups))
            out->items[out->count++] =
                (struct listed){ in[i].info, in[i].mapped, stack_place(&view->stack, in[i].outer) };
        else
            window_info_free(&in[i].info);
    }
    free(in);
}

/* Keeps those windows that the server shows, and returns how many. */
static size_t keep_shown(struct x11_desktop *desktop, uint32_t *ids, size_t count)
{
    xcb_get_window_attributes_cookie_t *asked = mem_alloc(sizeof *asked * (count + 1));
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        asked[i] = xcb_get_window_attributes(desktop->xcb, ids[i]);
    for (size_t i = 0; i < count; i++) {
        xcb_get_window_attributes_reply_t *told =
            xcb_get_window_attributes_reply(desktop->xcb, asked[i], NULL);

        if (told && told->map_state == XCB_MAP_STATE_VIEWABLE &&
            told->_class != XCB_WINDOW_CLASS_INPUT_ONLY)
            ids[kept++] = ids[i];
        free(told);
    }
    free(asked);
    return kept;
}

/* Adds the popups: the windows on the root window that are shown, and hold none of the managed
 * windows. A desktop has dozens of hidden ones, of which nothing more is asked. */
static void gather_popups(struct x11_desktop *desktop, const struct view *view,
                          const struct window_query *query, struct gathering *out)
{
    const struct stack *stack = &view->stack;
    uint32_t *ids = mem_alloc((stack->count + 1) * sizeof *ids);
    size_t count = 0;

    for (size_t i = 0; i < stack->count; i++) {
        bool frame = false;

        for (size_t k = 0; k < out->outer_count && !frame; k++)
            frame = out->outers[k] == stack->ids[i];
        if (!frame)
            ids[count++] = stack->ids[i];
    }
    count = keep_shown(desktop, ids, count);
    if (count)
        gather_windows(desktop, view, ids, count, query, true, out);
    free(ids);
}

/* Frontmost first; hidden windows lie behind all that are shown. */
static int by_place(const void *a, const void *b)
{
    const struct listed *one = a, *two = b;

    if (one->shown != two->shown)
        return one->shown ? -1 : 1;
    if (one->place != two->place)
        return one->place > two->place ? -1 : 1;
    if (one->info.focused != two->info.focused) /* windows may share a frame, by tabs */
        return one->info.focused ? -1 : 1;
    return one->info.ref.id < two->info.ref.id ? -1 : one->info.ref.id > two->info.ref.id;
}

bool x11_window_list(struct x11_desktop *desktop, const struct window_query *query,
                     struct window_list *out, struct error *err)
{
    struct gathering all = { 0 };
    struct survey seen;

    survey(desktop, &seen);
    gather_windows(desktop, &seen.view, seen.ids, seen.count, query, false, &all);
    if (query && query->all_kinds)
        gather_popups(desktop, &seen.view, query, &all);
    survey_free(&seen);
    qsort(all.items, all.count, sizeof *all.items, by_place);
    *out = (struct window_list){ .items = mem_alloc(sizeof *out->items * (all.count + 1)),
                                 .count = all.count };
    for (size_t i = 0; i < all.count; i++) {
        out->items[i] = all.items[i].info;
        out->items[i].order = (int)i;
    }
    free(all.items);
    free(all.outers);
    if (desktop->dead || xcb_connection_has_error(desktop->xcb)) {
        window_list_free(out);
        return x11_lost(desktop, err);
    }
    return true;
}

/* --- a single window ---------------------------------------------------------------- */

static bool not_found(const struct window_ref *ref, struct error *err)
{
    return error_set(err, "window_not_found",
                     "window %llu no longer exists or belongs to another process now. List the "
                     "windows again",
                     (unsigned long long)ref->id);
}

bool x11_window_info(struct x11_desktop *desktop, const struct window_ref *ref,
                     struct window_info *out, struct error *err)
{
    struct inquiry in;
    struct view view;

    *out = (struct window_info){ 0 };
    if (!ref->id || ref->id > UINT32_MAX || ref->id == desktop->root)
        return not_found(ref, err);
    view_answer(desktop, view_ask(desktop), &view);
    window_inquire(desktop, (Window)ref->id, &in);
    window_conclude(desktop, &view, &in, 1);
    stack_free(&view.stack);
    *out = in.info;
    if (desktop->dead || xcb_connection_has_error(desktop->xcb)) {
        window_info_free(out);
        return x11_lost(desktop, err);
    }
    if (!in.there || (ref->pid && out->ref.pid != ref->pid) ||
        (ref->started && out->ref.started != ref->started)) {
        window_info_free(out);
        return not_found(ref, err);
    }
    return true;
}

/* Finds the window's place in the list of the windows, which has to be made for it. */
static bool find_order(struct x11_desktop *desktop, struct window_info *info, struct error *err)
{
    struct window_query query = { .all_kinds =
                                      info->kind == WINDOW_PANEL || info->kind == WINDOW_POPUP };
    struct window_list list = { 0 };
    const struct window_info *listed;

    if (!x11_window_list(desktop, &query, &list, err))
        return false;
    listed = window_list_find(&list, info->ref.id);
    if (listed)
        info->order = listed->order;
    window_list_free(&list);
    return true;
}

/* --- the frame that a window manager puts around it --------------------------------- */

/* True if the frame is folded: Openbox minimizes by folding the frame to its title bar and letting
 * that glide to the taskbar (150 ms), and restores the other way round; the window inside goes
 * along. */
bool x11_is_folded(struct x11_desktop *desktop, const struct window_info *info)
{
    Window window = (Window)info->ref.id, outer = x11_outermost(desktop, window);
    xcb_get_geometry_reply_t *reply;
    bool folded;

    if (outer == window || (info->state & WINDOW_SHADED))
        return false;
    reply = xcb_get_geometry_reply(desktop->xcb,
                                   xcb_get_geometry(desktop->xcb, (xcb_window_t)outer), NULL);
    folded = reply && reply->height < info->content.height;
    free(reply);
    return folded;
}

/* --- the operations ---------------------------------------------------------------- */

static bool windows_list(struct desktop *handle, struct deadline *deadline,
                         const struct window_query *query, struct window_list *out,
                         struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);

    *out = (struct window_list){ 0 };
    return x11_begin(desktop, deadline, err) && x11_window_list(desktop, query, out, err);
}

static bool windows_get(struct desktop *handle, struct deadline *deadline,
                        const struct window_ref *ref, struct window_info *out, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);

    *out = (struct window_info){ 0 };
    if (!x11_begin(desktop, deadline, err) || !x11_window_info(desktop, ref, out, err))
        return false;
    if (find_order(desktop, out, err))
        return true;
    window_info_free(out);
    return false;
}

static bool windows_act(struct desktop *handle, struct deadline *deadline,
                        const struct window_ref *ref, const struct window_change *change,
                        struct window_outcome *out, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);

    *out = (struct window_outcome){ 0 };
    return x11_begin(desktop, deadline, err) &&
           x11_window_act(desktop, deadline, ref, change, out, err);
}

/* Selects the windows' own events: titles and states are properties of the windows. Every
 * connection hears of the root window's children. */
static bool windows_await(struct desktop *handle, struct deadline *deadline,
                          const struct window_list *known, uint64_t until, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);

    x11_trap(desktop);
    for (size_t i = 0; i < known->count; i++) /* an error if one is gone means nothing */
        XSelectInput(desktop->display, (Window)known->items[i].ref.id,
                     PropertyChangeMask | StructureNotifyMask);
    return x11_wait(desktop, deadline, until, err);
}

static bool windows_over(struct desktop *handle, struct deadline *deadline,
                         const struct window_ref *ref, struct point at, struct window_over *out,
                         struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);

    *out = (struct window_over){ 0 };
    return x11_begin(desktop, deadline, err) && x11_window_over(desktop, ref, at, out, err);
}

static bool windows_exports(struct desktop *handle, struct deadline *deadline, struct buf *out,
                            struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);

    return x11_begin(desktop, deadline, err) && x11_window_exports(desktop, out, err);
}

const struct window_ops x11_window_ops = { windows_list,  windows_get,  windows_act,
                                           windows_await, windows_over, windows_exports };
