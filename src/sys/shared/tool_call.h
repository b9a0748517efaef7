/* Calls from Lua what the registry holds: tools, prompts, resources. */
#ifndef PERIGEE_SYS_SHARED_TOOL_CALL_H
#define PERIGEE_SYS_SHARED_TOOL_CALL_H

#include <lua.h>

#include "registry/call/outcome.h"
#include "registry/registry.h"

/* vm_set_service() with its address lends the struct registry that tools are called from. */
extern const char sys_registry_key;

/* Returns that registry. Borrowed. */
struct registry *sys_registry(lua_State *L);

/* Functions that hear of the tools that a script calls by itself. They answer the questions of
 * these, and of tools that these call, as in call_spec. Any may be NULL, but with `ask` there are
 * `unask` and `can`. */
struct call_reports {
    void (*progress)(void *arg, double done, double total, const char *message);
    void (*log)(void *arg, const char *level, const char *logger, lua_State *L, int data);
    void (*print)(void *context, const char *text, size_t len);
    bool (*ask)(struct registry *registry, struct elicitation *elicitation, struct error *err);
    void (*unask)(struct elicitation *elicitation);
    bool (*can)(int kind);
    void *arg;
};

/* A script as a caller of tools. The context of a task is NULL or begins with one of these, so that
 * its calls count at every depth. */
struct tool_caller {
    unsigned made, most;                /* number of calls so far, and its limit; 0: no limit */
    const struct call_reports *reports; /* borrowed; NULL: nobody listens */
};

/* Calls the tool of the name at index 1, with the arguments (or nil) at 2 and the options (or nil)
 * at 3; parks the task. With `raw`, gives the plain value, or nil, text, code. Otherwise gives the
 * result table of sys.engine.call(). */
int tool_call(lua_State *L, bool raw);

/* Calls an entry in the same way. For a prompt, the plain value is what it rendered. */
int entry_call(lua_State *L, struct entry *entry, int args, int options, bool raw);

/* Reads a resource that this entry serves: (uri, options | nil) at the given indices; parks the
 * task. Gives a list of contents, blobs as bytes; or nil, text, code. */
int entry_read(lua_State *L, struct entry *entry, int uri, int options);

/* Returns the tool of this name, and counts it for its caller (NULL: nobody counts). NULL and err:
 * "unknown_tool", "wrong_platform", "too_many_calls". Borrowed. */
struct entry *tool_take(struct registry *registry, const char *name, struct tool_caller *caller,
                        struct error *err);

/* A call of the task came to nothing before it began. What the error says of a tool of others, such
 * as which arguments it takes, is text of theirs: the call that the task is of has read it. */
void tool_note_refused(struct registry *registry, const char *name, struct task *task,
                       const struct error *err);

/* Returns its arguments as a document that matches its schema, owned by the caller. NULL and
 * err. */
struct json_doc *tool_arguments(struct entry *entry, struct str json, struct error *err);

/* Pushes the result of a call as a script sees it: the function's results, or the structured part
 * or the text of a tool's full result; or nil, text, code. Returns their number. */
int tool_push_value(lua_State *L, const struct outcome *outcome);

/* Pushes the text of a tool's result: that of its content blocks, joined by newlines. */
void tool_push_text(lua_State *L, const cJSON *result);

/* The C function behind these functions, called with (name, arguments, options). For probes. */
lua_CFunction tools_call_function(void);

/* Pushes the table whose fields are functions that call tools (script/tools_table.h). */
void tools_push(lua_State *L, bool raises);

#endif
