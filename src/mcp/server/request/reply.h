/* Messages written straight into the transport's buffer.
 *
 * Each pair opens a message and closes it; between the two its members are appended to the buffer,
 * and nothing else is written. What is closed is on its way. */
#ifndef PERIGEE_MCP_SERVER_REQUEST_REPLY_H
#define PERIGEE_MCP_SERVER_REQUEST_REPLY_H

#include "mcp/server/request/session.h"

/* Opens {"jsonrpc":"2.0","id":ID,"result":{ and returns the buffer for the members. */
struct buf *reply_begin(const struct request *request);
/* Adds what the era wants (resultType, serverInfo) and closes. `empty`: no member was written.
 * `meta`: members of the result's _meta, or NULL. */
void reply_end(const struct request *request, struct buf *out, bool empty, const struct buf *meta);
/* The same for a result of this type: "complete", "input_required". */
void reply_end_as(const struct request *request, struct buf *out, const char *type, bool empty,
                  const struct buf *meta);

/* `data`: JSON text of the error's data, or NULL. */
void reply_error(const struct request *request, int code, const char *data, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* A reply without id: the message could not be understood. batch: NULL if it was no part of one. */
void reply_orphan(const struct session *session, struct sink *sink, struct batch *batch, int code,
                  const char *text);

/* A notification: opens {"jsonrpc":"2.0","method":METHOD,"params":{ */
struct buf *notify_begin(struct sink *sink, const char *method);
void notify_end(struct sink *sink, struct buf *out);

/* A request to the client: opens {"jsonrpc":"2.0","id":"ID","method":METHOD,"params": */
struct buf *ask_begin(struct sink *sink, const char *id, const char *method);
void ask_end(struct sink *sink, struct buf *out);

/* Appends a text as a JSON string, without hidden characters (json/shown.h). */
void write_shown(struct buf *out, const char *text);

/* {"name":...,"version":...} */
void write_server_info(struct buf *out);
/* ,"_meta":{related-task} for params that have members already. id: the task's. */
void write_related_task(struct buf *out, const char *id);
/* The same as a member of a _meta. */
void write_related_task_member(struct buf *meta, const char *id);

/* Appends a block of text to the content of a result of tools/call that begins at `from`. */
void reply_add_text(struct buf *out, size_t from, const char *text);

#endif
