/* Pages of a list, and the cursors between them. */
#ifndef PERIGEE_MCP_SERVER_PAGES_H
#define PERIGEE_MCP_SERVER_PAGES_H

#include "mcp/server/request/session.h"

struct page {
    size_t from, to; /* range of the entries; `to` is not part of it */
    char *next;      /* the cursor of the next page, owned; NULL: this is the last */
};

/* Where a page starts: the first of `count` sorted entries after params.cursor. False: -32602 was
 * sent. */
bool page_read(const struct request *request, struct entry *const *entries, size_t count,
               struct page *page);
void page_end(struct page *page, struct buf *out); /* writes nextCursor, frees */

#endif
