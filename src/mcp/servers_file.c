/* Reading `mcpServers`. One fault spoils one entry: each has its own error. */
#include "mcp/servers_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/distance.h"
#include "files/trust.h"
#include "json/document.h"
#include "json/edited.h"

enum { SERVERS_FILE_MAX = 4 * 1024 * 1024 };

/* The memory that the entry's pointers point at. */
struct owned {
    struct server_entry entry;
    char *name, *cwd, *url, *ca_file, *metadata;
    char **argv, **env, **headers;
};

struct servers_file {
    struct owned *servers;
    size_t count;
};

struct servers_parse {
    const char *(*lookup)(const char *name);
    struct error problem; /* the fault of the entry being read; code "": none */
};

static const char *from_environment(const char *name)
{
    return getenv(name);
}

/* --- ${NAME} ------------------------------------------------------------------ */

/* Editors' variables that are not of the environment. False: one that only an editor can answer. */
static bool find_editor_variable(struct servers_parse *r, const char *name, const char **value)
{
    static const char *const theirs[] = { "input:", "workspaceFolder", "command:", "config:" };

    *value = NULL;
    if (strcmp(name, "userHome") == 0)
        *value = r->lookup("HOME");
    else if (strcmp(name, "pathSeparator") == 0 || strcmp(name, "/") == 0)
        *value = "/";
    for (size_t i = 0; i < countof(theirs); i++)
        if (strncmp(name, theirs[i], strlen(theirs[i])) == 0)
            return error_set(&r->problem, "no_variable",
                             "${%.100s} is for an editor, which %s. Write the value itself, or "
                             "${NAME} with an environment variable",
                             name, i == 0 ? "asks for its value" : "knows its value");
    return true;
}

/* `text` is behind "${"; returns what is behind "}", or NULL. */
static const char *expand_variable(struct servers_parse *r, const char *text, struct buf *out)
{
    const char *end = strchr(text, '}');
    const char *fallback;
    const char *value;
    char *name;

    if (!end) {
        error_set(&r->problem, "bad_entry", "\"${%.60s\" has no closing brace", text);
        return NULL;
    }
    if (strncmp(text, "env:", 4) == 0)
        text += 4; /* VS Code, Cursor and Windsurf write ${env:NAME} */
    fallback = strstr(text, ":-");
    if (fallback && fallback > end)
        fallback = NULL;
    name = mem_strndup(text, (size_t)((fallback ? fallback : end) - text));
    if (!find_editor_variable(r, name, &value)) {
        free(name);
        return NULL;
    }
    if (!value)
        value = r->lookup(name);
    if (value)
        buf_adds(out, value);
    else if (fallback)
        buf_add(out, fallback + 2, (size_t)(end - fallback - 2));
    else
        error_set(&r->problem, "no_variable",
                  "the environment variable %.100s is not set. Set it, or write ${%.100s:-default}",
                  name, name);
    free(name);
    return value || fallback ? end + 1 : NULL;
}

/* The caller frees; NULL and r->problem if it cannot be. */
static char *expand_variables(struct servers_parse *r, const char *text)
{
    struct buf out = { 0 };

    while (*text) {
        const char *dollar = strstr(text, "${");

        buf_add(&out, text, dollar ? (size_t)(dollar - text) : strlen(text));
        if (!dollar)
            break;
        text = expand_variable(r, dollar + 2, &out);
        if (!text) {
            buf_free(&out);
            return NULL;
        }
    }
    return buf_take(&out);
}

/* --- one entry ---------------------------------------------------------------- */

static char *expand_member(struct servers_parse *r, const cJSON *node, const char *what)
{
    struct str text = json_string(node);

    if (!cJSON_IsString(node) || strlen(node->valuestring) != text.len) {
        error_set(&r->problem, "bad_entry", "%s is not a string", what);
        return NULL;
    }
    return expand_variables(r, text.ptr);
}

/* A path: "~" at its beginning is the home. */
static char *expand_path(struct servers_parse *r, const cJSON *node, const char *what)
{
    char *text = expand_member(r, node, what);
    const char *home =
        text && *text == '~' && (!text[1] || text[1] == '/') ? r->lookup("HOME") : NULL;
    char *path = home ? mem_printf("%s%s", home, text + 1) : text;

    if (home)
        free(text);
    return path;
}

