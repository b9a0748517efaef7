/* Replies to the members of a batch (2025-03-26), collected into one array. */
#ifndef PERIGEE_MCP_SERVER_REQUEST_BATCH_H
#define PERIGEE_MCP_SERVER_REQUEST_BATCH_H

#include "base/buf.h"
#include "mcp/sink.h"

struct batch;

/* Holds the sink. One reply is owed: that of the reader, who drops it when all members are read. */
struct batch *batch_new(struct sink *sink);

/* The buffer for one reply's JSON text. */
struct buf *batch_begin(struct batch *batch);
void batch_end(struct batch *batch);

void batch_hold(struct batch *batch); /* one more reply is owed */
void batch_drop(struct batch *batch); /* one is not any more; sends and frees after the last */

#endif
