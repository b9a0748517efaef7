/* Windows, as the window server lists them, with the facts that their applications add.
 *
 * CGWindowListCopyWindowInfo() knows every window with its number, owner, frame, layer and order;
 * only its application knows whether it is minimized, full screen or focused, through AX. Without
 * the permission for accessibility those stay unknown; without the one for the screen titles are
 * missing (developer.apple.com/documentation/coregraphics/quartz_window_services). */
#include <stdlib.h>

#include "platform/macos/connection.h"
#include "platform/macos/front.h"
#include "platform/macos/system/appkit.h"
#include "platform/macos/system/cf.h"
#include "platform/macos/system/permission.h"
#include "platform/macos/system/process.h"
#include "platform/macos/windows.h"
#include "platform/macos/zoom.h"

enum { LAYER_NORMAL = 0, LAYER_FLOATING = 3, LAYER_MODAL = 8, LAYER_DOCK = 20, LAYER_STATUS = 25 };
enum { SMALLEST = 40 }; /* points: smaller ones off the screen are not windows to users */

static enum window_kind layer_kind(long long layer)
{
    if (layer == LAYER_NORMAL)
        return WINDOW_NORMAL;
    if (layer == LAYER_MODAL)
        return WINDOW_DIALOG;
    if (layer == LAYER_FLOATING)
        return WINDOW_UTILITY;
    return layer >= LAYER_DOCK && layer <= LAYER_STATUS ? WINDOW_PANEL : WINDOW_POPUP;
}

static bool frame_of(CFDictionaryRef entry, struct rect *out)
{
    CFTypeRef bounds = CFDictionaryGetValue(entry, kCGWindowBounds);
    CGRect rect;

    if (!bounds || !CGRectMakeWithDictionaryRepresentation(bounds, &rect))
        return false;
    *out = rect_of_cg(rect);
    return true;
}

/* Describes an entry. False: a user would not call it a window. */
static bool describe_window(CFDictionaryRef entry, struct window_info *out)
{
    *out = (struct window_info){ .workspace = -1 };
    out->ref.id = (uint64_t)cf_number(entry, kCGWindowNumber, 0);
    out->ref.pid = (int)cf_number(entry, kCGWindowOwnerPID, 0);
    out->kind = layer_kind(cf_number(entry, kCGWindowLayer, 0));
    out->on_screen = cf_number(entry, kCGWindowIsOnscreen, 0) != 0;
    if (!out->ref.id || !frame_of(entry, &out->frame))
        return false;
    out->content = out->frame; /* the height of the title bar is not reported */
    out->ref.started = process_started(out->ref.pid);
    out->title =
        cf_text(CFDictionaryGetValue(entry, kCGWindowName), WINDOW_TITLE_MAX, &out->title_cut);
    out->app = cf_text(CFDictionaryGetValue(entry, kCGWindowOwnerName), 256, NULL);
    out->instance = mem_strdup(out->app);
    return true;
}

static bool is_window(const struct window_info *info)
{
    return info->on_screen ||
           (info->title[0] && info->frame.width >= SMALLEST && info->frame.height >= SMALLEST);
}

static bool is_window_wanted(const struct window_info *info, const struct window_query *query)
{
    bool all = query && query->all_kinds;

    if (query && query->pid && info->ref.pid != query->pid)
        return false;
    return all || (info->kind <= WINDOW_UTILITY && is_window(info));
}

/* --- the window server's list ------------------------------------------------------ */

static void add_windows(CFArrayRef entries, bool on_screen, struct window_list *out)
{
    CFIndex count = CFArrayGetCount(entries);

    out->items = mem_resize(out->items, sizeof *out->items * (out->count + (size_t)count + 1));
    for (CFIndex i = 0; i < count; i++) {
        struct window_info *info = &out->items[out->count];

        if (!describe_window(CFArrayGetValueAtIndex(entries, i), info))
            continue;
        if (info->on_screen == on_screen)
            out->count++;
        else
            window_info_free(info);
    }
}

