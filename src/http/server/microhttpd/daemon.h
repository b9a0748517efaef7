/* The inside of the module `http`. */
#ifndef PERIGEE_HTTP_SERVER_MICROHTTPD_DAEMON_H
#define PERIGEE_HTTP_SERVER_MICROHTTPD_DAEMON_H

#include <microhttpd.h>

#include "base/list.h"
#include "http/server/httpd.h"

/* What a connection waits for: it stands in the list of that name, longest first. */
enum stage { STAGE_HEAD, STAGE_BODY, STAGE_ANSWER, STAGES };

struct httpd {
    uv_loop_t *loop;
    struct httpd_options options;
    struct MHD_Daemon *mhd;
    struct poller *poller;
    uv_timer_t tick; /* looks for slow connections */
    struct link connections[STAGES];
    struct link exchanges;
    struct link unwatched; /* exchanges that were suspended in this turn */
    struct httpd_counts counts;
    bool stopped, closing;
};

/* A connection. */
struct connection {
    struct link link; /* in httpd->connections[stage] */
    struct httpd *httpd;
    struct MHD_Connection *mhd;
    struct exchange *exchange;  /* under way, or NULL */
    struct hangup_watch *watch; /* for its leaving, while libmicrohttpd looks away; or NULL */
    int fd;
    enum stage stage;
    bool served;    /* had a request: it may idle */
    bool cut;       /* shut down by us */
    uint64_t since; /* ms: when the stage began */
    uint64_t moved; /* bytes in this stage */
};

struct exchange {
    struct httpd_exchange x;
    struct link link;      /* in httpd->exchanges */
    struct link unwatched; /* in httpd->unwatched */
    struct connection *connection;
    struct buf body;
    bool started;  /* `head` was called */
    bool complete; /* the whole request is in */
    bool too_large;
    bool suspended; /* libmicrohttpd looks away */
    bool over;      /* `over` was called */
    bool dead;      /* the connection has to end */
    int status;     /* 0: no answer yet */
    struct MHD_Response *response;
    bool queued;

    struct buf out; /* of a stream, or a whole answer that is handed out in pieces */
    size_t out_at;
    bool streaming, ended;
};

/* --- daemon.c ---------------------------------------------------------------------- */

uint64_t connection_now(const struct connection *connection);
void connection_stage(struct connection *connection, enum stage stage);
void connection_rest(struct connection *connection); /* its time begins anew */
void connection_moved(struct connection *connection, size_t bytes);
void connection_cut(struct connection *connection);

/* --- exchange.c -------------------------------------------------------------------- */

enum MHD_Result exchange_handle(void *arg, struct MHD_Connection *mhd, const char *url,
                                const char *method, const char *version, const char *data,
                                size_t *size, void **slot);
void exchange_completed(void *arg, struct MHD_Connection *mhd, void **slot,
                        enum MHD_RequestTerminationCode why);
/* Ends it with its connection. It is freed when libmicrohttpd has noticed. */
void exchange_abort(struct exchange *exchange);

extern const struct httpd_api httpd_api;
const char *exchange_header(struct httpd_exchange *x, const char *name, bool *again);
void exchange_answer(struct httpd_exchange *x, int status, const struct http_headers *headers,
                     struct buf *body);
void exchange_stream(struct httpd_exchange *x, int status, const struct http_headers *headers);
void exchange_write(struct httpd_exchange *x, const char *ptr, size_t len);
size_t exchange_unsent(const struct httpd_exchange *x);
void exchange_end(struct httpd_exchange *x);
void exchange_drop(struct httpd_exchange *x);

/* --- hangup_watch.c: has a connection left that libmicrohttpd does not look at?
 * ------------------- */

void hangup_watch_start(struct connection *connection);
void hangup_watch_stop(struct connection *connection);
void hangup_watch_free(struct connection *connection);

/* --- poller.c: libmicrohttpd's descriptors on the loop --------------------------------- */

struct poller *poller_new(struct httpd *httpd);
void poller_soon(struct poller *poller);           /* run in the next turn of the loop */
void poller_settle(struct poller *poller);         /* after each time it ran */
void poller_forget(struct poller *poller, int fd); /* it is about to be closed */
void poller_free(struct poller *poller);           /* closes its handles */
bool poller_epoll(void);                           /* is that how it waits? */
void httpd_run(struct httpd *httpd);

#endif
