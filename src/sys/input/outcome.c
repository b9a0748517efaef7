#include "sys/input/outcome.h"

#include "sys/shared/desktop_values.h"

/* Sets a field of the table on top to the effects, if there are any. */
static void set_effects(lua_State *L, const char *field, const struct input_effects *effects)
{
    if (!effects->count)
        return;
    lua_createtable(L, (int)effects->count, 1); /* outcome, effects */
    for (size_t i = 0; i < effects->count; i++) {
        const struct input_effect *effect = &effects->items[i];

        lua_createtable(L, 0, 7); /* outcome, effects, effect */
        desktop_set_text(L, "what", window_event_name(effect->what));
        if (effect->ref.id) {
            desktop_set_window(L, &effect->ref);
            desktop_set_text(L, "kind", desktop_window_kind(effect->kind));
            desktop_set_text(L, "title", effect->title);
            desktop_set_text(L, "app", effect->app);
        }
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    desktop_set_flag(L, "more", effects->more);
    lua_setfield(L, -2, field);
}

void outcome_push(lua_State *L, const struct input_outcome *out)
{
    static const char *const fates[] = {
        [CLIP_WAS_EMPTY] = "was empty",
        [CLIP_RESTORED] = "restored",
        [CLIP_PARTLY_RESTORED] = "partly restored",
        [CLIP_LOST] = "not restored",
    };

    lua_createtable(L, 0, 9); /* outcome */
    lua_createtable(L, 0, 2); /* outcome, pointer */
    desktop_set_number(L, "x", out->pointer.x);
    desktop_set_number(L, "y", out->pointer.y);
    lua_setfield(L, -2, "pointer");
    desktop_set_integer(L, "sent", out->sent);
    desktop_set_integer(L, "characters", out->characters);
    desktop_set_flag(L, "settled", out->settled);
    desktop_set_text(L, "route", out->route);
    desktop_set_flag(L, "released", out->seen.released);
    set_effects(L, "effects", &out->seen.effects);
    set_effects(L, "late", &out->seen.late);
    if (out->seen.holder[0])
        desktop_set_said(L, "holder", out->seen.holder);
    if (out->seen.got_it[0])
        desktop_set_said(L, "got_it", out->seen.got_it);
    if (out->open[0]) {
        desktop_set_said(L, "open", out->open);
        desktop_set_flag(L, "still_open", out->still_open);
    }
    if (out->seen.method[0])
        desktop_set_text(L, "method", out->seen.method);
    if (out->clipboard != CLIP_UNTOUCHED)
        desktop_set_text(L, "clipboard", fates[out->clipboard]);
}
