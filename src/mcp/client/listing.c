/* Lists that come in pages: the next is asked for while the server names one.
 *
 * A server that gives a cursor twice would go on for ever, as would one that
 * always has a new one: both end with an error. */
#include "mcp/client/listing.h"

#include <stdlib.h>

#include "json/writer.h"

enum { PAGES_MAX = 1000 };

struct client_listing {
    struct link link; /* in client->listings */
    struct client *client;
    struct client_call *call; /* the page that is on its way */
    struct client_list_callbacks on;
    void *arg;
    struct client_limits limits;
    char *method, *key;
    char **cursors; /* all seen so far: one that comes back would never end */
    size_t pages;
    bool telling; /* `page` is running; */
    bool freed;   /* ... and who runs it has to free this */
};

/* While a page is told, tell_page() does the freeing. */
static void listing_free(struct client_listing *listing)
{
    list_remove(&listing->link);
    listing->freed = true;
    if (listing->telling)
        return;
    for (size_t i = 0; i < listing->pages; i++)
        free(listing->cursors[i]);
    free(listing->cursors);
    free(listing->method);
    free(listing->key);
    free(listing);
}

void client_drop_listings(struct client *c)
{
    struct link *link;

    while ((link = list_pop(&c->listings)))
        listing_free(container_of(link, struct client_listing, link));
}

static void listing_finish(struct client_listing *listing, const struct client_answer *answer)
{
    struct client_list_callbacks on = listing->on;
    void *arg = listing->arg;

    listing_free(listing);
    on.done(arg, answer);
}

static void listing_fail(struct client_listing *listing, const char *code, const char *text)
{
    struct error error;

    error_set(&error, code, "%s: %s", listing->method, text);
    listing_finish(listing, &(struct client_answer){ .error = &error });
}

static bool was_seen(const struct client_listing *listing, const char *cursor)
{
    for (size_t i = 0; i < listing->pages; i++) {
        if (strcmp(listing->cursors[i], cursor) == 0)
            return true;
    }
    return false;
}

static void on_listing_page(void *arg, const struct client_answer *answer);

/* cursor: NULL for the first page. */
static bool ask_page(struct client_listing *listing, const char *cursor, struct error *err)
{
    static const struct client_callbacks callbacks = { .done = on_listing_page };
    struct buf params = { 0 };

    if (cursor) {
        buf_lit(&params, "{\"cursor\":");
        json_write_string(&params, cursor, strlen(cursor));
        buf_addc(&params, '}');
    }
    listing->call =
        client_request(listing->client, listing->method, cursor ? buf_text(&params) : NULL,
                       &listing->limits, &callbacks, listing, err);
    buf_free(&params);
    return listing->call;
}

static void next_page(struct client_listing *listing, const char *cursor)
{
    struct error err;

    if (was_seen(listing, cursor)) {
        listing_fail(listing, "protocol",
                     "the server returned the same cursor twice, so the list would never end");
        return;
    }
    if (listing->pages == PAGES_MAX) {
        listing_fail(listing, "protocol", "the list has more than 1000 pages");
        return;
    }
    listing->cursors = mem_resize(listing->cursors, (listing->pages + 1) * sizeof(char *));
    listing->cursors[listing->pages++] = mem_strdup(cursor);
    if (!ask_page(listing, cursor, &err))
        listing_fail(listing, err.code, err.text);
}

/* `page` may cancel the listing or free the client: false then. */
static bool tell_page(struct client_listing *listing, const cJSON *items)
{
    if (!listing->on.page)
        return true;
    listing->telling = true;
    listing->on.page(listing->arg, items);
    listing->telling = false;
    if (!listing->freed)
        return true;
    listing_free(listing);
    return false;
}

static void on_listing_page(void *arg, const struct client_answer *answer)
{
    struct client_listing *listing = arg;
    const cJSON *items = json_given(answer->result, listing->key);
    const char *cursor = cJSON_GetStringValue(json_given(answer->result, "nextCursor"));

    listing->call = NULL;
    if (!answer->result)
        listing_finish(listing, answer);
    else if (!cJSON_IsArray(items))
        listing_fail(listing, "protocol", "the server's answer has no list");
    else if (!tell_page(listing, items))
        return;
    else if (cursor)
        next_page(listing, cursor);
    else
        listing_finish(listing, answer);
}

struct client_listing *client_list(struct client *c, const char *method, const char *key,
                                   const struct client_limits *limits,
                                   const struct client_list_callbacks *callbacks, void *arg,
                                   struct error *err)
{
    struct client_listing *listing = mem_zero(sizeof *listing);

    list_push(&c->listings, &listing->link);
    listing->client = c;
    listing->on = *callbacks;
    listing->arg = arg;
    if (limits)
        listing->limits = *limits;
    listing->method = mem_strdup(method);
    listing->key = mem_strdup(key);
    if (ask_page(listing, NULL, err))
        return listing;
    listing_free(listing);
    return NULL;
}

void client_list_cancel(struct client_listing *listing)
{
    if (listing->call)
        client_cancel(listing->call, NULL);
    listing_free(listing);
}
