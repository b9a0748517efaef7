/* Elements on macOS: read over accessibility (ax/), and matched with the window server's windows.
 * Bounds need no mapping: AX has points of the desktop, as we have. */
#include "platform/macos/elements.h"

#include <stdio.h>
#include <stdlib.h>

#include "platform/macos/ax/act.h"
#include "platform/macos/ax/field.h"
#include "platform/macos/ax/ids.h"
#include "platform/macos/ax/listen.h"
#include "platform/macos/ax/node.h"
#include "platform/macos/ax/wake.h"
#include "platform/macos/ax/walk.h"
#include "platform/macos/connection.h"
#include "platform/macos/front.h"
#include "platform/macos/system/appkit.h"
#include "platform/macos/system/ax_windows.h"
#include "platform/macos/system/permission.h"
#include "platform/macos/system/process.h"
#include "platform/macos/windows.h"

/* Begins an operation: *ask is for its questions. */
static bool begin_asking(struct desktop *handle, struct deadline *deadline, struct ask *ask,
                         struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);

    *ask = (struct ask){ .deadline = deadline, .dead = &desktop->dead };
    return macos_begin(desktop, deadline, err) && permission_granted(PERMISSION_ACCESSIBILITY, err);
}

/* --- the window of an element ---------------------------------------------------------------- */

struct top {
    uint64_t id, window;
};

/* Finds the window without the window server's number: by the other facts, if only one window
 * fits. */
static uint64_t match_window(struct macos_desktop *desktop, struct ask *ask,
                             const struct ax_known *known)
{
    struct node_wish wish = { .bounds = true };
    struct ax_window window = { .element = known->element };
    struct ax_windows said = { &window, 1 };
    struct window_query query = { .pid = known->pid, .all_kinds = true };
    struct window_list list;
    struct node node;
    uint64_t found = 0;
    int count = 0;

    ask->pid = known->pid;
    if (node_read(ask, known->element, &wish, &node, NULL) != ANSWER_GIVEN)
        return 0;
    window.frame = node.frame;
    window.title = node.info.name;
    if (macos_window_list(desktop, &query, &list, NULL)) {
        for (size_t i = 0; i < list.count; i++) {
            if (ax_windows_match(&said, &list.items[i], NULL)) {
                found = list.items[i].ref.id;
                count++;
            }
        }
        window_list_free(&list);
    }
    node_free(&node);
    return count == 1 ? found : 0;
}

/* The number of an element's window. Sheets have the number of the window that they hang on, or
 * none. */
static uint64_t top_window_of(struct macos_desktop *desktop, struct ask *ask, uint64_t id)
{
    struct ax_known known;
    uint64_t window = 0;

    if (!ax_ids_look(id, &known))
        return 0;
    if (known.role != ELEMENT_MENU_BAR && known.role != ELEMENT_MENU)
        window = ax_number(known.element);
    if (!window && (known.role == ELEMENT_WINDOW || known.role == ELEMENT_DIALOG))
        window = match_window(desktop, ask, &known);
    ax_known_free(&known);
    return window;
}

static void put_windows(struct macos_desktop *desktop, struct ask *ask, struct element_tree *tree)
{
    struct top *tops = mem_zero((tree->count + 1) * sizeof *tops);
    size_t count = 0;

    for (size_t i = 0; i < tree->count; i++) {
        struct element_info *info = &tree->items[i];
        size_t at = 0;

        if (info->gone)
            continue;
        while (at < count && tops[at].id != info->window)
            at++;
        if (at == count)
            tops[count++] = (struct top){ info->window, top_window_of(desktop, ask, info->window) };
        info->window = tops[at].window;
    }
    free(tops);
}

static void keep_window_nodes(struct element_tree *tree, uint64_t window)
{
    size_t kept = 0;

    for (size_t i = 0; i < tree->count; i++) {
        if (tree->items[i].window == window)
            tree->items[kept++] = tree->items[i];
        else
            element_info_free(&tree->items[i]);
    }
    tree->count = kept;
}

/* --- the operations --------------------------------------------------------------------------- */

