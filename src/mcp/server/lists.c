/* tools/list, prompts/list, resources/list and resources/templates/list: pages of definitions that
 * were written when their files were loaded. */
#include <stdlib.h>

#include "base/dry_run.h"
#include "json/writer.h"
#include "mcp/server/methods.h"
#include "mcp/server/pages.h"
#include "mcp/server/request/reply.h"
#include "registry/listing.h"

typedef bool listed_fn(const struct server *server, const struct entry *entry);

static bool tool_listed(const struct server *server, const struct entry *entry)
{
    if (entry->console)
        return server->console && entry->here;
    return entry_offered(entry) && (registry_lists(server->registry, entry) || server->whole) &&
           (!server->lean || strcmp(entry->toolset, "engine") == 0) &&
           (!server->mounted || !entry->libs);
}

static bool prompt_listed(const struct server *server, const struct entry *entry)
{
    (void)server;
    return entry->kind == ENTRY_PROMPT;
}

static bool resource_listed(const struct server *server, const struct entry *entry)
{
    (void)server;
    return entry->kind == ENTRY_RESOURCE && entry->here && entry->listed && !entry->templated;
}

static bool template_listed(const struct server *server, const struct entry *entry)
{
    (void)server;
    return entry->kind == ENTRY_RESOURCE && entry->here && entry->listed && entry->templated;
}

/* Since 2025-11-25, and until tasks became an extension, tools tell how they run as one. */
static bool tells_tasks(const struct request *request)
{
    const char *version = request->session->version;

    return !request->modern && version && strcmp(version, "2025-11-25") >= 0;
}

/* In a dry run a tool that would be called has no result of its own to promise: takes it out of the
 * definition that begins there. */
static void take_out_output(struct buf *out, size_t begun)
{
    struct error err;
    struct json_doc *doc = json_parse(out->data + begun, out->len - begun, NULL, &err);
    cJSON *root = (cJSON *)json_root(doc), *output = (cJSON *)json_get(root, "outputSchema");

    if (output) {
        json_take_out(root, output);
        out->len = begun;
        json_write(out, root);
    }
    json_doc_free(doc);
}

/* As lists show it; a list that somebody asked for whole has the parameters whole. */
static void write_definition(const struct server *server, struct entry *entry, struct buf *out)
{
    if (server->whole && entry->kind == ENTRY_TOOL && entry->libs && entry_definition(entry))
        listing_write_parameters(entry_definition(entry), out);
    else
        buf_add(out, entry->wire, entry->wire_len);
}

static void write_entry(const struct server *server, struct entry *entry, bool tasks,
                        struct buf *out)
{
    size_t begun = out->len;

    write_definition(server, entry, out);
    if (dry_run() && entry->kind == ENTRY_TOOL)
        take_out_output(out, begun);
    if (!tasks || entry->tasks == TASKS_FORBIDDEN)
        return;
    out->len--; /* the brace */
    buf_addf(out, ",\"execution\":{\"taskSupport\":\"%s\"}}", task_support_name(entry->tasks));
}

static void list_entries(struct request *request, const char *key, listed_fn *listed)
{
    const struct server *server = request->session->server;
    const struct generation *generation = registry_current(server->registry);
    struct entry **entries = mem_alloc((generation->count + 1) * sizeof *entries);
    struct page page;
    struct buf *out;
    size_t count = 0;

    for (size_t i = 0; i < generation->count; i++)
        if (listed(server, generation->entries[i]))
            entries[count++] = generation->entries[i];
    if (page_read(request, entries, count, &page)) {
        out = reply_begin(request);
        buf_addf(out, "\"%s\":[", key);
        for (size_t i = page.from; i < page.to; i++) {
            if (i > page.from)
                buf_addc(out, ',');
            write_entry(server, entries[i], tells_tasks(request), out);
        }
        buf_addc(out, ']');
        page_end(&page, out);
        if (request->modern)
            buf_lit(out, ",\"ttlMs\":0,\"cacheScope\":\"private\"");
        reply_end(request, out, false, NULL);
    }
    free(entries);
}

void method_tools_list(struct request *request)
{
    list_entries(request, "tools", tool_listed);
}

void method_prompts_list(struct request *request)
{
    list_entries(request, "prompts", prompt_listed);
}

void method_resources_list(struct request *request)
{
    list_entries(request, "resources", resource_listed);
}

void method_templates_list(struct request *request)
{
    list_entries(request, "resourceTemplates", template_listed);
}
