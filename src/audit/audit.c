/* The lock is flock() on audit.jsonl itself, so that nobody can take away the one without the
 * other. Under it a file that has the size that we left it with ends in our own line, whose hash we
 * know; else its end is read. All lines that wait are written under one lock, most of them by one
 * system call. */
#include "audit/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "audit/chain.h"
#include "audit/log_files.h"
#include "base/buf.h"
#include "files/file.h"
#include "files/paths.h"

enum {
    REPLACED_TRIES = 100,
    FRAME = 200,             /* the most that chain_add() adds, without the kind */
    WRITE_BYTES = 32 * 1024, /* in one write: a power failure leaves no longer rest (tail.h) */
    NS_PER_S = 1000 * 1000000
};

/* The head of a line that waits; its members follow. */
struct waiting {
    const char *kind;
    size_t len;
};

struct audit {
    char *folder, *path;
    int folder_fd;    /* the folder that the shared file was opened in; -1: none */
    uint64_t looked;  /* the second in which the path was looked up last */
    struct buf queue; /* lines that wait: heads and members */
    size_t queued;    /* how many */
    struct audit_limits limits;
    struct chain shared, own;
    dev_t device; /* device and inode: those of the shared file that is open */
    ino_t inode;
    char own_name[64];
    bool apart; /* the newest line is in the own file, of which the shared one does not know */
    pid_t pid;
    unsigned forks;  /* as they were when its files were opened */
    struct buf line; /* composed lines that are not written yet */
};

char *audit_folder(void)
{
    char *state = path_state();
    char *folder = path_join(state, "audit");

    free(state);
    return folder;
}

static unsigned forks; /* that led to this process since the first log was made */

static void count_fork(void)
{
    forks++;
}

struct audit *audit_new(const char *folder, const struct audit_limits *limits)
{
    struct audit *audit = mem_zero(sizeof *audit);

    static bool counting;

    if (!counting)
        pthread_atfork(NULL, NULL, count_fork);
    counting = true;
    audit->forks = forks;
    audit->folder = mem_strdup(folder);
    audit->path = path_join(folder, LOG_FILE_NOW);
    audit->limits = limits ? *limits
                           : (struct audit_limits){ AUDIT_FILE_BYTES, AUDIT_FILES, AUDIT_OWN_FILES,
                                                    AUDIT_WAIT_MS };
    audit->pid = getpid();
    audit->folder_fd = -1;
    chain_reset(&audit->shared);
    chain_reset(&audit->own);
    return audit;
}

void audit_free(struct audit *audit)
{
    if (!audit)
        return;
    chain_close(&audit->shared);
    chain_close(&audit->own);
    if (audit->folder_fd >= 0)
        close(audit->folder_fd);
    buf_free(&audit->queue);
    buf_free(&audit->line);
    free(audit->folder);
    free(audit->path);
    free(audit);
}

/* The child shares the parent's locks through its descriptors, so it opens its own. Lines that
 * waited are the parent's to write. */
static void begin_child(struct audit *audit)
{
    audit->queue.len = audit->queued = 0;
    chain_close(&audit->shared);
    chain_close(&audit->own);
    chain_reset(&audit->own);
    audit->apart = false;
    audit->pid = getpid();
    audit->forks = forks;
}

/* --- one line ---------------------------------------------------------------------- */

static bool audit_fail(const struct audit *audit, int number, const char *what, struct error *err)
{
    const char *cure = number == ENOSPC || number == EDQUOT || number == EFBIG
                           ? "Free space on its disk"
                           : "Make it a directory that you can write to";

    error_errno(err, number, "cannot %s the audit log in \"%.250s\"", what, audit->folder);
    if (err)
        snprintf(err->text + strlen(err->text), sizeof err->text - strlen(err->text), ". %s", cure);
    return false;
}

/* All of it or nothing. `end` is what the file is cut to if only a part can be written. */
static bool write_whole_line(struct audit *audit, struct chain *chain, struct str text,
                             struct error *err)
{
    ssize_t n;
    int why;

    do
        n = write(chain->fd, text.ptr, text.len);
    while (n < 0 && errno == EINTR);
    if (n == (ssize_t)text.len)
        return true;
    why = n < 0 ? errno : ENOSPC;
    if (n > 0 && ftruncate(chain->fd, chain->end) != 0)
        chain->end = CHAIN_UNKNOWN;
    return audit_fail(audit, why, "write", err);
}

static bool put_composed(struct audit *audit, struct chain *chain, struct error *err)
{
    bool ok = write_whole_line(audit, chain, buf_str(&audit->line), err);

    if (ok)
        chain->end += (off_t)audit->line.len;
    audit->line.len = 0;
    return ok;
}