/* False if the process has ended; another one may have got its number since. */
static bool is_app_running(const struct element_query *query, struct error *err)
{
    if (!query->pid || !query->started || process_started(query->pid) == query->started)
        return true;
    return error_set(err, "app_not_found", "process %d has exited. List the applications again",
                     query->pid);
}

static bool elements_tree(struct desktop *handle, struct deadline *deadline,
                          const struct element_query *query, struct element_tree *out,
                          struct error *err)
{
    struct ask ask;

    *out = (struct element_tree){ 0 };
    if (!begin_asking(handle, deadline, &ask, err) || !is_app_running(query, err) ||
        !walk_tree(&ask, query, out, err))
        return false;
    put_windows(macos_of(handle), &ask, out);
    if (query->window)
        keep_window_nodes(out, query->window);
    return true;
}

static bool elements_get(struct desktop *handle, struct deadline *deadline, const uint64_t *ids,
                         size_t count, struct element_tree *out, struct error *err)
{
    struct ask ask;

    *out = (struct element_tree){ 0 };
    if (!begin_asking(handle, deadline, &ask, err) || !walk_get(&ask, ids, count, out, err))
        return false;
    put_windows(macos_of(handle), &ask, out);
    return true;
}

static bool elements_act(struct desktop *handle, struct deadline *deadline, uint64_t id,
                         const struct element_change *change, struct element_outcome *out,
                         struct error *err)
{
    struct ask ask;

    *out = (struct element_outcome){ 0 };
    return begin_asking(handle, deadline, &ask, err) && act_do(&ask, id, change, out, err);
}

static bool elements_text(struct desktop *handle, struct deadline *deadline, uint64_t id, int from,
                          int to, struct element_text *out, struct error *err)
{
    struct ask ask;

    *out = (struct element_text){ 0 };
    return begin_asking(handle, deadline, &ask, err) && act_text(&ask, id, from, to, out, err);
}

bool macos_field(struct desktop *handle, struct deadline *deadline,
                 const struct element_field_query *query, struct element_field *out,
                 struct error *err)
{
    struct ask ask;

    *out = (struct element_field){ 0 };
    if (!begin_asking(handle, deadline, &ask, err))
        return false;
    ask.pid = front_pid();
    return !ask.pid || field_read(&ask, query, out, err);
}

static bool elements_at(struct desktop *handle, struct deadline *deadline, int pid,
                        struct point point, uint64_t *id, struct error *err)
{
    struct ask ask;

    *id = 0;
    if (!begin_asking(handle, deadline, &ask, err))
        return false;
    ask.pid = pid;
    return walk_at(&ask, point, id, err);
}

/* The arguments and the result of listen_events(). */
struct hearing {
    struct ask ask;
    int pid;
    uint64_t since, until;
    struct element_events *out;
    struct error *err;
    bool ok;
};

static void hear_events(void *arg)
{
    struct hearing *it = arg;

    it->ok = listen_events(&it->ask, it->pid, it->since, it->until, it->out, it->err);
}

/* A thread that watches elements calls this again and again in one autorelease pool: each call has
 * another one. */
static bool elements_events(struct desktop *handle, struct deadline *deadline, int pid,
                            uint64_t since, uint64_t until, struct element_events *out,
                            struct error *err)
{
    struct hearing it = { .pid = pid, .since = since, .until = until, .out = out, .err = err };

    *out = (struct element_events){ 0 };
    if (begin_asking(handle, deadline, &it.ask, err))
        appkit_around(hear_events, &it);
    return it.ok;
}

static bool elements_hear(struct desktop *handle, struct deadline *deadline, struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);

    if (!macos_begin(desktop, deadline, err))
        return false;
    listen_hear(&desktop->hears, true);
    return true;
}

void macos_elements_free(struct macos_desktop *desktop)
{
    listen_hear(&desktop->hears, false);
}

void macos_elements_end(void)
{
    listen_end();
    ax_ids_end();
    wake_end();
}

extern const struct element_ops macos_element_ops;
const struct element_ops macos_element_ops = {
    .tree = elements_tree,
    .get = elements_get,
    .act = elements_act,
    .text = elements_text,
    .field = macos_field,
    .at = elements_at,
    .events = elements_events,
    .hear = elements_hear,
};
