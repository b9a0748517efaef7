/* Notices: what happened on the desktop by itself since a session's last call. They ride on the
 * session's next result of a tool that acts on the desktop or looks at it, once.
 *
 * Lua says what is one: the resource perigee://notices is watched from the session's first such
 * call on, and gives them to sys.engine.notice(). What happens to applications and their windows
 * while a call of the session acts is none: the call itself tells of it. */
#ifndef PERIGEE_MCP_SERVER_NOTICES_H
#define PERIGEE_MCP_SERVER_NOTICES_H

#include "mcp/server/call/pending.h"

struct notice;
struct server;

/* Do they ride on this tool's results? */
bool notices_ride(const struct entry *entry);

/* To every session. `about` is a resource name: a notice about the same, or about what is below it
 * ("applications/7/windows/3"), gives way to this one. */
void notices_note(struct server *server, const struct notice *notice);

/* Adds them to the content of a result, whose members begin at `from` of `out`. Those about what
 * the result names are left out. Those whose tool the policy does not let the caller use without a
 * question are only counted. */
void notices_add(const struct pending *pending, struct buf *out, size_t from);

/* The session had a call, which did not fail: from now on it is told. */
void notices_begin(struct session *session);
void notices_end(struct session *session);

#endif
