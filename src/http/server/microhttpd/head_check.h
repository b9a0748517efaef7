/* Is the head of an exchange what request_head.h wants, as far as libmicrohttpd still tells? */
#ifndef PERIGEE_HTTP_SERVER_MICROHTTPD_HEAD_CHECK_H
#define PERIGEE_HTTP_SERVER_MICROHTTPD_HEAD_CHECK_H

#include <microhttpd.h>
#include <stdbool.h>

/* For MHD_OPTION_URI_LOG_CALLBACK: what it returns is the first value of the exchange's slot. */
void *head_check_target(void *arg, const char *target, struct MHD_Connection *mhd);

/* The head's fault, a sentence; NULL: none. method, url, slot: as libmicrohttpd gives them at the
 * first call of a request; the slot is NULL afterwards. *body: where libmicrohttpd has the bytes
 * behind the head, as they arrive; NULL: that cannot be told. */
const char *head_fault(struct MHD_Connection *mhd, const char *method, const char *url, void **slot,
                       const char **body);

/* False: the line before this data of a body in chunks, or the data before that, ends with LF
 * alone, which versions before 1.0 take. It is seen if it arrived together with this data, so never
 * of the last lines. size: that of the buffer, at most. */
bool chunk_line_is_whole(const char *body, const char *data, size_t size);

#endif
