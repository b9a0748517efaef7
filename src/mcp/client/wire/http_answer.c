/* The answer to one message: JSON, a stream, or a refusal.
 *
 * A stream that ends before the answer was in it is taken up again if its events had ids
 * (2025-11-25 and older): after the time the server named, with a GET. */
#include "mcp/client/wire/http_answer.h"

#include <stdlib.h>
#include <strings.h>

#include "mcp/client/wire.h"
#include "mcp/client/wire/http_refusal.h"
#include "mcp/client/wire/http_session.h"

enum {
    RESUME_AFTER_MS = 1000, /* before a stream is taken up again, when the server does not say */
    RESUME_AFTER_MAX_MS = 30000,
    RESUMES_MAX = 5, /* in a row that brought nothing */
};

/* --- streams ------------------------------------------------------------------ */

/* Tells the client one message. False: the post is gone. */
static bool post_tell(struct post *post, struct str message)
{
    struct mcp_http *mcp = post->mcp;
    bool over;

    post->busy = true;
    http_enter(mcp);
    client_receive(mcp->client, message.ptr, message.len);
    over = mcp->freed || post->gone || (post->id && !client_waits(mcp->client, post->id));
    post->busy = false;
    if (over)
        post_free(post);
    http_leave(mcp);
    return !over;
}

static void keep_place(struct post *post)
{
    if (!post->modern && post->sse.last_id.len > 0) {
        free(post->last_id);
        post->last_id = mem_strndup(post->sse.last_id.data, post->sse.last_id.len);
    }
    if (post->sse.retry_ms >= 0)
        post->retry_ms = post->sse.retry_ms;
}

static void fail_too_large(struct post *post)
{
    struct error err;

    error_set(&err, "too_large",
              "%s answered %s with a message of more than %zu bytes. Request less at a time",
              post->mcp->host, post_name(post), post->mcp->max_message);
    post_fail(post, &err);
}

static void take_events(struct post *post, const char *ptr, size_t len)
{
    struct sse_event event;

    sse_feed(&post->sse, ptr, len);
    for (;;) {
        enum sse_step step = sse_next(&post->sse, &event);

        keep_place(post);
        if (step == SSE_MORE)
            return;
        if (step == SSE_TOO_LARGE) {
            fail_too_large(post);
            return;
        }
        post->resumes = 0;
        if (event.data.len > 0 && str_same(event.type, STR("message")) &&
            !post_tell(post, event.data))
            return;
    }
}

static uint64_t resume_after(const struct post *post)
{
    uint64_t ms = post->retry_ms >= 0 ? (uint64_t)post->retry_ms : RESUME_AFTER_MS;

    for (unsigned i = 1; i < post->resumes && ms < RESUME_AFTER_MAX_MS; i++)
        ms = ms ? ms * 2 : RESUME_AFTER_MS;
    return ms < RESUME_AFTER_MAX_MS || !post->resumes ? ms : RESUME_AFTER_MAX_MS;
}

static void on_post_pause_over(void *arg)
{
    struct post *post = arg;

    post->timer = NULL;
    post_go_again(post);
}

/* The stream ended, or broke. */
static void post_resume(struct post *post, const struct error *why)
{
    bool stream = !post->line;

    if (!stream && (!post->last_id || ++post->resumes > RESUMES_MAX)) {
        post_fail(post, why);
        return;
    }
    if (stream)
        post->resumes++;
    post->state = POST_PAUSING;
    post->timer = timer_after(post->mcp->loop, resume_after(post), on_post_pause_over, post);
}

/* --- the end of an exchange --------------------------------------------------- */

static void fail_without_answer(struct post *post, const char *how)
{
    struct error err;

    error_set(&err, "closed", "%s %s before it answered %s", post->mcp->host, how, post_name(post));
    post_fail(post, &err);
}

static bool is_initialized(const struct post *post)
{
    return post->method && strcmp(post->method, "notifications/initialized") == 0;
}

static void finish_taken(struct post *post)
{
    struct mcp_http *mcp = post->mcp;
    bool initialized = is_initialized(post);
    struct error err;

    if (post->streaming) {
        error_set(&err, "closed", "%s ended its stream before it answered %s", mcp->host,
                  post_name(post));
        if (post->id || !post->line)
            post_resume(post, &err);
        else
            post_free(post);
        return;
    }
    if (post->body.len > 0 && post->line) {
        struct buf body = post->body;
        bool there;

        post->body = (struct buf){ 0 };
        there = post_tell(post, buf_str(&body));
        buf_free(&body);
        if (!there)
            return;
    }
    if (post->id) {
        fail_without_answer(post, "ended its reply");
        return;
    }
    post_free(post);
    if (initialized)
        http_initialized(mcp, true);
}

/* 405 and the like: this server has no stream of its own. */
static void finish_refused_post(struct post *post)
{
    struct mcp_http *mcp = post->mcp;

    if (!post->line) {
        post_free(post);
    } else if (post->last_id) { /* it was a GET that was to go on */
        fail_without_answer(post, "cut off its stream and did not resume it");
    } else if (post->status == 401 || post->status == 403) {
        http_challenge(post);
    } else if (post->status == 404 && mcp->session && !post->renewed &&
               !(post->method && strcmp(post->method, "initialize") == 0)) {
        post->renewed = true;
        post->state = POST_HELD;
        if (!mcp->gated)
            http_forget_session(mcp);
    } else {
        post_refuse(post);
    }
}

static void on_post_done(void *arg, struct http_result *result)
{
    struct post *post = arg;
    struct error why = result->error;
    bool ok = result->ok;

    http_fetch_free(post->http);
    post->http = NULL;
    if (!ok && (post->streaming || !post->line || post->last_id))
        post_resume(post, &why);
    else if (!ok)
        post_fail(post, &why);
    else if (post->status >= 200 && post->status < 300)
        finish_taken(post);
    else
        finish_refused_post(post);
}

/* --- as it comes in ----------------------------------------------------------- */

static void on_answer_headers(void *arg, int status, const struct http_headers *headers)
{
    struct post *post = arg;
    struct mcp_http *mcp = post->mcp;
    const char *type = http_header_value(headers, "content-type");
    const char *challenge = http_header_value(headers, "www-authenticate");
    const char *session = http_header_value(headers, "mcp-session-id");

    post->status = status;
    if (challenge)
        post->challenge = mem_strdup(challenge);
    if (status < 200 || status > 299)
        return;
    if (session && post->method && strcmp(post->method, "initialize") == 0)
        http_keep_session(mcp, session);
    if (type && strncasecmp(type, "text/event-stream", 17) == 0) {
        post->streaming = true;
        sse_init(&post->sse, mcp->max_message);
    }
}

static void on_answer_data(void *arg, const char *ptr, size_t len)
{
    struct post *post = arg;

    if (post->streaming) {
        take_events(post, ptr, len);
        return;
    }
    if (!post->line)
        return; /* a stream was asked for: what else comes is of no use */
    if (len > post->mcp->max_message - post->body.len)
        fail_too_large(post);
    else
        buf_add(&post->body, ptr, len);
}

const struct http_events post_events = { .headers = on_answer_headers,
                                         .data = on_answer_data,
                                         .done = on_post_done };
