#include "platform/window_over.h"

/* Finds the window by the frames. Popups are left out: on a Mac the system has some that cover all
 * and let clicks through. */
static bool by_frames(const struct platform_ops *ops, struct desktop *desktop,
                      struct deadline *deadline, const struct window_ref *ref, struct point at,
                      struct window_over *out, struct error *err)
{
    struct window_query query = { 0 };
    struct window_list list = { 0 };

    if (!ops->windows->list(desktop, deadline, &query, &list, err))
        return false;
    for (size_t i = 0; i < list.count && list.items[i].ref.id != ref->id; i++) {
        if (!list.items[i].on_screen || !rect_has(&list.items[i].frame, at))
            continue;
        *out = (struct window_over){ .found = true, .info = list.items[i] };
        list.items[i] = (struct window_info){ 0 };
        break;
    }
    window_list_free(&list);
    return true;
}

bool window_over(const struct platform_ops *ops, struct desktop *desktop, struct deadline *deadline,
                 const struct window_ref *ref, struct point at, struct window_over *out,
                 struct error *err)
{
    *out = (struct window_over){ 0 };
    return ops->windows->over ? ops->windows->over(desktop, deadline, ref, at, out, err)
                              : by_frames(ops, desktop, deadline, ref, at, out, err);
}
