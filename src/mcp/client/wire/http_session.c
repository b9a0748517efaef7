/* The messages of one wire share the session's id, the gate that the handshake closes, the token,
 * and the end of their memory. */
#include "mcp/client/wire/http_session.h"

#include <stdlib.h>

#include "mcp/client/wire.h"
#include "mcp/client/wire/http_post.h"

/* Not from inside an event of its own, where http_destroy() may be called. */
static void free_http_client(void *arg)
{
    http_client_free(arg);
}

void http_destroy(struct mcp_http *mcp)
{
    struct link *link;

    while ((link = list_pop(&mcp->posts)))
        post_free(container_of(link, struct post, link));
    http_fetch_free(mcp->farewell);
    timer_forget(mcp->timer);
    timer_after(mcp->loop, 0, free_http_client, mcp->http);
    header_list_free(&mcp->headers);
    free(mcp->url);
    free(mcp->host);
    free(mcp->ca_file);
    free(mcp->socket);
    free(mcp->token);
    free(mcp->session);
    free(mcp);
}

void http_enter(struct mcp_http *mcp)
{
    mcp->busy++;
}

bool http_leave(struct mcp_http *mcp)
{
    bool freed = mcp->freed;

    if (--mcp->busy == 0 && freed)
        http_destroy(mcp);
    return !freed;
}

/* --- the session -------------------------------------------------------------- */

void http_keep_session(struct mcp_http *mcp, const char *id)
{
    for (const char *c = id; *c; c++) {
        if (*c < 0x21 || *c > 0x7E)
            return; /* no session id by the specification */
    }
    free(mcp->session);
    mcp->session = *id ? mem_strdup(id) : NULL;
}

void http_forget_session(struct mcp_http *mcp)
{
    free(mcp->session);
    mcp->session = NULL;
    mcp->gated = true;
    list_each (link, &mcp->posts) {
        struct post *post = container_of(link, struct post, link);

        if (!post->line)
            post_free(post);
    }
    http_enter(mcp);
    client_renew(mcp->client);
    http_leave(mcp);
}

/* A callback may end others, so restart the scan after each one. */
static struct post *first_post_in(const struct mcp_http *mcp, enum post_state state)
{
    list_each (link, &mcp->posts) {
        struct post *post = container_of(link, struct post, link);

        if (post->state == state && !mcp->freed)
            return post;
    }
    return NULL;
}

static void open_gate(struct mcp_http *mcp)
{
    struct post *post;

    mcp->gated = false;
    http_enter(mcp);
    while (!mcp->gated && (post = first_post_in(mcp, POST_HELD)))
        post_go_again(post);
    http_leave(mcp);
}

void http_initialized(struct mcp_http *mcp, bool taken)
{
    struct post *stream = taken && !mcp->closing ? post_listen(mcp) : NULL;

    if (stream && !post_go(stream, NULL))
        post_free(stream);
    open_gate(mcp);
}

/* --- the token ---------------------------------------------------------------- */

static bool *refused_before(struct post *post)
{
    return post->status == 401 ? &post->refused_401 : &post->refused_403;
}

void http_challenge(struct post *post)
{
    struct mcp_http *mcp = post->mcp;
    bool *before = refused_before(post);
    bool helps = mcp->authorize && (post->status == 401 || post->challenge);
    struct mcp_challenge challenge = { post->status, post->challenge ? post->challenge : "",
                                       mcp->token };

    if (*before || !helps || !post->line) {
        post_refuse(post);
        return;
    }
    *before = true;
    if (post->token_serial != mcp->token_serial) { /* another one got a new token meanwhile */
        post_go_again(post);
        return;
    }
    post->state = POST_AUTHORIZING;
    client_hold(mcp->client, post->id, true);
    if (mcp->authorizing)
        return;
    mcp->authorizing = true;
    http_enter(mcp);
    mcp->authorize(mcp->arg, &challenge);
    http_leave(mcp);
}

void mcp_http_authorized(struct mcp_http *mcp, const char *token, const struct error *why)
{
    struct post *post;

    if (mcp->freed || !mcp->authorizing)
        return;
    mcp->authorizing = false;
    if (token) {
        free(mcp->token);
        mcp->token = mem_strdup(token);
        mcp->token_serial++;
    }
    http_enter(mcp);
    while (!mcp->authorizing && (post = first_post_in(mcp, POST_AUTHORIZING))) {
        client_hold(mcp->client, post->id, false);
        if (token)
            post_go_again(post);
        else if (strcmp(why->code, "no_login") == 0)
            post_refuse(post); /* no server issues tokens: its own words say more */
        else
            post_fail(post, why);
    }
    http_leave(mcp);
}
