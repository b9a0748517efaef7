/* Lists the windows, sums the list up, and looks again when the backend says that something moved.
 */
#include "platform/window_change.h"

enum { LOOK_AGAIN_MS = 50 }; /* where the backend cannot tell */

static uint64_t mix(uint64_t sum, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;

    while (len--)
        sum = (sum ^ *at++) * 0x100000001B3u; /* FNV-1a */
    return sum;
}

static uint64_t mix_rect(uint64_t sum, const struct rect *rect)
{
    const double sides[] = { rect->x, rect->y, rect->width, rect->height };

    return mix(sum, sides, sizeof sides);
}

static uint64_t mark_of(const struct window_list *list)
{
    uint64_t sum = 0xCBF29CE484222325u;

    for (size_t i = 0; i < list->count; i++) {
        const struct window_info *window = &list->items[i];
        const uint64_t numbers[] = { window->ref.id,  (uint64_t)window->ref.pid,
                                     window->state,   (uint64_t)window->workspace,
                                     window->focused, window->on_screen,
                                     window->parent,  window->kind };

        sum = mix(sum, numbers, sizeof numbers);
        sum = mix(sum, window->title, strlen(window->title) + 1);
        sum = mix_rect(sum, &window->frame);
    }
    return sum ? sum : 1;
}

/* Until something may have changed, and not beyond `until`. */
static bool await(const struct platform_ops *ops, struct desktop *desktop,
                  struct deadline *deadline, const struct window_list *list, uint64_t until,
                  struct error *err)
{
    uint64_t soon = deadline_now() + LOOK_AGAIN_MS;

    if (ops->windows->await)
        return ops->windows->await(desktop, deadline, list, until, err);
    return deadline_wait(deadline, -1, soon < until ? soon : until, err);
}

bool window_change_wait(const struct platform_ops *ops, struct desktop *desktop,
                        struct deadline *deadline, uint64_t until, uint64_t *mark,
                        struct error *err)
{
    struct window_query query = { .all_kinds = true };
    bool listening = false, ok = true;

    for (;;) {
        struct window_list list = { 0 };
        uint64_t now;

        if (!ops->windows->list(desktop, deadline, &query, &list, err))
            return false;
        now = mark_of(&list);
        if (now == *mark && deadline_now() < until) /* the first time it only begins to listen */
            ok = await(ops, desktop, deadline, &list, listening ? until : deadline_now(), err);
        window_list_free(&list);
        if (!ok)
            return false;
        if (now != *mark || deadline_now() >= until) {
            *mark = now;
            return true;
        }
        listening = true;
    }
}
