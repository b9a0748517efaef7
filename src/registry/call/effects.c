#include "registry/call/effects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "registry/call/call.h"

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

void call_effects_settle(const struct call_effects *effects, struct outcome *outcome)
{
    const struct error *refused = effects->refused;

    if (!refused || outcome->end != TASK_DONE)
        return;
    if (!outcome->failed) {
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
