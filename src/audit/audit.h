/* The audit log: what was called, by whom, what was decided and how it ended. Lines of JSON in
 * audit.jsonl of one folder, to which any number of processes append (docs/audit.md).
 *
 * A line is {"time":...,"seq":N,"pid":N,"kind":"...",MEMBERS,"prev":"..."}; `prev` is the SHA-256
 * of the line before, without its newline, so that whoever changes, removes, inserts or moves a
 * line breaks the chain. A full file gets a name with its time, and the chain goes on in the next
 * one.
 *
 * Nothing here waits for long: if another process keeps the lock, the line goes to a file of this
 * process's own, a chain by itself. Main thread only. Usable after fork(). */
#ifndef PERIGEE_AUDIT_AUDIT_H
#define PERIGEE_AUDIT_AUDIT_H

#include "base/error.h"

struct audit;

enum {
    AUDIT_MEMBERS_MAX = 16 * 1024, /* bytes of the members of one line; aim for 4 kB a line */
    AUDIT_FILE_BYTES = 16 << 20,
    AUDIT_FILES = 8,
    AUDIT_OWN_FILES = 32,
    AUDIT_WAIT_MS = 20
};

struct audit_limits {
    size_t file_bytes;  /* no line begins a file's last part beyond it */
    unsigned files;     /* how many are kept, audit.jsonl among them; at least 2 */
    unsigned own_files; /* how many of processes' own files are kept */
    unsigned wait_ms;   /* for the lock */
};

/* Copies the folder's path, which is made with the first line. limits NULL: those above. Touches
 * no file yet. */
struct audit *audit_new(const char *folder, const struct audit_limits *limits);
void audit_free(struct audit *audit); /* accepts NULL */

/* The folder of the user's audit log, in the state folder; free() it. */
char *audit_folder(void);

/* Appends the lines that wait and one more, or nothing. `kind` is a constant. `members` is the
 * inside of an object, without line ends: it may be empty. On true it is with the system, which
 * writes it to the disk in its own time. False: it is not in the log ("no_space", "read_only",
 * "permission_denied", "too_large", "module_missing",
 * ...); what becomes of the call is the caller's decision. */
bool audit_append(struct audit *audit, const char *kind, struct str members, struct error *err);

/* The same in two steps, for many lines at once: lines that wait are written by the next
 * audit_commit() or audit_append(), in their order, under one lock. Where one cannot be written,
 * none of them is, and none waits any more; but those before the beginning of a new file stay.
 * audit_queued() counts them. A child of fork() does not write its parent's. */
bool audit_queue(struct audit *audit, const char *kind, struct str members, struct error *err);
size_t audit_queued(const struct audit *audit);
bool audit_commit(struct audit *audit, struct error *err);

#endif
