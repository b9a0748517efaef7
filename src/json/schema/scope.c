/* Where schemas stand, what they are called, and what a reference means.
 *
 * The document is our own copy, so the number of a schema's rule is kept in a
 * field of its node that cJSON leaves alone in objects and booleans. */
#include "json/schema/scope.h"

#include <stdlib.h>

#include "json/schema/compile_error.h"
#include "json/schema/uri.h"

enum holds { HOLDS_SCHEMA, HOLDS_LIST, HOLDS_MAP };

/* The keywords that have schemas in them. */
static const struct keyword {
    const char *name;
    enum holds holds;
} keywords[] = {
    { "$defs", HOLDS_MAP },
    { "additionalProperties", HOLDS_SCHEMA },
    { "allOf", HOLDS_LIST },
    { "anyOf", HOLDS_LIST },
    { "contains", HOLDS_SCHEMA },
    { "definitions", HOLDS_MAP },
    { "dependentSchemas", HOLDS_MAP },
    { "else", HOLDS_SCHEMA },
    { "if", HOLDS_SCHEMA },
    { "items", HOLDS_SCHEMA },
    { "not", HOLDS_SCHEMA },
    { "oneOf", HOLDS_LIST },
    { "patternProperties", HOLDS_MAP },
    { "prefixItems", HOLDS_LIST },
    { "properties", HOLDS_MAP },
    { "propertyNames", HOLDS_SCHEMA },
    { "then", HOLDS_SCHEMA },
    { "unevaluatedItems", HOLDS_SCHEMA },
    { "unevaluatedProperties", HOLDS_SCHEMA },
};

static int keyword_order(const void *name, const void *entry)
{
    return strcmp(name, ((const struct keyword *)entry)->name);
}

static bool is_schema(const cJSON *node)
{
    return cJSON_IsObject(node) || cJSON_IsBool(node);
}

/* --- collecting -------------------------------------------------------------- */

/* Schemas still to be looked at. */
struct agenda {
    struct {
        cJSON *node;
        size_t base;
    } * list;
    size_t count, room;
};

static void agenda_add(struct agenda *agenda, cJSON *node, size_t base)
{
    if (!is_schema(node))
        return;
    if (agenda->count == agenda->room) {
        agenda->room = agenda->room ? agenda->room * 2 : 32;
        agenda->list = mem_resize(agenda->list, agenda->room * sizeof *agenda->list);
    }
    agenda->list[agenda->count].node = node;
    agenda->list[agenda->count++].base = base;
}

static void agenda_add_inside(struct agenda *agenda, const cJSON *member, size_t base)
{
    const struct keyword *keyword =
        bsearch(member->string, keywords, countof(keywords), sizeof *keywords, keyword_order);

    if (!keyword)
        return;
    if (keyword->holds == HOLDS_SCHEMA)
        agenda_add(agenda, (cJSON *)member, base);
    else if (keyword->holds == HOLDS_MAP ? cJSON_IsObject(member) : cJSON_IsArray(member))
        for (cJSON *child = member->child; child; child = child->next)
            agenda_add(agenda, child, base);
}

static struct rule *add_rule(struct compiler *c, cJSON *node, size_t base)
{
    struct rule *rule = arena_alloc(&c->schema->arena, sizeof *rule);

    *rule = (struct rule){ .source = node, .base = base };
    if (c->rule_count == c->rule_room) {
        c->rule_room = c->rule_room ? c->rule_room * 2 : 32;
        c->rules = mem_resize(c->rules, c->rule_room * sizeof(struct rule *));
    }
    c->rules[c->rule_count++] = rule;
    node->valuedouble = (double)c->rule_count;
    return rule;
}

struct rule *scope_rule(const struct compiler *c, const cJSON *node)
{
    size_t number = is_schema(node) ? (size_t)node->valuedouble : 0;

    return number ? c->rules[number - 1] : NULL;
}

static const struct resource *find_resource(const struct compiler *c, const char *uri)
{
    for (size_t i = 0; i < c->resource_count; i++) {
        if (strcmp(c->resources[i].uri, uri) == 0)
            return &c->resources[i];
    }
    return NULL;
}

static void add_resource(struct compiler *c, char *uri, const cJSON *node)
{
    c->resources = mem_resize(c->resources, (c->resource_count + 1) * sizeof *c->resources);
    c->resources[c->resource_count++] = (struct resource){ uri, node };
}

/* "$id": the schema begins a resource of its own. */
static bool read_id(struct compiler *c, const cJSON *id, const cJSON *node, size_t *base)
{
    struct buf uri = { 0 };
    const char *fragment = uri_fragment(id->valuestring);
    bool fresh;

    if (fragment && *fragment)
        return compile_fail(
            c, id, "an identifier must not have a fragment. Use \"$anchor\" for \"%s\"", fragment);
    uri_resolve(&uri, c->resource_count ? c->resources[*base].uri : "", id->valuestring);
    buf_text(&uri);
    fresh = !find_resource(c, uri.data);
    if (!fresh) {
        buf_free(&uri);
        return compile_fail(c, id, "two schemas have this identifier");
    }
    *base = c->resource_count;
    add_resource(c, uri.data, node);
    return true;
}

