/* The workspace: running applications, and how they are opened, activated, hidden and ended. */
#include <pthread.h>
#include <stdlib.h>
#include <strings.h>

#include "platform/macos/system/appkit.h"
#include "platform/macos/system/appkit_news.h"
#include "sim.h"

void appkit_turn(void)
{
    sim_main_only("turns");
}

static void describe_app(const struct app_info *info, struct appkit_app *out)
{
    *out = (struct appkit_app){ .pid = info->pid,
                                .name = mem_strdup(info->name),
                                .id = mem_strdup(info->id),
                                .bundle = mem_printf("/Applications/%s.app", info->name),
                                .active = info->active,
                                .hidden = info->hidden,
                                .regular = true,
                                .finished = true };
}

void appkit_list(struct appkit_apps *out)
{
    struct app_list list;

    *out = (struct appkit_apps){ 0 };
    if (!sim_desktop() || !perigee_fake.apps->list(sim_desktop(), sim_deadline(), &list, NULL))
        return;
    out->items = mem_zero(sizeof *out->items * (list.count + 1));
    for (; out->count < list.count; out->count++)
        describe_app(&list.items[out->count], &out->items[out->count]);
    app_list_free(&list);
}

bool appkit_get(int pid, struct appkit_app *out)
{
    struct appkit_apps apps;
    bool found = false;

    appkit_list(&apps);
    for (size_t i = 0; i < apps.count && !found; i++) {
        if (apps.items[i].pid != pid)
            continue;
        *out = apps.items[i];
        apps.items[i] = (struct appkit_app){ 0 };
        found = true;
    }
    appkit_apps_free(&apps);
    return found;
}

static bool frozen;
static int frozen_pid;

void sim_freeze_workspace(bool freeze)
{
    frozen = freeze;
    frozen_pid = freeze ? sim_focused() : 0;
}

/* The application whose window has the focus. */
int appkit_active(void)
{
    return frozen ? frozen_pid : sim_focused();
}

bool appkit_activate(int pid)
{
    return sim_activate(pid);
}

bool appkit_activate_from_here(int pid)
{
    return appkit_activate(pid);
}

bool appkit_reopen(int pid)
{
    return sim_reopen(pid);
}

bool appkit_hide(int pid, bool show)
{
    struct app_outcome out;

    return perigee_fake.apps->hide(sim_desktop(), sim_deadline(), pid, 0, show, &out, NULL);
}

bool appkit_quit(int pid, bool force)
{
    struct app_outcome out;

    return perigee_fake.apps->quit(sim_desktop(), sim_deadline(), pid, 0, force, &out, NULL);
}

/* Finds the application by name as well: this system has no folders of applications to look in. */
char *appkit_bundle_of(const char *identifier)
{
    struct app_list list;
    char *path = NULL;

    if (!sim_desktop() || !perigee_fake.apps->installed(sim_desktop(), sim_deadline(), &list, NULL))
        return NULL;
    for (size_t i = 0; i < list.count && !path; i++) {
        if (strcmp(list.items[i].id, identifier) == 0 ||
            strcasecmp(list.items[i].name, identifier) == 0)
            path = mem_printf("/Applications/%s.app", list.items[i].name);
    }
    app_list_free(&list);
    return path;
}

bool appkit_open(const struct appkit_open *what, uint64_t ms, int *pid, struct error *err)
{
    const char *slash = strrchr(what->bundle, '/');
    char *name = mem_strndup(slash + 1, strlen(slash + 1) - 4);
    struct app_open request = { .name = name,
                                .files = what->files,
                                .arguments = what->arguments,
                                .fresh = what->fresh,
                                .background = what->background,
                                .wait_ms = ms };
    struct app_opened opened;
    bool ok = perigee_fake.apps->open(sim_desktop(), sim_deadline(), &request, &opened, err);

    free(name);
    if (ok) {
        *pid = opened.app.pid;
        app_opened_free(&opened);
    }
    return ok;
}

