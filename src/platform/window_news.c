#include "platform/window_news.h"

enum { LOOK_AGAIN_MS = 50 }; /* for a backend that cannot report changes */

/* --- differences -------------------------------------------------------------------------- */

/* True if it is the same process, as far as that is known of both. */
static bool is_same(const struct window_info *one, const struct window_info *other)
{
    const struct window_ref *a = &one->ref, *b = &other->ref;

    return a->id == b->id && a->pid == b->pid &&
           (a->started == b->started || !a->started || !b->started);
}

static const struct window_info *find_same(const struct window_list *list,
                                           const struct window_info *wanted)
{
    for (size_t i = 0; i < list->count; i++)
        if (is_same(&list->items[i], wanted))
            return &list->items[i];
    return NULL;
}

static void tell(window_news_hook *hook, void *arg, enum window_event what,
                 const struct window_info *was, const struct window_info *now)
{
    hook(arg, &(struct window_news){ what, was, now });
}

void window_compare(const struct window_info *was, const struct window_info *now,
                    window_news_hook *hook, void *arg)
{
    if (strcmp(was->title, now->title) != 0)
        tell(hook, arg, WINDOW_TITLED, was, now);
    if (was->state != now->state || was->workspace != now->workspace)
        tell(hook, arg, WINDOW_CHANGED, was, now);
    if (!rect_same(was->frame, now->frame))
        tell(hook, arg, WINDOW_MOVED, was, now);
    if (was->kind != now->kind || was->parent != now->parent || was->order != now->order ||
        was->on_screen != now->on_screen)
        tell(hook, arg, WINDOW_SHIFTED, was, now);
}

void windows_compare(const struct window_list *before, const struct window_list *after,
                     window_news_hook *hook, void *arg)
{
    const struct window_info *had = window_list_focused(before);
    const struct window_info *has = window_list_focused(after);

    for (size_t i = 0; i < before->count; i++)
        if (!find_same(after, &before->items[i]))
            tell(hook, arg, WINDOW_CLOSED, &before->items[i], NULL);
    for (size_t i = after->count; i-- > 0;) {
        const struct window_info *now = &after->items[i], *was = find_same(before, now);

        if (was)
            window_compare(was, now, hook, arg);
        else
            tell(hook, arg, WINDOW_OPENED, NULL, now);
    }
    if (had && has ? !is_same(had, has) : had != has)
        tell(hook, arg, WINDOW_FOCUSED, had, has);
}

/* --- waiting ------------------------------------------------------------------------------ */

static void note_news(void *arg, const struct window_news *news)
{
    (void)news;
    *(bool *)arg = true;
}

/* Waits until something may have changed, and not beyond `until`. */
static bool await_news(const struct platform_ops *ops, struct desktop *desktop,
                       struct deadline *deadline, const struct window_list *list, uint64_t until,
                       struct error *err)
{
    uint64_t soon = deadline_now() + LOOK_AGAIN_MS;

    if (ops->windows->await)
        return ops->windows->await(desktop, deadline, list, until, err);
    return deadline_wait(deadline, -1, soon < until ? soon : until, err);
}

bool window_news_wait(const struct platform_ops *ops, struct desktop *desktop,
                      struct deadline *deadline, uint64_t until, const struct window_list *known,
                      struct window_list *out, bool *changed, struct error *err)
{
    struct window_query query = { .all_kinds = true };
    bool listening = false;

    for (;; listening = true) {
        *changed = !known;
        if (!ops->windows->list(desktop, deadline, &query, out, err))
            return false;
        if (known)
            windows_compare(known, out, note_news, changed);
        if (*changed || deadline_now() >= until)
            return true;
        /* the first wait only begins to listen */
        if (!await_news(ops, desktop, deadline, out, listening ? until : deadline_now(), err)) {
            window_list_free(out);
            return false;
        }
        window_list_free(out);
    }
}
