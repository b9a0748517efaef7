/* Making, sending, failing and freeing one. */
#include "mcp/client/wire/http_post.h"

#include <stdlib.h>

#include "mcp/client/wire/http_refusal.h"
#include "mcp/client/wire/http_session.h"

enum { POST_REDIRECTS_MAX = 5 };

static bool is_handshake(const struct post *post)
{
    return post->method && (strcmp(post->method, "initialize") == 0 ||
                            strcmp(post->method, "notifications/initialized") == 0);
}

/* --- making and freeing ------------------------------------------------------- */

struct post *post_new(struct mcp_http *mcp, const struct client_message *message)
{
    struct post *post = mem_zero(sizeof *post);

    post->mcp = mcp;
    post->line = mem_strndup(message->line.ptr, message->line.len);
    post->len = message->line.len;
    post->method = message->method ? mem_strdup(message->method) : NULL;
    post->id = message->id;
    post->modern = message->modern;
    post->retry_ms = -1;
    header_list_add_all(&post->headers, message->headers);
    list_push(&mcp->posts, &post->link);
    return post;
}

struct post *post_listen(struct mcp_http *mcp)
{
    const char *version = client_version(mcp->client);
    struct post *post = mem_zero(sizeof *post);

    post->mcp = mcp;
    post->retry_ms = -1;
    if (version)
        header_list_add(&post->headers, "MCP-Protocol-Version", version);
    list_push(&mcp->posts, &post->link);
    return post;
}

static void forget_answer(struct post *post)
{
    http_fetch_free(post->http);
    post->http = NULL;
    timer_forget(post->timer);
    post->timer = NULL;
    buf_free(&post->body);
    if (post->streaming)
        sse_free(&post->sse);
    post->streaming = false;
    free(post->challenge);
    post->challenge = NULL;
    post->status = 0;
}

void post_free(struct post *post)
{
    list_remove(&post->link);
    if (post->busy) { /* the function that reports its events frees it */
        post->gone = true;
        http_fetch_free(post->http);
        post->http = NULL;
        return;
    }
    forget_answer(post);
    header_list_free(&post->headers);
    free(post->last_id);
    free(post->method);
    free(post->line);
    free(post);
}

/* --- failures ----------------------------------------------------------------- */

void post_fail(struct post *post, const struct error *why)
{
    struct mcp_http *mcp = post->mcp;
    int64_t id = post->id;
    bool handshake = is_handshake(post);
    struct error error = *why;

    post_free(post);
    http_enter(mcp);
    if (id)
        client_lost(mcp->client, id, 0, &error);
    else if (handshake && !mcp->freed)
        http_initialized(mcp, false);
    http_leave(mcp);
}

void post_refuse(struct post *post)
{
    struct mcp_http *mcp = post->mcp;
    struct buf body = post->body;
    int64_t id = post->id;
    int status = post->status;
    bool handshake = is_handshake(post);
    struct error why;

    post_explain(post, &why);
    post->body = (struct buf){ 0 };
    post_free(post);
    http_enter(mcp);
    if (id) {
        client_refused(mcp->client, id, status, buf_str(&body), &why);
    } else {
        client_report(mcp->client, why.text);
        if (handshake && !mcp->freed)
            http_initialized(mcp, false);
    }
    buf_free(&body);
    http_leave(mcp);
}

/* --- the request -------------------------------------------------------------- */

static bool is_set(const struct header_list *list, const char *name)
{
    struct http_headers headers = header_list_view(list);

    return http_header_value(&headers, name);
}

static void add_post_headers(const struct post *post, struct header_list *out, bool resuming)
{
    const struct mcp_http *mcp = post->mcp;

    if (post->line && !resuming) {
        header_list_add(out, "Content-Type", "application/json");
        header_list_add(out, "Accept", "application/json, text/event-stream");
    } else {
        header_list_add(out, "Accept", "text/event-stream");
    }
    if (mcp->token) {
        char *bearer = mem_printf("Bearer %s", mcp->token);

        header_list_add(out, "Authorization", bearer);
        free(bearer);
    }
    if (mcp->session && !(post->method && strcmp(post->method, "initialize") == 0))
        header_list_add(out, "Mcp-Session-Id", mcp->session);
    if (post->last_id)
        header_list_add(out, "Last-Event-ID", post->last_id);
    for (size_t i = 0; i < mcp->headers.count; i++) {
        if (!is_set(out, mcp->headers.items[i].name))
            header_list_add(out, mcp->headers.items[i].name, mcp->headers.items[i].value);
    }
    header_list_add_all(out, header_list_view(&post->headers));
}

static bool start_exchange(struct post *post, struct error *err)
{
    struct mcp_http *mcp = post->mcp;
    struct header_list headers = { 0 };
    bool resuming = post->last_id != NULL;
    bool get = !post->line || resuming;
    struct str body = { get ? NULL : post->line, get ? 0 : post->len };

    add_post_headers(post, &headers, resuming);
    post->http = http_fetch_start(mcp->http,
                                  &(struct http_request){
                                      .method = get ? "GET" : "POST",
                                      .url = mcp->url,
                                      .headers = header_list_view(&headers),
                                      .body = body,
                                      .connect_timeout_ms = mcp->connect_timeout_ms,
                                      .max_redirects = POST_REDIRECTS_MAX,
                                      .same_origin = true,
                                      .max_response = SIZE_MAX, /* each message has its limit */
                                      .ca_file = mcp->ca_file,
                                      .socket = mcp->socket,
                                  },
                                  mcp->events, post, err);
    header_list_free(&headers);
    return post->http;
}

bool post_go(struct post *post, struct error *err)
{
    struct mcp_http *mcp = post->mcp;

    forget_answer(post);
    if (mcp->gated && !is_handshake(post) && post->line) {
        post->state = POST_HELD;
        return true;
    }
    post->state = POST_GOING;
    post->token_serial = mcp->token_serial;
    return start_exchange(post, err);
}

void post_go_again(struct post *post)
{
    struct error err;

    if (!post_go(post, &err))
        post_fail(post, &err);
}
