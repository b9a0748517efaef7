/* Pastes text by way of the clipboard: text that cannot be typed, or for programs that do not
 * report when they have taken their keys.
 *
 * The text is put there, marked so that no history keeps it. Programs hear of a new owner and ask
 * for its types; only then are they told to paste by a key. Some read more than once (Chromium asks
 * for the types a dozen times and reads twice), so the text stays until no question has come for a
 * while; then the earlier content is put back. A program that reads even later, for the same paste,
 * still gets the text, and no program is told of the change before that is over. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json/utf8.h"
#include "platform/paste.h"
#include "platform/x11/clipboard/receiver.h"
#include "platform/x11/input/input.h"
#include "platform/x11/input/judged.h"
#include "platform/x11/windows/focus.h"
#include "platform/x11/windows/popup.h"
#include "platform/x11/windows/windows.h"
#include "platform/x11/wire/client.h"
#include "platform/x11/wire/connection.h"

enum {
    SAVE_MS = 2000,   /* for all of the clipboard's content */
    KNOWN_MS = 1000,  /* for a program to learn of the new owner */
    KNOWN_ROUNDS = 3, /* answered pings in a row without a question in between */
    BLIND_MS = 30,    /* the same, for one that answers no ping */
    UNREAD_MS = 2000, /* after the key: a program that has not asked by then does not paste */
    HUNG_MS = 2500,   /* for a program that does not respond at all, besides: all of these together
                         leave time to report it in the 10 s that a call has */
    PAST_ROUNDS = 3,  /* answered pings in a row without a question: the program is past the key. Qt
                         answers one ping before it looks at the keys that came with it */
    QUIET_MS = 150, /* without a question: the program has read all. Chromium pauses for up to 20 */
    QUIET_FACTOR = 4, /* times the duration of a ping, in addition: the machine may be busy */
    QUIET_MAX_MS = 1000,
    CALM_FACTOR = 4, /* times the quiet time: a program whose reader is far from its inserter has
                        inserted the text */
    LATE_MS = 5000,  /* time for late questions after that */
    LATE_UNREAD_MS = 30000, /* the same, if the program has not asked yet and may: it would get the
                               earlier content */
    PASTE_SETTLE_MS = 2000,
    GIVE_BACK_MS = 1000,
    GIVE_BACK_LATE_MS = 150, /* behind the call's deadline, when the call is given up soon */
    SAVED_PARTS_MAX = 24,
    TRIES_MAX = 3, /* another application may copy in between */
};

struct pasting {
    struct x11_desktop *desktop;
    struct deadline *deadline;
    struct receiver receiver;
    struct chord chord;
    enum selection which;
    uint64_t judged;    /* the window that it was judged for; 0: any */
    struct clip before; /* the clipboard's earlier content */
    enum clip_fate fate;
    struct offer *last; /* the last piece; owned */
    uint64_t quiet_ms;  /* time without a question after which the piece was taken to be read */
    bool settled;       /* the receiver has answered after the last piece */
    bool outrun;        /* another application copied before the key was pressed */
    bool told;          /* the key was pressed: it may be pasted */
    bool blind;         /* another client read it, or its end was not seen */
    bool unread;        /* the last piece has not been read, and may be yet */
    struct input_outcome *out;
    bool on_demand; /* the receiver asks nothing before the key: there is nothing to wait for */
};

static bool choose_way(struct pasting *pasting, const struct input *input, struct error *err)
{
    x11_know_receiver(pasting->desktop, &pasting->receiver);
    if (input->chord.key != KEY_CHARACTER || input->chord.point) {
        pasting->chord = input->chord;
        pasting->which = input->from == PASTE_PRIMARY ? SELECTION_PRIMARY : SELECTION_CLIPBOARD;
        return true;
    }
    pasting->which = pasting->receiver.from;
    return chord_parse(pasting->receiver.chord, &pasting->chord, err);
}

/* --- the content before pasting ----------------------------------------------------- */

