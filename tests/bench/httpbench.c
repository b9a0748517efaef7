/* Loads an MCP server over Streamable HTTP and prints figures as JSON.
 *
 *   httpbench [-c USERS] [-n REQUESTS] [-w WARM-UP] [-H "Name: value"]... [-i STREAMS] [-l
 * DRIBBLERS]
 *             [-p PID] HOST PORT PATH BODY
 *
 * Each user is one connection that is kept, with one request under way at a time: send, wait for
 * the whole answer, send again. -i opens STREAMS idle GET streams first, and -l that many
 * connections that send a byte of a head now and then and never finish one; neither is measured. An
 * answer that has another status than 200, or whose body does not hold `"result"`, is counted as
 * failed. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { IN_BYTES = 1 << 16, HEADERS_BYTES = 4096 };

struct user {
    int fd;
    char in[IN_BYTES];
    size_t len;
    uint64_t sent; /* ns */
};

static struct {
    struct sockaddr_storage address;
    socklen_t address_len;
    const char *host, *path;
    char headers[HEADERS_BYTES];
    char *request;
    size_t request_len;
    size_t total, started, done, failed, warm;
    uint32_t *times; /* in units of 100 ns */
    size_t timed;
} bench;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static uint64_t now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static int dial(void)
{
    int fd = socket(bench.address.ss_family, SOCK_STREAM, 0), on = 1;

    if (fd < 0)
        die("socket");
    if (connect(fd, (struct sockaddr *)&bench.address, bench.address_len) != 0)
        die("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static void post(struct user *user)
{
    size_t at = 0;

    user->sent = now();
    while (at < bench.request_len) {
        ssize_t n = write(user->fd, bench.request + at, bench.request_len - at);

        if (n <= 0)
            die("write");
        at += (size_t)n;
    }
    bench.started++;
}

/* Bytes of the answer in `in` if it is whole, else 0. */
static size_t whole(const char *in, size_t len, const char **body)
{
    const char *end = memmem(in, len, "\r\n\r\n", 4);
    const char *length, *last;
    size_t head;

    if (!end)
        return 0;
    head = (size_t)(end - in) + 4;
    *body = end + 4;
    for (length = in; length < end; length++)
        if (strncasecmp(length, "\nContent-Length:", 16) == 0)
            break;
    if (length < end) {
        size_t size = strtoul(length + 16, NULL, 10);

        return len >= head + size ? head + size : 0;
    }
    last = len - head >= 5 ? in + len - 5 : NULL; /* chunked: to its last chunk */
    return last && memcmp(last, "0\r\n\r\n", 5) == 0 ? len : 0;
}

static void take(struct user *user)
{
    const char *body = NULL;
    ssize_t n = read(user->fd, user->in + user->len, IN_BYTES - user->len - 1);
    size_t size;

    if (n <= 0)
        die(n ? "read" : "the server closed a connection");
    user->len += (size_t)n;
    user->in[user->len] = '\0';
    size = whole(user->in, user->len, &body);
    if (!size)
        return;
    if (strncmp(user->in, "HTTP/1.1 200", 12) != 0 || !strstr(body, "\"result\"")) {
        if (!bench.failed)
            fprintf(stderr, "httpbench: %.400s\n", user->in);
        bench.failed++;
    }
    if (bench.done++ >= bench.warm)
        bench.times[bench.timed++] = (uint32_t)((now() - user->sent) / 100);
    user->len = 0;
    if (bench.started < bench.total)
        post(user);
}

/* --- the handshake, and those who only hold places ----------------------------------------- */

static void say(int fd, const char *text)
{
    if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        die("write");
}

static size_t listen_to(int fd, char *in, size_t room, bool stream)
{
    size_t len = 0;
    const char *body;

    for (;;) {
        ssize_t n = read(fd, in + len, room - len - 1);

        if (n <= 0)
            die("read");
        len += (size_t)n;
        in[len] = '\0';
        if (stream ? strstr(in, "\r\n\r\n") != NULL : whole(in, len, &body) != 0)
            return len;
    }
}

static void add_header(const char *line)
{
    size_t len = strlen(bench.headers);

    snprintf(bench.headers + len, sizeof bench.headers - len, "%s\r\n", line);
}

static char *make_post(const char *body, size_t *len)
{
    char *text;

    *len = (size_t)asprintf(&text,
                            "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
                            "Accept: application/json, text/event-stream\r\n%sContent-Length: "
                            "%zu\r\n\r\n%s",
                            bench.path, bench.host, bench.headers, strlen(body), body);
    return text;
}

static void handshake(void)
{
    static char in[IN_BYTES];
    char *text, *id, line[256];
    int fd = dial();
    size_t len;

    text = make_post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
                     "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{"
                     "\"name\":\"bench\",\"version\":\"1\"}}}",
                     &len);
    say(fd, text);
    free(text);
    listen_to(fd, in, sizeof in, false);
    id = strcasestr(in, "\nMcp-Session-Id: ");
    if (id) {
        snprintf(line, sizeof line, "Mcp-Session-Id: %.*s", (int)strcspn(id + 17, "\r"), id + 17);
        add_header(line);
    }
    add_header("MCP-Protocol-Version: 2025-11-25");
    close(fd);
}

static void hold_streams(int count)
{
    static const char body[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{"
        "\"notifications\":{\"toolsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/"
        "protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}";
    size_t before = strlen(bench.headers), len;
    char in[2048], *text;

    add_header("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen");
    text = make_post(body, &len);
    bench.headers[before] = '\0';
    for (int i = 0; i < count; i++) {
        int fd = dial();

        say(fd, text);
        listen_to(fd, in, sizeof in, true);
        if (strncmp(in, "HTTP/1.1 200", 12) != 0) {
            fprintf(stderr, "httpbench: a stream: %.300s\n", in);
            exit(1);
        }
    }
    free(text);
}

static int *dribblers;
static int dribbler_count;

static void start_dribblers(int count)
{
    dribblers = calloc((size_t)count + 1, sizeof *dribblers);
    for (int i = 0; i < count; i++) {
        dribblers[i] = dial();
        say(dribblers[i], "POST / HTTP/1.1\r\nX-Slow: ");
    }
    dribbler_count = count;
}

/* One byte on each, again where the server has closed one. */
static void dribble(void)
{
    for (int i = 0; i < dribbler_count; i++) {
        if (send(dribblers[i], "x", 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1)
            continue;
        close(dribblers[i]);
        dribblers[i] = dial();
    }
}

/* --- figures -------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

static long status_kb(int pid, const char *name)
{
    char path[64], line[256];
    long kb = -1;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/status", pid);
    file = pid ? fopen(path, "r") : NULL;
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            kb = atol(line + strlen(name) + 1);
    if (file)
        fclose(file);
    return kb;
}

static void report(uint64_t ns, int pid)
{
    size_t n = bench.timed;

    qsort(bench.times, n, sizeof *bench.times, compare);
    printf("{\"requests\":%zu,\"failed\":%zu,\"rps\":%.1f,\"p50_us\":%.1f,\"p99_us\":%.1f,"
           "\"max_us\":%.1f,\"rss_kb\":%ld,\"peak_kb\":%ld}\n",
           n, bench.failed, (double)n * 1e9 / (double)ns, bench.times[n / 2] / 10.0,
           bench.times[n * 99 / 100] / 10.0, bench.times[n - 1] / 10.0, status_kb(pid, "VmRSS:"),
           status_kb(pid, "VmHWM:"));
}

static uint64_t run(int count)
{
    struct user *users = calloc((size_t)count, sizeof *users);
    struct epoll_event events[64];
    int set = epoll_create1(0);
    uint64_t begun = 0, slow = now();

    for (int i = 0; i < count; i++) {
        struct epoll_event event = { .events = EPOLLIN, .data.ptr = &users[i] };

        users[i].fd = dial();
        epoll_ctl(set, EPOLL_CTL_ADD, users[i].fd, &event);
        post(&users[i]);
    }
    while (bench.done < bench.total) {
        int n = epoll_wait(set, events, 64, 1000);

        for (int i = 0; i < n; i++)
            take(events[i].data.ptr);
        if (!begun && bench.done >= bench.warm)
            begun = now();
        if (now() - slow > 100000000) {
            slow = now();
            dribble();
        }
    }
    return now() - begun;
}

static void resolve(const char *host, const char *port)
{
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *found;

    if (getaddrinfo(host, port, &hints, &found) != 0)
        die(host);
    memcpy(&bench.address, found->ai_addr, found->ai_addrlen);
    bench.address_len = found->ai_addrlen;
}

int main(int argc, char **argv)
{
    int users = 1, streams = 0, slow = 0, pid = 0, option;
    size_t requests = 10000;
    struct rlimit files;

    bench.warm = 500;
    while ((option = getopt(argc, argv, "c:n:w:H:i:l:p:")) != -1) {
        switch (option) {
        case 'c':
            users = atoi(optarg);
            break;
        case 'n':
            requests = strtoul(optarg, NULL, 10);
            break;
        case 'w':
            bench.warm = strtoul(optarg, NULL, 10);
            break;
        case 'H':
            add_header(optarg);
            break;
        case 'i':
            streams = atoi(optarg);
            break;
        case 'l':
            slow = atoi(optarg);
            break;
        case 'p':
            pid = atoi(optarg);
            break;
        default:
            return 2;
        }
    }
    if (argc - optind != 4) {
        fprintf(stderr, "usage: httpbench [options] HOST PORT PATH BODY\n");
        return 2;
    }
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    bench.host = argv[optind];
    bench.path = argv[optind + 2];
    bench.total = bench.warm + requests;
    bench.times = calloc(requests + 1, sizeof *bench.times);
    resolve(bench.host, argv[optind + 1]);
    hold_streams(streams);
    start_dribblers(slow);
    handshake();
    bench.request = make_post(argv[optind + 3], &bench.request_len);
    report(run(users), pid);
    return bench.failed != 0;
}
