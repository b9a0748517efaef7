#include "registry/choice.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "base/util.h"
#include "files/trust.h"
#include "json/equal.h"
#include "registry/mount.h"
#include "script/sandbox/sandbox.h"
#include "script/vm.h"

enum { PLAIN_MAX = 4 * 1024 * 1024 };

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

/* Plain JSON without the names of the two members, which most files of servers are: a start need
 * not load Lua for it. */
static bool says_nothing(const char *path)
{
    struct buf text = { 0 };
    struct json_scan found;
    bool nothing = trust_read(path, TRUST_RULES, PLAIN_MAX, &text, NULL) &&
                   json_scan(buf_text(&text), text.len, NULL, &found, NULL) &&
                   !strstr(buf_text(&text), "generateCommonTools") &&
                   !strstr(buf_text(&text), "includeApps") && !strstr(buf_text(&text), "\\u");

    buf_free(&text);
    return nothing;
}

struct choosing {
    const struct choice *choice;
    struct entry *const *entries;
    size_t count;
};

/* (function, struct choosing) -> function, path, list of applications */
static int push_choosing(lua_State *L)
{
    const struct choosing *job = lua_touserdata(L, 2);

    lua_pop(L, 1);
    lua_pushstring(L, job->choice->path);
    lua_newtable(L);
    for (size_t i = 0, n = 0; i < job->count; i++) {
        if (!job->entries[i]->common)
            continue;
        lua_pushstring(L, job->entries[i]->common);
        lua_rawseti(L, -2, (lua_Integer)++n);
    }
    return 3;
}

/* Leaves on the VM's main state what the file says, as JSON text or nil. */
static bool push_choice(struct registry *registry, struct choosing *job, struct error *err)
{
    struct vm *vm = registry_vm(registry);
    lua_State *L = vm_lua(vm);

    if (!registry_require(registry, HOME_SHIPPED, "common.chosen", SANDBOX_LOAD_MS, err))
        return false;
    lua_pushcfunction(L, push_choosing);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, job);
    return vm_call(vm, 2, 3, 0, err) && vm_call(vm, 2, 1, SANDBOX_LOAD_MS, err);
}

/* The answer in place of one that Lua could not give. */
static struct json_doc *choice_failed(const char *path, const struct error *err)
{
    cJSON *said = cJSON_CreateObject();
    struct json_doc *doc;

    log_warn("%s: %s", path, err->text);
    cJSON_AddStringToObject(said, "file", path);
    cJSON_AddFalseToObject(said, "on");
    cJSON_AddStringToObject(said, "problem", err->text);
    doc = json_copy(said, NULL);
    cJSON_Delete(said);
    return doc;
}

static struct json_doc *ask_choice(struct registry *registry, struct choosing *job)
{
    lua_State *L = vm_lua(registry_vm(registry));
    struct json_doc *doc = NULL;
    struct error err;
    const char *text;
    size_t len;

    if (!push_choice(registry, job, &err))
        return choice_failed(job->choice->path, &err);
    text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &len) : NULL;
    if (text)
        doc = json_parse(text, len, NULL, &err);
    lua_pop(L, 1);
    return doc;
}

static bool same_choice(const cJSON *a, const cJSON *b)
{
    const cJSON *before = json_get(a, "apps"), *now = json_get(b, "apps");

    return cJSON_IsTrue(json_get(a, "on")) == cJSON_IsTrue(json_get(b, "on")) &&
           (before && now ? json_equal(before, now) : before == now);
}

bool choice_look(struct choice *choice, struct registry *registry, struct entry *const *entries,
                 size_t count)
{
    struct choosing job = { choice, entries, count };
    struct json_doc *before = choice->doc;
    struct stamp stamp = { 0 };
    bool there = stamp_look(choice->path, &stamp), same;

    if (!there)
        stamp = (struct stamp){ 0 };
    if (stamp_same(&stamp, &choice->stamp))
        return false;
    choice->stamp = stamp;
    choice->doc = there && !says_nothing(choice->path) ? ask_choice(registry, &job) : NULL;
    same = same_choice(json_root(before), json_root(choice->doc));
    json_doc_free(before);
    return !same;
}

bool choice_takes(const struct choice *choice, const char *app)
{
    const cJSON *root = json_root(choice->doc), *apps = json_get(root, "apps"), *named;
    bool on = cJSON_IsTrue(json_get(root, "on"));

    cJSON_ArrayForEach (named, apps)
        if (on && strcasecmp(named->valuestring, app) == 0)
            return true;
    return on && !apps;
}