static bool read_argv(struct servers_parse *r, struct owned *server, const cJSON *entry)
{
    const cJSON *args = json_given(entry, "args");
    const cJSON *arg;
    size_t n = 0;

    if (!json_given(entry, "command"))
        return error_set(&r->problem, "bad_entry",
                         "the entry has neither a \"command\" nor a \"url\". Add the one that "
                         "starts or reaches the server");
    if (args && !cJSON_IsArray(args))
        return error_set(&r->problem, "bad_entry", "\"args\" is not an array");
    server->argv = mem_zero(((size_t)cJSON_GetArraySize(args) + 2) * sizeof(char *));
    server->argv[n] = expand_path(r, json_given(entry, "command"), "\"command\"");
    if (server->argv[n] && !*server->argv[n])
        return error_set(&r->problem, "bad_entry", "\"command\" is empty");
    cJSON_ArrayForEach (arg, args) {
        if (!server->argv[n])
            return false;
        server->argv[++n] = expand_member(r, arg, "a value in \"args\"");
    }
    return server->argv[n];
}

/* Names and values as "K=V": `key` is "env" or "headers". */
static bool read_pairs(struct servers_parse *r, char ***list, const cJSON *entry, const char *key)
{
    const cJSON *pairs = json_given(entry, key);
    const cJSON *pair;
    char what[40];
    size_t n = 0;

    snprintf(what, sizeof what, "a value in \"%s\"", key);
    if (pairs && !cJSON_IsObject(pairs))
        return error_set(&r->problem, "bad_entry", "\"%s\" is not an object", key);
    *list = mem_zero(((size_t)cJSON_GetArraySize(pairs) + 1) * sizeof(char *));
    cJSON_ArrayForEach (pair, pairs) {
        char *value;

        if (!*pair->string || strchr(pair->string, '='))
            return error_set(&r->problem, "bad_entry", "\"%.100s\" cannot be a name in \"%s\"",
                             pair->string, key);
        value = expand_member(r, pair, what);
        if (!value)
            return false;
        (*list)[n++] = mem_printf("%s=%s", pair->string, value);
        free(value);
    }
    return true;
}

static bool read_server_timeout(struct servers_parse *r, struct owned *server, const cJSON *entry)
{
    const cJSON *timeout = json_given(entry, "timeout");

    if (!timeout || cJSON_IsNull(timeout))
        return true;
    if (!cJSON_IsNumber(timeout) || !(timeout->valuedouble > 0 && timeout->valuedouble <= 86400))
        return error_set(&r->problem, "bad_entry",
                         "\"timeout\" must be a number of seconds, more than 0 and at most 86400");
    server->entry.timeout = timeout->valuedouble;
    return true;
}

/* A path or URL that may be missing. */
static bool read_server_path(struct servers_parse *r, char **text, const cJSON *entry,
                             const char *key)
{
    const cJSON *member = json_given(entry, key);
    char what[40];

    if (!member || cJSON_IsNull(member))
        return true;
    snprintf(what, sizeof what, "\"%s\"", key);
    *text = expand_path(r, member, what);
    return *text;
}

static bool read_server_era(struct servers_parse *r, struct owned *server, const cJSON *entry)
{
    static const char *const eras[] = { "auto", "legacy", "modern" };
    const cJSON *era = json_given(entry, "era");
    const char *name = cJSON_GetStringValue(era);

    for (size_t i = 0; name && i < countof(eras); i++)
        if (strcmp(name, eras[i]) == 0)
            server->entry.era = eras[i];
    return !era || server->entry.era ||
           error_set(&r->problem, "bad_entry",
                     "\"era\" must be \"auto\", \"legacy\" (initialize) or \"modern\" "
                     "(2026-07-28)");
}

/* The key of the entry that has its URL: Gemini CLI's, ours, Windsurf's, goose's. NULL: none. */
static const char *url_key(const cJSON *entry)
{
    static const char *const keys[] = { "httpUrl", "url", "serverUrl", "uri" };

    for (size_t i = 0; i < countof(keys); i++)
        if (json_given(entry, keys[i]))
            return keys[i];
    return NULL;
}