/* Lists all windows. Those on the screen come frontmost first; the others have no order, and
 * follow. */
static bool list_all_windows(struct window_list *out, struct error *err)
{
    CFArrayRef shown = CGWindowListCopyWindowInfo(
        kCGWindowListOptionOnScreenOnly | kCGWindowListExcludeDesktopElements, kCGNullWindowID);
    CFArrayRef all = CGWindowListCopyWindowInfo(
        kCGWindowListOptionAll | kCGWindowListExcludeDesktopElements, kCGNullWindowID);

    if (shown && all) {
        add_windows(shown, true, out);
        add_windows(all, false, out);
    }
    cf_release(shown);
    cf_release(all);
    if (!shown || !all)
        return error_set(err, "no_display",
                         "the window server does not respond: this session has no screen. Over "
                         "ssh, log in at the machine first");
    return true;
}

/* --- facts from the applications -------------------------------------------------- */

void macos_window_add(struct window_info *info, const struct ax_window *said, bool active)
{
    if (said->minimized)
        info->state |= WINDOW_MINIMIZED;
    if (said->full_screen)
        info->state |= WINDOW_FULLSCREEN;
    else if (zoom_fills(&info->frame))
        info->state |= WINDOW_MAXIMIZED;
    if (said->modal) {
        info->state |= WINDOW_MODAL;
        info->kind = WINDOW_DIALOG;
    }
    if (!info->title[0]) {
        free(info->title);
        info->title = mem_strdup(said->title);
        info->title_cut = said->title_cut;
    }
    info->focused = active && said->focused;
}

/* The windows of one application, to which its answers are added. */
struct app_windows {
    int pid;
    bool active;
    struct window_list *list;
};

/* Adds the application's facts. Windows that cannot be told apart keep those of the window
 * server. */
static void add_states_of(void *arg)
{
    struct app_windows *windows = arg;
    struct window_list *list = windows->list;
    struct ax_windows said;

    ax_windows_read(windows->pid, &said, NULL);
    for (size_t i = 0; i < list->count; i++) {
        struct window_info *info = &list->items[i];
        const struct ax_window *one = NULL;

        if (said.count && info->ref.pid == windows->pid && info->kind <= WINDOW_UTILITY)
            one = ax_windows_match(&said, info, NULL);
        if (one)
            macos_window_add(info, one, windows->active);
    }
    ax_windows_free(&said);
}

static bool first_of_pid(const struct window_list *list, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (list->items[i].ref.pid == list->items[at].ref.pid)
            return false;
    }
    return list->items[at].kind <= WINDOW_UTILITY;
}

static void add_states(struct window_list *list, const struct window_query *query)
{
    int active = front_pid();

    if (permission_granted(PERMISSION_ACCESSIBILITY, NULL)) {
        for (size_t i = 0; i < list->count; i++) {
            int pid = list->items[i].ref.pid;
            bool asked_for = query && query->pid == pid;

            if (first_of_pid(list, i) &&
                (asked_for || ((!query || !query->pid) && !ax_silent(pid))))
                ax_do(add_states_of, &(struct app_windows){ pid, pid == active, list });
        }
        return;
    }
    for (size_t i = 0; i < list->count; i++) { /* the best guess without the permission */
        struct window_info *info = &list->items[i];

        if (info->on_screen && info->kind == WINDOW_NORMAL && info->ref.pid == active) {
            info->focused = true;
            return;
        }
    }
}

/* Marks a window as in another Space: it is off the screen while its application is not hidden, and
 * not minimized. */
static void note_elsewhere(struct window_info *info, const struct window_lore *lore)
{
    if (lore->shown && lore->shown(lore->arg, info->ref.pid))
        info->state |= WINDOW_ELSEWHERE;
}

static void keep_wanted(struct window_list *list, const struct window_query *query,
                        const struct window_lore *lore)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++) {
        struct window_info info = list->items[i];

        if (!is_window_wanted(&info, query)) {
            window_info_free(&info);
            continue;
        }
        if (!info.on_screen && !(info.state & WINDOW_MINIMIZED)) {
            info.state |= WINDOW_HIDDEN;
            note_elsewhere(&info, lore);
        }
        info.order = (int)kept;
        list->items[kept++] = info;
    }
    list->count = kept;
}