static bool put_line(struct audit *audit, struct chain *chain, const char *kind, struct str members,
                     struct error *err)
{
    struct chain before = *chain;

    audit->line.len = 0;
    return (chain_add(chain, audit->pid, &audit->line, kind, members, err) &&
            put_composed(audit, chain, err)) ||
           chain_cut_back(chain, &before);
}

/* A line about the log itself; takes the members. */
static bool put_made(struct audit *audit, struct chain *chain, const char *kind, char *members,
                     struct error *err)
{
    bool ok = put_line(audit, chain, kind, str_from(members), err);

    free(members);
    return ok;
}

/* --- the shared file --------------------------------------------------------------- */

static int open_private(const struct audit *audit, const char *path, int flags, struct error *err)
{
    int fd = open(
        path, flags | O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
        0600);
    struct stat st;

    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        file_tighten(fd, 0600);
        return fd;
    }
    if (fd < 0)
        audit_fail(audit, errno, "open a file of", err);
    else
        error_set(err, "not_a_file", "\"%s\" is not a file. Remove it", path);
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool make_audit_folder(struct audit *audit, struct error *err)
{
    int fd;

    if (!folder_make(audit->folder, err))
        return false;
    fd = open(audit->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        file_tighten(fd, 0700);
    if (audit->folder_fd >= 0)
        close(audit->folder_fd);
    audit->folder_fd = fd;
    return true;
}

static bool open_shared(struct audit *audit, struct error *err)
{
    struct chain *chain = &audit->shared;
    struct stat st;

    if (chain->fd >= 0)
        return true;
    if (!make_audit_folder(audit, err))
        return false;
    chain->fd = open_private(audit, audit->path, 0, err);
    if (chain->fd < 0)
        return false;
    chain->end = CHAIN_UNKNOWN;
    if (fstat(chain->fd, &st) != 0)
        return audit_fail(audit, errno, "look at", err);
    audit->device = st.st_dev;
    audit->inode = st.st_ino;
    return true;
}

/* False with errno: EWOULDBLOCK if another process keeps it. */
static bool take_lock(int fd, unsigned wait_ms)
{
    struct timespec pause = { 0, 50000 };
    uint64_t limit = uv_hrtime() + (uint64_t)wait_ms * 1000000;

    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false;
        if (uv_hrtime() >= limit) {
            errno = EWOULDBLOCK;
            return false;
        }
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 1000000)
            pause.tv_nsec *= 2;
    }
    return true;
}

/* Looks at the file that has the name. In the open folder, since a path costs as much as the rest
 * of a line; but by the path once a second, for the folder may have been moved away. */
static bool look_at_name(struct audit *audit, struct stat *st)
{
    uint64_t second = uv_hrtime() / NS_PER_S;

    if (audit->folder_fd >= 0 && audit->looked == second)
        return fstatat(audit->folder_fd, LOG_FILE_NOW, st, 0) == 0;
    audit->looked = second;
    return stat(audit->path, st) == 0;
}

/* Locks the file that has the name now, and gives its size. "busy": another process keeps the lock.
 */
static bool lock_shared(struct audit *audit, off_t *size, struct error *err)
{
    for (int i = 0; i < REPLACED_TRIES; i++) {
        struct stat st;

        if (!open_shared(audit, err))
            return false;
        if (!take_lock(audit->shared.fd, audit->apart ? 0 : audit->limits.wait_ms)) {
            if (errno == EWOULDBLOCK)
                return error_set(err, "busy", "another process keeps the audit log locked");
            return audit_fail(audit, errno, "lock", err);
        }
        if (look_at_name(audit, &st) && st.st_ino == audit->inode && st.st_dev == audit->device) {
            *size = st.st_size;
            return true;
        }
        chain_close(&audit->shared); /* another process began a new file, or it was moved */
    }
    return error_set(err, "busy", "the audit log is replaced again and again");
}

/* --- what was found there ------------------------------------------------------------ */

static bool put_newline(struct audit *audit, struct error *err)
{
    struct chain *chain = &audit->shared;

    if (!write_whole_line(audit, chain, STR("\n"), err))
        return false;
    chain->end++;
    return true;
}

static bool mark_torn(struct audit *audit, const struct tail *tail, struct error *err)
{
    return (tail->newline || put_newline(audit, err)) &&
           put_made(audit, &audit->shared, "torn",
                    mem_printf("\"bytes\":%zu,\"sha256\":\"%s\"", tail->rest, tail->torn), err);
}

