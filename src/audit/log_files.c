/* Names and their order. A clock that was set back does not disturb it: a new name is always later
 * than the others. */
#include "audit/log_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define FULL "audit-"
#define OWN  "own-"

enum { LISTED_MOST = 5 };

static bool name_begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static bool is_log(const char *name, bool *own)
{
    size_t len = strlen(name);

    *own = name_begins(name, OWN);
    return len > 6 && len < sizeof((struct log_file *)0)->name &&
           strcmp(name + len - 6, ".jsonl") == 0 &&
           (*own || name_begins(name, FULL) || strcmp(name, LOG_FILE_NOW) == 0);
}

/* Sorts files: first those of the chain, the oldest first and audit.jsonl last, then the own files
 * of processes. */
static int by_chain_order(const void *a, const void *b)
{
    const struct log_file *x = a, *y = b;
    bool x_now = strcmp(x->name, LOG_FILE_NOW) == 0, y_now = strcmp(y->name, LOG_FILE_NOW) == 0;

    if (x->own != y->own)
        return x->own ? 1 : -1;
    return x_now != y_now ? (x_now ? 1 : -1) : strcmp(x->name, y->name);
}

static void log_files_add(struct log_files *files, int folder, const char *name, bool own)
{
    struct log_file *file;
    struct stat st;

    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
        return;
    files->items = mem_resize(files->items, (files->count + 1) * sizeof *files->items);
    file = &files->items[files->count++];
    *file = (struct log_file){
        .device = st.st_dev, .inode = st.st_ino, .size = st.st_size, .own = own
    };
    memcpy(file->name, name, strlen(name) + 1);
}

/* A process that was killed while it began a new file may have left the full one with two names. */
static void take_second_name(struct log_files *files)
{
    for (size_t i = 0; i + 1 < files->count; i++) {
        if (files->items[i].inode != files->items[i + 1].inode ||
            files->items[i].device != files->items[i + 1].device)
            continue;
        memcpy(files->second, files->items[i].name, sizeof files->second);
        files->count--;
        memmove(&files->items[i], &files->items[i + 1], (files->count - i) * sizeof *files->items);
        return;
    }
}

static bool list_files_once(const char *folder, struct log_files *files, struct error *err)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    bool own;

    *files = (struct log_files){ 0 };
    if (!dir && errno != ENOENT)
        return error_errno(err, errno, "cannot list the audit log's directory \"%s\"", folder);
    while (dir && (entry = readdir(dir)))
        if (is_log(entry->d_name, &own))
            log_files_add(files, dirfd(dir), entry->d_name, own);
    if (dir)
        closedir(dir);
    if (files->count)
        qsort(files->items, files->count, sizeof *files->items, by_chain_order);
    take_second_name(files);
    return true;
}

static bool are_same_files(const struct log_files *a, const struct log_files *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(a->items[i].name, b->items[i].name) == 0 &&
               a->items[i].inode == b->items[i].inode && a->items[i].device == b->items[i].device;
    return same;
}

/* A directory that is read while a file in it gets another name may show neither of the two. */
bool log_files_list(const char *folder, struct log_files *files, struct error *err)
{
    struct log_files before;
    bool same = false;

    if (!list_files_once(folder, files, err))
        return false;
    for (int i = 0; i < LISTED_MOST && !same; i++) {
        before = *files;
        if (!list_files_once(folder, files, err)) {
            log_files_free(&before);
            return false;
        }
        same = are_same_files(&before, files);
        log_files_free(&before);
    }
    return true;
}

void log_files_free(struct log_files *files)
{
    free(files->items);
    *files = (struct log_files){ 0 };
}

/* --- names ------------------------------------------------------------------------- */

static uint64_t now_ms(void)
{
    struct timeval now;

    gettimeofday(&now, NULL);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_usec / 1000;
}

static void format_time(char out[32], const char *format, uint64_t ms)
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm utc;
    size_t len;

    gmtime_r(&seconds, &utc);
    len = strftime(out, 24, format, &utc);
    snprintf(out + len, 32 - len, ".%03uZ", (unsigned)(ms % 1000));
}

/* The text of a second is kept. */
void log_file_time(struct buf *out)
{
    static uint64_t second;
    static char text[32];
    uint64_t ms = now_ms();

    if (ms / 1000 != second || !*text)
        format_time(text, "%Y-%m-%dT%H:%M:%S", ms);
    second = ms / 1000;
    text[20] = (char)('0' + ms / 100 % 10);
    text[21] = (char)('0' + ms / 10 % 10);
    text[22] = (char)('0' + ms % 10);
    buf_add(out, text, 24);
}

/* 0: it has none. */
static uint64_t file_name_time(const char *name)
{
    const char *from = name_begins(name, OWN) ? name + strlen(OWN) : name + strlen(FULL);
    struct tm utc = { 0 };
    unsigned ms;

    if ((!name_begins(name, OWN) && !name_begins(name, FULL)) ||
        sscanf(from, "%4d%2d%2dT%2d%2d%2d.%3uZ", &utc.tm_year, &utc.tm_mon, &utc.tm_mday,
               &utc.tm_hour, &utc.tm_min, &utc.tm_sec, &ms) != 7)
        return 0;
    utc.tm_year -= 1900;
    utc.tm_mon -= 1;
    return (uint64_t)timegm(&utc) * 1000 + ms;
}

void log_file_name(const struct log_files *files, bool own, char name[64])
{
    uint64_t ms = now_ms();
    char when[32];

    if (!own && *files->second) {
        memcpy(name, files->second, sizeof files->second);
        return;
    }
    for (size_t i = 0; i < files->count; i++) {
        uint64_t other = files->items[i].own == own ? file_name_time(files->items[i].name) : 0;

        if (other >= ms)
            ms = other + 1;
    }
    format_time(when, "%Y%m%dT%H%M%S", ms);
    if (own)
        snprintf(name, 64, OWN "%s-%ld.jsonl", when, (long)getpid());
    else
        snprintf(name, 64, FULL "%s.jsonl", when);
}

/* --- old ones ---------------------------------------------------------------------- */

/* The i-th file if it is to go; NULL: it stays. */
static const struct log_file *old_file_at(const struct log_files *files, size_t i, bool own,
                                          unsigned keep)
{
    size_t later = 0;

    for (size_t k = i + 1; k < files->count; k++)
        later += files->items[k].own == own;
    return files->items[i].own == own && later >= keep ? &files->items[i] : NULL;
}

void log_files_old(const struct log_files *files, bool own, unsigned keep, struct buf *names)
{
    const char *between = "";

    buf_addc(names, '[');
    for (size_t i = 0; i < files->count; i++) {
        const struct log_file *old = old_file_at(files, i, own, keep);

        if (!old)
            continue;
        buf_addf(names, "%s\"%s\"", between, old->name);
        between = ",";
    }
    buf_addc(names, ']');
}

void log_files_remove_old(const struct log_files *files, bool own, unsigned keep,
                          const char *folder)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct log_file *old = old_file_at(files, i, own, keep);
        char *path = old ? mem_printf("%s/%s", folder, old->name) : NULL;

        if (path)
            unlink(path);
        free(path);
    }
}