bool macos_window_list_by(const struct window_lore *lore, const struct window_query *query,
                          struct window_list *out, struct error *err)
{
    *out = (struct window_list){ 0 };
    if (!list_all_windows(out, err))
        return false;
    lore->add(lore->arg, out);
    keep_wanted(out, query, lore);
    return true;
}

/* --- by asking everything now ----------------------------------------------------------- */

struct asking {
    const struct window_query *query;
    struct appkit_apps apps;
};

static void add_now(void *arg, struct window_list *list)
{
    const struct asking *asking = arg;

    add_states(list, asking->query);
}

static bool is_app_shown(void *arg, int pid)
{
    const struct asking *asking = arg;

    for (size_t i = 0; i < asking->apps.count; i++) {
        if (asking->apps.items[i].pid == pid)
            return !asking->apps.items[i].hidden;
    }
    return false;
}

bool macos_window_list(struct macos_desktop *desktop, const struct window_query *query,
                       struct window_list *out, struct error *err)
{
    struct asking asking = { query, { NULL, 0 } };
    struct window_lore lore = { add_now, is_app_shown, &asking };
    bool ok;

    (void)desktop;
    if (permission_granted(PERMISSION_ACCESSIBILITY, NULL)) /* else minimized is not known */
        appkit_list(&asking.apps);
    ok = macos_window_list_by(&lore, query, out, err);
    appkit_apps_free(&asking.apps);
    return ok;
}

static bool windows_list(struct desktop *handle, struct deadline *deadline,
                         const struct window_query *query, struct window_list *out,
                         struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);

    *out = (struct window_list){ 0 };
    return macos_begin(desktop, deadline, err) && macos_window_list(desktop, query, out, err);
}

static bool take_window(struct window_list *list, const struct window_ref *ref,
                        struct window_info *out, struct error *err)
{
    bool found = false;

    for (size_t i = 0; i < list->count && !found; i++) {
        struct window_info *info = &list->items[i];

        if (info->ref.id != ref->id || (ref->started && info->ref.started != ref->started))
            continue;
        *out = *info;
        *info = (struct window_info){ 0 };
        found = true;
    }
    window_list_free(list);
    return found || error_set(err, "window_not_found",
                              "window %llu of process %d no longer exists. List the windows again",
                              (unsigned long long)ref->id, ref->pid);
}

bool macos_window_get(struct macos_desktop *desktop, struct deadline *deadline,
                      const struct window_ref *ref, struct window_info *out, struct error *err)
{
    struct window_query query = { .pid = ref->pid, .all_kinds = true };
    struct window_list list;

    *out = (struct window_info){ 0 };
    return macos_begin(desktop, deadline, err) && macos_window_list(desktop, &query, &list, err) &&
           take_window(&list, ref, out, err);
}

bool macos_window_look(struct macos_desktop *desktop, struct deadline *deadline,
                       const struct window_ref *ref, struct window_info *out, struct error *err)
{
    struct window_list list = { 0 };

    *out = (struct window_info){ 0 };
    return macos_begin(desktop, deadline, err) && list_all_windows(&list, err) &&
           take_window(&list, ref, out, err);
}

static bool windows_get(struct desktop *handle, struct deadline *deadline,
                        const struct window_ref *ref, struct window_info *out, struct error *err)
{
    return macos_window_get(macos_of(handle), deadline, ref, out, err);
}

static bool windows_act(struct desktop *handle, struct deadline *deadline,
                        const struct window_ref *ref, const struct window_change *change,
                        struct window_outcome *out, struct error *err)
{
    return macos_window_act(macos_of(handle), deadline, ref, change, out, err);
}

const struct window_ops macos_window_ops = { windows_list, windows_get, windows_act,
                                             NULL,         NULL,        NULL };