/* The entry's type in one spelling: NULL if it does not say one, "http", "stdio", or its own. */
static const char *type_of(const cJSON *entry)
{
    static const char *const names[][2] = {
        { "http", "http" },           { "streamable-http", "http" },
        { "streamableHttp", "http" }, { "streamable_http", "http" },
        { "remote", "http" },         { "stdio", "stdio" },
        { "local", "stdio" },
    };
    const char *type = cJSON_GetStringValue(json_given(entry, "type"));

    if (!type)
        type = cJSON_GetStringValue(json_given(entry, "transport"));
    for (size_t i = 0; type && i < countof(names); i++)
        if (strcmp(type, names[i][0]) == 0)
            return names[i][1];
    return type;
}

static bool is_http(const cJSON *entry)
{
    const char *type = type_of(entry);

    return url_key(entry) && !json_given(entry, "command") && (!type || strcmp(type, "http") == 0);
}

/* Where the authorization server's metadata is, for a server that does not say it right. Claude
 * Code's name for it. */
static bool read_metadata(struct servers_parse *r, struct owned *server, const cJSON *entry)
{
    const cJSON *oauth = json_given(entry, "oauth");

    if (oauth && !cJSON_IsObject(oauth))
        return error_set(&r->problem, "bad_entry", "\"oauth\" is not an object");
    return read_server_path(r, &server->metadata, oauth, "authServerMetadataUrl");
}

static bool read_http(struct servers_parse *r, struct owned *server, const cJSON *entry)
{
    const char *key = url_key(entry);
    char what[40];

    snprintf(what, sizeof what, "\"%s\"", key);
    server->url = expand_member(r, json_given(entry, key), what);
    return server->url && read_pairs(r, &server->headers, entry, "headers") &&
           read_server_path(r, &server->ca_file, entry, "ca_file") &&
           read_metadata(r, server, entry);
}

static bool is_usable(struct servers_parse *r, const cJSON *entry)
{
    const char *type = cJSON_IsObject(entry) ? type_of(entry) : NULL;
    const char *key = url_key(entry);
    const char *url = key ? cJSON_GetStringValue(json_given(entry, key)) : NULL;

    if (!cJSON_IsObject(entry))
        return error_set(&r->problem, "bad_entry", "the entry is not an object");
    if (cJSON_IsTrue(json_given(entry, "disabled")))
        return error_set(&r->problem, "disabled", "the entry has \"disabled\": true");
    if (cJSON_IsFalse(json_given(entry, "enabled")))
        return error_set(&r->problem, "disabled", "the entry has \"enabled\": false");
    if (!is_http(entry) &&
        ((type && strcmp(type, "stdio") != 0) || (key && !json_given(entry, "command"))))
        return error_set(&r->problem, "not_supported",
                         "the server uses %.40s (%.200s), which is not supported. Use a "
                         "\"command\" (stdio) or a \"url\" of type \"http\"",
                         type ? type : "http", url ? url : "no url");
    return true;
}

/* A key that nobody knows but that is nearly one of ours would do nothing, in silence. Others are
 * for other clients ("autoApprove", "description", ...). */
static bool check_server_keys(struct servers_parse *r, const cJSON *entry)
{
    static const char *const ours[] = { "args", "ca_file", "command", "cwd",  "disabled", "env",
                                        "era",  "headers", "timeout", "type", "url" };
    static const char *const theirs[] = { "name",  "tools",   "trust", "enabled",
                                          "roots", "envFile", "uri" };
    const cJSON *member;

    cJSON_ArrayForEach (member, entry) {
        struct nearest_name nearest = { .typed = member->string };
        bool known = false;

        for (size_t i = 0; i < countof(theirs); i++)
            known = known || strcmp(theirs[i], member->string) == 0;
        for (size_t i = 0; !known && i < countof(ours); i++) {
            nearest_name_try(&nearest, ours[i]);
            known = strcmp(ours[i], member->string) == 0;
        }
        if (!known && nearest.found)
            return error_set(&r->problem, "bad_entry", "unknown key \"%.60s\"%s", member->string,
                             nearest_name_text(&nearest).text);
    }
    return true;
}

