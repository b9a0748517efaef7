/* sys.trace.profile -- a probe (script/probe.h) that looks where the time goes.
 *
 * Time of Lua code is sampled: the hook that looks at the clock every few hundred instructions
 * gives the time since the last look to the function and the line that it finds. That would blame
 * the wrong line for a slow C function, which no hook interrupts. So C functions that take long are
 * timed when they are called and when they return. Waiting is measured whole, from the moment when
 * a task parks to its next turn, and given to the place where it parked.
 *
 * Nothing here allocates in Lua, since much of it runs on the loop. */
#include "sys/trace/samples.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "script/bind.h"
#include "script/probe.h"
#include "script/task.h"
#include "script/tools_table.h"
#include "script/value.h"
#include "sys/trace/frames.h"
#include "sys/trace/names.h"
#include "sys/trace/run.h"

#define PROFILE "sys.trace.profile"

enum { AT_FN = 1, AT_PROFILE };

enum {
    INTERVAL_NS = 100 * 1000, /* nanoseconds between two samples of Lua code */
    LONG_NS = 5 * 1000, /* nanoseconds; a shorter C function counts as the line that calls it */
    DEPTH_MAX = 200,    /* functions of one stack; if there are more, the inner ones */
};

struct profile {
    struct probe probe;
    struct frames frames;
    uint64_t runs, waits;
};

/* The probe's facts about a task. */
struct seen {
    struct frame *root;   /* the task's own functions are below this */
    struct frame *at;     /* where the task was at the last look */
    struct line *line;    /* the line where it was; NULL: none */
    uint64_t since;       /* its time was given away up to then; 0: it does not run */
    uint64_t waits_since; /* 0: it does not wait */
    const void *c_frame;  /* frame of a C function under way; only compared; NULL: none */
    uint64_t c_began;
};

static struct profile *profile_of(struct probe *probe)
{
    return container_of(probe, struct profile, probe);
}

/* --- stacks ----------------------------------------------------------------------------- */

enum { NAME_BYTES = 128 };

/* Returns the name of the C function on top: that of the tool that it calls, or of a function of
 * sys. NULL: it is neither. Borrowed, or in `room`. */
static const char *known_name(lua_State *L, const struct profile *profile, char *room)
{
    const char *name = tools_table_name(L, -1);

    if (name) {
        snprintf(room, NAME_BYTES, "tools.%s", name);
        return room;
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, profile); /* f, names */
    lua_pushvalue(L, -2);
    if (lua_rawget(L, -2) == LUA_TSTRING)
        name = lua_tostring(L, -1); /* the table holds it */
    lua_pop(L, 2);
    return name;
}

static bool is_tool(const struct frame *frame)
{
    return !frame->source && strncmp(frame->name, "tools.", 6) == 0;
}

static struct frame *below_c(struct profile *profile, struct frame *above, lua_State *L,
                             lua_Debug *ar)
{
    char room[NAME_BYTES];
    const char *name;

    lua_getinfo(L, "f", ar);
    name = known_name(L, profile, room);
    lua_pop(L, 1);
    if (name && strcmp(name, TRACE_TOOL) == 0 && is_tool(above))
        return above; /* it only calls the tool */
    if (!name || strcmp(name, TRACE_TOOL) == 0) {
        lua_getinfo(L, "n", ar);
        name = ar->name ? ar->name : "a C function";
    }
    return frames_below(&profile->frames, above, name, NULL, 0);
}

static const char *source_of(const lua_Debug *ar)
{
    return *ar->source == '@' || *ar->source == '=' ? ar->source + 1 : ar->short_src;
}

static struct frame *below_lua(struct profile *profile, struct frame *above, lua_State *L,
                               lua_Debug *ar)
{
    bool main = strcmp(ar->what, "main") == 0;

    lua_getinfo(L, "n", ar);
    return frames_below(&profile->frames, above,
                        main       ? "main chunk"
                        : ar->name ? ar->name
                                   : "a function",
                        source_of(ar), main ? 0 : ar->linedefined);
}

/* Notes where the task is, from this level of its stack on. */
static void look_at_stack(struct profile *profile, struct seen *seen, lua_State *L, int level)
{
    lua_Debug stack[DEPTH_MAX];
    struct frame *frame = seen->root;
    int count = 0;

    while (count < DEPTH_MAX && lua_getstack(L, level + count, &stack[count]))
        count++;
    if (count == 0 || !lua_checkstack(L, 4))
        return; /* its function is over, so its last place stays */
    while (count-- > 0) {
        lua_Debug *ar = &stack[count];

        lua_getinfo(L, "Sl", ar);
        if (*ar->what == 'C' && frame == seen->root)
            continue; /* every task begins with a C function */
        if (*ar->what == 'C') {
            frame = below_c(profile, frame, L, ar);
        } else if (!trace_is_ours(ar->source)) {
            frame = below_lua(profile, frame, L, ar);
            seen->line = frames_line(&profile->frames, source_of(ar), ar->currentline);
        }
    }
    seen->at = frame;
}

