/* Looks at the packs, and holds each against what was approved. */
#include "registry/packs.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "files/file.h"
#include "files/trust.h"
#include "json/document.h"
#include "json/hex.h"

enum { RECORD_BYTES = 8 * 1024 * 1024, NAME_BYTES = 64, HEX = 2 * CRYPTO_SHA256 };

struct packs {
    char *home, *folder, *record;
    struct pack *items; /* by name */
    size_t count;
    char **places; /* owned: the names that there ever were */
    size_t place_count;

    struct stamp stamp;    /* that of packs.json, as it was read */
    struct json_doc *said; /* NULL: nothing */
    char *problem;
};

struct packs *packs_new(const char *home)
{
    struct packs *packs = mem_zero(sizeof *packs);

    packs->home = mem_strdup(home);
    packs->folder = path_join(home, "packs");
    packs->record = path_join(home, "packs.json");
    return packs;
}

static void pack_clear(struct pack *pack)
{
    free(pack->name);
    free(pack->path);
    free(pack->problem);
    free(pack->sums);
    free(pack->summed);
    pack_files_free(&pack->files);
}

static void free_items(struct pack *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pack_clear(&items[i]);
    free(items);
}

void packs_free(struct packs *packs)
{
    if (!packs)
        return;
    free_items(packs->items, packs->count);
    for (size_t i = 0; i < packs->place_count; i++)
        free(packs->places[i]);
    free(packs->places);
    json_doc_free(packs->said);
    free(packs->problem);
    free(packs->home);
    free(packs->folder);
    free(packs->record);
    free(packs);
}

bool pack_name_ok(const char *name)
{
    size_t len = strlen(name);

    return len > 0 && len <= NAME_BYTES && *name >= 'a' && *name <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == len;
}

/* --- what was approved ------------------------------------------------------------------- */

/* Reads packs.json, unless it is as it was. */
static void read_record(struct packs *packs)
{
    struct stamp now = { 0 };
    struct buf text = { 0 };
    struct error err;

    stamp_look(packs->record, &now);
    if (packs->said && stamp_same(&now, &packs->stamp))
        return;
    json_doc_free(packs->said);
    free(packs->problem);
    packs->problem = NULL;
    packs->said = NULL;
    packs->stamp = now;
    if (trust_read(packs->record, TRUST_RULES, RECORD_BYTES, &text, &err))
        packs->said = json_parse(buf_str(&text).ptr ? text.data : "", text.len, NULL, &err);
    if (!packs->said && strcmp(err.code, "not_found") != 0)
        packs->problem = mem_printf("%s. No pack is approved while it cannot be read. Correct it, "
                                    "or remove it and approve your packs again",
                                    err.text);
    buf_free(&text);
}

