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
    struct waiter *waiter;
    uv_timer_t tick; /* looks for slow clients */
    struct link clients[STAGES];
    struct link exchanges;
    struct link unwatched; /* exchanges that were suspended in this turn */
    struct httpd_counts counts;
    bool stopped, closing;
};

/* A connection. */
struct client {
    struct link link; /* in httpd->clients[stage] */
    struct httpd *httpd;
    struct MHD_Connection *connection;
    struct exchange *exchange; /* under way, or NULL */
    struct watch *watch;       /* for its leaving, while libmicrohttpd looks away; or NULL */
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
    struct client *client;
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

uint64_t client_now(const struct client *client);
void client_stage(struct client *client, enum stage stage);
void client_rest(struct client *client); /* its time begins anew */
void client_moved(struct client *client, size_t bytes);
void client_cut(struct client *client);

/* --- exchange.c -------------------------------------------------------------------- */

enum MHD_Result exchange_handle(void *arg, struct MHD_Connection *connection, const char *url,
                                const char *method, const char *version, const char *data,
                                size_t *size, void **slot);
void exchange_completed(void *arg, struct MHD_Connection *connection, void **slot,
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

/* --- hangup_watch.c: has a client left that libmicrohttpd does not look at? ------------------- */

void watch_start(struct client *client);
void watch_stop(struct client *client);
void watch_free(struct client *client);

/* --- poller.c: libmicrohttpd's descriptors on the loop --------------------------------- */

struct waiter *waiter_new(struct httpd *httpd);
void waiter_soon(struct waiter *waiter);           /* run in the next turn of the loop */
void waiter_settle(struct waiter *waiter);         /* after each time it ran */
void waiter_forget(struct waiter *waiter, int fd); /* it is about to be closed */
void waiter_free(struct waiter *waiter);           /* closes its handles */
bool waiter_epoll(void);                           /* is that how it waits? */
void httpd_run(struct httpd *httpd);

#endif
