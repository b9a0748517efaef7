/* Files that name MCP servers, in the form of Claude Desktop's:
 *
 *     {"mcpServers": {"NAME": {"command": "...", "args": ["..."],
 *                              "env": {"K": "V"}, "cwd": "..."},
 *                     "NAME": {"type": "http", "url": "https://...",
 *                              "headers": {"K": "V"}, "ca_file": "...",
 *                              "oauth": {"authServerMetadataUrl": "https://..."}}}}
 *
 * Comments are skipped, and a comma behind the last member. VS Code calls the object "servers", Zed
 * "context_servers"; other names of "url" and "http" are taken as well. Either entry may have
 * "timeout" (seconds for an answer) and "era". In the strings, "${NAME}" stands for a variable of
 * our environment and "${NAME:-text}" for it or else the text, as Claude Code has it; others write
 * "${env:NAME}". "~" begins a path in the home. Members of other programs ("autoApprove", ...) are
 * ignored. An entry that cannot be used is kept and says why; the others
 * are not hurt by it. */
#ifndef PERIGEE_MCP_SERVERS_FILE_H
#define PERIGEE_MCP_SERVERS_FILE_H

#include "base/error.h"
#include "base/util.h"

struct servers_file;

/* Borrowed from the file. */
struct server_entry {
    const char *name;
    const char *const *argv;    /* command and args, NULL-terminated */
    const char *const *env;     /* "K=V", NULL-terminated, to be added to what is passed on */
    const char *cwd;            /* NULL: ours */
    const char *url;            /* over HTTP; argv and env are NULL then */
    const char *const *headers; /* "K=V", NULL-terminated; NULL: none */
    const char *ca_file;  /* certificates to be trusted instead of the system's; NULL: those */
    const char *metadata; /* URL of the authorization server's metadata; NULL: as the server says */
    const char *era;      /* "auto", "legacy" or "modern"; NULL: not said */
    double timeout;       /* seconds; 0: not said */
    /* code "": it can be used. Else nothing of the above is: "not_supported"
     * (HTTP with SSE, a socket), "disabled", "bad_entry", "no_variable". */
    struct error problem;
};

/* NULL: what file_read_all() says, or "bad_file" with what is wrong in it.
 * Owned by the caller. */
struct servers_file *servers_file_read(const char *path, struct error *err);

/* The same of the text of a file. `lookup` gives a variable's value or NULL; NULL: getenv(). */
struct servers_file *servers_file_parse(const char *text, size_t len,
                                        const char *(*lookup)(const char *name), struct error *err);
void servers_file_free(struct servers_file *file); /* accepts NULL */

/* In the order of the file. */
size_t servers_file_count(const struct servers_file *file);
const struct server_entry *servers_file_at(const struct servers_file *file, size_t index);

/* NULL and "not_found", naming those that are there. */
const struct server_entry *servers_file_find(const struct servers_file *file, const char *name,
                                             struct error *err);

#endif
