/* The texts of a result, not more of them than a client takes: what is over the cap is cut between
 * characters, and a note says how much is left and how to get at it. */
#ifndef PERIGEE_REGISTRY_CALL_TEXT_H
#define PERIGEE_REGISTRY_CALL_TEXT_H

#include "base/buf.h"
#include "registry/call/call.h"

/* The bytes that are meant by `cap`: 0, or more than a result may have, is OUTCOME_BYTES. */
size_t text_cap(size_t cap);

/* Writes a text as a block. `entry`: whose it is, for the note; or NULL. */
void text_write_block(struct buf *out, const char *text, size_t len, size_t cap,
                      struct entry *entry);

/* Writes the array of blocks on top of the stack, whose texts share the outcome's cap; pictures and
 * other blocks go whole. The tool's tables stay as they are. False: no JSON, err says where; may
 * raise (memory). */
bool text_write_content(const struct outcome *outcome, lua_State *L, struct buf *out,
                        struct error *err);

#endif
