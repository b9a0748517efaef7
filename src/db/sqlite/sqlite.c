/* Databases over SQLite: batches of statements in, results out. */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/packed_tags.h"
#include "db/db.h"
#include "json/utf8.h"

enum {
    KEPT = 48,      /* statements */
    BUSY_MS = 5000, /* to wait while another process writes */
    STEPS_BETWEEN_LOOKS = 10000,
    LENGTH_MAX = 64 << 20, /* bytes of a value or of a row */
    SQL_MAX = 1 << 20,
};

extern const struct db_ops perigee_sqlite;

struct db {
    sqlite3 *file;
    sqlite3_stmt *kept[KEPT]; /* the last one used is the first */
    const atomic_bool *left;  /* the running batch's */
};

/* A batch that runs. */
struct run {
    struct db *db;
    struct bytes from;
    struct buf *to;
    size_t values; /* in `to` */
    struct error *err;
};

/* --- errors ---------------------------------------------------------------------------------- */

static const char *code_of(int rc)
{
    static const char *const codes[SQLITE_NOTADB + 1] = {
        [SQLITE_BUSY] = "busy",           [SQLITE_LOCKED] = "busy",
        [SQLITE_CORRUPT] = "damaged",     [SQLITE_NOTADB] = "damaged",
        [SQLITE_FULL] = "disk_full",      [SQLITE_READONLY] = "read_only",
        [SQLITE_INTERRUPT] = "cancelled", [SQLITE_CONSTRAINT] = "constraint",
        [SQLITE_TOOBIG] = "too_large",    [SQLITE_NOMEM] = "no_memory",
        [SQLITE_AUTH] = "refused",        [SQLITE_IOERR] = "io",
        [SQLITE_CANTOPEN] = "io",         [SQLITE_PERM] = "io",
    };
    int primary = rc & 0xFF;

    return primary < (int)countof(codes) && codes[primary] ? codes[primary] : "bad_sql";
}

static bool fail(struct db *db, int rc, struct error *err)
{
    return error_set(err, code_of(rc), "%s", db->file ? sqlite3_errmsg(db->file) : "no memory");
}

/* --- a file ---------------------------------------------------------------------------------- */

static _Thread_local bool was_recovered;

static void on_log(void *arg, int code, const char *text)
{
    (void)arg, (void)text;
    was_recovered |= code == SQLITE_NOTICE_RECOVER_WAL || code == SQLITE_NOTICE_RECOVER_ROLLBACK;
}

static int look_if_left(void *arg)
{
    const struct db *db = arg;

    return db->left && atomic_load(db->left);
}

/* SQLite's own files beside this one get its mode. */
static bool make_file(const char *path, struct error *err)
{
    struct stat st;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool ours = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid();

    if (fd < 0)
        return error_set(err, "io", "%s: %s", path, strerror(errno));
    ours = ours && fchmod(fd, 0600) == 0;
    close(fd);
    return ours || error_set(err, "insecure", "%s is not a file of yours. Remove it", path);
}

