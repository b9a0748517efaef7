/* /metrics in Prometheus' text format (prometheus.io, "Exposition formats", 0.0.4). */
#include "mcp/server/http/metrics.h"

#include <uv.h>

#include "registry/call/call.h"
#include "registry/registry.h"
#include "script/vm.h"

static void write_metric(struct buf *out, const char *name, const char *type, const char *help,
                         uint64_t value)
{
    buf_addf(out, "# HELP perigee_%s %s\n# TYPE perigee_%s %s\nperigee_%s %llu\n", name, help, name,
             type, name, (unsigned long long)value);
}

static void write_durations(struct buf *out, const struct call_counts *calls)
{
    double limit = 0.001;

    buf_lit(out, "# HELP perigee_call_seconds Duration of calls in seconds.\n"
                 "# TYPE perigee_call_seconds histogram\n");
    for (int i = 0; i < CALL_BUCKETS; i++, limit *= 4)
        buf_addf(out, "perigee_call_seconds_bucket{le=\"%g\"} %llu\n", limit,
                 (unsigned long long)calls->took[i]);
    buf_addf(out, "perigee_call_seconds_bucket{le=\"+Inf\"} %llu\n",
             (unsigned long long)calls->total);
    buf_addf(out, "perigee_call_seconds_sum %.6f\nperigee_call_seconds_count %llu\n",
             calls->seconds, (unsigned long long)calls->total);
}

static void write_answer_counts(struct buf *out, const struct http_server *http)
{
    buf_lit(out, "# HELP perigee_http_answers_total Answers by class of status.\n"
                 "# TYPE perigee_http_answers_total counter\n");
    for (int i = 2; i < 6; i++)
        buf_addf(out, "perigee_http_answers_total{status=\"%dxx\"} %llu\n", i,
                 (unsigned long long)http->answered[i]);
}

static void write_memory(struct buf *out, const struct http_server *http)
{
    struct registry *registry = server_registry(http->options.server);
    size_t resident = 0;

    uv_resident_set_memory(&resident);
    write_metric(out, "memory_bytes", "gauge", "Resident memory of the process.", resident);
    write_metric(out, "lua_memory_bytes", "gauge", "Memory in use by Lua.",
                 vm_memory(registry_vm(registry)));
    write_metric(out, "generation", "gauge",
                 "Number of times tools were loaded, the first time included.",
                 registry_loaded(registry) ? registry_current(registry)->number : 0);
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
    write_metric(out, "calls_total", "counter", "Finished calls.", calls.total);
    write_metric(out, "call_errors_total", "counter", "Calls that finished with an error.",
                 calls.failed);
    write_metric(out, "calls_active", "gauge", "Running calls.", calls.active);
    write_durations(out, &calls);
    write_answer_counts(out, http);
    write_memory(out, http);
    write_metric(out, "http_requests_total", "counter", "Requests whose headers were read.",
                 http->requests);
    write_metric(out, "http_connections", "gauge", "Open connections.", all.connections);
    write_metric(out, "http_connections_total", "counter", "Accepted connections.", all.accepted);
    write_metric(out, "http_connections_refused_total", "counter",
                 "Connections refused because another user made them.", all.refused);
    write_metric(out, "http_connections_dropped_total", "counter",
                 "Connections closed because they were slow or to make room.", all.dropped);
    write_metric(out, "sessions", "gauge", "Open sessions.", http->session_count);
    write_metric(out, "sessions_total", "counter", "Sessions opened.", http->sessions_opened);
    write_metric(out, "sessions_expired_total", "counter",
                 "Sessions ended because they were unused or to make room.",
                 http->sessions_expired);
    write_metric(out, "streams", "gauge", "Running requests and open streams.", http->stream_count);
}
