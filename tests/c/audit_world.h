/* A folder with an audit log, and reading its chains without the code that wrote them. */
#ifndef PERIGEE_TESTS_AUDIT_WORLD_H
#define PERIGEE_TESTS_AUDIT_WORLD_H

#include "io_help.h"

#include "audit/audit.h"
#include "audit/log_files.h"
#include "audit/tail.h"
#include "files/file.h"
#include "json/document.h"

enum { SMALL = 2000 }; /* bytes of a file that is soon full */

static char *folder;
static struct audit *audit;
static struct buf text;
static struct error err;

static inline int setup(void **state)
{
    (void)state;
    folder = temp_make();
    audit = audit_new(folder, NULL);
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    audit_free(audit);
    temp_remove(folder);
    free(folder);
    buf_free(&text);
    return 0;
}

static inline char *path_of(const char *name)
{
    return path_join(folder, name);
}

static inline struct audit *small_audit(unsigned files)
{
    const struct audit_limits limits = { SMALL, files, 2, AUDIT_WAIT_MS };

    return audit_new(folder, &limits);
}

static inline void append(struct audit *log)
{
    if (!audit_append(log, "call", STR("\"id\":1,\"tool\":\"t\""), &err))
        fail_msg("%s: %s", err.code, err.text);
}

/* --- looking at files -------------------------------------------------------------- */

struct seen {
    uint64_t seq;
    char hash[AUDIT_HASH];
    size_t lines, calls, torn;
    char kinds[64][8]; /* the kinds of the first lines */
};

static inline void seen_reset(struct seen *seen)
{
    *seen = (struct seen){ 0 };
    memset(seen->hash, '0', AUDIT_HASH - 1);
}

static inline struct str member(const struct json_doc *doc, const char *name)
{
    return json_string(json_get(json_root(doc), name));
}

/* Reads a line. One that is not whole is passed over; the one behind it must be about it. */
static inline void look_at(struct seen *seen, struct str line)
{
    struct json_doc *doc = json_parse(line.ptr, line.len, NULL, NULL);
    int64_t seq = 0;

    if (!doc) {
        seen->torn++;
        return;
    }
    assert_true(json_integer(json_get(json_root(doc), "seq"), &seq));
    assert_int_equal(seq, seen->seq + 1);
    assert_string_equal(member(doc, "prev").ptr, seen->hash);
    seen->calls += str_same(member(doc, "kind"), STR("call"));
    if (seen->lines < countof(seen->kinds))
        snprintf(seen->kinds[seen->lines], sizeof seen->kinds[0], "%s", member(doc, "kind").ptr);
    seen->lines++;
    seen->seq++;
    assert_true(tail_hash(line, seen->hash, NULL));
    json_doc_free(doc);
}

static inline void look(struct seen *seen, const char *name)
{
    char *path = path_of(name);
    const char *at, *end, *newline;

    text.len = 0;
    assert_true(file_read_all(path, 64 << 20, &text, NULL));
    end = text.data + text.len;
    for (at = text.data; at < end && (newline = memchr(at, '\n', (size_t)(end - at)));
         at = newline + 1)
        look_at(seen, (struct str){ at, (size_t)(newline - at) });
    seen->torn += at < end;
    free(path);
}

/* Reads the shared chain, over all of its files. */
static inline struct log_files look_all(struct seen *seen)
{
    struct log_files files;

    seen_reset(seen);
    assert_true(log_files_list(folder, &files, NULL));
    for (size_t i = 0; i < files.count; i++)
        if (!files.items[i].own)
            look(seen, files.items[i].name);
    return files;
}

/* The place of the file that this one continues; SIZE_MAX: none. */
static inline size_t continued(const struct log_files *files, const char *name)
{
    char *path = path_of(name);
    struct json_doc *doc;
    size_t i = files->count;

    text.len = 0;
    assert_true(file_read_all(path, 64 << 20, &text, NULL));
    doc = json_parse(text.data, strcspn(buf_text(&text), "\n"), NULL, NULL);
    while (i-- > 0 && !str_same(member(doc, "before"), str_from(files->items[i].name)))
        ;
    json_doc_free(doc);
    free(path);
    return i;
}

/* Counts the calls in processes' own chains, which may also go on over files. */
static inline size_t own_calls(const struct log_files *files)
{
    struct seen *seen = mem_zero((files->count + 1) * sizeof *seen);
    size_t calls = 0;

    for (size_t i = 0; i < files->count; i++) {
        size_t before = files->items[i].own ? continued(files, files->items[i].name) : SIZE_MAX;

        if (before == SIZE_MAX)
            seen_reset(&seen[i]);
        else
            seen[i] = seen[before];
        seen[i].calls = 0;
        if (files->items[i].own)
            look(&seen[i], files->items[i].name);
        calls += seen[i].calls;
    }
    free(seen);
    return calls;
}

static inline off_t size_of(const char *path)
{
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    return st.st_size;
}

static inline mode_t mode_of(const char *path)
{
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 0777;
}

/* True if the last line of audit.jsonl has this part. */
static inline bool last_line_has(const char *part)
{
    char *path = path_of(LOG_FILE_NOW), *last;
    bool has;

    text.len = 0;
    assert_true(file_read_all(path, 64 << 20, &text, NULL));
    text.data[text.len - 1] = '\0';
    last = strrchr(text.data, '\n');
    has = strstr(last ? last : text.data, part) != NULL;
    free(path);
    return has;
}

static inline void put(const char *path, const char *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_APPEND);

    assert_int_equal(write(fd, bytes, len), (ssize_t)len);
    close(fd);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

#endif
