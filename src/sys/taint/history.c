/* The file is mapped, and shared by all processes: an entry is one word, so that none is ever half
 * written, and what was added survives if a process is killed. A process that adds while another
 * one does may lose an entry. A damaged entry is at worst a fingerprint that fits nothing. */
#include "sys/taint/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/dry_run.h"
#include "base/log.h"
#include "files/file.h"
#include "files/file_at.h"
#include "files/secrets.h"

enum {
    BUCKETS = 1 << 15,
    ENTRIES = 8, /* number of entries in a bucket */
    HOURS = 24,  /* an older entry does not count */
    PRIVATE = 0600,
    CHECK_NS = 100000,
};

#define NAME  "outside"
#define MAGIC "perigee outside 1\n"

/* An entry: 37 bits of a fingerprint, 16 of the hour, 3 of the source, 8 of the mounted server. 0:
 * free. */
struct table {
    char magic[24];
    uint64_t key[2]; /* each file has its own, so that nobody can try words */
    char rest[24];
    _Atomic uint64_t entries[BUCKETS][ENTRIES];
};

static char *used_folder;    /* owned, or NULL */
static struct table *mapped; /* NULL: not opened */
static int mapped_fd = -1;
static bool tried;            /* it was opened, or could not be */
static uint64_t checked_from; /* when the file was last seen to be whole, in nanoseconds */

/* --- the file ------------------------------------------------------------------------------ */

/* False: it is not a file that was made here, or others may write it. */
static bool is_sound(int fd, const char *path, struct error *err)
{
    struct stat st;
    char magic[sizeof MAGIC];

    if (fstat(fd, &st) != 0)
        return error_errno(err, errno, "cannot read %s", path);
    if (st.st_uid != geteuid() || (st.st_mode & 077))
        return error_set(err, "not_private", "%s belongs to another user, or others may read it",
                         path);
    if (st.st_size != sizeof(struct table) ||
        pread(fd, magic, sizeof magic, 0) != (ssize_t)sizeof magic ||
        memcmp(magic, MAGIC, sizeof magic) != 0)
        return error_set(err, "damaged", "%s is not complete", path);
    return true;
}

static bool map_file(const char *path, struct error *err)
{
    void *at;
    int fd = file_at_open(AT_FDCWD, path, O_RDWR | O_NOFOLLOW, 0, path, err);

    if (fd < 0)
        return false;
    if (!is_sound(fd, path, err)) {
        close(fd);
        return false;
    }
    at = mmap(NULL, sizeof(struct table), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) {
        close(fd);
        return error_errno(err, errno, "cannot map %s", path);
    }
    mapped = at;
    mapped_fd = fd;
    return true;
}

/* Makes a new file in place of what is there, unless another process was quicker, and maps it. */
static bool make_file(const char *path, struct error *err)
{
    int lock = secrets_lock(used_folder, NAME, err);
    struct table *table;
    struct error why;
    bool ok;

    if (lock < 0)
        return false;
    ok = map_file(path, &why);
    if (!ok) {
        table = mem_zero(sizeof *table);
        memcpy(table->magic, MAGIC, sizeof MAGIC);
        crypto_random(table->key, sizeof table->key);
        ok = file_write_atomic(path, (const char *)table, sizeof *table, PRIVATE, err) &&
             map_file(path, err);
        free(table);
    }
    close(lock);
    return ok;
}

static void open_history(void)
{
    struct error err = { "", "" };
    char *path;

    tried = true;
    if (!used_folder || dry_run())
        return;
    path = mem_printf("%s/%s", used_folder, NAME);
    if (!map_file(path, &err)) {
        if (strcmp(err.code, "not_found") != 0)
            log_warn("what earlier sessions were given from outside is not known: %s. A new file "
                     "takes its place",
                     err.text);
        if (!make_file(path, &err)) {
            tried =
                strcmp(err.code, "busy") != 0; /* another process makes it: the next use looks */
            if (tried)
                log_warn("what is given from outside is forgotten with this process: %s", err.text);
        }
    }
    free(path);
}

/* The table. NULL: there is none, or its file was cut meanwhile, where to touch it would end the
 * process. */
static struct table *table_of(void)
{
    struct stat st;
    struct timespec time;
    uint64_t now;

    if (!tried)
        open_history();
    clock_gettime(CLOCK_MONOTONIC, &time);
    now = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
    if (now - checked_from < CHECK_NS) /* by another rule, about the same call */
        return mapped;
    checked_from = now;
    if (mapped && (fstat(mapped_fd, &st) != 0 || st.st_size < (off_t)sizeof *mapped)) {
        log_warn("the file of what was given from outside was cut. A new one is made with the "
                 "next start");
        history_close();
    }
    return mapped;
}

void history_use(const char *folder)
{
    history_close();
    free(used_folder);
    used_folder = folder ? mem_strdup(folder) : NULL;
    tried = false;
}

void history_close(void)
{
    if (mapped)
        munmap(mapped, sizeof *mapped);
    if (mapped_fd >= 0)
        close(mapped_fd);
    mapped = NULL;
    mapped_fd = -1;
}

/* --- fingerprints -------------------------------------------------------------------------- */

struct sip {
    uint64_t a, b, c, d;
};

static uint64_t turn(uint64_t value, int by)
{
    return value << by | value >> (64 - by);
}

