/* The wire: its beginning and its end.
 *
 * What one message goes through is in http_post.c, what comes back in http_answer.c, and what
 * they have in common in http_session.c. */
#include "mcp/client/wire/http_wire.h"

#include <stdlib.h>
#include <strings.h>

#include "http/authority.h"
#include "mcp/client/wire.h"
#include "mcp/client/wire/http_answer.h"
#include "mcp/client/wire/http_session.h"

enum { HTTP_PROBE_MS = 10000, MAX_MESSAGE = 10 * 1024 * 1024 };

/* --- lifetime ----------------------------------------------------------------- */

void mcp_http_free(struct mcp_http *mcp)
{
    if (!mcp || mcp->freed)
        return;
    mcp->freed = true;
    client_free(mcp->client);
    if (mcp->busy == 0)
        http_destroy(mcp);
}

static void drop_posts(struct mcp_http *mcp)
{
    list_each (link, &mcp->posts) {
        post_free(container_of(link, struct post, link));
    }
}

/* --- the end ------------------------------------------------------------------ */

static void http_wire_end(void *arg)
{
    struct mcp_http *mcp = arg;
    struct error why;

    mcp->timer = NULL;
    drop_posts(mcp);
    error_set(&why, "closed", "the connection to the server was closed");
    http_enter(mcp);
    client_ended(mcp->client, &why);
    http_leave(mcp);
}

static void on_farewell(void *arg, struct http_result *result)
{
    struct mcp_http *mcp = arg;

    (void)result;
    http_fetch_free(mcp->farewell);
    mcp->farewell = NULL;
    http_wire_end(mcp);
}

/* DELETE; servers may refuse it, and its answer is not waited for long. */
static bool say_farewell(struct mcp_http *mcp)
{
    static const struct http_events events = { .done = on_farewell };
    const char *version = client_version(mcp->client);
    struct header_list headers = { 0 };
    char *bearer = mcp->token ? mem_printf("Bearer %s", mcp->token) : NULL;

    header_list_add_all(&headers, header_list_view(&mcp->headers));
    header_list_add(&headers, "Mcp-Session-Id", mcp->session);
    if (version)
        header_list_add(&headers, "MCP-Protocol-Version", version);
    if (bearer)
        header_list_add(&headers, "Authorization", bearer);
    mcp->farewell = http_fetch_start(mcp->http,
                                     &(struct http_request){ .method = "DELETE",
                                                             .url = mcp->url,
                                                             .headers = header_list_view(&headers),
                                                             .total_timeout_ms = mcp->close_ms,
                                                             .max_response = 65536,
                                                             .truncate = true,
                                                             .ca_file = mcp->ca_file,
                                                             .socket = mcp->socket },
                                     &events, mcp, NULL);
    header_list_free(&headers);
    free(bearer);
    return mcp->farewell;
}

static void http_wire_close(void *arg)
{
    struct mcp_http *mcp = arg;

    mcp->closing = true;
    if (mcp->session && say_farewell(mcp))
        return;
    timer_forget(mcp->timer);
    mcp->timer = timer_after(mcp->loop, 0, http_wire_end, mcp);
}

/* --- the client's wire -------------------------------------------------------- */

static bool http_wire_post(void *arg, const struct client_message *message, struct error *err)
{
    struct mcp_http *mcp = arg;
    struct post *post;

    if (mcp->closing)
        return error_set(err, "closed", "the connection to the server is closed. Connect again");
    if (message->method && strcmp(message->method, "initialize") == 0)
        mcp->gated = true;
    post = post_new(mcp, message);
    if (post_go(post, err))
        return true;
    post_free(post);
    return false;
}

static void http_wire_forget(void *arg, int64_t id)
{
    struct mcp_http *mcp = arg;

    list_each (link, &mcp->posts) {
        struct post *post = container_of(link, struct post, link);

        if (post->id == id) {
            post_free(post);
            return;
        }
    }
}

static void wire_start(void *arg)
{
    struct mcp_http *mcp = arg;

    mcp->timer = NULL;
    http_enter(mcp);
    client_started(mcp->client);
    http_leave(mcp);
}

static struct client *make_client(struct mcp_http *mcp, const struct client_options *options,
                                  const struct client_events *events)
{
    struct client_wire wire = {
        .arg = mcp, .post = http_wire_post, .forget = http_wire_forget, .close = http_wire_close
    };
    struct client_options ours = *options;

    if (!ours.probe_ms)
        ours.probe_ms = HTTP_PROBE_MS; /* a server that sleeps may take its time to wake */
    return client_new(mcp->loop, &wire, &ours, events, mcp->arg);
}

static bool check_url(const char *url, struct error *err)
{
    if (strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0 ||
        (strncmp(url, "unix:", 5) == 0 && url[5] == '/'))
        return true;
    return error_set(
        err, "bad_url",
        "\"%.100s\" is not the URL of a server. Start it with http://, https:// or unix:/", url);
}

/* unix:PATH is the endpoint /mcp on that socket, as `perigee serve --http unix:PATH` has it. */
static void set_address(struct mcp_http *mcp, const char *url)
{
    struct str host = url_authority(url); /* for messages */

    if (strncmp(url, "unix:", 5) == 0) {
        mcp->url = mem_strdup("http://localhost/mcp");
        mcp->host = mem_strdup(url + 5);
        mcp->socket = mem_strdup(url + 5);
    } else {
        mcp->url = mem_strdup(url);
        mcp->host = mem_strndup(host.ptr, host.len);
    }
}

struct mcp_http *mcp_http_start(uv_loop_t *loop, const struct mcp_http_spec *spec,
                                const struct client_options *options,
                                const struct client_events *events, void *arg, struct error *err)
{
    struct mcp_http *mcp;

    if (!check_url(spec->url, err))
        return NULL;
    mcp = mem_zero(sizeof *mcp);
    mcp->http = http_client_new(loop);
    mcp->events = &post_events;
    mcp->loop = loop;
    set_address(mcp, spec->url);
    mcp->ca_file = spec->ca_file ? mem_strdup(spec->ca_file) : NULL;
    mcp->token = spec->token ? mem_strdup(spec->token) : NULL;
    header_list_add_all(&mcp->headers, spec->headers);
    mcp->connect_timeout_ms = spec->connect_timeout_ms;
    mcp->close_ms = spec->close_ms ? spec->close_ms : WIRE_CLOSE_MS;
    mcp->max_message = options->max_message ? options->max_message : MAX_MESSAGE;
    mcp->authorize = spec->authorize;
    mcp->arg = arg;
    list_init(&mcp->posts);
    mcp->client = make_client(mcp, options, events);
    mcp->timer = timer_after(loop, 0, wire_start, mcp);
    return mcp;
}

struct client *mcp_http_session(const struct mcp_http *mcp)
{
    return mcp->client;
}
