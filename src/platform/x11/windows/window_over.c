/* The window that a click reaches: the server knows it, with the shapes of windows and with windows
 * that no list has. Only the description of the window comes from the list. */
#include <math.h>

#include "platform/x11/windows/focus.h"
#include "platform/x11/windows/popup.h"
#include "platform/x11/windows/stack.h"
#include "platform/x11/windows/windows.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/displays.h"

enum { DEPTH_MAX = 16 };

/* The windows at a point, from the one on the root window to the innermost. */
struct path {
    Window ids[DEPTH_MAX];
    size_t count;
};

static void find_path(struct x11_desktop *desktop, struct point root, struct path *out)
{
    Window at = desktop->root, child;
    int x, y;

    *out = (struct path){ 0 };
    x11_trap(desktop); /* one of the windows may go meanwhile */
    while (out->count < DEPTH_MAX &&
           XTranslateCoordinates(desktop->display, desktop->root, at, (int)floor(root.x),
                                 (int)floor(root.y), &x, &y, &child) &&
           child) {
        out->ids[out->count++] = child;
        at = child;
    }
}

static bool is_on(const struct path *path, Window window)
{
    for (size_t i = 0; i < path->count; i++) {
        if (path->ids[i] == window)
            return true;
    }
    return false;
}

/* True if `one` lies below: it shows through a hole in the window's shape. */
static bool lies_below(struct x11_desktop *desktop, Window one, Window other)
{
    struct stack stack;
    bool below;

    stack_answer(desktop, stack_ask(desktop), &stack);
    below = stack_place(&stack, one) < stack_place(&stack, other);
    stack_free(&stack);
    return below;
}

static struct window_info *find_on_path(const struct window_list *list, const struct path *path)
{
    for (size_t i = 0; i < list->count; i++) {
        if (is_on(path, (Window)list->items[i].ref.id))
            return &list->items[i];
    }
    return NULL;
}

/* The listed window of a frame, because a click on a frame is for the window in it. */
static struct window_info *find_framed(struct x11_desktop *desktop, const struct window_list *list,
                                       Window frame)
{
    for (size_t i = 0; i < list->count; i++) {
        if (x11_outermost(desktop, (Window)list->items[i].ref.id) == frame)
            return &list->items[i];
    }
    return NULL;
}

static int pid_of(const struct window_list *list, uint64_t id)
{
    const struct window_info *info = window_list_find(list, id);

    return info ? info->ref.pid : 0;
}

/* Takes the window on the path out of the list; if no window there is listed, reads its facts. */
static bool describe_window(struct x11_desktop *desktop, const struct window_ref *ref,
                            struct window_list *list, const struct path *path,
                            struct window_over *out, struct error *err)
{
    struct window_info *listed = find_on_path(list, path);
    struct window_ref top = { .id = path->ids[0] };
    int pid = ref->pid ? ref->pid : pid_of(list, ref->id);

    if (!listed)
        listed = find_framed(desktop, list, path->ids[0]);
    if (listed) {
        out->info = *listed;
        *listed = (struct window_info){ 0 };
    } else if (!x11_window_info(desktop, &top, &out->info, err)) {
        return false;
    }
    out->found = true;
    out->own = out->info.kind == WINDOW_POPUP &&
               ((pid && out->info.ref.pid == pid) ||
                x11_client_of(desktop, path->ids[0]) == x11_client_of(desktop, (Window)ref->id));
    return true;
}

bool x11_window_over(struct x11_desktop *desktop, const struct window_ref *ref, struct point at,
                     struct window_over *out, struct error *err)
{
    struct window_query query = { .all_kinds = true };
    struct window_list list = { 0 };
    struct path path;
    Window window = (Window)ref->id, outer;
    bool ok;

    find_path(desktop, x11_to_root(desktop, at), &path);
    if (!path.count || is_on(&path, window))
        return true;
    outer = x11_outermost(desktop, window);
    if (path.ids[0] != outer && lies_below(desktop, path.ids[0], outer))
        return true;
    if (popup_is_tooltip(desktop, path.ids[0])) /* it goes when the pointer comes */
        return true;
    if (!x11_window_list(desktop, &query, &list, err))
        return false;
    ok = (path.ids[0] == outer && !find_on_path(&list, &path)) || /* its frame, with no other tab */
         describe_window(desktop, ref, &list, &path, out, err);
    window_list_free(&list);
    return ok;
}
