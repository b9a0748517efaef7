/* Windows: the list, in one go for all of them.
 *
 * All requests for all windows are sent before the first answer is read, so fifty windows cost
 * one round trip and not five hundred. */
#include <stdlib.h>
#include <xcb/res.h>

#include "platform/freedesktop/proc.h"
#include "platform/x11/connection.h"
#include "platform/x11/displays.h"
#include "platform/x11/focus.h"
#include "platform/x11/property.h"
#include "platform/x11/windows.h"

enum { STATES_MAX = 32, CLASS_MAX = 256 };

/* What was asked about one window. */
struct inquiry {
    Window window;
    xcb_get_property_cookie_t name, old_name, class, pid, state, frame, shadow, desktop, type,
        parent, wm_state;
    xcb_get_geometry_cookie_t geometry;
    xcb_translate_coordinates_cookie_t place;
    xcb_get_window_attributes_cookie_t attributes;
};

/* What counts for every window. */
struct view {
    Window active;
    uint32_t workspace; /* the one shown */
    int width, height;  /* of the root window */
};

static void inquire(struct x11_desktop *desktop, Window window, struct inquiry *in)
{
    xcb_window_t id = (xcb_window_t)window;

    in->window = window;
    in->name = x11_ask(desktop, window, A(_NET_WM_NAME), WINDOW_TITLE_MAX / 4 + 1);
    in->old_name = x11_ask(desktop, window, XCB_ATOM_WM_NAME, WINDOW_TITLE_MAX / 4 + 1);
    in->class = x11_ask(desktop, window, XCB_ATOM_WM_CLASS, CLASS_MAX / 4);
    in->pid = x11_ask(desktop, window, A(_NET_WM_PID), 1);
    in->state = x11_ask(desktop, window, A(_NET_WM_STATE), STATES_MAX);
    in->frame = x11_ask(desktop, window, A(_NET_FRAME_EXTENTS), 4);
    in->shadow = x11_ask(desktop, window, A(_GTK_FRAME_EXTENTS), 4);
    in->desktop = x11_ask(desktop, window, A(_NET_WM_DESKTOP), 1);
    in->type = x11_ask(desktop, window, A(_NET_WM_WINDOW_TYPE), 8);
    in->parent = x11_ask(desktop, window, XCB_ATOM_WM_TRANSIENT_FOR, 1);
    in->wm_state = x11_ask(desktop, window, A(WM_STATE), 2);
    in->geometry = xcb_get_geometry(desktop->xcb, id);
    in->place = xcb_translate_coordinates(desktop->xcb, id, (xcb_window_t)desktop->root, 0, 0);
    in->attributes = xcb_get_window_attributes(desktop->xcb, id);
}

/* --- answers ---------------------------------------------------------------------- */

static unsigned take_states(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie)
{
    const struct {
        Atom atom;
        unsigned state;
    } known[] = {
        { A(_NET_WM_STATE_HIDDEN), WINDOW_MINIMIZED },
        { A(_NET_WM_STATE_FULLSCREEN), WINDOW_FULLSCREEN },
        { A(_NET_WM_STATE_MODAL), WINDOW_MODAL },
        { A(_NET_WM_STATE_ABOVE), WINDOW_ABOVE },
        { A(_NET_WM_STATE_BELOW), WINDOW_BELOW },
        { A(_NET_WM_STATE_DEMANDS_ATTENTION), WINDOW_ATTENTION },
        { A(_NET_WM_STATE_SHADED), WINDOW_SHADED },
    };
    uint32_t atoms[STATES_MAX];
    size_t count = x11_answer_longs(desktop, cookie, atoms, STATES_MAX);
    unsigned states = 0, wide = 0;

    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < countof(known); k++)
            states |= atoms[i] == known[k].atom ? known[k].state : 0;
        wide |= atoms[i] == A(_NET_WM_STATE_MAXIMIZED_VERT) ? 1 : 0;
        wide |= atoms[i] == A(_NET_WM_STATE_MAXIMIZED_HORZ) ? 2 : 0;
    }
    if ((states & WINDOW_SHADED) && (states & WINDOW_MINIMIZED))
        states &= ~(unsigned)WINDOW_MINIMIZED; /* a shaded window is HIDDEN too */
    return wide == 3 ? states | WINDOW_MAXIMIZED : states;
}