/* No statement reaches another file. */
static void shut_in(struct db *db)
{
    sqlite3_db_config(db->file, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db->file, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_limit(db->file, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db->file, SQLITE_LIMIT_LENGTH, LENGTH_MAX);
    sqlite3_limit(db->file, SQLITE_LIMIT_SQL_LENGTH, SQL_MAX);
}

static void sqlite_close(struct db *db)
{
    for (size_t i = 0; i < KEPT; i++)
        sqlite3_finalize(db->kept[i]);
    sqlite3_close(db->file);
    free(db);
}

static struct db *sqlite_open(const char *path, bool readonly, struct error *err)
{
    static atomic_bool prepared;
    struct db *db;
    int flags = SQLITE_OPEN_NOMUTEX | (readonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE);
    int rc;

    if (!atomic_exchange(&prepared, true))
        sqlite3_config(SQLITE_CONFIG_LOG, on_log, NULL);
    if (readonly && access(path, F_OK) != 0) {
        error_set(err, "not_found", "%s does not exist", path);
        return NULL;
    }
    if (!readonly && !make_file(path, err))
        return NULL;
    db = mem_zero(sizeof *db);
    rc = sqlite3_open_v2(path, &db->file, flags, NULL);
    if (rc != SQLITE_OK) {
        fail(db, rc, err);
        sqlite_close(db);
        return NULL;
    }
    shut_in(db);
    sqlite3_busy_timeout(db->file, BUSY_MS);
    sqlite3_progress_handler(db->file, STEPS_BETWEEN_LOOKS, look_if_left, db);
    return db;
}

/* --- statements ------------------------------------------------------------------------------ */

/* Is it all that the text has, but for spaces and a semicolon? */
static bool is_whole(sqlite3_stmt *statement, struct str sql)
{
    const char *own = sqlite3_sql(statement);
    size_t len = strlen(own);

    if (!sql.ptr || len > sql.len || memcmp(own, sql.ptr, len) != 0)
        return false;
    while (len < sql.len && strchr(" \t\r\n;", sql.ptr[len]))
        len++;
    return len == sql.len;
}

static sqlite3_stmt *prepare_new(struct run *run, struct str sql)
{
    sqlite3_stmt *statement = NULL;
    int rc = sqlite3_prepare_v3(run->db->file, sql.ptr, (int)sql.len, SQLITE_PREPARE_PERSISTENT,
                                &statement, NULL);

    if (rc != SQLITE_OK)
        fail(run->db, rc, run->err);
    else if (!statement)
        error_set(run->err, "bad_sql", "there is no statement in it");
    else if (is_whole(statement, sql))
        return statement;
    else
        error_set(run->err, "bad_sql",
                  "there is more than one statement in it. Pass each by itself");
    sqlite3_finalize(statement);
    return NULL;
}

static sqlite3_stmt *prepare(struct run *run, struct str sql)
{
    sqlite3_stmt **kept = run->db->kept, *statement;
    size_t at = 0;

    while (at < KEPT && kept[at] && !is_whole(kept[at], sql))
        at++;
    if (at < KEPT && kept[at]) {
        statement = kept[at];
    } else {
        at = at < KEPT ? at : KEPT - 1;
        statement = prepare_new(run, sql);
        if (!statement)
            return NULL;
        sqlite3_finalize(kept[at]);
    }
    memmove(kept + 1, kept, at * sizeof *kept);
    kept[0] = statement;
    return statement;
}

/* Text is what is UTF-8 without a NUL. */
static int bind_string(sqlite3_stmt *statement, int at, struct str text)
{
    if (utf8_valid(text.ptr, text.len, NULL) && !memchr(text.ptr, '\0', text.len))
        return sqlite3_bind_text(statement, at, text.ptr, (int)text.len, SQLITE_STATIC);
    return sqlite3_bind_blob(statement, at, text.ptr, (int)text.len, SQLITE_STATIC);
}

static bool bind_value(struct run *run, sqlite3_stmt *statement, int at)
{
    struct bytes *from = &run->from;
    enum packed_tag tag = bytes_get_u8(from);
    int rc;

    switch (tag) {
    case TAG_NIL:
    case TAG_NULL:
        rc = sqlite3_bind_null(statement, at);
        break;
    case TAG_FALSE:
    case TAG_TRUE:
        rc = sqlite3_bind_int(statement, at, tag == TAG_TRUE);
        break;
    case TAG_INTEGER:
        rc = sqlite3_bind_int64(statement, at, (sqlite3_int64)bytes_get_u64(from));
        break;
    case TAG_NUMBER:
        rc = sqlite3_bind_double(statement, at, bytes_get_double(from));
        break;
    case TAG_STRING:
        rc = bind_string(statement, at, bytes_get_str(from));
        break;
    default:
        return error_set(run->err, "bad_value", "value %d is a table, which no column keeps", at);
    }
    return rc == SQLITE_OK || fail(run->db, rc, run->err);
}

static int64_t take_integer(struct bytes *from)
{
    return bytes_get_u8(from) == TAG_INTEGER ? (int64_t)bytes_get_u64(from) : 0;
}

static bool bind_values(struct run *run, sqlite3_stmt *statement)
{
    int given = (int)take_integer(&run->from), wanted = sqlite3_bind_parameter_count(statement);

    if (given != wanted)
        return error_set(run->err, "bad_value", "it takes %d values, and got %d", wanted, given);
    for (int i = 1; i <= wanted; i++)
        if (!bind_value(run, statement, i))
            return false;
    return true;
}

/* --- results --------------------------------------------------------------------------------- */

static void add_column(struct buf *to, sqlite3_stmt *statement, int at)
{
    int type = sqlite3_column_type(statement, at);
    struct str text;

    if (type == SQLITE_INTEGER) {
        packed_add_integer(to, sqlite3_column_int64(statement, at));
    } else if (type == SQLITE_FLOAT) {
        packed_add_number(to, sqlite3_column_double(statement, at));
    } else if (type == SQLITE_NULL) {
        buf_addc(to, TAG_NULL);
    } else {
        text.ptr = sqlite3_column_blob(statement, at); /* text as well, as it is UTF-8 */
        text.len = (size_t)sqlite3_column_bytes(statement, at);
        packed_add_text(to, text);
    }
}

static bool add_row(struct run *run, sqlite3_stmt *statement, int columns)
{
    for (int i = 0; i < columns; i++)
        add_column(run->to, statement, i);
    run->values += (size_t)columns;
    return (run->values <= DB_VALUES && run->to->len <= DB_BYTES) ||
           error_set(run->err, "too_large",
                     "its rows are more than may be read at once. Use LIMIT, or fewer columns");
}

static void add_names(struct buf *to, sqlite3_stmt *statement, int columns)
{
    packed_add_integer(to, columns);
    for (int i = 0; i < columns; i++) {
        const char *name = sqlite3_column_name(statement, i);

        packed_add_text(to, (struct str){ name, name ? strlen(name) : 0 });
    }
}

static bool step_through(struct run *run, sqlite3_stmt *statement)
{
    sqlite3 *file = run->db->file;
    int columns = sqlite3_column_count(statement), rc = SQLITE_DONE;
    int64_t before = sqlite3_total_changes64(file), rows = 0;
    struct buf found = { 0 };
    struct buf *to = run->to;
    bool ok = true;

    run->to = &found;
    for (; ok && (rc = sqlite3_step(statement)) == SQLITE_ROW; rows++)
        ok = add_row(run, statement, columns);
    run->to = to;
    if (ok && rc != SQLITE_DONE)
        ok = fail(run->db, rc, run->err);
    if (ok) {
        packed_add_integer(to, sqlite3_total_changes64(file) - before);
        packed_add_integer(to, sqlite3_last_insert_rowid(file));
        add_names(to, statement, columns);
        packed_add_integer(to, rows);
        buf_add(to, found.data, found.len);
    }
    buf_free(&found);
    return ok;
}

static struct str take_text(struct bytes *from)
{
    return bytes_get_u8(from) == TAG_STRING ? bytes_get_str(from) : (struct str){ "", 0 };
}

static bool run_statement(struct run *run)
{
    sqlite3_stmt *statement = prepare(run, take_text(&run->from));
    bool ok = statement && bind_values(run, statement) && step_through(run, statement);

    if (statement) {
        sqlite3_reset(statement);
        sqlite3_clear_bindings(statement);
    }
    return ok;
}

static bool sqlite_run(struct db *db, struct str batch, const atomic_bool *left,
                       struct buf *results, bool *recovered, struct error *err)
{
    struct run run = { .db = db, .from = { .left = batch }, .to = results, .err = err };
    bool outside = sqlite3_get_autocommit(db->file), ok = true;

    db->left = left;
    was_recovered = false;
    while (ok && run.from.left.len > 0)
        ok = run_statement(&run);
    *recovered = was_recovered;
    db->left = NULL;
    if (!ok && outside) /* SQLite itself may have done so: when the disk is full, for example */
        sqlite3_exec(db->file, "ROLLBACK", NULL, NULL, NULL);
    return ok;
}

const struct db_ops perigee_sqlite = { sqlite_open, sqlite_close, sqlite_run };
