/* sys.display -- the displays, and where the pointer is. */
#include <lauxlib.h>

#include "script/bind.h"
#include "sys/shared/desktop_values.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

static const char *const plain_options[] = { "timeout", NULL };

struct displays_call {
    struct thread_call call;
    struct display_list list;
};

static bool displays_run(struct thread_call *call, struct error *err)
{
    struct displays_call *self = container_of(call, struct displays_call, call);

    return call->ops->displays->list(call->desktop, call->deadline, &self->list, err);
}

static void push_display(lua_State *L, const struct display_info *display)
{
    lua_createtable(L, 0, 7); /* display */
    desktop_set_integer(L, "id", display->id);
    desktop_set_text(L, "name", display->name);
    desktop_push_rect(L, display->bounds);
    lua_setfield(L, -2, "bounds");
    desktop_push_rect(L, display->work);
    lua_setfield(L, -2, "work");
    desktop_set_number(L, "scale", display->scale);
    desktop_set_number(L, "rotation", display->rotation);
    desktop_set_flag(L, "main", display->main);
}

static int displays_push(lua_State *L, struct thread_call *call)
{
    struct displays_call *self = container_of(call, struct displays_call, call);

    lua_createtable(L, (int)self->list.count, 0); /* displays */
    for (size_t i = 0; i < self->list.count; i++) {
        push_display(L, &self->list.items[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static void displays_clear(struct thread_call *call)
{
    display_list_free(&container_of(call, struct displays_call, call)->list);
}

static int display_list(lua_State *L)
{
    struct displays_call *self;

    desktop_check_options(L, 1, plain_options);
    self = thread_call_new(L, sizeof *self, displays_clear);
    self->call.queue = QUEUE_QUERY;
    self->call.run = displays_run;
    self->call.push = displays_push;
    return thread_call_on_desktop(L, &self->call, 1, DESKTOP_TIMEOUT_S);
}

struct cursor_call {
    struct thread_call call;
    struct point at;
};

static bool cursor_run(struct thread_call *call, struct error *err)
{
    struct cursor_call *self = container_of(call, struct cursor_call, call);

    return call->ops->displays->cursor(call->desktop, call->deadline, &self->at, err);
}

static int cursor_push(lua_State *L, struct thread_call *call)
{
    struct cursor_call *self = container_of(call, struct cursor_call, call);

    desktop_push_number(L, self->at.x);
    desktop_push_number(L, self->at.y);
    return 2;
}

static int display_cursor(lua_State *L)
{
    struct cursor_call *self;

    desktop_check_options(L, 1, plain_options);
    self = thread_call_new(L, sizeof *self, NULL);
    self->call.queue = QUEUE_QUERY;
    self->call.run = cursor_run;
    self->call.push = cursor_push;
    return thread_call_on_desktop(L, &self->call, 1, DESKTOP_TIMEOUT_S);
}

static const luaL_Reg display_funcs[] = { { "cursor", display_cursor },
                                          { "list", display_list },
                                          { NULL, NULL } };

int luaopen_sys_display(lua_State *L)
{
    luaL_newlib(L, display_funcs);
    return 1;
}