static enum window_kind take_kind(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie)
{
    const struct {
        Atom atom;
        enum window_kind kind;
    } known[] = {
        { A(_NET_WM_WINDOW_TYPE_DIALOG), WINDOW_DIALOG },
        { A(_NET_WM_WINDOW_TYPE_UTILITY), WINDOW_UTILITY },
        { A(_NET_WM_WINDOW_TYPE_TOOLBAR), WINDOW_UTILITY },
        { A(_NET_WM_WINDOW_TYPE_MENU), WINDOW_UTILITY },
        { A(_NET_WM_WINDOW_TYPE_SPLASH), WINDOW_UTILITY },
        { A(_NET_WM_WINDOW_TYPE_DOCK), WINDOW_PANEL },
        { A(_NET_WM_WINDOW_TYPE_DESKTOP), WINDOW_PANEL },
        { A(_NET_WM_WINDOW_TYPE_DROPDOWN_MENU), WINDOW_POPUP },
        { A(_NET_WM_WINDOW_TYPE_POPUP_MENU), WINDOW_POPUP },
        { A(_NET_WM_WINDOW_TYPE_TOOLTIP), WINDOW_POPUP },
        { A(_NET_WM_WINDOW_TYPE_NOTIFICATION), WINDOW_POPUP },
        { A(_NET_WM_WINDOW_TYPE_COMBO), WINDOW_POPUP },
        { A(_NET_WM_WINDOW_TYPE_DND), WINDOW_POPUP },
    };
    uint32_t types[8];
    size_t count = x11_answer_longs(desktop, cookie, types, 8);

    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < countof(known); k++) {
            if (types[i] == known[k].atom)
                return known[k].kind;
        }
    }
    return WINDOW_NORMAL;
}

/* WM_CLASS is two strings, each ended by NUL. */
static void take_class(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie,
                       struct window_info *out)
{
    xcb_get_property_reply_t *reply = xcb_get_property_reply(desktop->xcb, cookie, NULL);
    const char *text = reply ? xcb_get_property_value(reply) : "";
    size_t len = reply ? (size_t)xcb_get_property_value_length(reply) : 0;
    const char *nul = len ? memchr(text, '\0', len) : NULL;
    size_t first = nul ? (size_t)(nul - text) : len;
    size_t rest = len > first + 1 ? len - first - 1 : 0;

    out->instance = mem_strndup(text, first);
    out->app = rest ? mem_strndup(text + first + 1, strnlen(text + first + 1, rest))
                    : mem_strdup(out->instance);
    free(reply);
}

static void take_title(struct x11_desktop *desktop, const struct inquiry *in,
                       struct window_info *out)
{
    bool cut = false, old_cut = false;
    char *old;

    out->title = x11_answer_text(desktop, in->name, WINDOW_TITLE_MAX, &cut);
    old = x11_answer_text(desktop, in->old_name, WINDOW_TITLE_MAX, &old_cut);
    if (out->title) {
        free(old);
    } else {
        out->title = old ? old : mem_strdup("");
        cut = old_cut;
    }
    out->title_cut = cut;
}

/* Content and frame. An application that draws its own frame counts the shadow to its window
 * (_GTK_FRAME_EXTENTS); one that does not gets a frame around it. */
static bool take_geometry(struct x11_desktop *desktop, const struct inquiry *in,
                          struct window_info *out)
{
    xcb_get_geometry_reply_t *size = xcb_get_geometry_reply(desktop->xcb, in->geometry, NULL);
    xcb_translate_coordinates_reply_t *place =
        xcb_translate_coordinates_reply(desktop->xcb, in->place, NULL);
    uint32_t frame[4] = { 0 }, shadow[4] = { 0 };
    bool ok = size && place;

    x11_answer_longs(desktop, in->frame, frame, 4);
    if (x11_answer_longs(desktop, in->shadow, shadow, 4) < 4)
        memset(shadow, 0, sizeof shadow);
    if (ok) {
        struct point at = x11_from_root(desktop, place->dst_x, place->dst_y);

        out->content = (struct rect){ at.x + shadow[0], at.y + shadow[2],
                                      (double)size->width - shadow[0] - shadow[1],
                                      (double)size->height - shadow[2] - shadow[3] };
        out->frame = (struct rect){ out->content.x - frame[0], out->content.y - frame[2],
                                    out->content.width + frame[0] + frame[1],
                                    out->content.height + frame[2] + frame[3] };
    }
    free(size);
    free(place);
    return ok;
}

/* Of a program that does not say (_NET_WM_PID), the server knows who is connected. */
static int owner_pid(struct x11_desktop *desktop, Window window)
{
    xcb_res_client_id_spec_t spec = { .client = (uint32_t)window,
                                      .mask = XCB_RES_CLIENT_ID_MASK_LOCAL_CLIENT_PID };
    xcb_res_query_client_ids_reply_t *reply = NULL;
    int pid = 0;

    if (desktop->has_resource)
        reply = xcb_res_query_client_ids_reply(
            desktop->xcb, xcb_res_query_client_ids(desktop->xcb, 1, &spec), NULL);
    if (reply) {
        xcb_res_client_id_value_iterator_t at = xcb_res_query_client_ids_ids_iterator(reply);

        for (; at.rem && !pid; xcb_res_client_id_value_next(&at)) {
            if (xcb_res_client_id_value_value_length(at.data) > 0)
                pid = (int)*xcb_res_client_id_value_value(at.data);
        }
    }
    free(reply);
    return pid;
}

