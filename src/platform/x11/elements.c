/* Elements on X11: they are read over AT-SPI, and placed by their windows. */
#include "platform/x11/elements.h"

#include <stdlib.h>

#include "base/log.h"
#include "platform/atspi_place.h"
#include "platform/freedesktop/proc.h"
#include "platform/x11/windows/focus.h"
#include "platform/x11/windows/windows.h"
#include "platform/x11/wire/accessibility.h"
#include "platform/x11/wire/owner.h"
#include "platform/x11/wire/property.h"

enum { WAKE_SLOW_MS = 500, WAKE_AGAIN_MS = 60000 };

/* A bus that hangs delays one opening of an application, not each of them. */
void x11_elements_wake(struct x11_desktop *desktop, struct deadline *deadline)
{
    static _Atomic uint64_t again; /* deadline_now() of the next try, for all connections */
    uint64_t began = deadline_now();
    struct error err;

    if (!accessibility_ops() || began < atomic_load(&again) || !accessibility_begin(desktop, &err))
        return;
    if (accessibility_ops()->wake(desktop->atspi, deadline, &err))
        return;
    log_debug("applications are started without accessibility: %s", err.text);
    if (deadline_now() - began >= WAKE_SLOW_MS)
        atomic_store(&again, deadline_now() + WAKE_AGAIN_MS);
}

/* --- the operations ------------------------------------------------------------------------- */

static bool place_elements(struct desktop *handle, struct element_tree *tree,
                           const struct atspi_frames *frames, struct error *err)
{
    struct window_query query = { .all_kinds = true };
    struct window_list windows;

    if (!x11_window_list(x11_of(handle), &query, &windows, err))
        return false;
    atspi_place(tree, frames, &windows);
    window_list_free(&windows);
    return true;
}

static bool finish_reading(struct desktop *handle, bool read, struct element_tree *out,
                           struct atspi_frames *frames, struct error *err)
{
    bool ok = read && place_elements(handle, out, frames, err);

    atspi_frames_free(frames);
    if (!ok)
        element_tree_free(out);
    return ok;
}

/* False if the process has ended; another one may have got its number since. */
static bool is_running(const struct element_query *query, struct error *err)
{
    if (!query->pid || !query->started || proc_started(query->pid, NULL) == query->started)
        return true;
    return error_set(err, "app_not_found", "process %d has ended", query->pid);
}

/* Keeps the application and the elements of this window. */
static void keep_window(struct element_tree *tree, uint64_t window)
{
    size_t kept = 0;

    for (size_t i = 0; i < tree->count; i++) {
        if (tree->items[i].window == window || tree->items[i].role == ELEMENT_APPLICATION)
            tree->items[kept++] = tree->items[i];
        else
            element_info_free(&tree->items[i]);
    }
    tree->count = kept;
}

static bool elements_tree(struct desktop *handle, struct deadline *deadline,
                          const struct element_query *query, struct element_tree *out,
                          struct error *err)
{
    struct atspi_frames frames = { 0 };
    bool read =
        is_running(query, err) && accessibility_begin(x11_of(handle), err) &&
        accessibility_ops()->tree(x11_of(handle)->atspi, deadline, query, out, &frames, err);

    if (!finish_reading(handle, read, out, &frames, err))
        return false;
    if (query->window)
        keep_window(out, query->window);
    return true;
}

/* Finds the deepest element that says that it is at this point; of two siblings the later one lies
 * above the other. */
static bool elements_at(struct desktop *handle, struct deadline *deadline, int pid, struct point at,
                        uint64_t *id, struct error *err)
{
    struct element_query query = { .pid = pid, .bounds = true };
    const struct element_info *best = NULL;
    struct element_tree tree;

    *id = 0;
    if (!elements_tree(handle, deadline, &query, &tree, err))
        return false;
    for (size_t i = 0; i < tree.count; i++) {
        const struct element_info *info = &tree.items[i];

        if (info->placed && rect_has(&info->bounds, at) && (!best || info->depth >= best->depth))
            best = info;
    }
    *id = best ? best->id : 0;
    element_tree_free(&tree);
    return true;
}

static bool elements_get(struct desktop *handle, struct deadline *deadline, const uint64_t *ids,
                         size_t count, struct element_tree *out, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    struct atspi_frames frames = { 0 };
    bool read = accessibility_begin(x11_of(handle), err) &&
                accessibility_ops()->get(desktop->atspi, deadline, ids, count, out, &frames, err);

    return finish_reading(handle, read, out, &frames, err);
}

