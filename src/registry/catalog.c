/* The file's form, numbers little-endian, strings with their length (base/bytes.h):
 *
 *   magic (8 bytes), length of the index (u64), its sum (u64), index, texts
 *   index = key (string), list of files (string, registry/known_files.c), number of files (u32),
 *           files
 *   file  = path (string), stamp (5 u64), declaration (string), its text, its code, its whole
 *           definition
 *   text  = place behind the index (u64), length (u32), sum (u64) */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/module.h"
#include "registry/catalog.h"
#include "registry/catalog_folder.h"
#include "registry/source_text.h"
#include "script/sandbox/chunk.h"

enum {
    HEAD = 24,
    FILE_MAX = 32 * 1024 * 1024, /* bytes; a larger catalog is not written */
};

static const char magic[] = "perigee6";
enum { MAGIC_BYTES = sizeof magic - 1 };

struct catalog {
    int refs, fd;
    char *path;
    char *index; /* NULL: it was dropped */
    size_t index_len;
    struct str list; /* this and the files point into the index */
    struct cached_file *files;
    size_t count, cursor;
    bool shipped_only; /* files of other roots do not count */
};

static uint64_t sum_word(uint64_t sum, const char *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return sum ^ sum >> 29;
}

/* Finds damage, and does not protect: who can write here can write the user's Lua files. Four sums
 * at a time, since each step of one waits for the step before. */
static uint64_t sum_of(struct str bytes)
{
    uint64_t sums[4] = { bytes.len, 1, 2, 3 };
    const size_t step = sizeof sums;

    for (; bytes.len >= step; bytes.ptr += step, bytes.len -= step) {
        sums[0] = sum_word(sums[0], bytes.ptr);
        sums[1] = sum_word(sums[1], bytes.ptr + 8);
        sums[2] = sum_word(sums[2], bytes.ptr + 16);
        sums[3] = sum_word(sums[3], bytes.ptr + 24);
    }
    for (size_t i = 1; i < 4; i++)
        sums[0] = sum_word(sums[0], (const char *)&sums[i]);
    for (; bytes.len; bytes.ptr++, bytes.len--)
        sums[0] = (sums[0] ^ (unsigned char)*bytes.ptr) * 0x100000001B3u;
    return sums[0] ^ sums[0] >> 32;
}

/* --- the key -------------------------------------------------------------------------- */

/* The program and the roots: what the name of the file is made of. */
static void write_whose(struct buf *out, const struct catalog_key *key)
{
    bytes_str(out, str_from(module_executable()));
    for (size_t i = 0; i < key->root_count; i++)
        bytes_str(out, str_from(key->roots[i]));
}

/* The Lua that compiled the code. Nothing if Lua is part of the program. */
static struct stamp stamp_of_lua(void)
{
    struct stamp lua = { 0 };
    void *function = dlsym(RTLD_NEXT, "lua_newstate");
    Dl_info library;

    if (function && dladdr(function, &library) && library.dli_fname)
        stamp_look(library.dli_fname, &lua);
    return lua;
}

/* ... and which program that is. */
static void write_catalog_key(struct buf *out, const struct catalog_key *key)
{
    struct stamp program = { 0 }, lua = stamp_of_lua();

    write_whose(out, key);
    bytes_str(out, str_from(PERIGEE_VERSION));
    stamp_look(module_executable(), &program);
    stamp_write(&program, out);
    stamp_write(&lua, out);
}

static char *catalog_path(const struct catalog_key *key)
{
    struct buf place = { 0 };
    char *path;

    write_whose(&place, key);
    path = mem_printf("%s/" CATALOG_PREFIX "%016llx", key->folder,
                      (unsigned long long)sum_of(buf_str(&place)));
    buf_free(&place);
    return path;
}

/* --- reading --------------------------------------------------------------------------- */

/* All of it, or false. */
static bool read_bytes(int fd, uint64_t offset, size_t len, char *at)
{
    for (size_t got = 0; got < len;) {
        ssize_t n = pread(fd, at + got, len - got, (off_t)(offset + got));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    return true;
}

static bool read_catalog_bytes(int fd, uint64_t offset, size_t len, struct buf *out)
{
    if (!read_bytes(fd, offset, len, buf_reserve(out, len)))
        return false;
    out->len += len;
    return true;
}

static bool is_own_file(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
           !(st.st_mode & (S_IWGRP | S_IWOTH)) && st.st_size <= FILE_MAX;
}

#ifndef MAP_POPULATE
#define MAP_POPULATE 0
#endif

/* The index has pages of its own: it is needed for moments, and would leave a hole in the heap. All
 * of it is read at once, so that the system makes the pages in one call rather than in a fault for
 * each. */
static bool make_index(struct catalog *catalog, size_t len)
{
    void *pages =
        mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_POPULATE, -1, 0);

    if (pages == MAP_FAILED)
        return false;
    catalog->index = pages;
    catalog->index_len = len;
    return true;
}

