/* The world of a desktop in memory: its objects, and the changes that tests make. */
#include "platform/fake/fake.h"

#include <stdio.h>
#include <stdlib.h>

#include "platform/fake/elements.h"
#include "platform/fake/mirror.h"

/* --- the world -------------------------------------------------------------------- */

struct fake *fake_new(void)
{
    struct fake *fake = mem_zero(sizeof *fake);

    pthread_mutex_init(&fake->lock, NULL);
    pthread_mutex_init(&fake->events.lock, NULL);
    pthread_cond_init(&fake->changed, NULL);
    list_init(&fake->apps);
    list_init(&fake->windows);
    list_init(&fake->displays);
    list_init(&fake->desktops);
    fake->next_id = 100;
    fake->used = deadline_now();
    fake_add_display(fake, "fake-1", (struct rect){ 0, 0, 1920, 1080 }, 1);
    return fake;
}

static void drop_window(struct fake *fake, struct fake_window *window)
{
    struct link *front;

    list_remove(&window->link);
    fake_drop_element(window->top);
    front = fake->windows.next;
    if (fake->focus == window->ref.id)
        fake->focus =
            front == &fake->windows ? 0 : container_of(front, struct fake_window, link)->ref.id;
    free(window->title);
    free(window->app);
    free(window->instance);
    free(window->stays);
    buf_free(&window->text);
    free(window);
}

void fake_drop_app(struct fake *fake, struct fake_app *app)
{
    list_each (link, &fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        if (app->pid && window->ref.pid == app->pid)
            drop_window(fake, window);
    }
    list_remove(&app->link);
    free(app->name);
    free(app->id);
    free(app->title);
    free(app->path);
    free(app->icon);
    free(app);
}

void fake_free(struct fake *fake)
{
    struct link *link;

    if (!fake)
        return;
    fake_mirror_free(fake->mirror);
    while (!list_empty(&fake->windows))
        drop_window(fake, container_of(fake->windows.next, struct fake_window, link));
    while (!list_empty(&fake->apps))
        fake_drop_app(fake, container_of(fake->apps.next, struct fake_app, link));
    while ((link = list_pop(&fake->displays))) {
        struct fake_display *display = container_of(link, struct fake_display, link);

        free(display->name);
        free(display);
    }
    clip_free(&fake->clip);
    clip_list_free(&fake->history);
    buf_free(&fake->log);
    pthread_mutex_destroy(&fake->lock);
    pthread_mutex_destroy(&fake->events.lock);
    pthread_cond_destroy(&fake->changed);
    free(fake);
}

struct fake_app *fake_new_app(struct fake *fake, const char *name, const char *id, bool runs)
{
    struct fake_app *app = mem_zero(sizeof *app);

    app->name = mem_strdup(name);
    app->id = mem_strdup(id);
    if (runs) {
        app->pid = (int)fake->next_id++;
        app->started = fake->next_id++;
    }
    list_push(&fake->apps, &app->link);
    return app;
}

struct fake_window *fake_new_window(struct fake *fake, struct fake_app *app, const char *title,
                                    struct rect frame)
{
    struct fake_window *window = mem_zero(sizeof *window);

    window->ref = (struct window_ref){ app->pid, app->started, fake->next_id++ };
    window->title = mem_strdup(title);
    window->app = mem_strdup(app->name);
    window->frame = window->normal = frame;
    window->inset = (struct rect){ 0, FAKE_TITLE_BAR, 0, FAKE_TITLE_BAR };
    list_push(fake->windows.next, &window->link);
    fake->focus = window->ref.id;
    return window;
}

int fake_add_app(struct fake *fake, const char *name, const char *id)
{
    int pid;

    pthread_mutex_lock(&fake->lock);
    pid = fake_new_app(fake, name, id, true)->pid;
    pthread_mutex_unlock(&fake->lock);
    return pid;
}

void fake_add_installed(struct fake *fake, const char *name, const char *id, const char *title)
{
    pthread_mutex_lock(&fake->lock);
    struct fake_app *app = fake_new_app(fake, name, id, false);
    app->title = title ? mem_strdup(title) : NULL;
    pthread_mutex_unlock(&fake->lock);
}

uint64_t fake_add_window(struct fake *fake, int pid, const char *title, struct rect frame)
{
    struct fake_app *app;
    uint64_t id = 0;

    pthread_mutex_lock(&fake->lock);
    app = fake_find_app(fake, pid, 0);
    if (app)
        id = fake_new_window(fake, app, title, frame)->ref.id;
    pthread_mutex_unlock(&fake->lock);
    return id;
}