static void read_entry(struct servers_parse *r, struct owned *server, const cJSON *entry)
{
    struct server_entry *out = &server->entry;

    r->problem = (struct error){ .code = "" };
    server->name = mem_strdup(entry->string);
    if (is_usable(r, entry) && check_server_keys(r, entry) &&
        read_server_timeout(r, server, entry) && read_server_era(r, server, entry)) {
        if (is_http(entry))
            read_http(r, server, entry);
        else if (read_argv(r, server, entry) && read_pairs(r, &server->env, entry, "env"))
            read_server_path(r, &server->cwd, entry, "cwd");
    }
    if (r->problem.code[0])
        error_set(&out->problem, r->problem.code, "server \"%.60s\": %s", server->name,
                  r->problem.text);
    out->name = server->name;
    out->argv = (const char *const *)server->argv;
    out->env = (const char *const *)server->env;
    out->cwd = server->cwd;
    out->url = server->url;
    out->ca_file = server->ca_file;
    out->metadata = server->metadata;
    out->headers = (const char *const *)server->headers;
}

/* --- the file ----------------------------------------------------------------- */

static struct servers_file *read_servers(struct servers_parse *r, const cJSON *servers)
{
    struct servers_file *file = mem_zero(sizeof *file);
    const cJSON *entry;

    file->servers = mem_zero((size_t)cJSON_GetArraySize(servers) * sizeof *file->servers);
    cJSON_ArrayForEach (entry, servers) {
        read_entry(r, &file->servers[file->count++], entry);
    }
    return file;
}

struct servers_file *servers_file_parse(const char *text, size_t len,
                                        const char *(*lookup)(const char *name), struct error *err)
{
    struct servers_parse parse = { .lookup = lookup ? lookup : from_environment };
    struct servers_file *file = NULL;
    struct error why;
    struct json_doc *doc = json_parse_edited(text, len, &why);
    static const char *const names[] = { "mcpServers", "servers", "context_servers" };
    const cJSON *servers = NULL;

    for (size_t i = 0; doc && !servers && i < countof(names); i++)
        servers = json_given(json_root(doc), names[i]);
    if (!doc)
        error_set(err, "bad_file", "%s", why.text);
    else if (!cJSON_IsObject(servers))
        error_set(err, "bad_file",
                  "it has no object \"mcpServers\". Expected {\"mcpServers\": {\"NAME\": "
                  "{\"command\": \"...\", \"args\": [...]}}}");
    else
        file = read_servers(&parse, servers);
    json_doc_free(doc);
    return file;
}

struct servers_file *servers_file_read(const char *path, struct error *err)
{
    struct buf text = { 0 };
    struct servers_file *file = NULL;
    struct error why;

    if (!trust_read(path, TRUST_RULES, SERVERS_FILE_MAX, &text, err))
        return NULL;
    file = servers_file_parse(text.data, text.len, NULL, &why);
    if (!file)
        error_set(err, why.code, "%.200s: %s", path, why.text);
    buf_free(&text);
    return file;
}

void servers_file_free(struct servers_file *file)
{
    if (!file)
        return;
    for (size_t i = 0; i < file->count; i++) {
        free(file->servers[i].name);
        free(file->servers[i].cwd);
        mem_strings_free(file->servers[i].argv);
        mem_strings_free(file->servers[i].env);
        free(file->servers[i].url);
        free(file->servers[i].ca_file);
        free(file->servers[i].metadata);
        mem_strings_free(file->servers[i].headers);
    }
    free(file->servers);
    free(file);
}

size_t servers_file_count(const struct servers_file *file)
{
    return file->count;
}

const struct server_entry *servers_file_at(const struct servers_file *file, size_t index)
{
    return &file->servers[index].entry;
}

const struct server_entry *servers_file_find(const struct servers_file *file, const char *name,
                                             struct error *err)
{
    struct buf names = { 0 };

    for (size_t i = 0; i < file->count; i++) {
        if (strcmp(file->servers[i].name, name) == 0)
            return &file->servers[i].entry;
    }
    for (size_t i = 0; i < file->count; i++)
        buf_addf(&names, "%s\"%s\"", i ? ", " : "", file->servers[i].name);
    error_set(err, "not_found", "there is no server \"%.100s\" in the file. It has %s", name,
              names.len ? buf_text(&names) : "none");
    buf_free(&names);
    return NULL;
}