static bool read_sum(const cJSON *node, unsigned char sum[CRYPTO_SHA256])
{
    struct str hex = json_string(node);

    if (hex.len != HEX)
        return false;
    for (size_t i = 0; i < CRYPTO_SHA256; i++) {
        int high = hex_value(hex.ptr[2 * i]), low = hex_value(hex.ptr[2 * i + 1]);

        if (high < 0 || low < 0)
            return false;
        sum[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

/* The digest of the file, by its content if no earlier look had it. */
static bool sum_file(struct pack *pack, const struct pack *before, size_t i)
{
    const struct pack_file *file = &pack->files.items[i];
    const struct pack_file *known = before ? pack_files_find(&before->files, file->path) : NULL;
    struct buf text = { 0 };
    char *path;

    if (known && before->summed && before->summed[known - before->files.items] &&
        stamp_same(&known->stamp, &file->stamp)) {
        memcpy(pack->sums[i], before->sums[known - before->files.items], CRYPTO_SHA256);
        return pack->summed[i] = true;
    }
    path = path_join(pack->path, file->path);
    pack->summed[i] = file_read_all(path, PACK_FILE_BYTES, &text, NULL) &&
                      crypto_sha256(buf_str(&text), pack->sums[i], NULL);
    buf_free(&text);
    free(path);
    return pack->summed[i];
}

/* Is the file as `said` has it, which is about the same path? */
static bool is_as_said(struct pack *pack, const struct pack *before, size_t i, const cJSON *said)
{
    unsigned char sum[CRYPTO_SHA256];
    char stamp[PACK_STAMP_TEXT];

    if (!read_sum(json_get(said, "sha256"), sum))
        return false;
    pack_stamp_text(&pack->files.items[i].stamp, stamp);
    if (str_same(json_string(json_get(said, "stamp")), str_from(stamp))) {
        memcpy(pack->sums[i], sum, sizeof sum);
        return pack->summed[i] = true;
    }
    return sum_file(pack, before, i) && memcmp(pack->sums[i], sum, sizeof sum) == 0;
}

/* The difference from the approved files: "tools/x.lua was changed". NULL: none. */
static char *find_difference(struct pack *pack, const struct pack *before, const cJSON *files)
{
    const cJSON *said = files && cJSON_IsArray(files) ? files->child : NULL;
    size_t i = 0;

    for (; said && i < pack->files.count; said = said->next, i++) {
        const char *path = pack->files.items[i].path;
        const char *wanted = cJSON_GetStringValue(json_get(said, "path"));
        int order = strcmp(wanted ? wanted : "", path);

        if (order > 0)
            return mem_printf("%s was added", path);
        if (order < 0)
            return mem_printf("%s is missing", wanted ? wanted : "a file");
        if (!is_as_said(pack, before, i, said))
            return mem_printf("%s was changed", path);
    }
    if (i < pack->files.count)
        return mem_printf("%s was added", pack->files.items[i].path);
    if (said)
        return mem_printf("%s is missing", json_string(json_get(said, "path")).len
                                               ? json_get(said, "path")->valuestring
                                               : "a file");
    return NULL;
}

static void judge_pack(const struct packs *packs, struct pack *pack, const struct pack *before)
{
    const cJSON *said = json_get(json_get(json_root(packs->said), "packs"), pack->name);
    char *other;

    if (!cJSON_IsTrue(json_get(said, "approved")))
        return;
    pack->sums = mem_zero((pack->files.count + 1) * sizeof *pack->sums);
    pack->summed = mem_zero((pack->files.count + 1) * sizeof *pack->summed);
    other = find_difference(pack, before, json_get(said, "files"));
    pack->approved = !other;
    pack->changed = other != NULL;
    if (other)
        pack->problem = mem_printf("%s after you approved the pack, so the pack is foreign until "
                                   "you approve it again: `perigee pack verify %s` lists what "
                                   "changed, `perigee pack approve %s` approves it",
                                   other, pack->name, pack->name);
    free(other);
}

/* --- looking -------------------------------------------------------------------------------- */

static size_t pack_place(struct packs *packs, const char *name)
{
    for (size_t i = 0; i < packs->place_count; i++)
        if (strcmp(packs->places[i], name) == 0)
            return i;
    packs->places = mem_resize(packs->places, (packs->place_count + 1) * sizeof *packs->places);
    packs->places[packs->place_count] = mem_strdup(name);
    return packs->place_count++;
}

/* FNV-1a over all that tells one state of the files from another. */
static uint64_t files_state(const struct pack_files *files)
{
    uint64_t sum = 14695981039346656037u;

    for (size_t i = 0; i < files->count; i++) {
        char stamp[PACK_STAMP_TEXT];

        pack_stamp_text(&files->items[i].stamp, stamp);
        for (const char *c = files->items[i].path; *c; c++)
            sum = (sum ^ (unsigned char)*c) * 1099511628211u;
        for (const char *c = stamp; *c; c++)
            sum = (sum ^ (unsigned char)*c) * 1099511628211u;
    }
    return sum;
}

static bool is_pack(const char *folder, const char *name)
{
    char *path = path_join(folder, name);
    struct stat st;
    bool is = *name != '.' && lstat(path, &st) == 0 && (S_ISDIR(st.st_mode) || S_ISLNK(st.st_mode));

    free(path);
    return is;
}

static void look_at_pack(struct packs *packs, struct pack *pack, const char *name)
{
    const struct pack *before = packs_find(packs, name);
    struct error err;

    *pack = (struct pack){ .name = mem_strdup(name), .path = path_join(packs->folder, name) };
    pack->place = pack_place(packs, name);
    if (!pack_name_ok(name)) {
        pack->problem = mem_strdup("its directory's name cannot be the name of a pack. Use a small "
                                   "letter, then a-z 0-9 _ - (at most 64)");
        return;
    }
    if (!pack_files_look(&pack->files, pack->path, &err)) {
        pack->problem = mem_strdup(err.text);
        return;
    }
    if (!pack_files_find(&pack->files, "pack.lua")) {
        pack->problem = mem_strdup("it has no pack.lua. What is not a pack belongs elsewhere");
        return;
    }
    pack->usable = true;
    pack->state = files_state(&pack->files);
    judge_pack(packs, pack, before);
}

static int by_pack_name(const void *a, const void *b)
{
    const struct pack *x = a, *y = b;

    return strcmp(x->name, y->name);
}

void packs_look(struct packs *packs)
{
    DIR *dir = opendir(packs->folder);
    struct pack *items = NULL;
    size_t count = 0;
    struct dirent *entry;

    if (dir)
        read_record(packs);
    while (dir && (entry = readdir(dir))) {
        if (!is_pack(packs->folder, entry->d_name))
            continue;
        items = mem_resize(items, (count + 1) * sizeof *items);
        look_at_pack(packs, &items[count++], entry->d_name);
    }
    if (dir)
        closedir(dir);
    if (count)
        qsort(items, count, sizeof *items, by_pack_name);
    free_items(packs->items, packs->count);
    packs->items = items;
    packs->count = count;
}

/* --- questions ------------------------------------------------------------------------------ */

const struct pack *packs_all(const struct packs *packs, size_t *count)
{
    *count = packs->count;
    return packs->items;
}

const struct pack *packs_find(const struct packs *packs, const char *name)
{
    for (size_t i = 0; i < packs->count; i++)
        if (strcmp(packs->items[i].name, name) == 0)
            return &packs->items[i];
    return NULL;
}

const char *packs_home(const struct packs *packs)
{
    return packs->home;
}

const char *packs_folder(const struct packs *packs)
{
    return packs->folder;
}

const char *packs_record(const struct packs *packs)
{
    return packs->record;
}

const char *packs_record_problem(const struct packs *packs)
{
    return packs->count ? packs->problem : NULL;
}