static bool is_visible(struct x11_desktop *desktop, const struct view *view,
                       const struct rect *frame)
{
    struct point at = x11_to_root(desktop, (struct point){ frame->x, frame->y });

    return at.x < view->width && at.y < view->height && at.x + frame->width > 0 &&
           at.y + frame->height > 0;
}

/* Takes all answers, whatever they are. False: the window is gone, or is none of the kind. */
static bool conclude(struct x11_desktop *desktop, const struct view *view, const struct inquiry *in,
                     struct window_info *out, bool *unmanaged)
{
    xcb_get_window_attributes_reply_t *attributes;
    uint32_t value[2] = { 0 };
    bool ok;

    *out = (struct window_info){ .ref.id = in->window, .workspace = -1 };
    take_title(desktop, in, out);
    take_class(desktop, in->class, out);
    if (x11_answer_longs(desktop, in->pid, value, 1))
        out->ref.pid = (int)value[0];
    else
        out->ref.pid = owner_pid(desktop, in->window);
    out->ref.started = proc_started(out->ref.pid, NULL);
    out->state = take_states(desktop, in->state);
    ok = take_geometry(desktop, in, out);
    if (x11_answer_longs(desktop, in->desktop, value, 1) && value[0] != 0xffffffffu)
        out->workspace = (int)value[0];
    out->kind = take_kind(desktop, in->type);
    if (x11_answer_longs(desktop, in->parent, value, 1) && value[0] != desktop->root)
        out->parent = value[0];
    if (out->parent && out->kind == WINDOW_NORMAL)
        out->kind = WINDOW_DIALOG;
    *unmanaged = x11_answer_longs(desktop, in->wm_state, value, 2) == 0;
    if (!*unmanaged && value[0] == IconicState && !(out->state & WINDOW_SHADED) &&
        (out->workspace < 0 || out->workspace == (int)view->workspace))
        out->state |= WINDOW_MINIMIZED;
    attributes = xcb_get_window_attributes_reply(desktop->xcb, in->attributes, NULL);
    ok = ok && attributes;
    if (ok) {
        bool mapped = attributes->map_state == XCB_MAP_STATE_VIEWABLE;

        if (!mapped && out->workspace >= 0 && out->workspace != (int)view->workspace)
            out->state |= WINDOW_HIDDEN;
        out->on_screen = mapped && is_visible(desktop, view, &out->frame);
        *unmanaged = *unmanaged && attributes->override_redirect;
        if (*unmanaged)
            out->kind = WINDOW_POPUP;
    }
    free(attributes);
    out->focused = view->active == in->window;
    return ok;
}

/* --- the list --------------------------------------------------------------------- */

static struct view look(struct x11_desktop *desktop)
{
    return (struct view){
        .active = x11_focused(desktop),
        .workspace = x11_read_long(desktop, desktop->root, A(_NET_CURRENT_DESKTOP)),
        .width = DisplayWidth(desktop->display, desktop->screen),
        .height = DisplayHeight(desktop->display, desktop->screen),
    };
}

/* What stands directly on the root window, bottom first; the caller frees. */
static uint32_t *root_children(struct x11_desktop *desktop, size_t *count)
{
    xcb_query_tree_reply_t *tree = xcb_query_tree_reply(
        desktop->xcb, xcb_query_tree(desktop->xcb, (xcb_window_t)desktop->root), NULL);
    uint32_t *out = NULL;

    *count = tree ? (size_t)xcb_query_tree_children_length(tree) : 0;
    if (*count) {
        out = mem_alloc(*count * 4);
        memcpy(out, xcb_query_tree_children(tree), *count * 4);
    }
    free(tree);
    return out;
}

/* The managed windows, bottom first. Not every manager keeps the stacking list (xfwm4 with one
 * window), and some screens have no manager at all. */
static uint32_t *managed_windows(struct x11_desktop *desktop, size_t *count, bool *guess)
{
    uint32_t *list = x11_read_longs(desktop, desktop->root, A(_NET_CLIENT_LIST_STACKING), count);

    *guess = false;
    if (!list)
        list = x11_read_longs(desktop, desktop->root, A(_NET_CLIENT_LIST), count);
    if (!list && !x11_read_long(desktop, desktop->root, A(_NET_SUPPORTING_WM_CHECK))) {
        *guess = true;
        list = root_children(desktop, count);
    }
    return list;
}

