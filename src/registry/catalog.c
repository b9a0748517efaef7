/* The file's form, numbers little-endian, strings with their length (base/bytes.h):
 *
 *   magic (8 bytes), length of the index (u64), its sum (u64), index, texts
 *   index = key (string), number of files (u32), files
 *   file  = path (string), stamp (5 u64), declaration (string), its text, its code, its whole
 *           definition
 *   text  = place behind the index (u64), length (u32), sum (u64) */
#include "registry/catalog.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/module.h"
#include "files/file.h"
#include "registry/catalog_folder.h"
#include "script/sandbox/chunk.h"

enum {
    HEAD = 24,
    FILE_MAX = 32 * 1024 * 1024, /* bytes; a larger catalog is not written */
    SETTLED_S = 2, /* a file changed within these may change again and keep its stamp: some file
                      systems count in seconds */
};

static const char magic[8] = "perigee3";

struct catalog {
    int refs, fd;
    char *path;
    struct buf index;
    struct kept_file *files; /* point into the index */
    size_t count, cursor;
};

/* Finds damage, and does not protect: who can write here can write the user's Lua files. */
static uint64_t sum_of(struct str bytes)
{
    uint64_t sum = bytes.len, word;

    for (; bytes.len >= sizeof word; bytes.ptr += sizeof word, bytes.len -= sizeof word) {
        memcpy(&word, bytes.ptr, sizeof word);
        sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    for (; bytes.len; bytes.ptr++, bytes.len--)
        sum = (sum ^ (unsigned char)*bytes.ptr) * 0x100000001B3u;
    return sum ^ sum >> 32;
}

/* --- the key -------------------------------------------------------------------------- */

static void write_stamp(struct buf *out, const struct stamp *stamp)
{
    bytes_u64(out, (uint64_t)stamp->device);
    bytes_u64(out, (uint64_t)stamp->inode);
    bytes_u64(out, (uint64_t)stamp->size);
    bytes_u64(out, (uint64_t)stamp->modified);
    bytes_u64(out, (uint64_t)stamp->changed);
}

static struct stamp read_stamp(struct bytes *from)
{
    struct stamp stamp = { .device = (dev_t)bytes_get_u64(from) };

    stamp.inode = (ino_t)bytes_get_u64(from);
    stamp.size = (off_t)bytes_get_u64(from);
    stamp.modified = (int64_t)bytes_get_u64(from);
    stamp.changed = (int64_t)bytes_get_u64(from);
    return stamp;
}

/* The program and the roots: what the name of the file is made of. */
static void write_whose(struct buf *out, const struct catalog_key *key)
{
    bytes_str(out, str_from(module_executable()));
    for (size_t i = 0; i < key->root_count; i++)
        bytes_str(out, str_from(key->roots[i]));
}

/* Whose code it is. Nothing if Lua is part of the program. */
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
static void write_key(struct buf *out, const struct catalog_key *key)
{
    struct stamp program = { 0 }, lua = stamp_of_lua();

    write_whose(out, key);
    bytes_str(out, str_from(PERIGEE_VERSION));
    stamp_look(module_executable(), &program);
    write_stamp(out, &program);
    write_stamp(out, &lua);
}

static char *path_of(const struct catalog_key *key)
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
static bool read_at(int fd, uint64_t offset, size_t len, struct buf *out)
{
    char *at = buf_reserve(out, len);

    for (size_t got = 0; got < len;) {
        ssize_t n = pread(fd, at + got, len - got, (off_t)(offset + got));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    out->len += len;
    return true;
}

static bool is_ours(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
           !(st.st_mode & (S_IWGRP | S_IWOTH)) && st.st_size <= FILE_MAX;
}

static bool read_index(struct catalog *catalog)
{
    struct buf head = { 0 };
    struct bytes numbers;
    uint64_t len = 0, sum = 0;
    bool ok = read_at(catalog->fd, 0, HEAD, &head) && memcmp(head.data, magic, 8) == 0;

    if (ok) {
        numbers = (struct bytes){ .left = { head.data + 8, HEAD - 8 } };
        len = bytes_get_u64(&numbers);
        sum = bytes_get_u64(&numbers);
    }
    buf_free(&head);
    return ok && len <= FILE_MAX && read_at(catalog->fd, HEAD, (size_t)len, &catalog->index) &&
           sum_of(buf_str(&catalog->index)) == sum;
}

static bool key_fits(struct bytes *from, const struct catalog_key *key)
{
    struct buf wanted = { 0 };
    struct str found = bytes_get_str(from);
    bool same;

    write_key(&wanted, key);
    same = str_same(found, buf_str(&wanted));
    buf_free(&wanted);
    return same;
}

static struct kept_text read_place(struct catalog *catalog, struct bytes *from)
{
    struct kept_text text = { .catalog = catalog };

    text.offset = HEAD + catalog->index.len + bytes_get_u64(from);
    text.len = bytes_get_u32(from);
    text.sum = bytes_get_u64(from);
    return text;
}

static bool read_files(struct catalog *catalog, struct bytes *from)
{
    catalog->count = bytes_get_u32(from);
    if (catalog->count > from->left.len)
        return false;
    catalog->files = mem_zero((catalog->count + 1) * sizeof *catalog->files);
    for (size_t i = 0; i < catalog->count; i++) {
        struct kept_file *file = &catalog->files[i];

        file->path = bytes_get_str(from);
        file->stamp = read_stamp(from);
        file->declaration = bytes_get_str(from);
        file->text = read_place(catalog, from);
        file->code = read_place(catalog, from);
        file->whole = read_place(catalog, from);
    }
    return !from->bad && !from->left.len;
}

/* The lib files that it knows are those of the list, all unchanged. */
static bool libs_fit(struct catalog *catalog, const struct source_list *sources)
{
    size_t known = 0, found = 0;

    for (size_t i = 0; i < catalog->count; i++)
        known += !catalog->files[i].declaration.len;
    for (size_t i = 0; i < sources->count; i++) {
        if (sources->items[i].kind != SOURCE_LIB)
            continue;
        if (!catalog_find(catalog, &sources->items[i]))
            return false;
        found++;
    }
    return known == found;
}

struct catalog *catalog_open(const struct catalog_key *key, const struct source_list *sources)
{
    struct catalog *catalog;
    struct bytes from;
    char *path;
    int fd;

    if (!key->folder)
        return NULL;
    path = path_of(key);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        free(path);
        return NULL;
    }
    catalog = mem_zero(sizeof *catalog);
    catalog->refs = 1;
    catalog->fd = fd;
    catalog->path = path;
    if (is_ours(fd) && read_index(catalog)) {
        from = (struct bytes){ .left = buf_str(&catalog->index) };
        if (key_fits(&from, key) && read_files(catalog, &from) && libs_fit(catalog, sources))
            return catalog;
    }
    catalog_unref(catalog);
    return NULL;
}

struct catalog *catalog_ref(struct catalog *catalog)
{
    catalog->refs++;
    return catalog;
}

void catalog_drop_index(struct catalog *catalog)
{
    if (!catalog)
        return;
    free(catalog->files);
    catalog->files = NULL;
    catalog->count = 0;
    buf_free(&catalog->index);
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
const struct kept_file *catalog_find(struct catalog *catalog, const struct source *source)
{
    struct str path = str_from(source->path);

    for (size_t i = 0; catalog && i < catalog->count; i++) {
        size_t at = (catalog->cursor + i) % catalog->count;
        const struct kept_file *file = &catalog->files[at];

        if (!str_same(file->path, path))
            continue;
        catalog->cursor = at + 1;
        return stamp_same(&file->stamp, &source->stamp) ? file : NULL;
    }
    return NULL;
}

bool catalog_read(const struct kept_text *text, struct buf *out, struct error *err)
{
    const struct catalog *catalog = text->catalog;
    struct str got;

    if (text->len > LUA_FILE_MAX || !read_at(catalog->fd, text->offset, text->len, out))
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

/* Could the file have been changed since without another stamp? */
static bool is_settled(const struct catalog_draft *draft, const struct stamp *stamp)
{
    int64_t before = (draft->now ? draft->now : (int64_t)time(NULL)) - SETTLED_S;

    return stamp->modified / 1000000000 < before && stamp->changed / 1000000000 < before;
}

static void write_place(struct buf *out, size_t offset, struct str text)
{
    bytes_u64(out, offset);
    bytes_u32(out, (uint32_t)text.len);
    bytes_u64(out, sum_of(text));
}

/* The code of the text of `len` bytes that was added last; none if it does not compile. */
static void add_code(struct catalog_draft *draft, const struct source *source, size_t len)
{
    const struct kept_file *known = catalog_find(draft->before, source);
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
    struct stamp after;
    struct str text;

    if (draft->full || !is_settled(draft, &source->stamp) ||
        !file_read_all(source->path, LUA_FILE_MAX, &draft->texts, NULL))
        return false;
    if (!stamp_look(source->path, &after) || !stamp_same(&after, &source->stamp)) {
        draft->texts.len = offset;
        return false;
    }
    text = (struct str){ draft->texts.data + offset, draft->texts.len - offset };
    bytes_str(&draft->index, str_from(source->path));
    write_stamp(&draft->index, &source->stamp);
    bytes_str(&draft->index, declaration);
    write_place(&draft->index, offset, text);
    add_code(draft, source, text.len);
    write_place(&draft->index, draft->texts.len, whole);
    if (whole.len)
        buf_add(&draft->texts, whole.ptr, whole.len);
    draft->count++;
    draft->full = draft->index.len + draft->texts.len > FILE_MAX - 65536;
    return true;
}

static void write_all(struct catalog_draft *draft, const struct catalog_key *key, struct buf *out)
{
    struct buf index = { 0 }, whole = { 0 };

    write_key(&whole, key);
    bytes_str(&index, buf_str(&whole));
    bytes_u32(&index, draft->count);
    buf_add(&index, draft->index.data, draft->index.len);
    buf_add(out, magic, sizeof magic);
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
    buf_free(&draft->texts);
}

void catalog_save(struct catalog_draft *draft, const struct catalog_key *key)
{
    struct buf out = { 0 };
    char *path = path_of(key);
    struct error err;

    write_all(draft, key, &out);
    if (catalog_folder_write(key->folder, path, buf_str(&out), &err))
        log_debug("catalog of %u files: %s", draft->count, path);
    else
        log_debug("no catalog is kept: %s", err.text);
    buf_free(&out);
    catalog_draft_free(draft);
    free(path);
}
