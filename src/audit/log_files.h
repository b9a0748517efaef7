/* The names of the audit log's files, which sort by time:
 *   audit-20261125T101112.345Z.jsonl   full ones, named when the next began
 *   audit.jsonl                        the one that is written
 *   own-20261125T101112.345Z-4711.jsonl  of a process that could not have the lock */
#ifndef PERIGEE_AUDIT_LOG_FILES_H
#define PERIGEE_AUDIT_LOG_FILES_H

#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"

#define LOG_FILE_NOW "audit.jsonl"
#define LOG_FILE_NEW ".audit-new.jsonl" /* until it becomes audit.jsonl */

struct log_file {
    char name[64];
    dev_t device;
    ino_t inode;
    off_t size;
    bool own;
};

struct log_files {
    struct log_file *items; /* owned: those of the chain, oldest first, then the others */
    size_t count;
    char second[64]; /* another name of audit.jsonl, or empty: a new file was begun and not finished
                      */
};

/* A missing folder has no files. */
bool log_files_list(const char *folder, struct log_files *files, struct error *err);
void log_files_free(struct log_files *files);

/* A name for the file that is full now, or for a new one of this process's own; later than all of
 * its kind in the list, also when the clock was set back. */
void log_file_name(const struct log_files *files, bool own, char name[64]);

/* Appends "2026-11-25T10:11:12.345Z": now. */
void log_file_time(struct buf *out);

/* Writes a JSON array of the names of files to remove, oldest first, so that `keep` are left of
 * those of processes' own, or of the others. */
void log_files_old(const struct log_files *files, bool own, unsigned keep, struct buf *names);
void log_files_remove_old(const struct log_files *files, bool own, unsigned keep,
                          const char *folder);

#endif
