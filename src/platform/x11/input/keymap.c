/* The keyboard's map: which key makes which character, and spare keys for the others.
 *
 * The map is taken from the server, and again after every event of a change: Xlib's own tables
 * (XKeysymToKeycode) go stale when keys are given new characters. A spare key that an earlier run
 * filled is recognized by its row, the same symbol four times, which no layout has, and is spare
 * again. */
#include "platform/x11/input/keymap.h"
#include "platform/x11/input/input.h"
#include "platform/x11/wire/connection.h"

#include <X11/keysym.h>
#include <stdlib.h>
#include <xkbcommon/xkbcommon.h>

enum { PER_KEY = 4 }; /* symbols of a filled spare key: two groups of two levels */

static unsigned bits_of(unsigned mask)
{
    unsigned count = 0;

    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

static bool is_keypad(KeySym symbol)
{
    return symbol >= XK_KP_Space && symbol <= XK_KP_Equal;
}

/* --- the table of characters ------------------------------------------------------ */

static struct key_slot *find_slot(const struct keymap *map, uint32_t point)
{
    size_t at = ((size_t)point * 2654435761u) & map->slot_mask;

    while (map->slots[at].point && map->slots[at].point != point)
        at = (at + 1) & map->slot_mask;
    return &map->slots[at];
}

/* The cost of a stroke: fewer modifiers are better, and the group in effect is better than
 * another. */
static unsigned effort(const struct keymap *map, struct stroke stroke)
{
    return bits_of(stroke.modifiers) + (stroke.group == map->group ? 0 : 16);
}

static void add_stroke(struct keymap *map, uint32_t point, struct stroke stroke)
{
    struct key_slot *slot = find_slot(map, point);

    if (slot->point && effort(map, slot->stroke) <= effort(map, stroke))
        return;
    slot->point = point;
    slot->stroke = stroke;
}

struct stroke keymap_find(const struct keymap *map, uint32_t point)
{
    struct key_slot *slot = find_slot(map, point);

    return slot->point ? slot->stroke : (struct stroke){ 0 };
}

/* Finds the modifiers that select a level of a key's type. False if we cannot press any that do. */
static bool level_modifiers(const struct keymap *map, const XkbKeyTypeRec *type, int level,
                            uint8_t *out)
{
    unsigned best = level == 0 ? 0 : 256;

    for (int i = 0; i < type->map_count && level > 0; i++) {
        unsigned mask = type->map[i].mods.mask;
        bool pressable = type->map[i].active && type->map[i].level == level && !(mask & LockMask);

        for (int bit = 0; bit < 8; bit++)
            pressable = pressable && (!(mask >> bit & 1) || map->modifier_code[bit]);
        if (pressable && (best == 256 || bits_of(mask) < bits_of(best)))
            best = mask;
    }
    *out = (uint8_t)best;
    return best != 256;
}

static void add_key(struct keymap *map, KeyCode code)
{
    XkbDescPtr xkb = map->xkb;
    int groups = XkbKeyNumGroups(xkb, code);

    for (int group = 0; group < groups; group++) {
        XkbKeyTypePtr type = XkbKeyKeyType(xkb, code, group);

        for (int level = 0; level < type->num_levels && level < LEVELS_MAX; level++) {
            KeySym symbol = XkbKeySymEntry(xkb, code, level, group);
            uint32_t point = is_keypad(symbol) ? 0 : xkb_keysym_to_utf32((xkb_keysym_t)symbol);
            struct stroke stroke = { .code = code, .group = (uint8_t)group };

            if (point < ' ' || point == 127 ||
                !level_modifiers(map, type, level, &stroke.modifiers))
                continue;
            if (groups == 1) /* such a key is the same in every group */
                stroke.group = (uint8_t)map->group;
            add_stroke(map, point, stroke);
        }
    }
}

/* --- spare keys ------------------------------------------------------------------- */

/* True if the key is empty, or was filled by us or an earlier run. */
static bool is_spare(const struct x11_desktop *desktop, const KeySym *row, int per, KeyCode code,
                     uint32_t *point)
{
    *point = 0;
    for (int i = 0; i < per; i++) {
        if (row[i] != NoSymbol && row[i] != row[0]) /* servers repeat a row to its width */
            return false;
    }
    if (row[0] == NoSymbol)
        return true;
    if (per < PER_KEY || row[1] != row[0] || row[2] != row[0] || row[3] != row[0])
        return false;
    *point = xkb_keysym_to_utf32((xkb_keysym_t)row[0]);
    return *point >= 0x80 || (*point > ' ' && (desktop->input->filled[code / 8] >> (code % 8) & 1));
}

static void find_spares(struct x11_desktop *desktop, struct keymap *map)
{
    int low = map->xkb->min_key_code, high = map->xkb->max_key_code, per = 0;
    KeySym *rows = XGetKeyboardMapping(desktop->display, (KeyCode)low, high - low + 1, &per);

    for (int code = low; rows && code <= high && map->spare_count < SPARES_MAX; code++) {
        uint32_t point;

        if (!is_spare(desktop, rows + (ptrdiff_t)(code - low) * per, per, (KeyCode)code, &point))
            continue;
        map->spares[map->spare_count] = (KeyCode)code;
        map->spare_point[map->spare_count++] = point;
    }
    if (rows)
        XFree(rows);
}

/* Changes the rows in one request: each request makes every window manager read the whole map
 * again. */
static void change_rows(struct x11_desktop *desktop, int low, int high,
                        void (*change)(KeyCode code, KeySym *row, int per, void *arg), void *arg)
{
    int per = 0, wide;
    KeySym *rows = XGetKeyboardMapping(desktop->display, (KeyCode)low, high - low + 1, &per), *out;

    if (!rows)
        return;
    wide = per < PER_KEY ? PER_KEY : per;
    out = mem_zero(sizeof *out * (size_t)(high - low + 1) * (size_t)wide);
    for (int code = low; code <= high; code++) {
        KeySym *row = out + (size_t)(code - low) * (size_t)wide;

        memcpy(row, rows + (size_t)(code - low) * (size_t)per, sizeof *row * (size_t)per);
        change((KeyCode)code, row, wide, arg);
    }
    XChangeKeyboardMapping(desktop->display, low, wide, out, high - low + 1);
    XSync(desktop->display, False);
    free(out);
    XFree(rows);
}

static void fill_row(KeyCode code, KeySym *row, int per, void *arg)
{
    const struct keymap *map = arg;

    for (int i = 0; i < map->spare_count; i++) {
        if (map->spares[i] != code || !map->spare_point[i])
            continue;
        for (int k = 0; k < per; k++)
            row[k] = k < PER_KEY ? xkb_utf32_to_keysym(map->spare_point[i]) : NoSymbol;
    }
}

static bool in_list(const uint32_t *points, int count, uint32_t point)
{
    for (int i = 0; i < count; i++) {
        if (points[i] == point)
            return true;
    }
    return false;
}

void keymap_fill(struct x11_desktop *desktop, struct keymap *map, const uint32_t *points, int count)
{
    int spare = 0, low = 255, high = 0;

    for (int i = 0; i < count; i++) {
        while (spare < map->spare_count && in_list(points, count, map->spare_point[spare]))
            spare++;
        if (in_list(map->spare_point, map->spare_count, points[i]) || spare >= map->spare_count)
            continue;
        if (map->spare_point[spare])
            find_slot(map, map->spare_point[spare])->stroke.code = 0;
        map->spare_point[spare] = points[i];
        *find_slot(map, points[i]) =
            (struct key_slot){ points[i],
                               { .code = map->spares[spare], .group = (uint8_t)map->group } };
        low = map->spares[spare] < low ? map->spares[spare] : low;
        high = map->spares[spare] > high ? map->spares[spare] : high;
        desktop->input->filled[map->spares[spare] / 8] |= (uint8_t)(1u << (map->spares[spare] % 8));
        spare++;
    }
    if (low <= high)
        change_rows(desktop, low, high, fill_row, map);
}

static void empty_row(KeyCode code, KeySym *row, int per, void *arg)
{
    const uint8_t *filled = arg;

    if (filled[code / 8] >> (code % 8) & 1)
        memset(row, 0, sizeof *row * (size_t)per);
}

void keymap_restore(struct x11_desktop *desktop)
{
    uint8_t *filled = desktop->input->filled;
    int low = 255, high = 0;

    if (desktop->input->unread) /* without them the last keys would mean nothing; the next run takes
                                   the keys over */
        return;
    for (int code = 8; code < 256; code++) {
        if (filled[code / 8] >> (code % 8) & 1) {
            low = code < low ? code : low;
            high = code;
        }
    }
    if (low <= high)
        change_rows(desktop, low, high, empty_row, filled);
    memset(filled, 0, sizeof desktop->input->filled);
}

/* --- reading it ------------------------------------------------------------------- */

KeyCode keymap_symbol(const struct keymap *map, KeySym symbol)
{
    XkbDescPtr xkb = map->xkb;

    for (int code = xkb->min_key_code; code <= xkb->max_key_code; code++) {
        for (int group = 0; group < XkbKeyNumGroups(xkb, code); group++) {
            if (XkbKeySymEntry(xkb, code, 0, group) == symbol)
                return (KeyCode)code;
        }
    }
    return 0;
}

/* Finds a key for every modifier; of several keys the one with the usual symbol, because another
 * may do more than that: a key that is on Mod5 besides its own work (Mode_switch) would do that
 * work too. */
static void find_modifiers(struct keymap *map)
{
    static const KeySym usual[] = { XK_Shift_L, XK_Control_L, XK_Alt_L, XK_Super_L,
                                    XK_ISO_Level3_Shift };
    XkbDescPtr xkb = map->xkb;
    unsigned settled = 0; /* bits that have their usual key */

    for (int code = xkb->min_key_code; code <= xkb->max_key_code; code++) {
        unsigned mask = xkb->map->modmap[code];
        KeySym symbol = XkbKeyNumGroups(xkb, code) ? XkbKeySymEntry(xkb, code, 0, 0) : NoSymbol;
        bool good = false;

        for (size_t i = 0; i < countof(usual); i++)
            good = good || symbol == usual[i];
        for (int bit = 0; bit < 8; bit++) {
            if (!(mask >> bit & 1) || symbol == NoSymbol || (settled >> bit & 1) ||
                (!good && map->modifier_code[bit]))
                continue;
            map->modifier_code[bit] = (KeyCode)code;
            settled |= good ? 1u << bit : 0;
        }
    }
    map->modifier_code[1] = 0; /* Lock is a switch, not a key to hold */
}

static size_t table_size(const struct keymap *map)
{
    size_t want = (size_t)(map->xkb->max_key_code - map->xkb->min_key_code + 1) * LEVELS_MAX * 2;
    size_t size = 1024;

    while (size < want * 2)
        size *= 2;
    return size;
}

static bool no_map(struct x11_desktop *desktop, struct error *err)
{
    return desktop->dead ? x11_lost(desktop, err)
                         : error_set(err, "not_supported",
                                     "this X server does not report its keyboard map (XKB)");
}

static bool load_keymap(struct x11_desktop *desktop, struct keymap *map, unsigned group,
                        struct error *err)
{
    size_t size;

    map->xkb = XkbGetMap(desktop->display, XkbAllClientInfoMask, XkbUseCoreKbd);
    if (!map->xkb)
        return no_map(desktop, err);
    map->group = group;
    size = table_size(map);
    map->slots = mem_zero(sizeof *map->slots * size);
    map->slot_mask = size - 1;
    find_modifiers(map);
    for (int code = map->xkb->min_key_code; code <= map->xkb->max_key_code; code++)
        add_key(map, (KeyCode)code);
    find_spares(desktop, map);
    for (int i = 0; i < map->spare_count; i++) {
        struct stroke stroke = { .code = map->spares[i], .group = (uint8_t)map->group };

        if (map->spare_point[i])
            *find_slot(map, map->spare_point[i]) = (struct key_slot){ map->spare_point[i], stroke };
    }
    return true;
}

/* --- keeping it -------------------------------------------------------------------- */

/* Selects all details of both events: another keyboard has another map, too. Xlib would pass on
 * only some of them, as MappingNotify. */
void keymap_select(struct x11_desktop *desktop)
{
    unsigned events = XkbNewKeyboardNotifyMask | XkbMapNotifyMask;

    if (XkbQueryExtension(desktop->display, NULL, &desktop->input->xkb_event, NULL, NULL, NULL))
        XkbSelectEvents(desktop->display, XkbUseCoreKbd, events, events);
}

void keymap_event(struct x11_desktop *desktop, XEvent *event)
{
    const struct x11_input *input = desktop->input;

    if (!input->map)
        return;
    if (event->type == MappingNotify || (input->xkb_event && event->type == input->xkb_event))
        input->map->stale = true;
}

struct keymap *keymap_now(struct x11_desktop *desktop, struct error *err)
{
    struct keymap **map = &desktop->input->map;
    XkbStateRec state;

    if (XkbGetState(desktop->display, XkbUseCoreKbd, &state) != Success) {
        no_map(desktop, err);
        return NULL;
    }
    if (!x11_pump(desktop, err))
        return NULL;
    if (!*map || (*map)->stale || (*map)->group != state.group) {
        keymap_free(*map);
        *map = mem_zero(sizeof **map); /* made before it is read: later changes are noticed */
        if (!load_keymap(desktop, *map, state.group, err)) {
            keymap_free(*map);
            *map = NULL;
            return NULL;
        }
    }
    (*map)->state = state;
    return *map;
}

void keymap_free(struct keymap *map)
{
    if (!map)
        return;
    if (map->xkb)
        XkbFreeKeyboard(map->xkb, XkbAllComponentsMask, True);
    free(map->slots);
    free(map);
}