static bool is_data(const struct clip *offered, const char *type)
{
    if (strncmp(type, "text/plain", 10) == 0 || (!strchr(type, '/') && strncmp(type, "x-", 2) != 0))
        return false; /* text is read once, the other types are questions */
    return strncmp(type, "image/", 6) != 0 || strcmp(type, "image/png") == 0 ||
           !clip_has_type(offered, "image/png"); /* the same picture in another format */
}

/* Saves the data as it is, without interpreting it. */
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

/* Saves all types, as far as the time goes. */
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

/* Saves the content. An owner that hangs does not keep us from pasting; its content is lost
 * then. */
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

/* Time without a question after which a change of the clipboard no longer undoes the paste. */
static uint64_t calm_ms(const struct pasting *pasting)
{
    return pasting->receiver.far ? CALM_FACTOR * pasting->quiet_ms : 0;
}

/* Puts the earlier content back, unless another application copied meanwhile. An empty clipboard is
 * owned for a little longer, so that a late question of the same paste is heard. */
static void give_back_clipboard(struct pasting *pasting)
{
    struct x11_desktop *desktop = pasting->desktop;
    bool over = deadline_left(pasting->deadline) == 0;
    struct deadline deadline = deadline_of(over ? GIVE_BACK_LATE_MS : GIVE_BACK_MS);
    bool late = pasting->last && (!pasting->receiver.terminal || pasting->unread);

    if (desktop->dead || !x11_pump(desktop, NULL))
        return;
    if (!desktop->clipboard->owned[pasting->which].offer)
        pasting->fate = CLIP_LOST;
    else if (!pasting->before.count && !late)
        clipboard_disown(desktop, pasting->which);
    else if (late ? !clipboard_serve_late(desktop, pasting->which, &pasting->before, pasting->last,
                                          pasting->unread ? LATE_UNREAD_MS : LATE_MS,
                                          calm_ms(pasting))
                  : !clipboard_own(desktop, &deadline, pasting->which, &pasting->before, NULL))
        pasting->fate = CLIP_LOST;
    XFlush(desktop->display);
}

/* --- one piece ------------------------------------------------------------------------ */

static bool press_chord(void *arg, struct chord chord, struct error *err)
{
    struct pasting *pasting = arg;
    struct input keys = { .kind = INPUT_KEYS, .chord = chord, .judged = pasting->judged };
    struct input_outcome out = { 0 };

    if (!x11_chord(pasting->desktop, pasting->deadline, &keys, &out, err))
        return pasting->told ? judged_sent_in_part(err) : false;
    pasting->told = true;
    return true;
}

/* A client that has read the text before the key is pressed is one that reads all copies. */
static bool press_paste(struct pasting *pasting, struct offer *offer, struct error *err)
{
    offer->bystander = offer->other;
    offer->given_other = false;
    if (!press_chord(pasting, pasting->chord, err)) {
        pasting->told = pasting->told || strcmp(err->code, "moved") != 0;
        return false;
    }
    pasting->unread = true;
    return true;
}

static bool is_owned(const struct pasting *pasting, const struct offer *offer)
{
    return pasting->desktop->clipboard->owned[pasting->which].offer == offer;
}

/* Checks that no other application copied at the same moment; its copy is what has to be restored
 * then. */
static bool check_owned(struct pasting *pasting, const struct offer *offer, struct error *err)
{
    pasting->outrun = !is_owned(pasting, offer);
    return !pasting->outrun ||
           error_set(err, "clipboard_refused",
                     "another application took the clipboard before the text was pasted. Try "
                     "again");
}

/* The server tells the receiver of the new owner before it passes on our ping. The receiver's
 * questions come before its answer to the ping, and questions that follow from our answers (may it
 * paste at all?) before the next. */
