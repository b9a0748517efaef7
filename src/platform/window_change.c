/* Lists the windows, sums the list up, and looks again when the backend reports a change. */
#include "platform/window_change.h"

enum { LOOK_AGAIN_MS = 50 }; /* for a backend that cannot report changes */

static uint64_t mix(uint64_t sum, uint64_t value)
{
    sum = (sum ^ value) * 0x9E3779B97F4A7C15u;
    return sum ^ sum >> 32;
}

static uint64_t mix_number(uint64_t sum, double number)
{
    uint64_t bits;

    memcpy(&bits, &number, sizeof bits);
    return mix(sum, bits);
}

static uint64_t mix_text(uint64_t sum, const char *text)
{
    for (; *text; text++)
        sum = mix(sum, (unsigned char)*text);
    return mix(sum, 0);
}

static uint64_t mix_window(uint64_t sum, const struct window_info *window)
{
    sum = mix(sum, window->ref.id);
    sum = mix(sum, (uint64_t)window->ref.pid);
    sum = mix(sum, window->parent);
    sum = mix(sum, window->state);
    sum = mix(sum, (uint64_t)window->kind);
    sum = mix(sum, (uint64_t)(int64_t)window->workspace);
    sum = mix(sum, (window->focused ? 1u : 0) | (window->on_screen ? 2u : 0));
    sum = mix_number(sum, window->frame.x);
    sum = mix_number(sum, window->frame.y);
    sum = mix_number(sum, window->frame.width);
    sum = mix_number(sum, window->frame.height);
    return mix_text(sum, window->title);
}

static uint64_t mark_of(const struct window_list *list)
{
    uint64_t sum = 0xCBF29CE484222325u;

    for (size_t i = 0; i < list->count; i++)
        sum = mix_window(sum, &list->items[i]);
    return sum ? sum : 1;
}

/* Waits until something may have changed, and not beyond `until`. */
static bool await_change(const struct platform_ops *ops, struct desktop *desktop,
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
        if (now == *mark && deadline_now() < until) /* the first wait only begins to listen */
            ok = await_change(ops, desktop, deadline, &list, listening ? until : deadline_now(),
                              err);
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