static bool elements_act(struct desktop *handle, struct deadline *deadline, uint64_t id,
                         const struct element_change *change, struct element_outcome *out,
                         struct error *err)
{
    return accessibility_begin(x11_of(handle), err) &&
           accessibility_ops()->act(x11_of(handle)->atspi, deadline, id, change, out, err);
}

static bool elements_text(struct desktop *handle, struct deadline *deadline, uint64_t id, int from,
                          int to, struct element_text *out, struct error *err)
{
    return accessibility_begin(x11_of(handle), err) &&
           accessibility_ops()->text(x11_of(handle)->atspi, deadline, id, from, to, out, err);
}

/* --- the field that has the keyboard -------------------------------------------------------- */

/* True unless the process is known to be another program: listing windows takes its time. */
static bool may_be_office(int pid)
{
    char *path = proc_path(pid), *name = strrchr(path, '/');
    bool other = name && strcmp(name, "/soffice.bin") != 0;

    free(path);
    return !other;
}

/* True if a window of the application shows a sheet, which claims 2^30 cells: an application that
 * looks for its own focus makes all of them, and does not answer meanwhile. */
static bool has_sheet(struct x11_desktop *desktop, int pid)
{
    struct window_query query = { .pid = pid, .all_kinds = true };
    struct window_list windows;
    bool found = false;

    if (!may_be_office(pid) || !x11_window_list(desktop, &query, &windows, NULL))
        return false;
    for (size_t i = 0; i < windows.count; i++)
        found = found || strcmp(windows.items[i].app, "libreoffice-calc") == 0;
    window_list_free(&windows);
    return found;
}

static bool find_field(struct x11_desktop *desktop, struct deadline *deadline,
                       const struct element_field_query *query, struct element_field *out,
                       struct error *err)
{
    struct element_field_query present = { .present = true };
    bool ok;

    out->pid = out->window ? x11_owner(desktop, (Window)out->window) : 0;
    if (!out->pid)
        return true;
    ok = accessibility_ops()->field(desktop->atspi, deadline, out->pid, &present, out, err);
    if (!ok || query->present || out->finding == FIELD_ABSENT || has_sheet(desktop, out->pid))
        return ok;
    return accessibility_ops()->field(desktop->atspi, deadline, out->pid, query, out, err);
}

/* A field that is known has an application that is known, and one that is read again has it in any
 * window: only what is needed is asked. */
static bool read_field(struct x11_desktop *desktop, struct deadline *deadline,
                       const struct element_field_query *query, struct element_field *out,
                       struct error *err)
{
    if (!query->id || !query->again)
        out->window = x11_receiver(desktop);
    return query->id ? accessibility_ops()->field(desktop->atspi, deadline, 0, query, out, err)
                     : find_field(desktop, deadline, query, out, err);
}

static bool elements_field(struct desktop *handle, struct deadline *deadline,
                           const struct element_field_query *query, struct element_field *out,
                           struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    bool runs, ok;

    *out = (struct element_field){ 0 };
    if (!accessibility_begin(x11_of(handle), err) ||
        !accessibility_ops()->runs(desktop->atspi, deadline, &runs, err))
        return false;
    if (!runs) {
        out->finding = FIELD_ABSENT;
        return true;
    }
    ok = read_field(desktop, deadline, query, out, err);
    if (!ok)
        element_field_free(out);
    return ok;
}

/* --- events ----------------------------------------------------------------------------------- */

static bool elements_events(struct desktop *handle, struct deadline *deadline, int pid,
                            uint64_t since, uint64_t until, struct element_events *out,
                            struct error *err)
{
    return accessibility_begin(x11_of(handle), err) &&
           accessibility_ops()->events(x11_of(handle)->atspi, deadline, pid, since, until, out,
                                       err);
}

static bool elements_hear(struct desktop *handle, struct deadline *deadline, struct error *err)
{
    return accessibility_begin(x11_of(handle), err) &&
           accessibility_ops()->hear(x11_of(handle)->atspi, deadline, err);
}

extern const struct element_ops x11_element_ops;
const struct element_ops x11_element_ops = {
    .ready = accessibility_ready,
    .tree = elements_tree,
    .get = elements_get,
    .act = elements_act,
    .text = elements_text,
    .field = elements_field,
    .at = elements_at,
    .events = elements_events,
    .hear = elements_hear,
};