/* Gives the time up to now to where the task is, from this level of its stack on. */
static void give_time(struct profile *profile, struct seen *seen, lua_State *L, int level,
                      uint64_t now)
{
    uint64_t time = now > seen->since ? now - seen->since : 0;

    if (!time)
        return;
    seen->since = now;
    look_at_stack(profile, seen, L, level);
    seen->at->runs += time;
    if (seen->line)
        seen->line->runs += time;
    profile->runs += time;
}

static void end_wait(struct profile *profile, struct seen *seen, uint64_t now)
{
    uint64_t time = now - seen->waits_since;

    if (!seen->waits_since)
        return;
    seen->waits_since = 0;
    seen->since = now;
    seen->at->waits += time;
    if (seen->line)
        seen->line->waits += time;
    profile->waits += time;
}

/* --- the probe ---------------------------------------------------------------------------- */

/* True if the frame is the call of the tool that the task is named after. */
static bool is_call_of(const struct frame *frame, const struct task *task)
{
    return is_tool(frame) && strcmp(frame->name + strlen("tools."), task_name(task)) == 0;
}

/* Returns the facts about a task. A task is below the place of the task that made it. If its name
 * is another one, that of a tool, it has a frame of its own. */
static struct seen *profile_seen_of(struct profile *profile, struct task *task)
{
    void **place = task_seen(task);
    struct task *parent = task_parent(task);
    const struct seen *above =
        parent && task_probe(parent) == &profile->probe ? *task_seen(parent) : NULL;
    struct seen *seen = *place;

    if (seen)
        return seen;
    seen = *place = mem_zero(sizeof *seen);
    seen->root = above ? above->at : &profile->frames.root;
    if (above && !is_call_of(above->at, task) && strcmp(task_name(task), task_name(parent)) != 0)
        seen->root = frames_below(&profile->frames, seen->root, task_name(task), NULL, 0);
    seen->at = seen->root;
    seen->line = above ? above->line : NULL; /* until it has a line of its own */
    return seen;
}

static void on_sampled_begin(struct probe *probe, struct task *task, uint64_t now)
{
    struct profile *profile = profile_of(probe);
    struct seen *seen = profile_seen_of(profile, task);

    end_wait(profile, seen, now);
    seen->since = now;
    if (seen->c_frame)
        seen->c_began = now;
}

/* Gives the time up to the start of the C function under way, at level 0, to its caller, and the
 * rest to the function. */
static void give_both_times(struct profile *profile, struct seen *seen, lua_State *L, uint64_t now)
{
    give_time(profile, seen, L, 1, seen->c_began);
    give_time(profile, seen, L, 0, now);
}

static void on_sampled_leave(struct probe *probe, struct task *task, uint64_t now)
{
    struct profile *profile = profile_of(probe);
    struct seen *seen = profile_seen_of(profile, task);
    lua_State *L = task_lua(task);

    if (seen->c_frame)
        give_both_times(profile, seen, L, now);
    else
        give_time(profile, seen, L, 0, now);
    look_at_stack(profile, seen, L, 0); /* tasks that it made are below this place */
    if (task_waits(task))
        seen->waits_since = now;
}

static void on_sampled_look(struct probe *probe, struct task *task, lua_State *L, uint64_t now)
{
    struct profile *profile = profile_of(probe);
    struct seen *seen = profile_seen_of(profile, task);

    end_wait(profile, seen, now); /* the task is being stopped */
    if (now - seen->since < INTERVAL_NS)
        return;
    seen->c_frame = NULL; /* Lua runs */
    give_time(profile, seen, L, 0, now);
}

static void on_sampled_call(struct probe *probe, struct task *task, lua_State *L, lua_Debug *ar)
{
    struct seen *seen = profile_seen_of(profile_of(probe), task);
    lua_Debug above;
    bool is_c;

    if (seen->waits_since) /* the task is being stopped */
        end_wait(profile_of(probe), seen, uv_hrtime());
    lua_getinfo(L, "f", ar);
    is_c = lua_iscfunction(L, -1);
    lua_pop(L, 1);
    if (is_c && seen->c_frame && lua_getstack(L, 1, &above) && above.i_ci == seen->c_frame)
        return; /* a C function calls another one */
    seen->c_frame = is_c ? ar->i_ci : NULL;
    seen->c_began = is_c ? uv_hrtime() : 0;
}

