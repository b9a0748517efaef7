#include "registry/choice.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "base/util.h"
#include "files/trust.h"
#include "json/edited.h"
#include "json/equal.h"

enum { CONFIG_MAX = 4 * 1024 * 1024 };

struct choice *choice_new(const char *path)
{
    struct choice *choice = mem_zero(sizeof *choice);

    choice->path = mem_strdup(path);
    return choice;
}

void choice_free(struct choice *choice)
{
    if (!choice)
        return;
    json_doc_free(choice->doc);
    free(choice->path);
    free(choice);
}

static bool are_strings(const cJSON *list)
{
    const cJSON *item;

    cJSON_ArrayForEach (item, list)
        if (!cJSON_IsString(item))
            return false;
    return cJSON_IsArray(list);
}

static bool read_members(struct choice *choice, struct error *err)
{
    const cJSON *root = json_root(choice->doc);
    const cJSON *on = json_given(root, "generateCommonTools");
    const cJSON *apps = json_given(root, "includeApps");

    if (on && !cJSON_IsBool(on))
        return error_set(err, "bad_file", "\"generateCommonTools\" is neither true nor false");
    if (apps && !are_strings(apps))
        return error_set(err, "bad_file",
                         "\"includeApps\" is not a list of strings. Write it like "
                         "[\"com.apple.finder\"]");
    choice->on = cJSON_IsTrue(on);
    choice->apps = apps;
    return true;
}

static bool read_file(struct choice *choice, struct error *err)
{
    struct buf text = { 0 };
    bool ok = trust_read(choice->path, TRUST_RULES, CONFIG_MAX, &text, err);

    if (ok)
        choice->doc = json_parse_edited(text.data ? text.data : "", text.len, err);
    buf_free(&text);
    return ok ? choice->doc && read_members(choice, err) : strcmp(err->code, "not_found") == 0;
}

static bool same_apps(const cJSON *a, const cJSON *b)
{
    return a && b ? json_equal(a, b) : a == b;
}

bool choice_look(struct choice *choice)
{
    struct choice before = *choice;
    struct error err;
    bool same;

    if (!stamp_look(choice->path, &choice->stamp))
        choice->stamp = (struct stamp){ 0 };
    if (stamp_same(&before.stamp, &choice->stamp))
        return false;
    *choice = (struct choice){ .path = before.path, .stamp = choice->stamp };
    if (!read_file(choice, &err)) {
        choice->problem = err;
        log_warn("%s: %s", choice->path, err.text);
    }
    same = before.on == choice->on && same_apps(before.apps, choice->apps);
    json_doc_free(before.doc);
    return !same;
}

bool choice_takes(const struct choice *choice, const char *app)
{
    const cJSON *named;

    cJSON_ArrayForEach (named, choice->apps)
        if (choice->on && strcasecmp(named->valuestring, app) == 0)
            return true;
    return choice->on && !choice->apps;
}