void fake_add_display(struct fake *fake, const char *name, struct rect bounds, double scale)
{
    struct fake_display *display = mem_zero(sizeof *display);

    pthread_mutex_lock(&fake->lock);
    display->id = fake->next_id++;
    display->name = mem_strdup(name);
    display->bounds = display->work = bounds;
    display->scale = scale;
    list_push(&fake->displays, &display->link);
    pthread_mutex_unlock(&fake->lock);
}

/* --- menus ---------------------------------------------------------------------------- */

static struct fake_window *find_id(struct fake *fake, uint64_t id)
{
    list_each (link, &fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        if (window->ref.id == id)
            return window;
    }
    return NULL;
}

bool fake_close_menu(struct fake *fake)
{
    bool open = false;

    list_each (link, &fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        open = open || window->menu_of;
        if (window->menu_of)
            drop_window(fake, window);
    }
    return open;
}

/* Opens the menu without giving it the focus. */
void fake_open_menu(struct fake *fake, struct point at)
{
    struct rect frame = { at.x, at.y, FAKE_MENU_WIDTH, FAKE_MENU_HEIGHT };
    uint64_t owner = fake->focus;
    struct fake_window *window = find_id(fake, owner);
    struct fake_window *menu =
        window && !fake->mirror
            ? fake_new_window(fake, fake_find_app(fake, window->ref.pid, 0), "", frame)
            : NULL;

    if (!menu)
        return;
    menu->menu_of = owner;
    menu->inset = (struct rect){ 0 };
    fake->focus = owner;
}

bool fake_close_window(struct fake *fake, struct fake_window *window)
{
    struct fake_app *app = fake_find_app(fake, window->ref.pid, 0);
    struct fake_window *dialog;

    if (!window->stays) {
        drop_window(fake, window);
        return true;
    }
    list_each (link, &fake->windows) {
        if (container_of(link, struct fake_window, link)->parent == window->ref.id)
            return false;
    }
    dialog = fake_new_window(fake, app, window->stays, (struct rect){ 300, 300, 300, 120 });
    dialog->parent = window->ref.id;
    return false;
}

/* --- looking things up ------------------------------------------------------------ */

struct fake_app *fake_find_app(struct fake *fake, int pid, uint64_t started)
{
    list_each (link, &fake->apps) {
        struct fake_app *app = container_of(link, struct fake_app, link);

        if (app->pid == pid && pid && (!started || app->started == started))
            return app;
    }
    return NULL;
}

struct fake_window *fake_find_window(struct fake *fake, const struct window_ref *ref,
                                     struct error *err)
{
    struct fake_window *window = find_id(fake, ref->id);

    if (window && (!ref->pid || window->ref.pid == ref->pid) &&
        (!ref->started || window->ref.started == ref->started))
        return window;
    error_set(err, "window_not_found", "window %llu no longer exists. List the windows again",
              (unsigned long long)ref->id);
    return NULL;
}

void fake_raise(struct fake *fake, struct fake_window *window)
{
    list_remove(&window->link);
    list_push(fake->windows.next, &window->link);
    fake->focus = window->ref.id;
}

struct fake_display *fake_main_display(struct fake *fake)
{
    return container_of(fake->displays.next, struct fake_display, link);
}

enum { LOG_BYTES = 65536 };

