/* One loaded file: a tool, a prompt, a rule or a provider.
 *
 * Immutable once loaded and counted: a generation holds one reference, every
 * call in flight another, so a call finishes on the code it started with. */
#ifndef PERIGEE_REGISTRY_ENTRY_H
#define PERIGEE_REGISTRY_ENTRY_H

#include "base/error.h"
#include "base/util.h"
#include "registry/libs.h"
#include "registry/source.h"
#include "json/json.h"
#include "json/schema.h"

enum entry_kind { ENTRY_TOOL, ENTRY_PROMPT, ENTRY_RULE, ENTRY_PROVIDER };

struct entry {
    enum entry_kind kind;
    int refs;
    struct vm *vm;     /* borrowed */
    struct libs *libs; /* counted: what its `require` reads */
    char *name;        /* owned, as all below */
    char *toolset;     /* "" unless a tool */
    char *path, *label;
    struct stamp stamp;

    int table; /* registry refs into Lua: what the file returned */
    int run;   /* run, render, parse or complete */

    char *wire; /* tools, prompts: the definition as JSON text */
    size_t wire_len;
    struct json_doc *definition; /* the same, parsed */
    struct schema *input;        /* tools */
    struct schema *output;       /* tools: NULL without outputSchema */
    char **aliases;
    size_t alias_count;
    uint64_t timeout_ms; /* tools: 0 when the file does not say */
    bool takes_call;     /* run() has a second parameter */
    bool here;           /* meant for this platform */
    bool listed;         /* tools: part of the default list */
};

/* Runs the source's text in the sandbox and checks what it returns. NULL: err
 * says "label:line: what" or names the key. One reference, owned by the caller. */
struct entry *entry_load(struct vm *vm, struct libs *libs, const struct source *source,
                         const char *text, size_t len, struct error *err);

struct entry *entry_ref(struct entry *entry);
void entry_unref(struct entry *entry); /* NULL is fine */

/* Pushes entry's function on any state of its VM. */
void entry_push_run(struct entry *entry, lua_State *L);
void entry_push_table(struct entry *entry, lua_State *L);

#endif
