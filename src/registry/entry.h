/* One loaded file: a tool, a prompt, a rule, a provider, a resource, a command, a policy, a service
 * or a text.
 *
 * Counted: a generation holds one reference, every call in flight another, so a
 * call finishes on the code it started with. Immutable, but for what is made
 * when it is first needed: an entry out of a catalog has what its file
 * declares, and its code, its parsed definition and its schemas come later. */
#ifndef PERIGEE_REGISTRY_ENTRY_H
#define PERIGEE_REGISTRY_ENTRY_H

#include "base/error.h"
#include "base/util.h"
#include "json/document.h"
#include "json/schema/schema.h"
#include "registry/catalog.h"
#include "registry/libs.h"
#include "registry/source.h"

struct uri_template;
struct uri_values;

/* execution.taskSupport of MCP: may, or must, a call of this tool run as a task? */
enum task_support { TASKS_FORBIDDEN, TASKS_OPTIONAL, TASKS_REQUIRED };
const char *task_support_name(enum task_support support);

enum entry_kind {
    ENTRY_TOOL,
    ENTRY_PROMPT,
    ENTRY_RULE,
    ENTRY_PROVIDER,
    ENTRY_RESOURCE,
    ENTRY_COMMAND, /* never in a generation: registry_load_alone() */
    ENTRY_POLICY,  /* run: decides about a call (lua/lib/policy/compile.lua) */
    ENTRY_SERVICE, /* run: start (lua/lib/services/manager.lua) */
    ENTRY_TEXT     /* a file of prompts/ whose words the engine itself uses: no list has it */
};

struct entry {
    enum entry_kind kind;
    int refs;
    struct vm *vm;     /* borrowed */
    struct libs *libs; /* counted: what its `require` reads */
    char *name;        /* owned, as all below */
    char *toolset;     /* "" unless a tool, or a resource in a folder */
    char *path, *label;
    struct stamp stamp;
    size_t root; /* as of a struct source */

    /* Registry refs into Lua, LUA_NOREF before its code is there (entry_push_*): what the file
     * returned, and in that run, render, parse, complete or read; none of a command with
     * subcommands */
    int table, run;
    int named;   /* the function that errors name in place of run; LUA_NOREF: run itself */
    int subject; /* the policy's table about it (registry/gate.h); LUA_NOREF: not needed yet */
    struct cached_text asleep;      /* the file's text, while its code is not there; a reference */
    struct cached_text asleep_code; /* that code in the catalog, without a reference */

    char *stale; /* why its file's newer version does not load; NULL: there is none
                    (entry_set_stale) */

    char
        *wire; /* tools, prompts, resources, texts: the definition as JSON text, as lists show it */
    size_t wire_len;
    char *whole; /* tools: the definition where lists show less (registry/listing.h), else NULL */
    size_t whole_len;
    struct cached_text whole_asleep; /* where it lies while it is not there, without a reference */
    bool whole_lost;                 /* the catalog does not have it any more: entry_wake() has */
    struct json_doc *definition;     /* the whole, parsed: entry_definition() */
    struct schema *input;            /* tools: entry_schemas() */
    struct schema *output;           /* tools: NULL without outputSchema */
    bool defaults;                   /* tools: inputSchema gives some, which calls get */
    char **aliases;                  /* NULL or a list that ends in NULL */
    size_t alias_count;
    char **programs; /* listed if one of them is there; as aliases, and NULL if that is not asked */
    char *common;    /* tools: the application that the user has to choose (registry/choice.h) for
                        it to be listed; or NULL */
    bool templated;  /* resources: it has a template, not one URI */
    struct uri_template *template; /* the template; NULL for a mounted one that we cannot read */
    char *uri;                     /* resources: that URI, or the template */
    char *original;                /* mounted ones: the name that their server gives; or NULL */
    uint64_t timeout_ms;           /* tools, resources: 0 when the file does not say */
    uint64_t pack_state;           /* that its pack had (struct pack) */
    enum task_support tasks;       /* tools */
    bool takes_call;               /* run() has a parameter for the call object */
    bool here;                     /* meant for this platform */
    bool listed;                   /* tools, resources: part of the default list */
    bool says_error;               /* tools: the text of each failure begins with ERROR_WORD */
    bool console;                  /* tools: only a console's sessions know it; others may as well
                                      not have it: generation_tool() */
    bool foreign;                  /* tools: its code runs in a guest (registry/foreign.h) */
    bool from_foreign;             /* it is, because of where its file is */
    bool packed;                   /* it belongs to a pack */
    bool keepable;                 /* another process may take what it declares from a catalog */
    bool outdated; /* a lib file that it requires has changed: it has to be loaded again. This and
                      `stale` are what changes in an entry */
};

#define ERROR_WORD "ERROR: "

/* An empty entry for a file. One reference, owned by the caller. */
struct entry *entry_new(struct vm *vm, struct libs *libs, const struct source *source);
struct entry *entry_ref(struct entry *entry);
void entry_unref(struct entry *entry); /* NULL is fine */

/* Notes why a newer version of its file does not load, or (NULL) that this is the newest. */
void entry_set_stale(struct entry *entry, const char *why);

/* The text of the whole definition, borrowed; empty of what has none. */
struct str entry_whole(struct entry *entry);

/* The parsed definition; NULL of what has none. */
const cJSON *entry_definition(struct entry *entry);

/* Compiles a tool's schemas, if they are not. False: err. */
bool entry_schemas(struct entry *entry, struct error *err);

/* Is it a tool for whoever calls tools: for this platform, and not of the console? */
bool entry_offered(const struct entry *entry);

/* Is it a file that comes with the engine? */
bool entry_shipped(const struct entry *entry);

/* Pushes entry's function, or its table, on any state of its VM. Raises what is wrong with its
 * code, if that is loaded now. */
void entry_push_run(struct entry *entry, lua_State *L);
void entry_push_table(struct entry *entry, lua_State *L);

/* Pushes {name = value, ...} of a resource's URI; {} for one without a template. */
struct entry_address {
    struct entry *entry;
    const char *uri;
    const struct uri_values *values;
};

/* Its function, the URI and the values of its variables; gives 3. A call_spec.push, with a struct
 * entry_address. */
int entry_push_read(lua_State *L, const void *address);

void entry_push_values(const struct entry *entry, lua_State *L, const struct uri_values *values);

/* Is this the name of an argument of a prompt, or of a variable of a resource's template? */
bool entry_has_argument(struct entry *entry, const char *name);

#endif
