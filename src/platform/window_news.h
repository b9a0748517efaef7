/* Changes of the windows: the differences between two lists of them, and the wait for one. Events,
 * effects of input and observations all are such differences. */
#ifndef PERIGEE_PLATFORM_WINDOW_NEWS_H
#define PERIGEE_PLATFORM_WINDOW_NEWS_H

#include "platform/platform.h"

struct window_news {
    enum window_event what;
    const struct window_info *was; /* NULL: OPENED; borrowed for the call, as `now` */
    const struct window_info *now; /* NULL: CLOSED, and FOCUSED if none has the keyboard any more */
};

typedef void window_news_hook(void *arg, const struct window_news *news);

/* Reports the windows that closed, in their order before; then, from the back to the front, those
 * that opened and each change of the others; and last where the keyboard is, if that is new. A
 * number that another process has now is another window. */
void windows_compare(const struct window_list *before, const struct window_list *after,
                     window_news_hook *hook, void *arg);
/* Reports the changes of one window, except for the keyboard. */
void window_compare(const struct window_info *was, const struct window_info *now,
                    window_news_hook *hook, void *arg);

/* Waits until the windows differ from the known ones in anything that windows_compare() reports
 * (NULL: returns at once), or until `until` of deadline_now(). Popups are included. False and err:
 * as window_ops.list(). */
bool window_news_wait(const struct platform_ops *ops, struct desktop *desktop,
                      struct deadline *deadline, uint64_t until, const struct window_list *known,
                      struct window_list *out, bool *changed, struct error *err);

#endif
