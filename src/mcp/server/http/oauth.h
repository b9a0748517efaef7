/* This server as an OAuth resource server: tokens of one issuer, and where to get them. */
#ifndef PERIGEE_MCP_SERVER_HTTP_OAUTH_H
#define PERIGEE_MCP_SERVER_HTTP_OAUTH_H

#include "mcp/server/http/endpoint_impl.h"

struct http_oauth;

/* Goes on with an exchange that waited for the issuer's keys. */
typedef void oauth_serve(struct http_server *http, struct httpd_exchange *x, enum httpd_body body);

/* Options are copied. Owned by the caller. */
struct http_oauth *oauth_new(struct http_server *http, const struct http_oauth_options *options,
                             oauth_serve *serve);
void oauth_free(struct http_oauth *oauth); /* accepts NULL */

/* Sets http->who when the token is good. ADMIT_WAIT: to be asked again when the exchange, parked,
 * is served. */
enum admission oauth_check(struct http_server *http, struct httpd_exchange *x, struct str token);

/* Answers 401: there is no token, or the issuer did not give it. why: NULL: there is none. */
void oauth_challenge(struct http_server *http, struct httpd_exchange *x, const char *error,
                     const char *why);

/* Is the path one of the resource's metadata (RFC 9728)? Then oauth_metadata() answers it. */
bool oauth_metadata_path(struct http_server *http, struct httpd_exchange *x);
void oauth_metadata(struct http_server *http, struct httpd_exchange *x);

/* Keeps the whole exchange until the issuer's keys are there. */
void oauth_park(struct http_server *http, struct httpd_exchange *x, enum httpd_body body);
/* Its client has left. True: it was parked, and is forgotten. */
bool oauth_left(struct http_server *http, struct httpd_exchange *x);

#endif
