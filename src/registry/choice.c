#include "registry/choice.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "base/util.h"
#include "files/stamp.h"
#include "files/trust.h"
#include "json/edited.h"

enum { CONFIG_MAX = 4 * 1024 * 1024 };

/* The content of the file. */
struct chosen {
    bool on;
    char **apps; /* NULL: all */
    size_t count;
    struct error problem; /* code "": none */
};

struct choice {
    char *path;
    struct stamp stamp; /* zeros: there is no file */
    struct chosen now;
};

struct choice *choice_new(const char *path)
{
    struct choice *choice = mem_zero(sizeof *choice);

    choice->path = mem_strdup(path);
    return choice;
}

static void free_chosen(struct chosen *chosen)
{
    mem_strings_free(chosen->apps);
    *chosen = (struct chosen){ 0 };
}

void choice_free(struct choice *choice)
{
    if (!choice)
        return;
    free_chosen(&choice->now);
    free(choice->path);
    free(choice);
}

static bool read_apps(const cJSON *apps, struct chosen *chosen)
{
    const cJSON *app;

    if (!apps)
        return true;
    chosen->apps = mem_zero((size_t)(cJSON_GetArraySize(apps) + 1) * sizeof *chosen->apps);
    cJSON_ArrayForEach (app, apps) {
        if (!cJSON_IsString(app))
            break;
        chosen->apps[chosen->count++] = mem_strdup(app->valuestring);
    }
    if (cJSON_IsArray(apps) && !app)
        return true;
    return error_set(&chosen->problem, "bad_file",
                     "\"includeApps\" is not a list of strings. Write it like "
                     "[\"com.apple.finder\"]");
}

static bool read_members(const cJSON *root, struct chosen *chosen)
{
    const cJSON *on = json_given(root, "generateCommonTools");

    if (on && !cJSON_IsBool(on))
        return error_set(&chosen->problem, "bad_file",
                         "\"generateCommonTools\" is neither true nor false");
    chosen->on = cJSON_IsTrue(on);
    return read_apps(json_given(root, "includeApps"), chosen);
}

static struct chosen read_file(const char *path)
{
    struct buf text = { 0 };
    struct chosen chosen = { 0 };
    struct json_doc *doc = NULL;

    if (trust_read(path, TRUST_RULES, CONFIG_MAX, &text, &chosen.problem)) {
        chosen.problem = (struct error){ .code = "" };
        doc = json_parse_edited(text.data ? text.data : "", text.len, &chosen.problem);
    } else if (strcmp(chosen.problem.code, "not_found") == 0) {
        chosen.problem = (struct error){ .code = "" };
    }
    if (doc && !read_members(json_root(doc), &chosen))
        chosen.on = false;
    json_doc_free(doc);
    buf_free(&text);
    return chosen;
}

static bool same_chosen(const struct chosen *a, const struct chosen *b)
{
    if (a->on != b->on || a->count != b->count || !a->apps != !b->apps)
        return false;
    for (size_t i = 0; a->apps && i < a->count; i++)
        if (strcmp(a->apps[i], b->apps[i]) != 0)
            return false;
    return true;
}

bool choice_look(struct choice *choice)
{
    struct stamp stamp = { 0 };
    struct chosen before = choice->now;
    bool same;

    if (!stamp_look(choice->path, &stamp))
        stamp = (struct stamp){ 0 };
    if (stamp_same(&stamp, &choice->stamp))
        return false;
    choice->stamp = stamp;
    choice->now = read_file(choice->path);
    if (choice->now.problem.code[0])
        log_warn("%s: %s", choice->path, choice->now.problem.text);
    same = same_chosen(&before, &choice->now);
    free_chosen(&before);
    return !same;
}

bool choice_takes(const struct choice *choice, const char *app)
{
    if (!choice->now.on)
        return false;
    for (size_t i = 0; choice->now.apps && i < choice->now.count; i++)
        if (strcasecmp(choice->now.apps[i], app) == 0)
            return true;
    return !choice->now.apps;
}

const char *choice_path(const struct choice *choice)
{
    return choice->path;
}

bool choice_is_on(const struct choice *choice)
{
    return choice->now.on;
}

char *const *choice_apps(const struct choice *choice, size_t *count)
{
    *count = choice->now.count;
    return choice->now.apps;
}

const char *choice_problem(const struct choice *choice)
{
    return choice->now.problem.code[0] ? choice->now.problem.text : NULL;
}
