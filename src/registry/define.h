/* The definition of a tool, prompt, resource or text, on the wire as lists show it. */
#ifndef PERIGEE_REGISTRY_DEFINE_H
#define PERIGEE_REGISTRY_DEFINE_H

#include <lua.h>

#include "base/buf.h"
#include "registry/entry.h"

/* These read the file's table at index 1, which has the shape that registry/shape.h wants, and fill
 * the entry: wire, definition, and what is compiled from them. `out` is an empty buffer; its
 * contents are taken. False: err names the key. They may raise (memory). */
bool define_tool(lua_State *L, struct entry *entry, struct buf *out, struct error *err);
bool define_prompt(lua_State *L, struct entry *entry, struct buf *out, struct error *err);
bool define_resource(lua_State *L, struct entry *entry, struct buf *out, struct error *err);
bool define_text(lua_State *L, struct entry *entry, struct buf *out, struct error *err);

/* Is the table at index 1 meant for this platform? */
bool define_platforms(lua_State *L);

#endif
