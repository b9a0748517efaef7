#include "platform/looks.h"

#include <string.h>
#include <uv.h>

#include "base/util.h"

/* Each event counts, and each question has a number of its own. */
static bool is_repeated(const struct look *last, const struct look *look)
{
    return look->at != LOOK_EVENT && look->at != LOOK_APP && last->at == look->at &&
           last->window == look->window && last->pid == look->pid;
}

/* Makes room for one more, where looks were taken off or at the end. */
static void make_room(struct looks *looks)
{
    if (looks->first) {
        looks->count -= looks->first;
        memmove(looks->items, looks->items + looks->first, looks->count * sizeof *looks->items);
        looks->first = 0;
    }
    if (looks->count < looks->room)
        return;
    looks->room = looks->room ? looks->room * 2 : 16;
    looks->items = mem_resize(looks->items, looks->room * sizeof *looks->items);
}

void looks_add(struct looks *looks, struct look look)
{
    if (looks->first < looks->count && is_repeated(&looks->items[looks->count - 1], &look))
        return;
    if (looks->count == looks->room)
        make_room(looks);
    looks->items[looks->count++] = look;
}

void looks_add_event(struct looks *looks, enum watch_what what, unsigned hotkey)
{
    looks_add(looks, (struct look){
                         .at = LOOK_EVENT, .what = what, .hotkey = hotkey, .time = uv_hrtime() });
}

struct look looks_take(struct looks *looks)
{
    return looks->items[looks->first++];
}

void look_tell(const struct look *look, const struct watched *watched)
{
    struct watch_event event = { .what = look->what, .hotkey = look->hotkey, .at = look->time };

    if (watched->told && (watched->kinds & watch_kind_of(look->what) || look->hotkey))
        watched->told->event(watched->told->arg, &event);
}
