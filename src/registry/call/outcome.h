/* An outcome as the wire's CallToolResult. */
#ifndef PERIGEE_REGISTRY_CALL_OUTCOME_H
#define PERIGEE_REGISTRY_CALL_OUTCOME_H

#include "base/buf.h"
#include "registry/call/call.h"

enum { OUTCOME_BYTES = 8 * 1024 * 1024 }; /* the size of one result, at most */

/* Appends the members of the result object, without its braces, to `out`:
 *   "content":[...] [,"structuredContent":...] [,"isError":true]
 * and the members of its _meta, if any, to `meta`. What run() returned that cannot be written or
 * does not match outputSchema becomes an isError result that says so. `any_value`:
 * structuredContent may be any JSON value (2026-07-28); before, an object. Returns: is the result
 * an error? */
bool outcome_write(const struct outcome *outcome, struct buf *out, struct buf *meta,
                   bool any_value);

/* The same for a model: without hidden characters (json/shown.h), since the result of any tool may
 * hold text from anywhere. `meta` is empty before. How many were taken out is in
 * _meta["perigee/hidden"]. */
bool outcome_show(const struct outcome *outcome, struct buf *out, struct buf *meta, bool any_value);

/* Appends what the engine says of a result to its _meta: where its content is from, how many
 * characters were taken out of it, that its file is stale, that this is a dry run. */
void outcome_write_marks(const struct outcome *outcome, size_t hidden, struct buf *meta);

/* Appends the whole result object, with its _meta; structuredContent may be any JSON value. */
void outcome_write_object(const struct outcome *outcome, struct buf *out);

/* read(job, value) on the state of the outcome, protected; without value when `index` is 0. False:
 * err says what went wrong ("memory"). */
bool outcome_read(const struct outcome *outcome, int index, lua_CFunction read, void *job,
                  struct error *err);

/* The members of an isError result with this text, as the tool words its failures; NULL: as it is.
 */
void outcome_write_error(const struct entry *entry, struct buf *out, struct buf *meta,
                         const char *text, size_t len, const char *code);

#endif