/* We know of lines that are not there any more. */
static bool mark_lost(struct audit *audit, const char *kind, const char *reason,
                      const struct chain *known, struct error *err)
{
    return put_made(audit, &audit->shared, kind,
                    mem_printf("\"reason\":\"%s\",\"known\":%" PRIu64 ",\"last\":\"%s\"", reason,
                               known->seq, known->last),
                    err);
}

/* Writes the lines about the end of a file that must be there before the chain can go on. */
static bool mark_end(struct audit *audit, off_t size, const struct tail *tail,
                     const struct chain *known, struct error *err)
{
    struct chain *chain = &audit->shared;

    chain->end = size;
    chain->seq = tail->seq;
    memcpy(chain->last, tail->last, AUDIT_HASH);
    if (size == 0)
        return known->seq ? mark_lost(audit, "file", "lost", known, err)
                          : put_line(audit, chain, "file", STR("\"reason\":\"new\""), err);
    if (!tail->found)
        return mark_lost(audit, "lost", "unreadable", known, err);
    if (tail->open ? !put_newline(audit, err)
                   : (tail->rest || tail->newline) && !mark_torn(audit, tail, err))
        return false;
    return tail->seq >= known->seq || mark_lost(audit, "lost", "cut", known, err);
}

/* The file does not end as we left it: others appended, or something happened to it. */
static bool audit_settle(struct audit *audit, off_t size, struct error *err)
{
    struct chain known = audit->shared;
    struct tail tail;

    if (tail_read(known.fd, size, &tail, err) && mark_end(audit, size, &tail, &known, err))
        return true;
    audit->shared = known;
    audit->shared.end = CHAIN_UNKNOWN;
    return false;
}

/* --- a new file -------------------------------------------------------------------- */

/* The full file gets its second name before the new one takes the first: there is always one. */
static bool take_file_name(struct audit *audit, const struct log_files *files, const char *fresh,
                           const char *name, struct error *err)
{
    char *full = path_join(audit->folder, name);
    bool ok = *files->second || link(audit->path, full) == 0 || rename(audit->path, full) == 0;

    ok = ok && rename(fresh, audit->path) == 0;
    free(full);
    return ok || audit_fail(audit, errno, "begin a new file of", err);
}

static bool fill_new_file(struct audit *audit, struct chain *chain, const struct log_files *files,
                          const char *name, struct error *err)
{
    struct buf old = { 0 };
    bool ok;

    log_files_old(files, false, audit->limits.files - 1, &old);
    ok = take_lock(chain->fd, 0) || audit_fail(audit, errno, "lock", err);
    ok = ok && put_made(audit, chain, "file",
                        mem_printf("\"reason\":\"size\",\"before\":\"%s\",\"removed\":%s", name,
                                   buf_text(&old)),
                        err);
    buf_free(&old);
    return ok;
}

/* Under the lock of the full one. */
static bool rotate_file(struct audit *audit, struct error *err)
{
    struct chain chain = audit->shared;
    char *fresh = path_join(audit->folder, LOG_FILE_NEW), name[64];
    struct log_files files;
    struct stat st;
    bool ok = log_files_list(audit->folder, &files, err);

    unlink(fresh); /* a process that was killed may have left it */
    chain.fd = ok ? open_private(audit, fresh, O_EXCL, err) : -1;
    chain.end = 0;
    ok = chain.fd >= 0;
    log_file_name(&files, false, name);
    ok = ok && fill_new_file(audit, &chain, &files, name, err) && fstat(chain.fd, &st) == 0 &&
         take_file_name(audit, &files, fresh, name, err);
    if (ok) {
        chain_close(&audit->shared);
        audit->shared = chain;
        audit->device = st.st_dev;
        audit->inode = st.st_ino;
        log_files_remove_old(&files, false, audit->limits.files - 1, audit->folder);
    } else if (chain.fd >= 0) {
        unlink(fresh);
        close(chain.fd);
    }
    log_files_free(&files);
    free(fresh);
    return ok;
}

/* --- a file of our own --------------------------------------------------------------- */

static bool own_is_there(const struct audit *audit)
{
    struct stat st;

    return audit->own.fd >= 0 && fstat(audit->own.fd, &st) == 0 && st.st_nlink > 0 &&
           audit->own.end != CHAIN_UNKNOWN && (size_t)audit->own.end < audit->limits.file_bytes;
}

