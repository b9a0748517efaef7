/* Text by way of the clipboard: for what cannot be typed, into programs that do not say when they
 * have taken their keys.
 *
 * The text is put there, marked so that no history keeps it, the receiver is told to paste by a
 * key, and is watched until it has read all of it; then what was there before is put back. */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "platform/paste.h"
#include "platform/x11/clipboard.h"
#include "platform/x11/connection.h"
#include "platform/x11/focus.h"
#include "platform/x11/input.h"

enum {
    SAVE_MS = 2000,   /* for all that was on the clipboard */
    UNREAD_MS = 2000, /* after the key: who has not asked by then does not paste */
    PASTE_SETTLE_MS = 2000,
    GIVE_BACK_MS = 1000,
    SAVED_PARTS_MAX = 24,
};

struct pasting {
    struct x11_desktop *desktop;
    struct deadline *deadline;
    struct chord chord;
    enum selection which;
    struct clip before; /* what was there */
    enum clip_fate fate;
    bool settled;       /* the last piece */
    bool taken_blindly; /* read by somebody else than we thought */
};

/* --- what the receiver wants -------------------------------------------------------- */

static const struct {
    const char *classes; /* of WM_CLASS, either part, between spaces */
    const char *chord;
    enum selection which;
} ways[] = {
    { " xterm uxterm koi8rxterm rxvt urxvt aterm eterm mlterm ", "shift+insert",
      SELECTION_PRIMARY },
    { " gnome-terminal gnome-terminal-server xfce4-terminal mate-terminal lxterminal qterminal "
      "konsole yakuake tilix terminator terminology guake tilda sakura roxterm kitty alacritty st "
      "st-256color stterm org.wezfurlong.wezterm org.gnome.ptyxis org.gnome.console kgx "
      "com.mitchellh.ghostty ",
      "ctrl+shift+v", SELECTION_CLIPBOARD },
    { " emacs ", "ctrl+y", SELECTION_CLIPBOARD },
};

static bool is_listed(const char *list, const char *name)
{
    size_t len = name ? strlen(name) : 0;

    for (const char *at = list; len && (at = strchr(at, ' ')) && at[1]; at++) {
        if (strncasecmp(at + 1, name, len) == 0 && at[1 + len] == ' ')
            return true;
    }
    return false;
}

/* Most programs paste by Ctrl+V; terminals give that to the program inside. */
static const char *usual_way(const XClassHint *class, enum selection *which)
{
    *which = SELECTION_CLIPBOARD;
    for (size_t i = 0; i < countof(ways); i++) {
        if (is_listed(ways[i].classes, class->res_class) ||
            is_listed(ways[i].classes, class->res_name)) {
            *which = ways[i].which;
            return ways[i].chord;
        }
    }
    return class->res_class && strcasestr(class->res_class, "terminal") ? "ctrl+shift+v" : "ctrl+v";
}

static bool choose_way(struct pasting *pasting, const struct input *input, struct error *err)
{
    Display *display = pasting->desktop->display;
    Window window = x11_receiver(pasting->desktop);
    XClassHint class = { 0 };
    const char *chord;

    if (input->chord.key != KEY_CHARACTER || input->chord.point) {
        pasting->chord = input->chord;
        pasting->which = input->from == PASTE_PRIMARY ? SELECTION_PRIMARY : SELECTION_CLIPBOARD;
        return true;
    }
    if (window)
        XGetClassHint(display, window, &class);
    chord = usual_way(&class, &pasting->which);
    if (class.res_name)
        XFree(class.res_name);
    if (class.res_class)
        XFree(class.res_class);
    return chord_parse(chord, &pasting->chord, err);
}

/* --- what was there ----------------------------------------------------------------- */

static bool is_data(const struct clip *offered, const char *type)
{
    if (strncmp(type, "text/plain", 10) == 0 || (!strchr(type, '/') && strncmp(type, "x-", 2) != 0))
        return false; /* text is read once, the others are questions */
    return strncmp(type, "image/", 6) != 0 || strcmp(type, "image/png") == 0 ||
           !clip_has_type(offered, "image/png"); /* the same picture in other clothes */
}

/* As it is, without a look at what it means. */
static bool save_raw(struct pasting *pasting, struct deadline *deadline, const char *type,
                     size_t max)
{
    struct x11_desktop *desktop = pasting->desktop;
    struct buf data = { 0 };
    Atom came_as;
    bool ok =
        clipboard_convert(desktop, deadline, pasting->which,
                          XInternAtom(desktop->display, type, False), max, &data, &came_as, NULL);

    if (ok)
        clip_add(&pasting->before, type, data.data ? data.data : "", data.len);
    buf_free(&data);
    return ok;
}

static size_t size_of(const struct clip *clip)
{
    size_t size = 0;

    for (size_t i = 0; i < clip->count; i++)
        size += clip->parts[i].len;
    return size;
}

