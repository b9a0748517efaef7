/* One message to one SMTP server (RFC 5321): TLS, login, envelope, content. What does it is in the
 * module `curl`. It blocks, so it is for a thread of its own or of a pool. */
#ifndef PERIGEE_MAIL_SMTP_H
#define PERIGEE_MAIL_SMTP_H

#include <stdatomic.h>

#include "base/error.h"
#include "base/util.h"

enum smtp_tls {
    SMTP_TLS,      /* from the first byte: smtps:// */
    SMTP_STARTTLS, /* required after the greeting */
    SMTP_PLAIN,    /* STARTTLS where it is offered: for a server on this machine only */
};

/* Borrows all of it. */
struct smtp_mail {
    const char *host; /* a name, or an address, IPv6 in brackets */
    unsigned port;
    enum smtp_tls tls;
    const char *user;     /* NULL: no login */
    const char *password; /* or */
    const char *token;    /* an OAuth access token, for XOAUTH2 */
    const char *from;
    char *const *recipients; /* those of all kinds; end in NULL */
    struct str message;      /* with CRLF */
    uint64_t timeout_ms;     /* for everything */
    const atomic_bool *left; /* true: it is not wanted any more. Stops it unless all was sent */
};

struct smtp_api {
    /* Once, on the main thread, before the first send(). */
    bool (*ready)(struct error *err);

    /* The server took the message for all recipients. False: it has it for none, or, with
     * *unknown, all was sent and what came of it is not known. Codes: "dns",
     * "connection_refused", "connection_failed", "tls", "timeout", "login_failed", "refused" (the
     * server's words are in the text), "unavailable" (it said so for now), "cut_off",
     * "cancelled". */
    bool (*send)(const struct smtp_mail *mail, bool *unknown, struct error *err);
};

/* NULL: an error of module_symbol(). Main thread. */
const struct smtp_api *smtp_get(struct error *err);

#endif
