/* Listening sockets. */
#include "http/server/address.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { LISTEN_BACKLOG = 511 };

/* --- addresses ------------------------------------------------------------------------ */

static bool bad_address(struct error *err, const char *text)
{
    return error_set(err, "bad_address",
                     "'%.200s' is not a listen address. Use PORT, ADDR:PORT or [IPV6]:PORT, each "
                     "with an optional /path, or unix:/PATH",
                     text);
}

static bool is_loopback_address(const struct sockaddr_storage *storage)
{
    if (storage->ss_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const void *)storage;

        return IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
    }
    return ntohl(((const struct sockaddr_in *)(const void *)storage)->sin_addr.s_addr) >> 24 == 127;
}

static bool any_address(const struct sockaddr_storage *storage)
{
    if (storage->ss_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const void *)storage;

        return IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr);
    }
    return ((const struct sockaddr_in *)(const void *)storage)->sin_addr.s_addr == INADDR_ANY;
}

static bool resolve_address(struct http_address *address, struct error *err)
{
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
    struct addrinfo *found = NULL;
    char port[16];
    int code;

    snprintf(port, sizeof port, "%u", address->port);
    if (strcmp(address->host, "localhost") == 0)
        hints.ai_family = AF_INET;
    code = getaddrinfo(address->host, port, &hints, &found);
    if (code != 0)
        return error_set(err, "bad_address", "cannot listen on %s: %s. Check the address",
                         address->host, gai_strerror(code));
    memcpy(&address->address, found->ai_addr, found->ai_addrlen);
    address->address_len = found->ai_addrlen;
    freeaddrinfo(found);
    address->loopback = is_loopback_address(&address->address);
    address->any = any_address(&address->address);
    return true;
}

/* "80" -> 80; false for what is not a port. */
static bool read_port(const char *text, size_t len, unsigned *port)
{
    unsigned value = 0;

    if (len == 0 || len > 5)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = value * 10 + (unsigned)(text[i] - '0');
    }
    *port = value;
    return value <= 65535;
}

static bool read_tcp(struct http_address *address, const char *text)
{
    size_t len = strcspn(text, "/");
    const char *host = "127.0.0.1", *colon = NULL;
    size_t host_len = strlen(host);

    for (size_t i = 0; i < len; i++)
        if (text[i] == ':')
            colon = text + i;
    if (colon) {
        host = text;
        host_len = (size_t)(colon - text);
        if (*host == '[' && host_len > 2 && host[host_len - 1] == ']') {
            host++;
            host_len -= 2;
        } else if (memchr(host, ':', host_len) || host_len == 0) {
            return false; /* an IPv6 address wants its brackets */
        }
    }
    if (!read_port(colon ? colon + 1 : text, len - (colon ? (size_t)(colon + 1 - text) : 0),
                   &address->port))
        return false;
    address->everywhere = host_len == 1 && *host == '*';
    address->host = address->everywhere ? mem_strdup("0.0.0.0") : mem_strndup(host, host_len);
    address->path = mem_strdup(text[len] && text[len + 1] ? text + len : "/mcp");
    return true;
}

bool http_address_parse(struct http_address *address, const char *text, struct error *err)
{
    *address = (struct http_address){ 0 };
    if (strncmp(text, "unix:", 5) == 0) {
        struct sockaddr_un *local = (void *)&address->address;

        text += 5;
        if (!*text || strlen(text) >= sizeof local->sun_path)
            return error_set(err, "bad_address",
                             "the path of a Unix socket must have 1 to %zu bytes: '%.200s'",
                             sizeof local->sun_path - 1, text);
        local->sun_family = AF_UNIX;
        memcpy(local->sun_path, text, strlen(text) + 1);
        address->address_len = sizeof *local;
        address->socket = mem_strdup(text);
        address->path = mem_strdup("/mcp");
        address->loopback = true;
        return true;
    }
    if (!read_tcp(address, text)) {
        http_address_free(address);
        return bad_address(err, text);
    }
    if (resolve_address(address, err))
        return true;
    http_address_free(address);
    return false;
}

