/* declaration = kind (u8), tasks (u8), flags (u8), time limit in ms (u64), definition, URI
 * (strings), aliases, programs (numbers and strings), `common` (a string, or "") */
#include "registry/declared.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "base/log.h"
#include "files/file.h"
#include "registry/define.h"
#include "registry/entry_load.h"
#include "registry/uri_template.h"
#include "script/sandbox/sandbox.h"
#include "script/vm.h"

enum { DEFAULTS = 1, TEMPLATED = 2, TAKES_CALL = 4, HERE = 8, LISTED = 16, SAYS_ERROR = 32 };

static void write_list(struct buf *out, char *const *list)
{
    uint32_t count = 0;

    while (list && list[count])
        count++;
    bytes_u32(out, count);
    for (uint32_t i = 0; i < count; i++)
        bytes_str(out, str_from(list[i]));
}

void declared_write(const struct entry *entry, struct buf *out)
{
    int flags = 0;

    flags |= entry->defaults ? DEFAULTS : 0;
    flags |= entry->templated ? TEMPLATED : 0;
    flags |= entry->takes_call ? TAKES_CALL : 0;
    flags |= entry->here ? HERE : 0;
    flags |= entry->listed || entry->programs ? LISTED : 0;
    flags |= entry->says_error ? SAYS_ERROR : 0;
    buf_addc(out, (char)entry->kind);
    buf_addc(out, (char)entry->tasks);
    buf_addc(out, (char)flags);
    bytes_u64(out, entry->timeout_ms);
    bytes_str(out, (struct str){ entry->wire, entry->wire_len });
    bytes_str(out, str_from(entry->uri));
    write_list(out, entry->aliases);
    write_list(out, entry->programs);
    bytes_str(out, str_from(entry->common ? entry->common : ""));
}

/* NULL: it is empty. */
static char **read_text_list(struct bytes *from, size_t *number)
{
    uint32_t count = bytes_get_u32(from);
    char **list;

    *number = 0;
    if (!count || count > from->left.len)
        return NULL;
    list = mem_zero((count + 1) * sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        struct str text = bytes_get_str(from);

        list[i] = mem_strndup(text.ptr ? text.ptr : "", text.len);
    }
    *number = count;
    return list;
}

static void read_flags(struct entry *entry, int flags)
{
    entry->defaults = flags & DEFAULTS;
    entry->templated = flags & TEMPLATED;
    entry->takes_call = flags & TAKES_CALL;
    entry->here = flags & HERE;
    entry->listed = flags & LISTED;
    entry->says_error = flags & SAYS_ERROR;
}

static bool read_declaration(struct entry *entry, struct str declaration)
{
    struct bytes from = { .left = declaration };
    struct str wire, uri, common;
    size_t programs;

    entry->kind = (enum entry_kind)bytes_get_u8(&from);
    entry->tasks = (enum task_support)bytes_get_u8(&from);
    read_flags(entry, bytes_get_u8(&from));
    entry->timeout_ms = bytes_get_u64(&from);
    wire = bytes_get_str(&from);
    uri = bytes_get_str(&from);
    entry->aliases = read_text_list(&from, &entry->alias_count);
    entry->programs = read_text_list(&from, &programs);
    common = bytes_get_str(&from);
    if (from.bad || from.left.len ||
        (entry->kind > ENTRY_RESOURCE && entry->kind != ENTRY_POLICY &&
         entry->kind != ENTRY_SERVICE && entry->kind != ENTRY_TEXT) ||
        entry->tasks > TASKS_REQUIRED)
        return false;
    if (wire.len)
        entry->wire = mem_strndup(wire.ptr, wire.len);
    entry->wire_len = wire.len;
    if (uri.len)
        entry->uri = mem_strndup(uri.ptr, uri.len);
    if (common.len)
        entry->common = mem_strndup(common.ptr, common.len);
    return true;
}

struct entry *declared_entry(struct vm *vm, struct libs *libs, const struct source *source,
                             const struct cached_file *kept)
{
    struct entry *entry = entry_new(vm, libs, source);
    bool ok = read_declaration(entry, kept->declaration);

    if (ok && entry->kind == ENTRY_RESOURCE && entry->templated)
        ok = (entry->template = uri_template_new(entry->uri, NULL)) != NULL;
    if (!ok || (entry->kind == ENTRY_RESOURCE && !entry->uri)) {
        entry_unref(entry);
        return NULL;
    }
    entry->asleep = kept->text;
    entry->asleep_code = kept->code;
    catalog_ref(entry->asleep.catalog);
    if (kept->whole.len)
        entry->whole_asleep = kept->whole;
    entry->keepable = true;
    return entry;
}