static bool wanted(const struct window_query *query, const struct window_info *info, bool unmanaged,
                   bool popups)
{
    if (query && query->pid && info->ref.pid != query->pid)
        return false;
    if (popups) /* of what is not managed, only what the user sees and somebody owns */
        return unmanaged && info->on_screen && (info->ref.pid || info->app[0]);
    if (unmanaged || (!info->on_screen && !info->state && !info->app[0] && !info->title[0]))
        return false;
    return (query && query->all_kinds) ||
           (info->kind != WINDOW_PANEL && info->kind != WINDOW_POPUP);
}

/* Adds those of the ids that are wanted, last (frontmost) first. */
static void add_windows(struct x11_desktop *desktop, const struct view *view, const uint32_t *ids,
                        size_t count, const struct window_query *query, bool popups,
                        struct window_list *out)
{
    struct inquiry *inquiries = mem_alloc(sizeof *inquiries * (count + 1));

    for (size_t i = 0; i < count; i++)
        inquire(desktop, ids[i], &inquiries[i]);
    out->items = mem_resize(out->items, sizeof *out->items * (out->count + count + 1));
    for (size_t i = count; i-- > 0;) {
        struct window_info *info = &out->items[out->count];
        bool unmanaged;

        if (conclude(desktop, view, &inquiries[i], info, &unmanaged) &&
            wanted(query, info, unmanaged, popups))
            info->order = (int)out->count++;
        else
            window_info_free(info);
    }
    free(inquiries);
}

bool x11_window_list(struct x11_desktop *desktop, const struct window_query *query,
                     struct window_list *out, struct error *err)
{
    struct view view = look(desktop);
    size_t count, child_count = 0;
    uint32_t *ids, *children = NULL;
    bool guess;

    ids = managed_windows(desktop, &count, &guess);
    if (query && query->all_kinds) {
        children = root_children(desktop, &child_count);
        add_windows(desktop, &view, children, child_count, query, true, out);
    }
    add_windows(desktop, &view, ids, count, query, false, out);
    free(children);
    free(ids);
    if (desktop->dead || xcb_connection_has_error(desktop->xcb)) {
        window_list_free(out);
        return x11_lost(desktop, err);
    }
    return true;
}

static bool not_found(const struct window_ref *ref, struct error *err)
{
    return error_set(err, "window_not_found",
                     "window %llu no longer exists or belongs to another process now. List the "
                     "windows again",
                     (unsigned long long)ref->id);
}

/* Its place in the stack, 0 in front. */
static int find_order(struct x11_desktop *desktop, Window window)
{
    size_t count;
    uint32_t *ids = x11_read_longs(desktop, desktop->root, A(_NET_CLIENT_LIST_STACKING), &count);
    int order = 0;

    for (size_t i = 0; i < count; i++) {
        if (ids[i] == window)
            order = (int)(count - i - 1);
    }
    free(ids);
    return order;
}

bool x11_window_info(struct x11_desktop *desktop, const struct window_ref *ref,
                     struct window_info *out, struct error *err)
{
    struct view view = look(desktop);
    struct inquiry inquiry;
    bool unmanaged, ok;

    if (!ref->id || ref->id > UINT32_MAX || ref->id == desktop->root) {
        *out = (struct window_info){ 0 };
        return not_found(ref, err);
    }
    inquire(desktop, (Window)ref->id, &inquiry);
    ok = conclude(desktop, &view, &inquiry, out, &unmanaged);
    if (desktop->dead || xcb_connection_has_error(desktop->xcb)) {
        window_info_free(out);
        return x11_lost(desktop, err);
    }
    if (!ok || (ref->pid && out->ref.pid != ref->pid) ||
        (ref->started && out->ref.started != ref->started)) {
        window_info_free(out);
        return not_found(ref, err);
    }
    out->order = find_order(desktop, (Window)ref->id);
    return true;
}

/* --- the frame that a window manager puts around it --------------------------------- */

Window x11_outermost(struct x11_desktop *desktop, Window window)
{
    for (int depth = 0; depth < 16; depth++) {
        xcb_query_tree_reply_t *tree = xcb_query_tree_reply(
            desktop->xcb, xcb_query_tree(desktop->xcb, (xcb_window_t)window), NULL);
        Window parent = tree ? tree->parent : None;

        free(tree);
        if (parent == None || parent == desktop->root)
            break;
        window = parent;
    }
    return window;
}

/* Openbox minimizes by folding the frame to its title bar and letting that glide to the taskbar
 * (150 ms), and restores the other way round; the window inside goes along. */
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
    return x11_begin(desktop, deadline, err) && x11_window_info(desktop, ref, out, err);
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

const struct window_ops x11_window_ops = { windows_list, windows_get, windows_act };