static bool await_known(struct pasting *pasting, const struct offer *offer, struct error *err)
{
    uint64_t until = deadline_now() + KNOWN_MS;
    bool answered = true;

    for (int quiet = 0; quiet < KNOWN_ROUNDS && deadline_now() < until;) {
        unsigned before = offer->questions;

        if (!x11_settle(pasting->desktop, pasting->deadline, KNOWN_MS, &answered, err))
            return false;
        if (!answered)
            return x11_pause(pasting->desktop, pasting->deadline, BLIND_MS, err);
        quiet = offer->questions == before ? quiet + 1 : 0;
    }
    pasting->on_demand = pasting->receiver.terminal && offer->questions == 0;
    return true;
}

/* True if a menu opened while the text was pasted. */
static bool came_open(struct pasting *pasting)
{
    struct x11_desktop *desktop = pasting->desktop;
    struct window_query query = { .all_kinds = true };
    struct window_list list;
    Window popup;

    if (!x11_window_list(desktop, &query, &list, NULL))
        return false;
    popup = popup_of_receiver(desktop, &list);
    window_list_free(&list);
    if (popup)
        popup_name(desktop, popup, pasting->out->open);
    return popup != None;
}

/* The progress of a receiver that has not read the text it was told to paste. */
enum progress {
    MAY_COME, /* it does not answer pings: the key may still be waiting */
    SILENT,   /* it answers pings otherwise, but does not respond now */
    PAST,     /* it has processed the key: it answers, and asks no question in between */
};

/* Waits until the receiver reads, or its progress is known. */
static bool see_progress(struct pasting *pasting, const struct offer *offer, enum progress *out,
                         struct error *err)
{
    struct x11_desktop *desktop = pasting->desktop;
    bool tells = x11_answers(desktop, pasting->receiver.window);
    uint64_t now, until = deadline_now() + HUNG_MS;
    bool answered;

    *out = MAY_COME;
    desktop->input->diverted = false; /* a receiver without the keyboard gets a ping all the same */
    for (int quiet = 0; tells && quiet < PAST_ROUNDS;) {
        unsigned before = offer->questions;

        if ((now = deadline_now()) >= until)
            return true;
        if (!x11_settle(desktop, pasting->deadline, until - now, &answered, err))
            return false;
        if (offer->given || x11_receiver(desktop) != pasting->receiver.window)
            return true;
        if (!answered) {
            *out = SILENT;
            return true;
        }
        quiet = offer->questions == before ? quiet + 1 : 0;
    }
    if (tells && (!pasting->receiver.relays || *pasting->out->open)) /* menus are not relayed to */
        *out = PAST;
    return true;
}

/* Reports that no client has read the text. If the key may still be waiting in a queue, the text
 * may still come, and a caller that tries again would insert it twice. */
static bool not_taken(struct pasting *pasting, const struct offer *offer, struct error *err)
{
    enum progress progress;

    if (!see_progress(pasting, offer, &progress, err))
        return false;
    if (offer->given)
        return true;
    if (progress == SILENT)
        return error_set(err, "paste_unknown",
                         "the frontmost application has not responded since it was told to paste, "
                         "so whether it will is unknown. Take a screenshot before you try again");
    if (progress == MAY_COME)
        return error_set(err, "paste_unknown",
                         "the frontmost application has not read the text to paste, and does not "
                         "tell whether it still will. Take a screenshot before you try again. If "
                         "nothing was inserted, click into a text field first");
    pasting->unread = false;
    if (*pasting->out->open || came_open(pasting))
        return error_set(err, "paste_not_taken",
                         "%s has the keyboard and took the key to paste, so no "
                         "application read the text. Close it with escape first, then paste again",
                         pasting->out->open);
    return error_set(err, "paste_not_taken",
                     "the frontmost application did not read the text to paste. Click "
                     "into a text field first");
}

