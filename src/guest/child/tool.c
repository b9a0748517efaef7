#include "guest/child/tool.h"

#include <lauxlib.h>

#include "guest/child/process.h"
#include "guest/child/remote.h"
#include "registry/call/call_struct.h"
#include "registry/call/handle.h"
#include "script/bind.h"
#include "script/packed.h"

/* The part of a call that exists here: its messages go to the engine, which has the real one. It
 * has no client, so that questions fail as with a client that cannot be asked. */
static struct entry entry;
static struct call call;

static void on_progress(void *arg, double done, double total, const char *message)
{
    struct buf *out = &guest_process.out;
    size_t begun = frame_begin(out, FRAME_PROGRESS, 0);

    (void)arg;
    bytes_double(out, done);
    bytes_double(out, total);
    buf_addc(out, message != NULL);
    bytes_str(out, str_from(message));
    remote_said(begun);
}

static void on_log(void *arg, const char *level, const char *logger, lua_State *L, int data)
{
    struct buf *value = bind_buffer(L), *out = &guest_process.out;
    struct error err;
    size_t begun;

    (void)arg;
    if (!packed_write(L, data, value, &err))
        luaL_error(L, "%s", err.text);
    begun = frame_begin(out, FRAME_NOTE, 0);
    bytes_str(out, str_from(level));
    bytes_str(out, str_from(logger));
    buf_add(out, value->data, value->len);
    remote_said(begun);
    lua_pop(L, 1);
}

void guest_tool_prepare(struct vm *vm, char *tool, char *toolset)
{
    struct error err;

    entry = (struct entry){ .kind = ENTRY_TOOL, .name = tool, .toolset = toolset };
    call.spec = (struct call_spec){ .entry = &entry, .progress = on_progress, .log = on_log };
    call.last_progress = -1e300;
    list_init(&call.asks);
    vm_run(vm, call_init, NULL, &err); /* without memory the host fails, and reports it */
}

/* (value) -> true if call:result() made it */
static int is_result(lua_State *L)
{
    lua_pushboolean(L, call_is_result(L, 1));
    return 1;
}

int guest_tool_push(lua_State *L)
{
    static const char source[] =
        "local file, job, call, is_result = ... return require('foreign.host')(file, job, call, "
        "is_result)";
    struct str *bytes = lua_touserdata(L, 2);
    struct error err;

    lua_settop(L, 1); /* f */
    if (!sandbox_load_file(guest_process.sandbox, 0, "host", source, sizeof source - 1, &err))
        return luaL_error(L, "%s", err.text);
    lua_insert(L, 1); /* host, f */
    if (!packed_push(L, bytes, &err))
        return luaL_error(L, "%s", err.text);
    call_push_handle(L, &call);
    lua_pushcfunction(L, is_result);
    return 5;
}
