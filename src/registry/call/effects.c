#include "registry/call/effects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lua.h>

#include "registry/call/call.h"
#include "registry/call/outcome.h"

void call_effects_note(struct call_effects *effects, const char *what)
{
    size_t i = 0;

    while (i < CALL_EFFECTS && effects->first[i] && strcmp(effects->first[i], what) != 0)
        i++;
    if (i < CALL_EFFECTS) {
        effects->first[i] = what;
        effects->times[i]++;
    }
    effects->count++;
}

void call_effects_refuse(struct call_effects *effects, const char *code, const char *text)
{
    if (effects->refused)
        return;
    effects->refused = mem_zero(sizeof *effects->refused);
    error_set(effects->refused, code, "%s", text);
}

/* (is) (result): does a result of call:result() say itself that it is an error? */
static int read_is_error(lua_State *L)
{
    bool *is = lua_touserdata(L, 1);

    if (call_is_result(L, 2)) {
        lua_getfield(L, 2, "isError");
        *is = lua_toboolean(L, -1);
    }
    return 0;
}

static bool is_error_result(const struct outcome *outcome)
{
    bool is = false;
    struct error err;

    return outcome->value && outcome_read(outcome, outcome->value, read_is_error, &is, &err) && is;
}

void call_effects_settle(const struct call_effects *effects, struct outcome *outcome)
{
    const struct error *refused = effects->refused;

    if (!refused || outcome->end != TASK_DONE)
        return;
    if (!outcome->failed && is_error_result(outcome)) { /* so does the result, with its members */
        outcome->err = *refused;
    } else if (!outcome->failed) {
        outcome->failed = true;
        outcome->value = outcome->meta = 0;
        error_set(&outcome->err, refused->code, "%s", refused->text);
    } else { /* its own text tells more, of each step for example */
        snprintf(outcome->err.code, sizeof outcome->err.code, "%s", refused->code);
    }
}

void call_effects_free(struct call_effects *effects)
{
    free(effects->refused);
    effects->refused = NULL;
}
