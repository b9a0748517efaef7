/* Cursors. One is the place of the last entry that was sent, so that a list
 * which changed in between goes on at the right place. Opaque to clients:
 * "p1-" and the hex of "toolset/name". */
#include "mcp/server/pages.h"

#include <stdlib.h>

#include "mcp/server/request/reply.h"

static int hex_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The "toolset/name" in a cursor, NUL-terminated; NULL if it is not one of ours. */
static char *cursor_place(const char *cursor)
{
    size_t len = strlen(cursor);
    char *place;

    if (strncmp(cursor, "p1-", 3) != 0 || len < 7 || (len - 3) % 2 || len > 4096)
        return NULL;
    place = mem_zero((len - 3) / 2 + 1);
    for (size_t i = 3; i < len; i += 2) {
        int high = hex_value(cursor[i]), low = hex_value(cursor[i + 1]);

        if (high < 0 || low < 0 || (high == 0 && low == 0)) {
            free(place);
            return NULL;
        }
        place[(i - 3) / 2] = (char)(high << 4 | low);
    }
    if (!strchr(place, '/')) {
        free(place);
        return NULL;
    }
    return place;
}

static char *make_cursor(const struct entry *last)
{
    struct buf out = { 0 };
    char *place = mem_printf("%s/%s", last->toolset, last->name);

    buf_lit(&out, "p1-");
    buf_hex(&out, place, strlen(place));
    free(place);
    return buf_take(&out);
}

/* Entries are sorted by toolset, then name. */
static bool entry_is_after(const struct entry *entry, const char *place)
{
    const char *slash = strchr(place, '/');
    size_t len = (size_t)(slash - place);
    int order = strncmp(entry->toolset, place, len);

    if (!order && entry->toolset[len])
        order = 1;
    return order > 0 || (order == 0 && strcmp(entry->name, slash + 1) > 0);
}

bool page_read(const struct request *request, struct entry *const *entries, size_t count,
               struct page *page)
{
    const cJSON *cursor = json_given(request->params, "cursor");
    size_t size = request->session->server->page;

    *page = (struct page){ 0 };
    if (cursor && !cJSON_IsString(cursor)) {
        reply_error(request, RPC_INVALID_PARAMS, NULL, "Invalid cursor: it must be a string");
        return false;
    }
    if (cursor && *cursor->valuestring) {
        char *place = cursor_place(cursor->valuestring);

        if (!place) {
            reply_error(request, RPC_INVALID_PARAMS, NULL,
                        "Invalid cursor. Pass nextCursor from the previous page, or omit it");
            return false;
        }
        while (page->from < count && !entry_is_after(entries[page->from], place))
            page->from++;
        free(place);
    }
    page->to = count - page->from > size ? page->from + size : count;
    if (page->to < count)
        page->next = make_cursor(entries[page->to - 1]);
    return true;
}

void page_end(struct page *page, struct buf *out)
{
    if (page->next)
        buf_addf(out, ",\"nextCursor\":\"%s\"", page->next);
    free(page->next);
}