static void on_sampled_return(struct probe *probe, struct task *task, lua_State *L, lua_Debug *ar)
{
    struct profile *profile = profile_of(probe);
    struct seen *seen = profile_seen_of(profile, task);
    uint64_t now;

    if (!seen->c_frame || ar->i_ci != seen->c_frame)
        return;
    now = uv_hrtime();
    if (now - seen->c_began >= LONG_NS)
        give_both_times(profile, seen, L, now);
    seen->c_frame = NULL;
}

static void on_sampled_task_ended(struct probe *probe, struct task *task)
{
    struct seen *seen = *task_seen(task);

    if (!seen)
        return;
    end_wait(profile_of(probe), seen, uv_hrtime());
    free(seen);
    *task_seen(task) = NULL;
}

/* --- the report --------------------------------------------------------------------------- */

static void set_seconds(lua_State *L, const char *key, uint64_t time)
{
    lua_pushnumber(L, (double)time / 1e9);
    lua_setfield(L, -2, key);
}

static void set_source_place(lua_State *L, const char *source, int line)
{
    lua_pushstring(L, source); /* NULL: nil */
    lua_setfield(L, -2, "source");
    lua_pushinteger(L, line);
    lua_setfield(L, -2, "line");
}

static void push_frame(lua_State *L, const struct frame *frame, int depth)
{
    lua_createtable(L, 0, 6);
    lua_pushstring(L, frame->name);
    lua_setfield(L, -2, "name");
    set_source_place(L, frame->source, frame->line);
    lua_pushinteger(L, depth);
    lua_setfield(L, -2, "depth");
    set_seconds(L, "runs", frame->runs);
    set_seconds(L, "waits", frame->waits);
}

/* Sets report.frames, where each frame is followed by those below it. */
static void set_frames(lua_State *L, const struct frames *frames)
{
    const struct frame *frame = &frames->root;
    lua_Integer n = 0;
    int depth = 0;

    lua_newtable(L);
    value_mark_array(L, -1);
    for (;;) {
        if (frame->first) {
            frame = frame->first;
            depth++;
        } else {
            while (frame != &frames->root && !frame->next) {
                frame = frame->above;
                depth--;
            }
            if (frame == &frames->root)
                break;
            frame = frame->next;
        }
        push_frame(L, frame, depth);
        lua_rawseti(L, -2, ++n);
    }
    lua_setfield(L, -2, "frames");
}

static void set_lines(lua_State *L, const struct frames *frames)
{
    lua_Integer n = 0;

    lua_createtable(L, (int)frames->line_count, 0);
    value_mark_array(L, -1);
    for (size_t i = 0; i < frames->line_room; i++) {
        const struct line *line = frames->lines[i];

        if (!line || (!line->runs && !line->waits))
            continue;
        lua_createtable(L, 0, 4);
        set_source_place(L, line->source, line->line);
        set_seconds(L, "runs", line->runs);
        set_seconds(L, "waits", line->waits);
        lua_rawseti(L, -2, ++n);
    }
    lua_setfield(L, -2, "lines");
}

static void profile_drop(lua_State *L, struct profile *profile)
{
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, profile);
    frames_finish(&profile->frames);
}

/* Makes the report and frees the profile at once: Lua 5.4 may lose the finalizer of what becomes
 * garbage while a stack overflows. */
static int profile_finish(lua_State *L, int status, lua_KContext context)
{
    struct profile *profile = luaL_checkudata(L, AT_PROFILE, PROFILE);

    (void)status;
    (void)context;
    trace_push_report(L, AT_PROFILE); /* report */
    set_frames(L, &profile->frames);
    set_lines(L, &profile->frames);
    set_seconds(L, "runs", profile->runs);
    set_seconds(L, "waits", profile->waits);
    profile_drop(L, profile);
    return 1;
}

/* --- the whole ---------------------------------------------------------------------------- */

static int profile_gc(lua_State *L)
{
    profile_drop(L, luaL_checkudata(L, 1, PROFILE));
    return 0;
}

/* sys.trace.profile(fn) -> report */
int trace_profile(lua_State *L)
{
    struct profile *profile;

    luaL_checktype(L, AT_FN, LUA_TFUNCTION);
    lua_settop(L, AT_FN);
    profile = lua_newuserdatauv(L, sizeof *profile, 0);
    *profile = (struct profile){ .frames.root.name = "",
                                 .probe = { .called = on_sampled_call,
                                            .returned = on_sampled_return,
                                            .looked = on_sampled_look,
                                            .begins = on_sampled_begin,
                                            .leaves = on_sampled_leave,
                                            .ended = on_sampled_task_ended } };
    luaL_setmetatable(L, PROFILE);
    trace_push_names(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, profile);
    return trace_run(L, &profile->probe, NULL, profile_finish);
}

void trace_profile_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", profile_gc }, { NULL, NULL } };

    bind_metatable(L, PROFILE, meta, NULL);
}
