/* Databases of SQLite, which is in the module "sqlite" and is opened with the first of them.
 *
 * Batches and their results are packed values in a row, so that a thread can work on them without
 * Lua:
 *
 *   batch    for each statement: its SQL, the number of its values (integer), these
 *   results  for each statement: the number of rows that it changed, the ID of the last row that
 * was inserted, the number of columns, their names, the number of rows, their values
 */
#ifndef PERIGEE_DB_DB_H
#define PERIGEE_DB_DB_H

#include <stdatomic.h>

#include "base/buf.h"
#include "base/error.h"

/* The most that one batch may return. */
enum { DB_VALUES = 200000, DB_BYTES = 16 << 20 };

struct db;

/* The operations, which the module exports as `perigee_sqlite` (base/module.h). A database belongs
 * to one thread at a time; open() may be called on any. */
struct db_ops {
    /* Makes the file, readable by the user alone, unless it is there or `readonly`; it is read by
     * the first batch. Codes: "not_found", "io", "no_memory", "insecure". */
    struct db *(*open)(const char *path, bool readonly, struct error *err);
    /* Rolls back what was begun. */
    void (*close)(struct db *db);
    /* Runs statements and appends their results. A failure takes back the transaction that one of
     * them began. *recovered: another process left the file unclosed before. It stops when *left is
     * set. Codes: "bad_sql", "bad_value", "constraint", "busy", "damaged", "disk_full",
     * "read_only", "too_large", "cancelled", "refused", "io", "no_memory". */
    bool (*run)(struct db *db, struct str batch, const atomic_bool *left, struct buf *results,
                bool *recovered, struct error *err);
};

#endif
