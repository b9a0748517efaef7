/* Is the head of an exchange what request_head.h wants, as far as libmicrohttpd still tells? */
#ifndef PERIGEE_HTTP_SERVER_MICROHTTPD_HEAD_CHECK_H
#define PERIGEE_HTTP_SERVER_MICROHTTPD_HEAD_CHECK_H

#include <microhttpd.h>

/* For MHD_OPTION_URI_LOG_CALLBACK: what it returns is the first value of the exchange's slot. */
void *head_check_target(void *arg, const char *target, struct MHD_Connection *mhd);

/* The head's fault, a sentence; NULL: none. method, url, slot: as libmicrohttpd gives them at the
 * first call of a request; the slot is NULL afterwards. */
const char *head_fault(struct MHD_Connection *mhd, const char *method, const char *url,
                       void **slot);

#endif