/* --- waking ----------------------------------------------------------------------------- */

/* The text that the catalog lost, if the file is still as it was. */
static bool read_lost_text(const struct entry *entry, struct buf *text, struct error *err)
{
    struct stamp now;

    catalog_remove(entry->asleep.catalog);
    if (stamp_look(entry->path, &now) && stamp_same(&now, &entry->stamp))
        return file_read_all(entry->path, LUA_FILE_MAX, text, err);
    return false;
}

/* Loads it from its code in the catalog, or else from its text. */
static struct entry *load_kept(struct entry *entry, const struct source *source, struct error *err)
{
    struct buf text = { 0 };
    struct entry *awake = NULL;

    if (entry->asleep_code.len && catalog_read(&entry->asleep_code, &text, NULL))
        awake =
            entry_load_code(entry->vm, entry->libs, source, buf_str(&text), SANDBOX_LOAD_MS, err);
    else if (catalog_read(&entry->asleep, &text, err) || read_lost_text(entry, &text, err))
        awake =
            entry_load(entry->vm, entry->libs, source, text.data, text.len, SANDBOX_LOAD_MS, err);
    buf_free(&text);
    return awake;
}

static struct entry *load_code(struct entry *entry, struct error *err)
{
    static const enum source_kind kinds[] = { SOURCE_TOOL,     SOURCE_PROMPT,   SOURCE_PROMPT,
                                              SOURCE_PROVIDER, SOURCE_RESOURCE, SOURCE_COMMAND,
                                              SOURCE_POLICY,   SOURCE_SERVICE,  SOURCE_PROMPT };
    struct source source = { .kind = kinds[entry->kind],
                             .name = entry->name,
                             .toolset = entry->toolset,
                             .path = entry->path,
                             .label = entry->label,
                             .stamp = entry->stamp,
                             .root = entry->root };
    struct entry *awake = load_kept(entry, &source, err);

    if (!awake || awake->kind == entry->kind)
        return awake;
    error_set(err, "damaged", "%s: the cache said it was of another kind. Try again", entry->label);
    catalog_remove(entry->asleep.catalog);
    entry_unref(awake);
    return NULL;
}

static bool declares_the_same(struct entry *a, struct entry *b)
{
    struct buf x = { 0 }, y = { 0 };
    bool same;

    declared_write(a, &x);
    declared_write(b, &y);
    same = str_same(buf_str(&x), buf_str(&y)) &&
           (a->whole_lost || str_same(entry_whole(a), entry_whole(b)));
    buf_free(&x);
    buf_free(&y);
    return same;
}

#define EXCHANGE(type, member)                                                                     \
    do {                                                                                           \
        type kept = a->member;                                                                     \
        a->member = b->member;                                                                     \
        b->member = kept;                                                                          \
    } while (0)

static void exchange_declarations(struct entry *a, struct entry *b)
{
    EXCHANGE(char *, wire);
    EXCHANGE(size_t, wire_len);
    EXCHANGE(char *, whole);
    EXCHANGE(size_t, whole_len);
    EXCHANGE(struct json_doc *, definition);
    EXCHANGE(struct schema *, input);
    EXCHANGE(struct schema *, output);
    EXCHANGE(bool, defaults);
    EXCHANGE(bool, takes_call);
    EXCHANGE(bool, says_error);
    EXCHANGE(uint64_t, timeout_ms);
    EXCHANGE(enum task_support, tasks);
}

bool entry_wake(struct entry *entry, struct error *err)
{
    struct entry *awake = load_code(entry, err);
    struct catalog *catalog = entry->asleep.catalog;

    if (!awake)
        return false;
    if (!declares_the_same(entry, awake)) {
        log_warn("%s does not declare what the cache says of it. The cache is rebuilt",
                 entry->path);
        catalog_remove(catalog);
        exchange_declarations(entry, awake);
    } else if (entry->whole_lost) {
        entry->whole = awake->whole;
        entry->whole_len = awake->whole_len;
        awake->whole = NULL;
    }
    entry->whole_lost = false;
    entry->table = awake->table;
    entry->run = awake->run;
    awake->table = awake->run = LUA_NOREF;
    entry->asleep.catalog = entry->whole_asleep.catalog = NULL;
    catalog_unref(catalog);
    entry_unref(awake);
    return true;
}
