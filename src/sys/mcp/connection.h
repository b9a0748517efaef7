/* What the files of sys.mcp share. Nothing else includes this. */
#ifndef PERIGEE_SYS_MCP_CONNECTION_H
#define PERIGEE_SYS_MCP_CONNECTION_H

#include <lua.h>

#include "base/buf.h"
#include "base/list.h"
#include "mcp/client/wire/http_wire.h"
#include "mcp/client/wire/stdio_wire.h"
#include "script/event_queue.h"
#include "script/task.h"

/* The functions of a spec, in the order of their names (spec.c). */
enum lua_mcp_hook {
    HOOK_AUTHORIZE, /* these answer: a task is started for each question ... */
    HOOK_ELICIT,
    HOOK_SAMPLE,
    HOOK_ROOTS, /* a list, too */
    HOOK_ANSWERS,
    HOOK_LOG = HOOK_ANSWERS, /* ... and these are told, one after the other */
    HOOK_CHANGED,
    HOOK_UPDATED,
    HOOK_NOTIFICATION,
    HOOK_COUNT,
};

/* A sys.mcp.Spec as C has it. The texts live on the Lua stack. */
struct lua_mcp_spec {
    struct mcp_server_spec server; /* argv NULL: over HTTP */
    struct mcp_http_spec http;
    struct client_options options;
    int hooks[HOOK_COUNT]; /* stack index of the function; 0: none */
};

/* Reads the table at index 1 and leaves on the stack what the spec borrows
 * from. Raises when it is wrong. */
void lua_mcp_read_spec(lua_State *L, struct lua_mcp_spec *spec);

/* A spec of a file's entry that cannot be used: pushes nil, text and code, and
 * returns 3. Else 0. */
int lua_mcp_spec_problem(lua_State *L);
int mcp_servers(lua_State *L);

/* One session. Lua holds it through a userdata; it outlives that until its server is gone. */
struct lua_mcp {
    struct client *client;     /* NULL: it is over. Borrowed from one of these: */
    struct mcp_client *child;  /* NULL: it is over, or over HTTP */
    struct mcp_http *http;     /* NULL: it is over, or a child */
    struct vm *vm;             /* NULL: nobody in Lua holds it any more */
    char *name;                /* the program or the host, for the log */
    char *url;                 /* over HTTP */
    int answers[HOOK_ANSWERS]; /* registry references, or LUA_NOREF */
    struct event_queue *told[HOOK_COUNT - HOOK_ANSWERS]; /* NULL: nobody wants it */
    struct link questions;                               /* struct question: being answered */
    struct op *connecting; /* the task that waits for its beginning; NULL: none */
    int self;              /* stack index of the userdata in that task */
    struct link closing;   /* tasks that wait for its end */
    uint64_t max_ms;
    struct error why; /* how it ended */
};

/* The session of the userdata at index 1; raises when it is none. */
struct lua_mcp *lua_mcp_check(lua_State *L);

/* Calls fn(job) under protection and moves its nresults results to `to`. */
bool lua_mcp_push(struct vm *vm, lua_State *to, lua_CFunction fn, void *job, int nresults,
                  struct error *err);

/* hooks.c: what the spec's functions are told and asked */
void lua_mcp_take_hooks(lua_State *L, struct lua_mcp *session, const struct lua_mcp_spec *spec);
void lua_mcp_drop_hooks(struct lua_mcp *session);
unsigned lua_mcp_abilities(const struct lua_mcp_spec *spec);
void lua_mcp_authorize(void *arg, const struct mcp_challenge *challenge);
extern const struct client_events lua_mcp_events; /* without ready and closed */

/* answer.c: makes what a function returned, at index 2 of four values, a result of
 * its kind. asked: registry reference to the question's parameters. */
void lua_mcp_shape_answer(lua_State *L, enum lua_mcp_hook hook, int asked);

/* era.c: what era an address had, so that it is asked for once */
void lua_mcp_recall_era(lua_State *L, struct lua_mcp_spec *spec);
void lua_mcp_remember_era(struct lua_mcp *session);

/* A task that waits for an answer. Its buffers are freed by __gc at the latest. */
struct lua_mcp_waiting {
    struct op op;
    struct lua_mcp *session;
    struct client_call *call; /* one of the two is set while it waits */
    struct client_listing *listing;
    struct event_queue *progress; /* NULL: nobody wants it */
    struct event_queue *status;   /* of a task; the same */
    bool may_be_task;             /* options.task */
    struct client_task_options task;
    lua_CFunction push; /* makes the Lua value of a result */
    struct buf params;  /* JSON text */
    struct buf items;   /* of a list: JSON text, separated by commas */
};

/* waiting.c: asking, for the methods: push one, fill its params, ask (the last thing). */
struct lua_mcp_waiting *lua_mcp_wait(lua_State *L, lua_CFunction push);
int lua_mcp_ask(lua_State *L, struct lua_mcp_waiting *waiting, const char *method, int options);
int lua_mcp_push_plain(lua_State *L);
int lua_mcp_push_failure(
    lua_State *L); /* (struct client_answer) -> nil, text, code, data, number */
/* Ends the waiting with what push makes of job. */
void lua_mcp_wake(struct lua_mcp_waiting *waiting, lua_CFunction push, const void *job,
                  int nresults);
/* NULL: the session is over. */
struct client *lua_mcp_client(const struct lua_mcp_waiting *waiting, struct error *err);
void lua_mcp_write_object(lua_State *L, int index, struct buf *out);

/* module.c: resources, completion, levels of logging, pings */
int mcp_client_complete(lua_State *L);
int mcp_client_definitions(lua_State *L);
int mcp_client_list_resources(lua_State *L);
int mcp_client_list_templates(lua_State *L);
int mcp_client_log_level(lua_State *L);
int mcp_client_ping(lua_State *L);
int mcp_client_read(lua_State *L);
int mcp_client_subscribe(lua_State *L);
int mcp_client_unsubscribe(lua_State *L);

/* waiting.c: the methods that ask the server */
int mcp_client_call(lua_State *L);
int mcp_client_get_prompt(lua_State *L);
int mcp_client_request(lua_State *L);
void lua_mcp_open_calls(lua_State *L); /* makes their metatable */

/* list.c: whole lists, each a method with its own push */
int lua_mcp_list(lua_State *L, const char *method, const char *key, lua_CFunction push);
int mcp_client_list_prompts(lua_State *L);
int mcp_client_list_tools(lua_State *L);

#endif
