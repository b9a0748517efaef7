/* Input of a broken guest: frames, and packed values. */
#include "fuzz.h"

#include "guest/frame.h"
#include "script/bind.h"
#include "script/packed.h"
#include "script/vm.h"

static struct vm *vm;
static uv_loop_t loop;

static void make(void)
{
    static const struct vm_limits limits = { 64 << 20 };
    struct error err;

    uv_loop_init(&loop);
    vm = vm_new(&loop, &limits, &err);
    MUST(vm && vm_run(vm, bind_init, NULL, &err));
}

/* (bytes): bytes that are a value are one again after it was written. */
static int check_value(lua_State *L)
{
    struct str bytes = *(struct str *)lua_touserdata(L, 1);
    struct buf *again = bind_buffer(L);
    struct error err = { .code = "" };
    int top = lua_gettop(L);
    struct str rest;

    if (!packed_push(L, &bytes, &err)) {
        MUST(lua_gettop(L) == top && strcmp(err.code, "bad_value") == 0);
        return 0;
    }
    MUST(lua_gettop(L) == top + 1);
    if (!packed_write(L, -1, again, &err)) {
        MUST(strcmp(err.code, "not_plain") == 0 && again->len == 0); /* nested in its order */
        return 0;
    }
    rest = buf_str(again);
    MUST(packed_push(L, &rest, &err) && rest.len == 0);
    return 0;
}

static void check(struct str bytes)
{
    struct error err;

    MUST(vm_run(vm, check_value, &bytes, &err) || strcmp(err.code, "memory") == 0);
    MUST(lua_gettop(vm_lua(vm)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = fuzz_copy(data, size);
    struct buf in = { .data = copy, .len = size };
    struct frame frame;
    struct error err;
    size_t at = 0;

    if (!vm)
        make();
    check((struct str){ copy, size });
    while (frame_next(&in, &at, FRAME_MAX, &frame, &err) == FRAME_READ) {
        MUST(at <= size && frame.kind < FRAME_KINDS);
        check(frame.payload.left);
    }
    lua_gc(vm_lua(vm), LUA_GCCOLLECT);
    free(copy);
    return 0;
}
