/* Where the HTTP server listens: addresses as people write them, and their sockets. */
#ifndef PERIGEE_HTTP_SERVER_ADDRESS_H
#define PERIGEE_HTTP_SERVER_ADDRESS_H

#include <sys/socket.h>

#include "base/error.h"

struct http_address {
    char *host;      /* an address or a name; NULL for a Unix socket */
    unsigned port;   /* 0: any */
    char *socket;    /* a Unix socket's path; NULL: TCP */
    char *path;      /* the endpoint's path: "/mcp" */
    bool loopback;   /* only this machine can reach it */
    bool any;        /* every address of this machine, of one family or both */
    bool everywhere; /* both: "*" */
    struct sockaddr_storage address;
    socklen_t address_len;
};

/* "[ADDR:]PORT[/path]" or "unix:PATH". ADDR: an IPv4 address, [an IPv6 address], "localhost", "*"
 * (every address) or a name. Default: 127.0.0.1 and /mcp. */
bool http_address_parse(struct http_address *address, const char *text, struct error *err);
void http_address_free(struct http_address *address);

/* A listening socket, and in address->port the real port; -1 and err. The socket file is made
 * with mode 0600; one without a listener is replaced, anything else is left alone. */
int http_listen(struct http_address *address, struct error *err);

#endif
