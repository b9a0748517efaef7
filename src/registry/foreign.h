/* Tool files that are not trusted: none of their text is compiled or run in the engine.
 *
 * Foreign is what is in a root's folder foreign/, which no file can undo, and a tool file whose
 * text has `trust = "foreign"`, in whatever quotes and even in a comment. Which one it is shows
 * before anything in it runs. A guest (guest/guest.h) runs the file and gives what it declares, as
 * plain values; lua/lib/foreign.lua makes a tool of that, whose function runs the file in another
 * guest. */
#ifndef PERIGEE_REGISTRY_FOREIGN_H
#define PERIGEE_REGISTRY_FOREIGN_H

#include "registry/libs.h"

bool foreign_is(const struct source *source, struct str text);

/* The same of the file as it is now. */
bool foreign_is_file(const struct source *source);

/* Upvalues of the function that foreign_set_declare() gets. */
enum {
    FOREIGN_LIBS = 1,
    /* light userdata */ FOREIGN_ROOT,
    FOREIGN_LABEL,
    FOREIGN_TEXT,
    FOREIGN_UPVALUES = FOREIGN_TEXT
};

/* How a guest is made here: () -> what the file declares. Raises why not. It is called on the main
 * state, where it must not yield, or in a task that loads. NULL: not at all. */
void foreign_set_declare(lua_CFunction declare);

/* Leaves that function, made for this file, on the main state. False: err. */
bool foreign_push(struct vm *vm, struct libs *libs, const struct source *source, struct str text,
                  struct error *err);

/* Replaces what it gave, on the main state, by the tool's table. False: err, and it is popped. */
bool foreign_adopt(struct vm *vm, struct libs *libs, const struct source *source, struct str text,
                   struct error *err);

#endif