/* Later ones of a process continue its first. */
static bool open_own(struct audit *audit, struct error *err)
{
    struct log_files files;
    struct buf old = { 0 };
    char before[80] = "", name[64], *path;
    bool ok;

    if (!log_files_list(audit->folder, &files, err))
        return false;
    if (audit->own.seq)
        snprintf(before, sizeof before, ",\"before\":\"%s\"", audit->own_name);
    log_files_old(&files, true, audit->limits.own_files - 1, &old);
    log_file_name(&files, true, name);
    path = path_join(audit->folder, name);
    chain_close(&audit->own);
    audit->own.fd = open_private(audit, path, O_EXCL, err);
    audit->own.end = 0;
    ok = audit->own.fd >= 0 &&
         put_made(audit, &audit->own, "file",
                  mem_printf("\"reason\":\"busy\"%s,\"removed\":%s", before, buf_text(&old)), err);
    if (ok) {
        memcpy(audit->own_name, name, sizeof name);
        log_files_remove_old(&files, true, audit->limits.own_files - 1, audit->folder);
    }
    log_files_free(&files);
    buf_free(&old);
    free(path);
    return ok;
}

/* Ties the own chain to the shared one. */
static bool audit_join(struct audit *audit, struct error *err)
{
    if (audit->apart &&
        !put_made(audit, &audit->shared, "joined",
                  mem_printf("\"file\":\"%s\",\"known\":%" PRIu64 ",\"last\":\"%s\"",
                             audit->own_name, audit->own.seq, audit->own.last),
                  err))
        return false;
    audit->apart = false;
    return true;
}

/* --- appending --------------------------------------------------------------------- */

/* Makes room for one more line. What is composed is written before a new file begins, which is
 * another one to cut back. */
static bool make_room(struct audit *audit, struct chain *chain, size_t bytes, struct chain *before,
                      struct error *err)
{
    size_t composed = audit->line.len, end = (size_t)chain->end + composed + bytes;
    bool full = chain == &audit->shared && end > audit->limits.file_bytes;

    if (composed && (full || composed + bytes > WRITE_BYTES) && !put_composed(audit, chain, err))
        return false;
    if (!full)
        return true;
    if (!rotate_file(audit, err))
        return false;
    *before = *chain;
    audit->line.len = 0;
    return true;
}

/* All lines that wait, or none of those that belong into the last file that was begun. */
static bool put_queue(struct audit *audit, struct chain *chain, struct error *err)
{
    struct chain before = *chain;
    struct waiting head;
    bool ok = true;

    audit->line.len = 0;
    for (size_t at = 0; ok && at < audit->queue.len; at += sizeof head + head.len) {
        memcpy(&head, audit->queue.data + at, sizeof head);
        ok = make_room(audit, chain, head.len + strlen(head.kind) + FRAME, &before, err) &&
             chain_add(chain, audit->pid, &audit->line, head.kind,
                       (struct str){ audit->queue.data + at + sizeof head, head.len }, err);
    }
    return (ok && put_composed(audit, chain, err)) || chain_cut_back(chain, &before);
}

static bool write_shared(struct audit *audit, off_t size, struct error *err)
{
    return (audit->shared.end == size || audit_settle(audit, size, err)) &&
           audit_join(audit, err) && put_queue(audit, &audit->shared, err);
}

static bool write_own(struct audit *audit, struct error *err)
{
    if (!own_is_there(audit) && !open_own(audit, err))
        return false;
    audit->apart = true;
    return put_queue(audit, &audit->own, err);
}

static bool write_queue(struct audit *audit, struct error *err)
{
    struct error why;
    off_t size = 0;
    bool ok;

    if (!lock_shared(audit, &size, &why)) {
        if (strcmp(why.code, "busy") == 0)
            return write_own(audit, err);
        return error_set(err, why.code, "%s", why.text);
    }
    ok = write_shared(audit, size, err);
    if (audit->shared.fd >= 0)
        flock(audit->shared.fd, LOCK_UN);
    return ok;
}

bool audit_queue(struct audit *audit, const char *kind, struct str members, struct error *err)
{
    struct waiting head = { kind, members.len };

    if (members.len > AUDIT_MEMBERS_MAX)
        return error_set(err, "too_large", "a line of the audit log has at most %d bytes, not %zu",
                         AUDIT_MEMBERS_MAX, members.len);
    if (members.len && memchr(members.ptr, '\n', members.len))
        return error_set(err, "not_a_line",
                         "members of a line of the audit log contain a line end");
    if (audit->forks != forks)
        begin_child(audit);
    buf_add(&audit->queue, &head, sizeof head);
    buf_add(&audit->queue, members.ptr, members.len);
    audit->queued++;
    return true;
}

size_t audit_queued(const struct audit *audit)
{
    return audit->queued;
}

bool audit_commit(struct audit *audit, struct error *err)
{
    bool ok = !audit->queued || audit->forks != forks || write_queue(audit, err);

    audit->queue.len = audit->queued = 0;
    return ok;
}

bool audit_append(struct audit *audit, const char *kind, struct str members, struct error *err)
{
    return audit_queue(audit, kind, members, err) && audit_commit(audit, err);
}