static bool await_reader(struct pasting *pasting, const struct offer *offer, struct error *err)
{
    uint64_t until = deadline_now() + UNREAD_MS;

    while (!offer->given) {
        if (!is_owned(pasting, offer) && !offer->given_other)
            return error_set(
                err, "paste_unknown",
                "another application took the clipboard while the text was pasted, so "
                "what was inserted is unknown. Take a screenshot before you try again");
        if (deadline_now() >= until && offer->given_other) {
            pasting->blind = true;
            return true;
        }
        if (deadline_now() >= until)
            return not_taken(pasting, offer, err);
        if (!x11_wait(pasting->desktop, pasting->deadline, until, err))
            return false;
    }
    return true;
}

/* True if the piece has been read for good: a terminal reads once, and passes the text on before it
 * reads another key. */
static bool is_read_once(const struct pasting *pasting, const struct offer *offer)
{
    return offer->read && pasting->receiver.terminal && !pasting->receiver.gtk4;
}

/* Waits until it was quiet for a time, and no transfer is on its way. Ends at once if there is no
 * reader to wait for: the focus went elsewhere, or another application copied. */
static bool await_quiet(struct pasting *pasting, const struct offer *offer, uint64_t quiet,
                        struct error *err)
{
    struct x11_desktop *desktop = pasting->desktop;

    for (;;) {
        bool sending = clipboard_is_sending(desktop, offer);
        uint64_t until = offer->touched + (sending ? UNREAD_MS : quiet);

        if (deadline_now() >= until) {
            pasting->blind = pasting->blind || sending;
            return true;
        }
        if (is_read_once(pasting, offer) || !is_owned(pasting, offer) ||
            x11_receiver(desktop) != pasting->receiver.window)
            return true;
        if (!x11_wait(desktop, pasting->deadline, until, err))
            return false;
    }
}

static bool await_end(struct pasting *pasting, const struct offer *offer, struct error *err)
{
    uint64_t asked = deadline_now();

    pasting->unread = false;
    if (!x11_settle(pasting->desktop, pasting->deadline, PASTE_SETTLE_MS, &pasting->settled, err))
        return false;
    pasting->quiet_ms = QUIET_MS + QUIET_FACTOR * (deadline_now() - asked);
    if (pasting->quiet_ms > QUIET_MAX_MS)
        pasting->quiet_ms = QUIET_MAX_MS;
    if (!await_quiet(pasting, offer, pasting->quiet_ms, err))
        return false;
    return pasting->settled ||
           x11_settle(pasting->desktop, pasting->deadline, PASTE_SETTLE_MS, &pasting->settled, err);
}

/* Waits until this piece can no longer undo the one before it. */
static bool await_piece_before(struct pasting *pasting, struct error *err)
{
    if (!pasting->last || !is_owned(pasting, pasting->last))
        return true;
    return await_quiet(pasting, pasting->last, calm_ms(pasting), err);
}

static struct offer *offer_piece(struct pasting *pasting, struct str piece, struct error *err)
{
    struct x11_desktop *desktop = pasting->desktop;
    struct clip clip = { .secret = true };
    struct offer *offer;

    clip_add(&clip, "text/plain", piece.ptr, piece.len);
    offer = clipboard_own(desktop, pasting->deadline, pasting->which, &clip, err);
    clip_free(&clip);
    if (!offer)
        return NULL;
    offer->refs++; /* another application may copy meanwhile */
    offer->watched = true;
    offer->reader = pasting->receiver.client;
    offer_free(pasting->last);
    pasting->last = offer;
    return offer;
}

static bool paste_piece(void *arg, struct str piece, struct error *err)
{
    struct pasting *pasting = arg;
    struct offer *offer;

    if (!await_piece_before(pasting, err) ||
        !x11_await_receiver(pasting->desktop, pasting->deadline, NULL, err))
        return false;
    x11_know_window(pasting->desktop, &pasting->receiver);
    offer = offer_piece(pasting, piece, err);
    return offer && (pasting->on_demand || await_known(pasting, offer, err)) &&
           check_owned(pasting, offer, err) && press_paste(pasting, offer, err) &&
           await_reader(pasting, offer, err) && await_end(pasting, offer, err);
}