static bool add_anchor(struct compiler *c, const cJSON *anchor, const cJSON *node, size_t base)
{
    for (size_t i = 0; i < c->anchor_count; i++) {
        if (c->anchors[i].resource == base && c->anchors[i].node != node &&
            strcmp(c->anchors[i].name, anchor->valuestring) == 0)
            return compile_fail(c, anchor, "two schemas have this anchor");
    }
    c->anchors = mem_resize(c->anchors, (c->anchor_count + 1) * sizeof *c->anchors);
    c->anchors[c->anchor_count++] = (struct anchor){ anchor->valuestring, base, node };
    return true;
}

static bool read_scope_names(struct compiler *c, const cJSON *node, size_t *base)
{
    static const char *const anchors[] = { "$anchor", "$dynamicAnchor" };
    const cJSON *id = json_get(node, "$id");

    if (cJSON_IsString(id)) {
        if (!read_id(c, id, node, base))
            return false;
    } else if (!c->resource_count) {
        add_resource(c, mem_strdup(""), node);
    }
    for (size_t i = 0; i < countof(anchors); i++) {
        const cJSON *anchor = json_get(node, anchors[i]);

        if (cJSON_IsString(anchor) && !add_anchor(c, anchor, node, *base))
            return false;
    }
    return true;
}

bool scope_collect(struct compiler *c, cJSON *start, size_t base)
{
    struct agenda agenda = { 0 };
    bool fine = true;

    agenda_add(&agenda, start, base);
    while (fine && agenda.count) {
        cJSON *node = agenda.list[--agenda.count].node;

        base = agenda.list[agenda.count].base;
        if (scope_rule(c, node))
            continue;
        fine = read_scope_names(c, node, &base);
        add_rule(c, node, base);
        for (const cJSON *member = node->child; member; member = member->next)
            agenda_add_inside(&agenda, member, base);
    }
    free(agenda.list);
    return fine;
}

/* --- references -------------------------------------------------------------- */

/* The child a token of a JSON pointer names; undoes ~0 and ~1 in place. */
static const cJSON *pointer_step(const cJSON *node, char *token)
{
    char *out = token;
    const cJSON *child;
    size_t index;
    char *end;

    if (cJSON_IsArray(node)) {
        index = strtoul(token, &end, 10);
        if (*token < '0' || *token > '9' || *end)
            return NULL;
        for (child = node->child; child && index; index--)
            child = child->next;
        return child;
    }
    for (const char *p = token; *p; p++) {
        if (p[0] == '~' && (p[1] == '0' || p[1] == '1'))
            *out++ = *++p == '0' ? '~' : '/';
        else
            *out++ = *p;
    }
    *out = '\0';
    return json_get(node, token);
}

/* pointer: "/a/b"; changed on the way. */
static const cJSON *pointer_follow(const cJSON *node, char *pointer)
{
    while (node && pointer) {
        char *token = pointer + 1;
        char *slash = strchr(token, '/');

        if (slash)
            *slash = '\0';
        node = pointer_step(node, token);
        if ((pointer = slash))
            *pointer = '/';
    }
    return node;
}

static const cJSON *find_anchor(const struct compiler *c, size_t resource, const char *name)
{
    for (size_t i = 0; i < c->anchor_count; i++) {
        if (c->anchors[i].resource == resource && strcmp(c->anchors[i].name, name) == 0)
            return c->anchors[i].node;
    }
    return NULL;
}

static const cJSON *find_fragment(struct compiler *c, const struct resource *resource,
                                  const char *fragment)
{
    struct buf text = { 0 };
    const cJSON *node = NULL;

    if (!fragment || !*fragment)
        return resource->node;
    if (uri_decode(&text, fragment)) {
        buf_text(&text);
        if (*text.data == '/')
            node = pointer_follow(resource->node, text.data);
        else
            node = find_anchor(c, (size_t)(resource - c->resources), text.data);
    }
    buf_free(&text);
    return node;
}

/* NULL with an error at `ref`. */
static const struct resource *referred_resource(struct compiler *c, size_t base, const cJSON *ref)
{
    struct buf uri = { 0 };
    const struct resource *found;

    uri_resolve(&uri, c->resources[base].uri, ref->valuestring);
    found = find_resource(c, buf_text(&uri));
    if (!found)
        compile_fail(c, ref,
                     "\"%s\" is not in this document, and network references are never fetched. "
                     "Put its target under \"$defs\"",
                     uri.data);
    buf_free(&uri);
    return found;
}

struct rule *scope_resolve(struct compiler *c, const struct rule *rule, const cJSON *ref)
{
    const struct resource *resource = referred_resource(c, rule->base, ref);
    size_t base = resource ? (size_t)(resource - c->resources) : 0;
    const cJSON *node;

    if (!resource)
        return NULL;
    node = find_fragment(c, resource, uri_fragment(ref->valuestring));
    if (!node) {
        compile_fail(c, ref, "\"%s\" points to nothing", ref->valuestring);
        return NULL;
    }
    if (!is_schema(node)) {
        compile_fail(c, ref, "\"%s\" does not point to a schema", ref->valuestring);
        return NULL;
    }
    if (!scope_rule(c, node) && !scope_collect(c, (cJSON *)node, base))
        return NULL;
    return scope_rule(c, node);
}
