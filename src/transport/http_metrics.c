/* /metrics in Prometheus' text format (prometheus.io, "Exposition formats", 0.0.4). */
#include <sys/resource.h>

#include "registry/call.h"
#include "transport/http_impl.h"

static void metric(struct buf *out, const char *name, const char *type, const char *help,
                   uint64_t value)
{
    buf_addf(out, "# HELP perigee_%s %s\n# TYPE perigee_%s %s\nperigee_%s %llu\n", name, help, name,
             type, name, (unsigned long long)value);
}

void http_metrics(struct http_server *http, struct buf *out)
{
    struct call_counts calls = call_counts();
    struct httpd_counts all = { 0 };

    for (size_t i = 0; i < http->listener_count; i++) {
        struct httpd_counts one = http->api->counts(http->listeners[i].httpd);

        all.connections += one.connections;
        all.accepted += one.accepted;
        all.refused += one.refused;
        all.dropped += one.dropped;
    }
    metric(out, "calls_total", "counter", "Calls that ended.", calls.total);
    metric(out, "call_errors_total", "counter", "Calls that ended with an error.", calls.failed);
    metric(out, "calls_active", "gauge", "Calls under way.", calls.active);
    metric(out, "http_requests_total", "counter", "Requests whose head was read.", http->requests);
    metric(out, "http_connections", "gauge", "Open connections.", all.connections);
    metric(out, "http_connections_total", "counter", "Connections taken.", all.accepted);
    metric(out, "http_connections_refused_total", "counter", "Connections of other users.",
           all.refused);
    metric(out, "http_connections_dropped_total", "counter",
           "Connections ended because they were slow or room was needed.", all.dropped);
    metric(out, "sessions", "gauge", "Open sessions.", http->session_count);
    metric(out, "sessions_total", "counter", "Sessions opened.", http->sessions_opened);
    metric(out, "sessions_expired_total", "counter", "Sessions ended for disuse or room.",
           http->sessions_expired);
    metric(out, "streams", "gauge", "Requests under way and open streams.", http->stream_count);
}
