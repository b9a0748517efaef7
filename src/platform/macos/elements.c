/* Elements on macOS: read over accessibility (ax/), and matched with the window server's windows.
 * Bounds need no mapping: AX has points of the desktop, as we have. */
#include "platform/macos/elements.h"

#include <stdio.h>
#include <stdlib.h>

#include "platform/macos/ax/act.h"
#include "platform/macos/ax/ids.h"
#include "platform/macos/ax/listen.h"
#include "platform/macos/ax/node.h"
#include "platform/macos/ax/wake.h"
#include "platform/macos/ax/walk.h"
#include "platform/macos/connection.h"
#include "platform/macos/system/appkit.h"
#include "platform/macos/system/ax_windows.h"
#include "platform/macos/system/permission.h"
#include "platform/macos/system/process.h"
#include "platform/macos/windows.h"

/* The state of one call, which runs in an autorelease pool. */
struct call {
    struct macos_desktop *desktop;
    struct ask ask;
    bool (*run)(struct call *call);
    struct error *err;
    bool ok;

    const struct element_query *query;
    const struct element_change *change;
    const uint64_t *ids;
    size_t count;
    uint64_t since, until, *id;
    int pid, from, to;
    struct point point;
    struct element_tree *tree;
    struct element_text *text;
    struct element_outcome *outcome;
    struct element_events *events;
};

static void run_call(void *arg)
{
    struct call *call = arg;

    call->ok = call->run(call);
}

static bool do_call(struct desktop *handle, struct deadline *deadline, struct call call)
{
    call.desktop = macos_of(handle);
    call.ask.deadline = deadline;
    call.ask.dead = &call.desktop->dead;
    if (!macos_begin(call.desktop, deadline, call.err) ||
        !permission_granted(PERMISSION_ACCESSIBILITY, call.err))
        return false;
    appkit_around(run_call, &call);
    return call.ok;
}

/* --- the window of an element ---------------------------------------------------------------- */

struct top {
    uint64_t id, window;
};

/* Finds the window without the window server's number: by the other facts, if only one window
 * fits. */
static uint64_t match_window(struct call *call, const struct ax_known *known)
{
    struct node_wish wish = { .bounds = true };
    struct ax_window window = { .element = known->element };
    struct ax_windows said = { &window, 1 };
    struct window_query query = { .pid = known->pid, .all_kinds = true };
    struct window_list list;
    struct node node;
    uint64_t found = 0;
    int count = 0;

    call->ask.pid = known->pid;
    if (node_read(&call->ask, known->element, &wish, &node, NULL) != ANSWER_GIVEN)
        return 0;
    window.frame = node.frame;
    window.title = node.info.name;
    if (macos_window_list(call->desktop, &query, &list, NULL)) {
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
static uint64_t top_window_of(struct call *call, uint64_t id)
{
    struct ax_known known;
    uint64_t window = 0;

    if (!ax_ids_look(id, &known))
        return 0;
    if (known.role != ELEMENT_MENU_BAR && known.role != ELEMENT_MENU)
        window = ax_number(known.element);
    if (!window && (known.role == ELEMENT_WINDOW || known.role == ELEMENT_DIALOG))
        window = match_window(call, &known);
    ax_known_free(&known);
    return window;
}

static void put_windows(struct call *call, struct element_tree *tree)
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
            tops[count++] = (struct top){ info->window, top_window_of(call, info->window) };
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

static bool run_tree(struct call *call)
{
    if (!is_app_running(call->query, call->err) ||
        !walk_tree(&call->ask, call->query, call->tree, call->err))
        return false;
    put_windows(call, call->tree);
    if (call->query->window)
        keep_window_nodes(call->tree, call->query->window);
    return true;
}

static bool elements_tree(struct desktop *handle, struct deadline *deadline,
                          const struct element_query *query, struct element_tree *out,
                          struct error *err)
{
    *out = (struct element_tree){ 0 };
    return do_call(handle, deadline,
                   (struct call){ .run = run_tree, .query = query, .tree = out, .err = err });
}

static bool run_get(struct call *call)
{
    if (!walk_get(&call->ask, call->ids, call->count, call->tree, call->err))
        return false;
    put_windows(call, call->tree);
    return true;
}

static bool elements_get(struct desktop *handle, struct deadline *deadline, const uint64_t *ids,
                         size_t count, struct element_tree *out, struct error *err)
{
    *out = (struct element_tree){ 0 };
    return do_call(
        handle, deadline,
        (struct call){ .run = run_get, .ids = ids, .count = count, .tree = out, .err = err });
}

static bool run_act(struct call *call)
{
    return act_do(&call->ask, *call->ids, call->change, call->outcome, call->err);
}

static bool elements_act(struct desktop *handle, struct deadline *deadline, uint64_t id,
                         const struct element_change *change, struct element_outcome *out,
                         struct error *err)
{
    *out = (struct element_outcome){ 0 };
    return do_call(
        handle, deadline,
        (struct call){ .run = run_act, .ids = &id, .change = change, .outcome = out, .err = err });
}

static bool run_text(struct call *call)
{
    return act_text(&call->ask, *call->ids, call->from, call->to, call->text, call->err);
}

static bool elements_text(struct desktop *handle, struct deadline *deadline, uint64_t id, int from,
                          int to, struct element_text *out, struct error *err)
{
    *out = (struct element_text){ 0 };
    return do_call(
        handle, deadline,
        (struct call){
            .run = run_text, .ids = &id, .from = from, .to = to, .text = out, .err = err });
}

static bool run_at(struct call *call)
{
    call->ask.pid = call->pid;
    return walk_at(&call->ask, call->point, call->id, call->err);
}

static bool elements_at(struct desktop *handle, struct deadline *deadline, int pid,
                        struct point point, uint64_t *id, struct error *err)
{
    *id = 0;
    return do_call(
        handle, deadline,
        (struct call){ .run = run_at, .pid = pid, .point = point, .id = id, .err = err });
}

static bool run_events(struct call *call)
{
    return listen_events(&call->ask, call->pid, call->since, call->until, call->events, call->err);
}

static bool elements_events(struct desktop *handle, struct deadline *deadline, int pid,
                            uint64_t since, uint64_t until, struct element_events *out,
                            struct error *err)
{
    *out = (struct element_events){ 0 };
    return do_call(handle, deadline,
                   (struct call){ .run = run_events,
                                  .pid = pid,
                                  .since = since,
                                  .until = until,
                                  .events = out,
                                  .err = err });
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
    .at = elements_at,
    .events = elements_events,
    .hear = elements_hear,
};