/* --- all of it -------------------------------------------------------------------------- */

static bool has_any(struct str text, const char *characters)
{
    for (; *characters; characters++) {
        if (memchr(text.ptr, *characters, text.len))
            return true;
    }
    return false;
}

/* The length of the first piece; 0: each line is one, as in terminals that would ask about several
 * lines, and the text between two tabs if they would ask about tabs. Text that was to be typed has
 * keys in it. Keys would overtake the text that GTK 4 inserts, so there they are characters. A long
 * text is one piece up to its last line end, which may send it off. */
static size_t whole_length(const struct pasting *pasting, const struct input *input)
{
    size_t len = input->text.len;

    if (has_any(input->text, pasting->receiver.asks))
        return 0;
    if (!input->typed || (pasting->receiver.gtk4 && !pasting->receiver.terminal))
        return len;
    if (pasting->receiver.terminal || len < INPUT_LONG)
        return 0;
    while (len > 0 && strchr("\r\n\t", input->text.ptr[len - 1]))
        len--;
    return len;
}

/* Refuses control characters that terminals of the VTE library would replace. */
static bool check_inserted(const struct pasting *pasting, struct str text, struct error *err)
{
    for (size_t i = 0; pasting->receiver.vte && i + 1 < text.len; i++) {
        unsigned char lead = (unsigned char)text.ptr[i], next = (unsigned char)text.ptr[i + 1];

        if (lead == 0xC2 && next < 0xA0)
            return error_set(err, "bad_text",
                             "the text has a control character (U+%04X) at byte %zu, which this "
                             "terminal replaces in what is pasted. Leave it out",
                             (unsigned)next, i);
    }
    return true;
}

static bool paste_all(struct pasting *pasting, const struct input *input, size_t *characters,
                      struct error *err)
{
    static const struct paste_steps steps = { paste_piece, press_chord };

    struct str whole = { input->text.ptr, whole_length(pasting, input) };
    struct str rest = { whole.ptr + whole.len, input->text.len - whole.len };

    if (whole.len && !paste_piece(pasting, whole, err))
        return false;
    *characters = utf8_length(whole.ptr, whole.len);
    return paste_text(&steps, pasting, rest, characters, err);
}

/* Pastes, between saving the earlier content and giving it back. */
static bool paste_once(struct pasting *pasting, const struct input *input,
                       struct input_outcome *out, struct error *err)
{
    bool ok;

    clip_free(&pasting->before);
    pasting->before = (struct clip){ 0 };
    pasting->outrun = false;
    if (!save(pasting, err))
        return false;
    ok = paste_all(pasting, input, &out->characters, err);
    pasting->outrun = pasting->outrun && out->characters == 0;
    if (!pasting->outrun)
        give_back_clipboard(pasting);
    return ok;
}

bool x11_paste(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
               struct input_outcome *out, struct error *err)
{
    struct pasting pasting = {
        .desktop = desktop, .deadline = deadline, .judged = input->judged, .out = out
    };
    char chord[32];
    int tries = 0;
    bool ok;

    if (!input_text_ok(input->text, err) || !x11_await_receiver(desktop, deadline, NULL, err) ||
        !choose_way(&pasting, input, err) || !check_inserted(&pasting, input->text, err))
        return false;
    chord_print(&pasting.chord, chord, sizeof chord);
    snprintf(out->route, sizeof out->route, "paste %s%s", chord,
             pasting.which == SELECTION_PRIMARY ? ", primary" : "");
    do
        ok = paste_once(&pasting, input, out, err);
    while (!ok && pasting.outrun && ++tries < TRIES_MAX);
    if (!ok && pasting.told)
        paste_timed_out(err);
    out->settled = ok && pasting.settled && !pasting.blind && !pasting.receiver.far;
    out->clipboard = pasting.fate;
    offer_free(pasting.last);
    clip_free(&pasting.before);
    return ok;
}