static struct str catalog_index(const struct catalog *catalog)
{
    return (struct str){ catalog->index, catalog->index_len };
}

static bool read_index(struct catalog *catalog)
{
    char head[HEAD];
    struct bytes numbers = { .left = { head + 8, HEAD - 8 } };
    uint64_t len, sum;

    if (!read_bytes(catalog->fd, 0, HEAD, head) || memcmp(head, magic, MAGIC_BYTES) != 0)
        return false;
    len = bytes_get_u64(&numbers);
    sum = bytes_get_u64(&numbers);
    return len > 0 && len <= FILE_MAX && make_index(catalog, (size_t)len) &&
           read_bytes(catalog->fd, HEAD, (size_t)len, catalog->index) &&
           sum_of(catalog_index(catalog)) == sum;
}

static bool key_fits(struct bytes *from, const struct catalog_key *key)
{
    struct buf wanted = { 0 };
    struct str found = bytes_get_str(from);
    bool same;

    write_catalog_key(&wanted, key);
    same = str_same(found, buf_str(&wanted));
    buf_free(&wanted);
    return same;
}

static struct cached_text read_text_place(struct catalog *catalog, struct bytes *from)
{
    struct cached_text text = { .catalog = catalog };

    text.offset = HEAD + catalog->index_len + bytes_get_u64(from);
    text.len = bytes_get_u32(from);
    text.sum = bytes_get_u64(from);
    return text;
}

static bool read_files(struct catalog *catalog, struct bytes *from)
{
    catalog->list = bytes_get_str(from);
    catalog->count = bytes_get_u32(from);
    if (catalog->count > from->left.len)
        return false;
    catalog->files = mem_alloc((catalog->count + 1) * sizeof *catalog->files);
    for (size_t i = 0; i < catalog->count; i++) {
        struct cached_file *file = &catalog->files[i];

        file->path = bytes_get_str(from);
        file->stamp = stamp_read(from);
        file->shipped = bytes_get_u8(from);
        file->declaration = bytes_get_str(from);
        file->text = read_text_place(catalog, from);
        file->code = read_text_place(catalog, from);
        file->whole = read_text_place(catalog, from);
    }
    return !from->bad && !from->left.len;
}

struct catalog *catalog_open(const struct catalog_key *key)
{
    struct catalog *catalog;
    struct bytes from;
    char *path;
    int fd;

    if (!key->folder)
        return NULL;
    path = catalog_path(key);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        free(path);
        return NULL;
    }
    catalog = mem_zero(sizeof *catalog);
    catalog->refs = 1;
    catalog->fd = fd;
    catalog->path = path;
    if (is_own_file(fd) && read_index(catalog)) {
        from = (struct bytes){ .left = catalog_index(catalog) };
        if (key_fits(&from, key) && read_files(catalog, &from))
            return catalog;
    }
    catalog_unref(catalog);
    return NULL;
}

struct str catalog_list(const struct catalog *catalog)
{
    return catalog->list;
}

static bool is_lib(const struct cached_file *file)
{
    return !file->declaration.len || str_same(file->declaration, CACHED_USED_LIB);
}

/* Are the lib files that it knows those of the list, all unchanged? Of the shipped ones, or of the
 * others. */
static bool libs_fit(struct catalog *catalog, const struct source_list *sources, bool shipped)
{
    size_t known = 0, found = 0;

    for (size_t i = 0; i < catalog->count; i++)
        known += is_lib(&catalog->files[i]) && catalog->files[i].shipped == shipped;
    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->items[i];

        if (source->kind != SOURCE_LIB || source->foreign || source_is_shipped(source) != shipped)
            continue;
        if (!catalog_find(catalog, source))
            return false;
        found++;
    }
    return known == found;
}

bool catalog_fits(struct catalog *catalog, const struct source_list *sources)
{
    if (!libs_fit(catalog, sources, true))
        return false;
    catalog->shipped_only = !libs_fit(catalog, sources, false);
    return true;
}

struct catalog *catalog_ref(struct catalog *catalog)
{
    catalog->refs++;
    return catalog;
}

void catalog_drop_index(struct catalog *catalog)
{
    if (!catalog || !catalog->index)
        return;
    free(catalog->files);
    catalog->files = NULL;
    catalog->count = 0;
    catalog->list = (struct str){ 0 };
    munmap(catalog->index, catalog->index_len);
    catalog->index = NULL;
}

void catalog_unref(struct catalog *catalog)
{
    if (!catalog || --catalog->refs > 0)
        return;
    catalog_drop_index(catalog);
    close(catalog->fd);
    free(catalog->path);
    free(catalog);
}

