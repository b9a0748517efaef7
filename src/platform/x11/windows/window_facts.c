/* The facts about windows, asked for all windows at once.
 *
 * All requests for all windows are sent before the first answer is read, so fifty windows cost one
 * round trip and not five hundred; the frames cost one more. */
#include "platform/x11/windows/window_facts.h"

#include <math.h>
#include <stdlib.h>

#include "platform/freedesktop/proc.h"
#include "platform/x11/wire/displays.h"
#include "platform/x11/wire/property.h"

enum { STATES_MAX = 32, CLASS_MAX = 256, MARGIN_MAX = 4096, WORKSPACE_MAX = 1 << 16 };

void window_inquire(struct x11_desktop *desktop, Window window, struct inquiry *in)
{
    xcb_window_t id = (xcb_window_t)window;

    *in = (struct inquiry){ .window = window, .outer = window };
    in->name = x11_ask(desktop, window, A(_NET_WM_NAME), WINDOW_TITLE_MAX / 4 + 1);
    in->old_name = x11_ask(desktop, window, XCB_ATOM_WM_NAME, WINDOW_TITLE_MAX / 4 + 1);
    in->class = x11_ask(desktop, window, XCB_ATOM_WM_CLASS, CLASS_MAX / 4);
    in->state = x11_ask(desktop, window, A(_NET_WM_STATE), STATES_MAX);
    in->frame = x11_ask(desktop, window, A(_NET_FRAME_EXTENTS), 4);
    in->shadow = x11_ask(desktop, window, A(_GTK_FRAME_EXTENTS), 4);
    in->desktop = x11_ask(desktop, window, A(_NET_WM_DESKTOP), 1);
    in->type = x11_ask(desktop, window, A(_NET_WM_WINDOW_TYPE), 8);
    in->transient_for = x11_ask(desktop, window, XCB_ATOM_WM_TRANSIENT_FOR, 1);
    in->wm_state = x11_ask(desktop, window, A(WM_STATE), 2);
    in->geometry = xcb_get_geometry(desktop->xcb, id);
    in->place = xcb_translate_coordinates(desktop->xcb, id, (xcb_window_t)desktop->root, 0, 0);
    in->tree = xcb_query_tree(desktop->xcb, id);
    in->attributes = xcb_get_window_attributes(desktop->xcb, id);
    in->owner = x11_ask_owner(desktop, window);
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
        states &= ~(unsigned)WINDOW_MINIMIZED; /* a shaded window is HIDDEN as well */
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

/* Takes WM_CLASS, which is two strings, each ended by NUL. */
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

bool window_answer_margins(struct x11_desktop *desktop, xcb_get_property_cookie_t cookie,
                           uint32_t out[4])
{
    bool whole = x11_answer_longs(desktop, cookie, out, 4) == 4;

    for (size_t i = 0; i < 4; i++)
        whole = whole && out[i] <= MARGIN_MAX;
    if (!whole)
        memset(out, 0, 4 * sizeof *out);
    return whole;
}

/* Takes the content, and the frame that the manager reports. An application that draws its own
 * frame counts the shadow to its window (_GTK_FRAME_EXTENTS); any other gets a frame around its
 * window. */
static bool take_geometry(struct x11_desktop *desktop, struct inquiry *in)
{
    xcb_get_geometry_reply_t *size = xcb_get_geometry_reply(desktop->xcb, in->geometry, NULL);
    xcb_translate_coordinates_reply_t *place =
        xcb_translate_coordinates_reply(desktop->xcb, in->place, NULL);
    struct window_info *out = &in->info;
    uint32_t frame[4], shadow[4];
    bool ok = size && place;

    in->framed = window_answer_margins(desktop, in->frame, frame);
    window_answer_margins(desktop, in->shadow, shadow);
    if (ok && (shadow[0] + shadow[1] >= size->width || shadow[2] + shadow[3] >= size->height))
        memset(shadow, 0, sizeof shadow);
    if (ok) {
        struct point at = x11_from_root(desktop, place->dst_x, place->dst_y);

        in->border = size->border_width;
        out->whole = (struct rect){ at.x, at.y, size->width, size->height };
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

static bool is_visible(struct x11_desktop *desktop, const struct view *view,
                       const struct rect *frame)
{
    struct point at = x11_to_root(desktop, (struct point){ frame->x, frame->y });

    return at.x < view->width && at.y < view->height && at.x + frame->width > 0 &&
           at.y + frame->height > 0;
}

/* Takes all answers about one window, even if it is gone. */
static void take_answers(struct x11_desktop *desktop, const struct view *view, struct inquiry *in)
{
    xcb_get_window_attributes_reply_t *attributes;
    xcb_query_tree_reply_t *tree;
    struct window_info *out = &in->info;
    uint32_t value[2] = { 0 };

    *out = (struct window_info){ .ref.id = in->window, .workspace = -1 };
    take_title(desktop, in, out);
    take_class(desktop, in->class, out);
    out->ref.pid = x11_answer_owner(desktop, &in->owner);
    out->state = take_states(desktop, in->state);
    in->there = take_geometry(desktop, in);
    if (x11_answer_longs(desktop, in->desktop, value, 1) && value[0] < WORKSPACE_MAX)
        out->workspace = (int)value[0];
    out->kind = take_kind(desktop, in->type);
    if (x11_answer_longs(desktop, in->transient_for, value, 1) && value[0] != desktop->root)
        out->parent = value[0];
    if (out->parent && out->kind == WINDOW_NORMAL)
        out->kind = WINDOW_DIALOG;
    in->marked = x11_answer_longs(desktop, in->wm_state, value, 2) > 0;
    in->iconic = in->marked && value[0] == IconicState && !(out->state & WINDOW_SHADED);
    if (in->iconic && (out->workspace < 0 || out->workspace == (int)view->workspace))
        out->state |= WINDOW_MINIMIZED;
    tree = xcb_query_tree_reply(desktop->xcb, in->tree, NULL);
    in->parent = tree ? tree->parent : None;
    free(tree);
    attributes = xcb_get_window_attributes_reply(desktop->xcb, in->attributes, NULL);
    in->there = in->there && attributes;
    in->mapped = attributes && attributes->map_state == XCB_MAP_STATE_VIEWABLE;
    in->unseen = attributes && attributes->_class == XCB_WINDOW_CLASS_INPUT_ONLY;
    in->unmanaged = !in->marked && (!attributes || attributes->override_redirect);
    free(attributes);
    out->focused = view->active == in->window;
}

/* The start time of the process of in[at]; many windows are of few processes. */
static uint64_t started_of(const struct inquiry *in, size_t at)
{
    int pid = in[at].info.ref.pid;

    for (size_t i = 0; i < at; i++) {
        if (in[i].info.ref.pid == pid)
            return in[i].info.ref.started;
    }
    return proc_started(pid, NULL);
}

/* --- the frame around it ------------------------------------------------------------- */

/* Goes up to the window that is directly on the root window; most frames are one level above
 * theirs. */
static void find_outer(struct x11_desktop *desktop, const struct view *view, struct inquiry *in,
                       size_t count)
{
    bool more = true;

    for (int depth = 0; depth < 16 && more; depth++) {
        more = false;
        for (size_t i = 0; i < count; i++) {
            if (!in[i].parent || in[i].parent == desktop->root)
                continue;
            in[i].outer = in[i].parent;
            if (stack_place(&view->stack, in[i].outer) >= 0) {
                in[i].parent = desktop->root;
                continue;
            }
            in[i].tree = xcb_query_tree(desktop->xcb, (xcb_window_t)in[i].outer);
            more = true;
        }
        for (size_t i = 0; i < count; i++) {
            xcb_query_tree_reply_t *tree;

            if (!in[i].parent || in[i].parent == desktop->root)
                continue;
            tree = xcb_query_tree_reply(desktop->xcb, in[i].tree, NULL);
            in[i].parent = tree ? tree->parent : None;
            free(tree);
        }
    }
}

static bool rect_holds(const struct rect *outer, const struct rect *inner)
{
    return outer->x <= inner->x && outer->y <= inner->y &&
           outer->x + outer->width >= inner->x + inner->width &&
           outer->y + outer->height >= inner->y + inner->height;
}

/* The manager's word about its frame (_NET_FRAME_EXTENTS) may be late or wrong, so it is cut to the
 * frame that the server has. A frame may be larger than its visible part (a border to take hold
 * of), and smaller than its window while it is rolled up. */
static void take_outer(struct x11_desktop *desktop, struct inquiry *in)
{
    xcb_get_geometry_reply_t *size = xcb_get_geometry_reply(desktop->xcb, in->outer_geometry, NULL);
    struct window_info *out = &in->info;

    if (size) {
        struct point at = x11_from_root(desktop, size->x, size->y);
        struct rect whole = { at.x, at.y, size->width + 2.0 * size->border_width,
                              size->height + 2.0 * size->border_width };

        if (rect_holds(&whole, &out->content))
            out->frame = in->framed ? rect_cut(out->frame, whole) : whole;
    }
    free(size);
}

static void find_frames(struct x11_desktop *desktop, struct inquiry *in, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (in[i].there && in[i].outer != in[i].window)
            in[i].outer_geometry = xcb_get_geometry(desktop->xcb, (xcb_window_t)in[i].outer);
    for (size_t i = 0; i < count; i++) {
        struct rect *frame = &in[i].info.frame;

        if (in[i].there && in[i].outer != in[i].window)
            take_outer(desktop, &in[i]);
        else if (!in[i].framed)
            *frame = (struct rect){ frame->x - in[i].border, frame->y - in[i].border,
                                    frame->width + 2.0 * in[i].border,
                                    frame->height + 2.0 * in[i].border };
    }
}

/* A manager that composes the screen keeps windows mapped that it does not show (mutter). */
static void tell_shown(struct x11_desktop *desktop, const struct view *view, struct inquiry *in)
{
    struct window_info *out = &in->info;

    if ((!in->mapped || in->iconic) && out->workspace >= 0 &&
        out->workspace != (int)view->workspace)
        out->state |= WINDOW_HIDDEN;
    out->on_screen = in->mapped && !in->unseen &&
                     !(out->state & (WINDOW_MINIMIZED | WINDOW_HIDDEN)) &&
                     is_visible(desktop, view, &out->frame);
    if (in->unmanaged)
        out->kind = WINDOW_POPUP;
}

void window_conclude(struct x11_desktop *desktop, const struct view *view, struct inquiry *in,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        take_answers(desktop, view, &in[i]);
        in[i].info.ref.started = started_of(in, i);
    }
    find_outer(desktop, view, in, count);
    find_frames(desktop, in, count);
    for (size_t i = 0; i < count; i++)
        tell_shown(desktop, view, &in[i]);
}