/* --- what it tells -------------------------------------------------------------------------- */

enum { LISTENERS = 8, NOTES = 64 };

/* One for each process that listens: here a thread with its loop. */
static struct listener {
    const struct appkit_news *news; /* NULL: this place is free */
    CFRunLoopRef loop;
    struct note {
        enum appkit_what what;
        int pid;
    } notes[NOTES];
    size_t count;
} listeners[LISTENERS];
static CGDisplayReconfigurationCallBack on_display;
static _Thread_local void *display_arg;
static pthread_mutex_t notes_lock = PTHREAD_MUTEX_INITIALIZER;

void appkit_news_listen(const struct appkit_news *news)
{
    struct listener *mine = NULL;

    sim_main_only("notifications of the workspace");
    pthread_mutex_lock(&notes_lock);
    for (size_t i = 0; i < LISTENERS && !mine; i++)
        mine = listeners[i].news ? NULL : &listeners[i];
    if (!mine)
        abort();
    *mine = (struct listener){ .news = news, .loop = CFRunLoopGetCurrent() };
    pthread_mutex_unlock(&notes_lock);
}

void appkit_news_run(void)
{
    CFRunLoopRun();
    pthread_mutex_lock(&notes_lock);
    for (size_t i = 0; i < LISTENERS; i++) {
        if (listeners[i].loop == CFRunLoopGetCurrent())
            listeners[i] = (struct listener){ 0 };
    }
    pthread_mutex_unlock(&notes_lock);
}

void appkit_news_stop(void)
{
    CFRunLoopStop(CFRunLoopGetCurrent());
}

long appkit_clipboard_count(void)
{
    sim_main_only("NSPasteboard");
    return sim_clipboard_count();
}

void sim_note(int what, int pid)
{
    pthread_mutex_lock(&notes_lock);
    for (size_t i = 0; i < LISTENERS; i++) {
        if (!listeners[i].news)
            continue;
        if (listeners[i].count == NOTES)
            abort();
        listeners[i].notes[listeners[i].count++] = (struct note){ (enum appkit_what)what, pid };
    }
    pthread_mutex_unlock(&notes_lock);
}

/* A change of displays is reported twice for each display, before and after. */
enum { DISPLAYS_BEGIN = 1000, DISPLAYS_DONE };

void sim_displays_change(void)
{
    sim_note(DISPLAYS_BEGIN, 0);
    sim_note(DISPLAYS_DONE, 0);
}

CGError CGDisplayRegisterReconfigurationCallback(CGDisplayReconfigurationCallBack callback,
                                                 void *arg)
{
    sim_main_only("callbacks of displays");
    on_display = callback;
    display_arg = arg;
    return kCGErrorSuccess;
}

static bool take_note(struct sim_loop *loop, struct note *note, const struct appkit_news **news)
{
    bool any = false;

    pthread_mutex_lock(&notes_lock);
    for (size_t i = 0; i < LISTENERS && !any; i++) {
        struct listener *listener = &listeners[i];

        if (listener->loop != (CFRunLoopRef)loop || !listener->count)
            continue;
        any = true;
        *note = listener->notes[0];
        *news = listener->news;
        listener->count--;
        memmove(listener->notes, listener->notes + 1, listener->count * sizeof *listener->notes);
    }
    pthread_mutex_unlock(&notes_lock);
    return any;
}

bool sim_tell_notes(struct sim_loop *loop)
{
    const struct appkit_news *news;
    struct note note;

    if (!take_note(loop, &note, &news))
        return false;
    if ((int)note.what == DISPLAYS_BEGIN || (int)note.what == DISPLAYS_DONE)
        on_display(1, (int)note.what == DISPLAYS_BEGIN ? kCGDisplayBeginConfigurationFlag : 0,
                   display_arg);
    else
        news->told(news->arg, note.what, note.pid);
    return true;
}