/* Both are sorted alike, so that the file is mostly the next one. */
const struct cached_file *catalog_find(struct catalog *catalog, const struct source *source)
{
    struct str path = str_from(source->path);

    for (size_t i = 0; catalog && !source->foreign && i < catalog->count; i++) {
        size_t at = (catalog->cursor + i) % catalog->count;
        const struct cached_file *file = &catalog->files[at];

        if (!str_same(file->path, path))
            continue;
        catalog->cursor = at + 1;
        return stamp_same(&file->stamp, &source->stamp) &&
                       file->shipped == source_is_shipped(source) &&
                       (file->shipped || !catalog->shipped_only)
                   ? file
                   : NULL;
    }
    return NULL;
}

bool catalog_read(const struct cached_text *text, struct buf *out, struct error *err)
{
    const struct catalog *catalog = text->catalog;
    struct str got;

    if (text->len > LUA_FILE_MAX || !read_catalog_bytes(catalog->fd, text->offset, text->len, out))
        return error_set(err, "damaged", "cannot read \"%s\"", catalog->path);
    got = (struct str){ out->data + out->len - text->len, text->len };
    if (sum_of(got) == text->sum)
        return true;
    out->len -= text->len;
    return error_set(err, "damaged", "\"%s\" is damaged", catalog->path);
}

void catalog_remove(struct catalog *catalog)
{
    unlink(catalog->path);
}

/* --- writing ---------------------------------------------------------------------------- */

static void write_place(struct buf *out, size_t offset, struct str text)
{
    bytes_u64(out, offset);
    bytes_u32(out, (uint32_t)text.len);
    bytes_u64(out, sum_of(text));
}

/* The code of the text of `len` bytes that was added last; none if it does not compile. */
static void add_file_code(struct catalog_draft *draft, const struct source *source, size_t len)
{
    const struct cached_file *known = catalog_find(draft->before, source);
    size_t offset = draft->texts.len;
    struct buf code = { 0 };

    if (!known || !known->code.len || !catalog_read(&known->code, &code, NULL))
        chunk_compile(source->label, (struct str){ draft->texts.data + offset - len, len }, &code);
    write_place(&draft->index, offset, buf_str(&code));
    buf_add(&draft->texts, code.data, code.len);
    buf_free(&code);
}

bool catalog_add(struct catalog_draft *draft, const struct source *source, struct str declaration,
                 struct str whole)
{
    size_t offset = draft->texts.len;
    int64_t now = draft->now ? draft->now : (int64_t)time(NULL);
    struct stamp after;
    struct str text;

    if (draft->full || !stamp_settled(&source->stamp, now) ||
        !source_text(source, LUA_FILE_MAX, &draft->texts, NULL))
        return false;
    if (!stamp_look(source->path, &after) || !stamp_same(&after, &source->stamp)) {
        draft->texts.len = offset;
        return false;
    }
    text = (struct str){ draft->texts.data + offset, draft->texts.len - offset };
    bytes_str(&draft->index, str_from(source->path));
    stamp_write(&source->stamp, &draft->index);
    buf_addc(&draft->index, source_is_shipped(source));
    bytes_str(&draft->index, declaration);
    write_place(&draft->index, offset, text);
    add_file_code(draft, source, text.len);
    write_place(&draft->index, draft->texts.len, whole);
    if (whole.len)
        buf_add(&draft->texts, whole.ptr, whole.len);
    draft->count++;
    draft->full = draft->index.len + draft->texts.len > FILE_MAX - 65536;
    return true;
}

static void write_catalog(struct catalog_draft *draft, const struct catalog_key *key,
                          struct buf *out)
{
    struct buf index = { 0 }, whole = { 0 };

    write_catalog_key(&whole, key);
    bytes_str(&index, buf_str(&whole));
    bytes_str(&index, buf_str(&draft->list));
    bytes_u32(&index, draft->count);
    buf_add(&index, draft->index.data, draft->index.len);
    buf_add(out, magic, MAGIC_BYTES);
    bytes_u64(out, index.len);
    bytes_u64(out, sum_of(buf_str(&index)));
    buf_add(out, index.data, index.len);
    buf_add(out, draft->texts.data, draft->texts.len);
    buf_free(&index);
    buf_free(&whole);
}

void catalog_draft_free(struct catalog_draft *draft)
{
    buf_free(&draft->index);
    buf_free(&draft->list);
    buf_free(&draft->texts);
}

void catalog_save(struct catalog_draft *draft, const struct catalog_key *key)
{
    struct buf out = { 0 };
    char *path = catalog_path(key);
    struct error err;

    write_catalog(draft, key, &out);
    if (catalog_folder_write(key->folder, path, buf_str(&out), &err))
        log_debug("catalog of %u files: %s", draft->count, path);
    else
        log_debug("no catalog is kept: %s", err.text);
    buf_free(&out);
    catalog_draft_free(draft);
    free(path);
}