static void sip_round(struct sip *s)
{
    s->a += s->b;
    s->c += s->d;
    s->b = turn(s->b, 13) ^ s->a;
    s->d = turn(s->d, 16) ^ s->c;
    s->a = turn(s->a, 32);
    s->c += s->b;
    s->a += s->d;
    s->b = turn(s->b, 17) ^ s->c;
    s->d = turn(s->d, 21) ^ s->a;
    s->c = turn(s->c, 32);
}

static void sip_word(struct sip *s, uint64_t word)
{
    s->d ^= word;
    sip_round(s);
    s->a ^= word;
}

/* SipHash-1-3. */
static uint64_t fingerprint(const uint64_t key[2], struct str text)
{
    struct sip s = { key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                     key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573) };
    size_t at = 0;
    uint64_t word;

    for (; at + sizeof word <= text.len; at += sizeof word) {
        memcpy(&word, text.ptr + at, sizeof word);
        sip_word(&s, word);
    }
    word = 0;
    if (at < text.len)
        memcpy(&word, text.ptr + at, text.len - at);
    sip_word(&s, word | (uint64_t)text.len << 56);
    s.c ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(&s);
    return s.a ^ s.b ^ s.c ^ s.d;
}

/* The key for the probes of one caller. */
static void key_of(const struct table *table, struct str who, uint64_t key[2])
{
    key[0] = fingerprint(table->key, who);
    key[1] = table->key[0] ^ turn(key[0], 32);
}

/* --- entries ------------------------------------------------------------------------------- */

static unsigned this_hour(void)
{
    return (unsigned)(time(NULL) / 3600) & 0xffff;
}

static unsigned hour_of(uint64_t entry)
{
    return (unsigned)(entry >> 11) & 0xffff;
}

static bool is_fresh(uint64_t entry, unsigned hour)
{
    return entry && ((hour - hour_of(entry)) & 0xffff) <= HOURS;
}

static unsigned mount_tag(const char *mount)
{
    static const uint64_t key[2] = { 1, 2 };

    return mount ? 1 + (unsigned)(fingerprint(key, str_from(mount)) % 255) : 0;
}

static unsigned source_number(unsigned source)
{
    unsigned number = 0;

    while (number < 7 && !(source >> number & 1))
        number++;
    return number;
}

#define HOUR_BITS (UINT64_C(0xffff) << 11)

/* Puts an entry in place of itself, of a free or old one, or of the oldest. */
static void put_entry(_Atomic uint64_t *bucket, uint64_t entry, unsigned hour)
{
    unsigned place = (unsigned)(entry >> 30) % ENTRIES, oldest = 0;

    for (unsigned i = 0; i < ENTRIES; i++) {
        uint64_t is = atomic_load_explicit(&bucket[i], memory_order_relaxed);
        unsigned age = is_fresh(is, hour) ? (hour - hour_of(is)) & 0xffff : HOURS + 1;

        if (((is ^ entry) & ~HOUR_BITS) == 0) {
            place = i;
            break;
        }
        if (age > oldest) {
            oldest = age;
            place = i;
        }
    }
    atomic_store_explicit(&bucket[place], entry, memory_order_relaxed);
}

void history_add(struct str who, const struct probes *probes, unsigned source, const char *mount)
{
    struct table *table = who.len ? table_of() : NULL;
    unsigned hour = this_hour();
    uint64_t key[2], rest = (uint64_t)hour << 11 | source_number(source) << 8 | mount_tag(mount);

    if (!table)
        return;
    key_of(table, who, key);
    for (size_t i = 0; i < probes->count; i++) {
        uint64_t print = fingerprint(key, probe_str(probes, &probes->items[i]));

        put_entry(table->entries[print % BUCKETS], (print & ~UINT64_C(0x7ffffff)) | rest, hour);
    }
}

/* The sources that brought text with this fingerprint; those from the mounted server `tag` (0: of
 * none) are left out. */
static unsigned sources_in(_Atomic uint64_t *bucket, uint64_t print, unsigned hour, unsigned tag)
{
    unsigned found = 0;

    for (unsigned i = 0; i < ENTRIES; i++) {
        uint64_t is = atomic_load_explicit(&bucket[i], memory_order_relaxed);

        if ((is ^ print) >> 27 == 0 && is_fresh(is, hour) && (!tag || (is & 0xff) != tag))
            found |= 1u << (is >> 8 & 7);
    }
    return found;
}

unsigned history_find(struct str who, const struct probes *probes, unsigned sought,
                      const char *home)
{
    struct table *table = who.len && sought && probes->count ? table_of() : NULL;
    unsigned found = 0, hour, tag;
    uint64_t key[2];

    if (!table)
        return 0;
    hour = this_hour();
    tag = mount_tag(home);
    key_of(table, who, key);
    for (size_t i = 0; i < probes->count; i++) {
        uint64_t print;

        if (i == probes->reversed) /* only what this process was given is found that way */
            i = probes->decoded;
        if (i == probes->count)
            break;
        print = fingerprint(key, probe_str(probes, &probes->items[i]));
        found |= sources_in(table->entries[print % BUCKETS], print, hour, tag);
    }
    return found & sought;
}

bool history_has(struct str who, struct str probe)
{
    struct table *table = who.len ? table_of() : NULL;
    uint64_t key[2], print;

    if (!table)
        return false;
    key_of(table, who, key);
    print = fingerprint(key, probe);
    return sources_in(table->entries[print % BUCKETS], print, this_hour(), 0) != 0;
}