void http_address_free(struct http_address *address)
{
    free(address->host);
    free(address->socket);
    free(address->path);
    *address = (struct http_address){ 0 };
}

/* --- sockets ------------------------------------------------------------------------------ */

static bool set_flags(int fd)
{
    return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

/* Does a server answer there? Only then is the socket's file in use. */
static bool in_use(const struct http_address *address)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    bool used = fd >= 0 && connect(fd, (const void *)&address->address, address->address_len) == 0;

    if (fd >= 0)
        close(fd);
    return used;
}

/* Makes the name free, if what bears it is a socket of ours without a listener. */
static bool clear_stale(const struct http_address *address, struct error *err)
{
    struct stat st;

    if (lstat(address->socket, &st) != 0)
        return errno == ENOENT ? true : error_errno(err, errno, "%s", address->socket);
    if (!S_ISSOCK(st.st_mode))
        return error_set(err, "exists", "%s exists and is not a socket. Choose another path",
                         address->socket);
    if (st.st_uid != geteuid())
        return error_set(err, "exists", "%s is another user's socket. Choose another path",
                         address->socket);
    if (in_use(address))
        return error_set(err, "in_use",
                         "another server is listening on %s. Stop it, or choose another path",
                         address->socket);
    if (unlink(address->socket) != 0)
        return error_errno(err, errno, "%s", address->socket);
    return true;
}

static int listen_local(struct http_address *address, struct error *err)
{
    mode_t old;
    int fd, bound;

    if (!clear_stale(address, err))
        return -1;
    fd = socket(AF_UNIX, SOCK_STREAM, 0);
    old = umask(0177); /* the file is never there with another mode */
    bound = fd >= 0 ? bind(fd, (const void *)&address->address, address->address_len) : -1;
    umask(old);
    if (bound == 0 && set_flags(fd) && listen(fd, LISTEN_BACKLOG) == 0)
        return fd;
    error_errno(err, errno, "%s", address->socket);
    if (fd >= 0)
        close(fd);
    return -1;
}

static unsigned bound_port(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } name = { .six = { 0 } };
    socklen_t len = sizeof name;

    if (getsockname(fd, &name.any, &len) != 0)
        return 0;
    return ntohs(name.any.sa_family == AF_INET6 ? name.six.sin6_port : name.four.sin_port);
}

/* -1: errno says why. */
static int listen_tcp(const void *name, socklen_t len, int family, bool both)
{
    int fd = socket(family, SOCK_STREAM, 0);
    int on = 1, off = 0, why;

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if ((!both || setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) == 0) &&
        bind(fd, name, len) == 0 && set_flags(fd) && listen(fd, LISTEN_BACKLOG) == 0)
        return fd;
    why = errno;
    close(fd);
    errno = why;
    return -1;
}

static void explain_address(const struct http_address *address, struct error *err)
{
    if (errno == EADDRINUSE)
        error_set(
            err, "in_use",
            "another program is listening on %s port %u. Use another port, or 0 for any free one",
            address->host, address->port);
    else if (errno == EADDRNOTAVAIL)
        error_set(err, "bad_address",
                  "cannot listen on %s port %u: this machine does not have that address. Use one "
                  "that it has",
                  address->host, address->port);
    else if (errno == EACCES)
        error_set(err, "denied", "not allowed to listen on %s port %u. Use a port from 1024 up",
                  address->host, address->port);
    else
        error_errno(err, errno, "%s port %u", address->host, address->port);
}

int http_listen(struct http_address *address, struct error *err)
{
    struct sockaddr_in6 all = { .sin6_family = AF_INET6,
                                .sin6_port = htons((uint16_t)address->port) };
    int fd = -1;

    if (address->socket)
        return listen_local(address, err);
    if (address->everywhere) /* IPv4 comes along; where the kernel has no IPv6, it comes alone */
        fd = listen_tcp(&all, sizeof all, AF_INET6, true);
    if (fd < 0 && !(address->everywhere && errno == EADDRINUSE))
        fd = listen_tcp(&address->address, address->address_len, address->address.ss_family, false);
    if (fd >= 0)
        address->port = bound_port(fd);
    else
        explain_address(address, err);
    return fd;
}
