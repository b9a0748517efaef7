/* Windows and applications as tables. */
#include "sys/shared/desktop_things.h"

#include "sys/shared/desktop_values.h"

static const struct {
    const char *name;
    unsigned bit;
} states[] = {
    { "minimized", WINDOW_MINIMIZED },   { "maximized", WINDOW_MAXIMIZED },
    { "fullscreen", WINDOW_FULLSCREEN }, { "hidden", WINDOW_HIDDEN },
    { "modal", WINDOW_MODAL },           { "above", WINDOW_ABOVE },
    { "below", WINDOW_BELOW },           { "attention", WINDOW_ATTENTION },
    { "shaded", WINDOW_SHADED },         { "elsewhere", WINDOW_ELSEWHERE },
};

void desktop_set_states(lua_State *L, unsigned state)
{
    for (size_t i = 0; i < countof(states); i++)
        desktop_set_flag(L, states[i].name, (state & states[i].bit) != 0);
}

void desktop_set_rect(lua_State *L, const char *name, struct rect rect)
{
    desktop_push_rect(L, rect);
    lua_setfield(L, -2, name);
}

void desktop_push_window(lua_State *L, const struct window_info *window)
{
    lua_createtable(L, 0, 28); /* window */
    desktop_set_window(L, &window->ref);
    desktop_set_text(L, "kind", desktop_window_kind(window->kind));
    desktop_set_text(L, "title", window->title);
    desktop_set_flag(L, "title_cut", window->title_cut);
    desktop_set_text(L, "app", window->app);
    desktop_set_text(L, "instance", window->instance);
    desktop_set_rect(L, "frame", window->frame);
    desktop_set_rect(L, "content", window->content);
    desktop_set_states(L, window->state);
    desktop_set_integer(L, "workspace", (uint64_t)(int64_t)window->workspace);
    desktop_set_integer(L, "order", (uint64_t)window->order);
    desktop_set_flag(L, "focused", window->focused);
    desktop_set_flag(L, "on_screen", window->on_screen);
    if (window->parent)
        desktop_set_integer(L, "parent", window->parent);
}

void desktop_push_app(lua_State *L, const struct app_info *app)
{
    lua_createtable(L, 0, 9); /* app */
    desktop_set_integer(L, "pid", (uint64_t)app->pid);
    desktop_set_integer(L, "started", app->started);
    desktop_set_text(L, "name", app->name);
    desktop_set_text(L, "id", app->id);
    desktop_set_text(L, "path", app->path);
    desktop_set_text(L, "icon", app->icon);
    desktop_set_flag(L, "active", app->active);
    desktop_set_flag(L, "hidden", app->hidden);
    desktop_set_integer(L, "windows", app->windows);
}
