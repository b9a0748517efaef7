/* Requests, the cache of compiled scripts, answers. */
#include "platform/osascript/osa_server.h"

#include <stdlib.h>
#include <unistd.h>

#include "json/document.h"
#include "json/writer.h"

struct kept_script {
    void *script; /* NULL: the place is free */
    char *text;
    size_t len;
    uint64_t hash, used;
};

struct osa_server {
    const struct osa_engine *engine;
    struct kept_script kept[OSA_SCRIPTS_MAX];
    uint64_t clock;
};

struct osa_server *osa_server_new(const struct osa_engine *engine)
{
    struct osa_server *server = mem_zero(sizeof *server);

    server->engine = engine;
    return server;
}

static void forget_script(struct osa_server *server, struct kept_script *kept)
{
    if (kept->script)
        server->engine->end(kept->script);
    free(kept->text);
    *kept = (struct kept_script){ 0 };
}

void osa_server_free(struct osa_server *server)
{
    if (!server)
        return;
    for (size_t i = 0; i < OSA_SCRIPTS_MAX; i++)
        forget_script(server, &server->kept[i]);
    free(server);
}

void osa_server_greet(struct buf *out)
{
    buf_lit(out, "{\"perigee_osa\":1}\n");
}

/* FNV-1a: it only has to be quick, because the scripts are compared, too. */
static uint64_t hash_of(struct str text)
{
    uint64_t hash = 14695981039346656037u;

    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.ptr[i]) * 1099511628211u;
    return hash;
}

static struct kept_script *find_script(struct osa_server *server, struct str text, uint64_t hash)
{
    for (size_t i = 0; i < OSA_SCRIPTS_MAX; i++) {
        struct kept_script *kept = &server->kept[i];

        if (kept->script && kept->hash == hash && kept->len == text.len &&
            memcmp(kept->text, text.ptr, text.len) == 0)
            return kept;
    }
    return NULL;
}

static void keep_script(struct osa_server *server, struct str text, uint64_t hash, void *script)
{
    struct kept_script *oldest = &server->kept[0];

    for (size_t i = 1; i < OSA_SCRIPTS_MAX; i++) {
        if (server->kept[i].used < oldest->used)
            oldest = &server->kept[i];
    }
    forget_script(server, oldest);
    *oldest = (struct kept_script){ script, mem_strndup(text.ptr, text.len), text.len, hash,
                                    ++server->clock };
}

/* The compiled script of a text. *own: the caller ends it. */
static void *script_of(struct osa_server *server, struct str text, bool *own,
                       struct osa_failure *failure)
{
    uint64_t hash = hash_of(text);
    struct kept_script *kept = find_script(server, text, hash);
    void *script;

    *own = false;
    if (kept) {
        kept->used = ++server->clock;
        return kept->script;
    }
    script = server->engine->compile(text, failure);
    if (script && text.len <= OSA_TEXT_MAX)
        keep_script(server, text, hash, script);
    else
        *own = script != NULL;
    return script;
}

static void write_failure(struct buf *out, const struct osa_failure *failure, bool compiling)
{
    const char *message = failure->message ? failure->message : "";

    buf_addf(out, "\"error\":{\"number\":%d,\"message\":", failure->number);
    json_write_string(out, message, strlen(message));
    buf_addf(out, ",\"range\":[%d,%d],\"compiling\":%s}", failure->from, failure->length,
             compiling ? "true" : "false");
}

static void run_script(struct osa_server *server, struct str text, char *const *args,
                       struct buf *out)
{
    struct osa_failure failure = { 0 };
    struct buf output = { 0 };
    bool own;
    void *script = script_of(server, text, &own, &failure);

    if (script && server->engine->run(script, args, &output, &failure)) {
        buf_lit(out, "\"output\":");
        json_write_string(out, output.data, output.len);
    } else {
        write_failure(out, &failure, !script);
    }
    if (own)
        server->engine->end(script);
    buf_free(&output);
    free(failure.message);
}

/* Reads the arguments. NULL: one of them is not a string. The caller frees with free_args(). */
static char **read_args(const cJSON *list)
{
    size_t count = 0;
    char **args;

    if (!cJSON_IsArray(list))
        return NULL;
    args = mem_zero(((size_t)cJSON_GetArraySize(list) + 1) * sizeof *args);
    for (const cJSON *item = list->child; item; item = item->next) {
        struct str word = json_string(item);

        args[count++] = mem_strndup(word.ptr ? word.ptr : "", word.len);
    }
    return args;
}

static void free_args(char **args)
{
    for (char **word = args; word && *word; word++)
        free(*word);
    free(args);
}

static bool serve_request(struct osa_server *server, const cJSON *request, struct buf *out)
{
    const cJSON *text = json_get(request, "text");
    char **args = read_args(json_get(request, "args"));
    int64_t id, seconds = 0;
    bool good = cJSON_IsString(text) && args && json_integer(json_get(request, "id"), &id);

    if (good) {
        if (json_integer(json_get(request, "timeout"), &seconds) && seconds > 0 && seconds < 86400)
            alarm((unsigned)seconds + 1);
        buf_addf(out, "{\"id\":%lld,", (long long)id);
        run_script(server, json_string(text), args, out);
        buf_lit(out, "}\n");
        alarm(0);
    }
    free_args(args);
    return good;
}

bool osa_server_line(struct osa_server *server, const char *line, size_t len, struct buf *out)
{
    static const struct json_limits limits = { OSA_REQUEST_MAX, 4, 100000 };
    struct json_doc *doc = json_parse(line, len, &limits, NULL);
    bool good = doc && serve_request(server, json_root(doc), out);

    json_doc_free(doc);
    return good;
}
