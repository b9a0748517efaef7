/* The workspace: running applications, and how they are opened, activated, hidden and ended. */
#include <stdlib.h>
#include <strings.h>

#include "platform/macos/system/appkit.h"
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

/* The one whose window has the focus. */
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

/* Also by name: this system has no folders of applications to look in. */
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
