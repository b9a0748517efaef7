/* A double of the module `microhttpd`: listens to nothing; http.c brings the exchanges. */
#include "httpd_double.h"

const struct httpd_api httpd_api = {
    .open = double_open,
    .stop = double_stop,
    .close = double_close,
    .counts = double_counts,
    .header = double_header,
    .headers = double_headers,
    .query = double_query,
    .answer = double_answer,
    .stream = double_stream,
    .write = double_write,
    .unsent = double_unsent,
    .end = double_end,
    .drop = double_drop,
};