/* All types, as far as the time goes. */
static void save_parts(struct pasting *pasting, struct deadline *deadline)
{
    struct clip *before = &pasting->before;
    struct error err;

    pasting->fate = CLIP_RESTORED;
    if (!clipboard_read_part(pasting->desktop, deadline, pasting->which, "text/plain",
                             CLIP_BYTES_MAX, before, &err))
        pasting->fate = CLIP_PARTLY_RESTORED;
    for (size_t i = 0; i < before->type_count; i++) {
        const char *type = before->types[i];

        if (is_data(before, type) && !clip_part(before, type) &&
            (before->count >= SAVED_PARTS_MAX ||
             !save_raw(pasting, deadline, type, CLIP_BYTES_MAX - size_of(before))))
            pasting->fate = CLIP_PARTLY_RESTORED;
    }
    if (!before->count)
        pasting->fate = before->type_count ? CLIP_LOST : CLIP_WAS_EMPTY;
}

/* An owner that hangs does not keep us from pasting; what it has is gone then. */
static bool save(struct pasting *pasting, struct error *err)
{
    struct x11_desktop *desktop = pasting->desktop;
    struct deadline deadline = deadline_of(SAVE_MS);
    struct offer *own;

    if (!clipboard_begin(desktop, pasting->deadline, err))
        return false;
    own = desktop->clipboard->owned[pasting->which].offer;
    pasting->fate = CLIP_WAS_EMPTY;
    if (own) {
        clip_add_all(&pasting->before, &own->clip);
        pasting->fate = CLIP_RESTORED;
    } else if (XGetSelectionOwner(desktop->display, clipboard_atom(desktop, pasting->which))) {
        if (clipboard_read_types(desktop, &deadline, pasting->which, &pasting->before, NULL))
            save_parts(pasting, &deadline);
        else
            pasting->fate = CLIP_LOST;
    }
    return desktop->dead ? x11_lost(desktop, err) : deadline_ok(pasting->deadline, err);
}

/* Not when somebody copied meanwhile. */
static void give_back(struct pasting *pasting)
{
    struct x11_desktop *desktop = pasting->desktop;
    struct deadline deadline = deadline_of(GIVE_BACK_MS);

    if (desktop->dead || !x11_pump(desktop, NULL))
        return;
    if (!desktop->clipboard->owned[pasting->which].offer)
        pasting->fate = CLIP_LOST;
    else if (!pasting->before.count)
        clipboard_disown(desktop, pasting->which);
    else if (!clipboard_own(desktop, &deadline, pasting->which, &pasting->before, NULL))
        pasting->fate = CLIP_LOST;
    XFlush(desktop->display);
}

/* --- one piece ------------------------------------------------------------------------ */

static bool press(void *arg, struct chord chord, struct error *err)
{
    struct pasting *pasting = arg;
    struct input keys = { .kind = INPUT_KEYS, .chord = chord };
    struct input_outcome out = { 0 };

    return x11_chord(pasting->desktop, pasting->deadline, &keys, &out, err);
}

static bool await_reader(struct pasting *pasting, const struct offer *offer, struct error *err)
{
    uint64_t until = deadline_now() + UNREAD_MS, active;

    while (!offer->read) {
        active = clipboard_last_touched(pasting->desktop, offer);
        if (active && active + UNREAD_MS > until)
            until = active + UNREAD_MS;
        if (deadline_now() >= until && offer->read_by_other) {
            pasting->taken_blindly = true;
            return true;
        }
        if (deadline_now() >= until)
            return error_set(err, "paste_not_taken",
                             "the frontmost application did not read the text to paste. Click "
                             "into a text field first");
        if (!x11_wait(pasting->desktop, pasting->deadline, until, err))
            return false;
    }
    return true;
}

static bool paste_piece(void *arg, struct str piece, struct error *err)
{
    struct pasting *pasting = arg;
    struct x11_desktop *desktop = pasting->desktop;
    struct clip clip = { .secret = true };
    struct offer *offer;
    bool ok;

    clip_add(&clip, "text/plain", piece.ptr, piece.len);
    offer = x11_await_receiver(desktop, pasting->deadline, err)
                ? clipboard_own(desktop, pasting->deadline, pasting->which, &clip, err)
                : NULL;
    clip_free(&clip);
    if (!offer)
        return false;
    offer->refs++; /* somebody may copy meanwhile */
    offer->watched = true;
    offer->reader = x11_client_of(desktop, x11_receiver(desktop));
    ok = press(pasting, pasting->chord, err) && await_reader(pasting, offer, err) &&
         x11_settle(desktop, pasting->deadline, PASTE_SETTLE_MS, &pasting->settled, err);
    offer_free(offer);
    return ok;
}

/* --- all of it -------------------------------------------------------------------------- */

bool x11_paste(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
               struct input_outcome *out, struct error *err)
{
    static const struct paste_steps steps = { paste_piece, press };
    struct pasting pasting = { .desktop = desktop, .deadline = deadline };
    char chord[32];
    bool ok;

    if (!input_text_ok(input->text, err) || !x11_await_receiver(desktop, deadline, err) ||
        !choose_way(&pasting, input, err))
        return false;
    chord_print(&pasting.chord, chord, sizeof chord);
    snprintf(out->route, sizeof out->route, "paste %s%s", chord,
             pasting.which == SELECTION_PRIMARY ? ", primary" : "");
    ok = save(&pasting, err);
    if (ok) {
        ok = paste_text(&steps, &pasting, input->text, &out->characters, err);
        give_back(&pasting);
    }
    out->settled = ok && pasting.settled && !pasting.taken_blindly;
    out->clipboard = pasting.fate;
    clip_free(&pasting.before);
    return ok;
}