void fake_note(struct fake *fake, const char *fmt, ...)
{
    char line[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    buf_adds(&fake->log, line);
    buf_addc(&fake->log, '\n');
    if (fake->log.len > LOG_BYTES) /* the log may never be taken */
        buf_drop(&fake->log, LOG_BYTES / 2);
}

/* --- changes by tests -------------------------------------------------------------- */

void fake_set_stays(struct fake *fake, uint64_t id, const char *dialog)
{
    struct fake_window *window;

    pthread_mutex_lock(&fake->lock);
    window = find_id(fake, id);
    if (window) {
        free(window->stays);
        window->stays = mem_strdup(dialog);
    }
    pthread_mutex_unlock(&fake->lock);
}

void fake_hang(struct fake *fake, bool hang)
{
    pthread_mutex_lock(&fake->lock);
    fake->hang = hang;
    pthread_cond_broadcast(&fake->changed);
    pthread_mutex_unlock(&fake->lock);
}

void fake_wake_all(struct fake *fake)
{
    fake_wake_watchers(fake, NULL);
    pthread_cond_broadcast(&fake->changed);
    pthread_mutex_lock(&fake->events.lock);
    element_log_wake(&fake->events);
    pthread_mutex_unlock(&fake->events.lock);
}

void fake_set_present(struct fake *fake, bool present)
{
    pthread_mutex_lock(&fake->lock);
    fake->absent = !present;
    list_each (link, &fake->desktops) {
        struct fake_desktop *desktop = container_of(link, struct fake_desktop, link);

        desktop->dead = desktop->dead || !present;
    }
    fake_wake_all(fake);
    pthread_mutex_unlock(&fake->lock);
}

void fake_panic(struct fake *fake)
{
    pthread_mutex_lock(&fake->lock);
    list_each (link, &fake->desktops) {
        struct fake_desktop *desktop = container_of(link, struct fake_desktop, link);

        if (desktop->panic)
            desktop->panic(desktop->panic_arg);
    }
    pthread_mutex_unlock(&fake->lock);
}

char *fake_text(struct fake *fake, uint64_t id)
{
    struct fake_window *window;
    char *text;

    pthread_mutex_lock(&fake->lock);
    window = find_id(fake, id);
    text = window ? mem_strndup(window->text.data, window->text.len) : mem_strdup("");
    pthread_mutex_unlock(&fake->lock);
    return text;
}

static int count_bits(unsigned bits)
{
    int count = 0;

    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

int fake_held(struct fake *fake)
{
    int held;

    pthread_mutex_lock(&fake->lock);
    held = count_bits(fake->held_modifiers) + count_bits(fake->held_buttons);
    pthread_mutex_unlock(&fake->lock);
    return held;
}

char *fake_take_log(struct fake *fake)
{
    char *log;

    pthread_mutex_lock(&fake->lock);
    log = buf_take(&fake->log);
    pthread_mutex_unlock(&fake->lock);
    return log;
}

/* --- the world of PERIGEE_DESKTOP=fake ------------------------------------------------- */

/* Plays a stubborn application: the window takes no smaller size. */
static void set_minimum(struct fake *fake, uint64_t id, double width, double height)
{
    struct fake_window *window;

    pthread_mutex_lock(&fake->lock);
    window = find_id(fake, id);
    if (window) {
        window->min_width = width;
        window->min_height = height;
    }
    pthread_mutex_unlock(&fake->lock);
}

struct fake *fake_world(void)
{
    struct fake *fake = fake_new();
    int files, editor;
    uint64_t draft;

    fake_add_display(fake, "fake-2", (struct rect){ 1920, 0, 1280, 1024 }, 2);
    files = fake_add_app(fake, "Files", "org.perigee.Files");
    fake_add_window(fake, files, "Home", (struct rect){ 80, 60, 800, 600 });
    editor = fake_add_app(fake, "Text Editor", "org.perigee.TextEditor");
    fake_add_window(fake, editor, "notes.txt", (struct rect){ 200, 120, 640, 480 });
    draft = fake_add_window(fake, editor, "draft.txt", (struct rect){ 2000, 100, 640, 480 });
    set_minimum(fake, draft, 320, 240);
    fake_set_stays(fake, draft, "Save changes?");
    fake_add_installed(fake, "Calculator", "org.perigee.Calculator", "Calculator");
    fake_add_installed(fake, "Daemon", "org.perigee.Daemon", NULL);
    fake_add_installed(fake, "Settings", "org.perigee.Settings", "Settings");
    return fake;
}

/* --- operations ------------------------------------------------------------------- */

/* A hang ignores the deadline, as a real one does. */
bool fake_enter(struct fake_desktop *desktop, struct deadline *deadline, struct error *err)
{
    struct fake *fake = desktop->fake;

    pthread_mutex_lock(&fake->lock);
    while (fake->hang && !desktop->dead)
        pthread_cond_wait(&fake->changed, &fake->lock);
    if (desktop->dead)
        error_set(err, "display_lost", "the connection to the fake desktop was lost. Try again");
    else if (deadline_ok(deadline, err))
        return true;
    pthread_mutex_unlock(&fake->lock);
    return false;
}

void fake_leave(struct fake_desktop *desktop)
{
    fake_wake_watchers(desktop->fake, desktop);
    pthread_mutex_unlock(&desktop->fake->lock);
}
