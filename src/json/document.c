/* Documents: the scanner decides, cJSON builds, an arena holds.
 *
 * The arena is sized from what the scanner counted, so a document is one block
 * and cJSON's allocations are additions to a pointer. The hooks give from the
 * arena only while json_parse() runs; at any other time they are malloc() and
 * free(). */
#include "json/document.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "json/arena.h"
#include "json/digits.h"
#include "json/number.h"
#include "json/rewrite.h"
#include "json/writer.h"

struct json_doc {
    struct arena arena; /* holds this struct, too */
    const cJSON *root;
    struct str id;
    struct json_doc *next_nul; /* in nul_docs, if this document has strings with NUL */
};

static struct arena *current; /* while json_parse() runs */
static struct json_doc
    *nul_docs; /* the living documents that have \u0000 somewhere: hardly ever any */
static bool initialised;

/* --- allocation -------------------------------------------------------------- */

static void *hook_malloc(size_t size)
{
    return current ? arena_alloc(current, size) : malloc(size);
}

static void hook_free(void *ptr)
{
    if (!current)
        free(ptr);
}

void json_init(void)
{
    cJSON_Hooks hooks = { hook_malloc, hook_free };

    cJSON_InitHooks(&hooks);
    initialised = true;
}

/* An upper bound of what cJSON asks for: a node for each value, and for each
 * string its source text and two bytes more, rounded up to the alignment. */
static size_t doc_size(size_t len, const struct json_scan *found)
{
    return sizeof(struct json_doc) + found->nodes * sizeof(cJSON) + found->strings * 10 + len +
           found->id.len + 32;
}

/* --- strings with NUL ------------------------------------------------------------ */

static size_t count_nuls(const char *text, size_t len)
{
    const char *end = text + len;
    size_t count = 0;

    for (; (text = memchr(text, 0xC0, (size_t)(end - text))); text++)
        count++;
    return count;
}

/* A copy of the text with its decoded form right behind its NUL. */
static char *add_decoded_text(struct arena *arena, char *text)
{
    size_t len = strlen(text);
    char *copy, *out;

    if (!count_nuls(text, len))
        return text;
    copy = arena_alloc(arena, 2 * len + 2);
    memcpy(copy, text, len + 1);
    out = copy + len + 1;
    for (const char *p = text; *p; p++) {
        *out++ = *p == '\xC0' ? '\0' : *p;
        if (*p == '\xC0')
            p++;
    }
    return copy;
}

/* As deep as the scanner let it be: at most JSON_DEPTH_MAX. */
static void decode_nuls(struct arena *arena, cJSON *node)
{
    for (; node; node = node->next) {
        if (node->string)
            node->string = add_decoded_text(arena, node->string);
        if (node->valuestring)
            node->valuestring = add_decoded_text(arena, node->valuestring);
        decode_nuls(arena, node->child);
    }
}

static struct str decoded_text(const char *text)
{
    struct str plain = str_from(text);
    size_t nuls;

    if (LIKELY(!nul_docs))
        return plain;
    nuls = count_nuls(plain.ptr, plain.len);
    for (struct json_doc *doc = nul_docs; nuls && doc; doc = doc->next_nul) {
        if (arena_holds(&doc->arena, text))
            return (struct str){ text + plain.len + 1, plain.len - nuls };
    }
    return plain;
}

/* --- documents ------------------------------------------------------------------- */

static struct json_doc *doc_new(size_t size, bool lasting)
{
    struct arena arena;
    struct json_doc *doc;

    if (lasting)
        arena_init_lasting(&arena, size);
    else
        arena_init(&arena, size);
    doc = arena_alloc(&arena, sizeof *doc);
    *doc = (struct json_doc){ .arena = arena };
    return doc;
}

static cJSON *doc_build(struct json_doc *doc, const char *text, size_t len)
{
    cJSON *root;

    current = &doc->arena;
    root = cJSON_ParseWithLengthOpts(text, len, NULL, false);
    current = NULL;
    return root;
}

static struct str doc_keep(struct json_doc *doc, struct str text)
{
    char *copy = arena_alloc(&doc->arena, text.len + 1);

    if (text.len)
        memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    return (struct str){ copy, text.len };
}

/* For the few texts cJSON cannot take as they are. */
static cJSON *doc_build_rewritten(struct json_doc *doc, const char *text, size_t len, bool nul)
{
    struct buf copy = { 0 };
    cJSON *root;

    json_rewrite(&copy, text, len);
    root = doc_build(doc, copy.data, copy.len);
    buf_free(&copy);
    if (root && nul) {
        decode_nuls(&doc->arena, root);
        doc->next_nul = nul_docs;
        nul_docs = doc;
    }
    return root;
}

static struct json_doc *parse_text(const char *text, size_t len, const struct json_limits *limits,
                                   bool lasting, struct error *err)
{
    struct json_scan found;
    struct json_doc *doc;

    if (UNLIKELY(!initialised))
        json_init();
    if (!json_scan(text, len, limits, &found, err))
        return NULL;
    doc = doc_new(doc_size(len, &found), lasting);
    doc->id = doc_keep(doc, found.id);
    doc->root = LIKELY(!found.rewrite) ? doc_build(doc, text, len)
                                       : doc_build_rewritten(doc, text, len, found.nul);
    if (UNLIKELY(!doc->root)) {
        error_set(err, "json_syntax",
                  "cJSON %s rejects this text of %zu bytes, which is valid JSON", cJSON_Version(),
                  len);
        json_doc_free(doc);
        return NULL;
    }
    if (UNLIKELY(found.digits))
        digits_keep(&doc->arena, (cJSON *)doc->root, text, len);
    return doc;
}

struct json_doc *json_parse(const char *text, size_t len, const struct json_limits *limits,
                            struct error *err)
{
    return parse_text(text, len, limits, false, err);
}

void json_doc_free(struct json_doc *doc)
{
    struct arena arena;

    if (!doc)
        return;
    for (struct json_doc **at = &nul_docs; *at; at = &(*at)->next_nul) {
        if (*at == doc) {
            *at = doc->next_nul;
            break;
        }
    }
    arena = doc->arena;
    arena_finish(&arena);
}

const cJSON *json_root(const struct json_doc *doc)
{
    return doc ? doc->root : NULL;
}

struct str json_id_text(const struct json_doc *doc)
{
    return doc->id;
}

struct json_doc *json_copy(const cJSON *tree, struct error *err)
{
    struct buf text = { 0 };
    struct json_doc *doc;

    json_write(&text, tree);
    doc = parse_text(text.data, text.len, NULL, true, err);
    buf_free(&text);
    return doc;
}

/* --- nodes ----------------------------------------------------------------------- */

const cJSON *json_get(const cJSON *object, const char *key)
{
    const cJSON *found = NULL;

    if (!cJSON_IsObject(object))
        return NULL;
    for (const cJSON *member = object->child; member; member = member->next) {
        if (member->string && strcmp(member->string, key) == 0)
            found = member;
    }
    return found;
}

const cJSON *json_given(const cJSON *object, const char *key)
{
    const cJSON *found = json_get(object, key);

    return cJSON_IsNull(found) ? NULL : found;
}

void json_take_out(cJSON *container, cJSON *item)
{
    if (item != container->child)
        item->prev->next = item->next;
    if (item->next)
        item->next->prev = item->prev;
    else if (container->child != item)
        container->child->prev = item->prev;
    if (item == container->child)
        container->child = item->next;
}

struct str json_string(const cJSON *node)
{
    if (!cJSON_IsString(node) || !node->valuestring)
        return (struct str){ "", 0 };
    return decoded_text(node->valuestring);
}

struct str json_name(const cJSON *member)
{
    return decoded_text(member && member->string ? member->string : "");
}

bool json_integer(const cJSON *node, int64_t *out)
{
    double value;

    if (!cJSON_IsNumber(node))
        return false;
    value = node->valuedouble;
    if (!(fabs(value) <= EXACT_INTEGERS) || value != trunc(value))
        return false;
    *out = (int64_t)value;
    return true;
}
