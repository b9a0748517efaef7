/* Text by way of the pasteboard, for input that is pasted on purpose.
 *
 * The text is put there, marked so that no history keeps it, the application in front is told to
 * paste by a key, and the earlier content is put back. A Mac does not report which application has
 * read it; if the application shows its text to accessibility, the text is watched, otherwise there
 * is only a wait. Line ends and tabs of text that was to be typed are keys. */
#include <stdio.h>
#include <string.h>

#include "json/utf8.h"
#include "platform/macos/front.h"
#include "platform/macos/input.h"
#include "platform/macos/system/appkit.h"
#include "platform/macos/system/ax.h"
#include "platform/macos/system/cf.h"
#include "platform/macos/system/pasteboard.h"
#include "platform/paste.h"

enum {
    SEEN_MS = 2000,       /* for a change of text that accessibility shows */
    PASTE_BLIND_MS = 400, /* for an application that shows none */
    PASTE_LOOK_MS = 15,
};

struct pasting {
    struct macos_desktop *desktop;
    struct deadline *deadline;
    PasteboardRef board;
    struct chord chord;
    bool blind; /* a piece was not seen to arrive */
    bool told;  /* the key was pressed: it may be pasted */
};

/* --- whether it was taken ---------------------------------------------------------------- */

/* The length of the text with the caret, and the caret's place; NULL if the application does not
 * report them. */
struct witness {
    CFTypeRef length, selection;
    bool silent; /* the application did not respond: NULL says nothing */
};

static void see_field(void *arg)
{
    struct witness *witness = arg;
    AXUIElementRef app = ax_app(front_pid());
    struct error err = { .code = "" };
    CFTypeRef focused = app ? ax_copy(app, kAXFocusedUIElementAttribute, &err) : NULL;

    if (focused && CFGetTypeID(focused) == AXUIElementGetTypeID()) {
        witness->length = ax_copy(focused, kAXNumberOfCharactersAttribute, &err);
        witness->selection = ax_copy(focused, kAXSelectedTextRangeAttribute, NULL);
    }
    witness->silent = strcmp(err.code, "app_hung") == 0;
    cf_release(focused);
    cf_release(app);
}

static void forget_witness(struct witness *witness)
{
    cf_release(witness->length);
    cf_release(witness->selection);
    *witness = (struct witness){ NULL, NULL, false };
}

static bool same_value(CFTypeRef one, CFTypeRef two)
{
    return one && two ? CFEqual(one, two) : one == two;
}

/* True if the text has changed. An application that does not respond shows no change. */
static bool look_for_change(const struct witness *before, bool *silent)
{
    struct witness now = { NULL, NULL, false };
    bool changed;

    ax_do(see_field, &now);
    *silent = now.silent;
    changed = !now.silent && (!same_value(before->length, now.length) ||
                              !same_value(before->selection, now.selection));
    forget_witness(&now);
    return changed;
}

/* Waits until the text is seen to arrive, or the time is over. */
static bool await_paste(struct pasting *pasting, const struct witness *before, struct error *err)
{
    bool shown = before->length != NULL, changed = false, silent = false;
    uint64_t until = deadline_now() + (shown ? SEEN_MS : PASTE_BLIND_MS);

    while (!changed && deadline_now() < until) {
        if (!deadline_wait(pasting->deadline, -1, deadline_now() + PASTE_LOOK_MS, err))
            return false;
        changed = shown && look_for_change(before, &silent);
    }
    if (!shown)
        look_for_change(before, &silent);
    if (silent)
        return error_set(
            err, "paste_unknown",
            "the frontmost application has not responded since it was told to paste, so whether it "
            "will is unknown. Take a screenshot before you try again");
    if (shown && !changed)
        return error_set(
            err, "paste_not_taken",
            "the frontmost application did not accept the text to paste. Click into a text field "
            "first");
    pasting->blind = pasting->blind || !shown;
    return true;
}

/* --- one piece ------------------------------------------------------------------------------ */

static bool press_paste_chord(void *arg, struct chord chord, struct error *err)
{
    struct pasting *pasting = arg;
    struct input keys = { .kind = INPUT_KEYS, .chord = chord };

    return macos_chord(pasting->desktop, pasting->deadline, &keys, err);
}

static bool offer_piece(PasteboardRef board, struct str piece, struct error *err)
{
    OSStatus status = PasteboardClear(board);

    if (status == noErr)
        status = pasteboard_put(board, 1, "public.utf8-plain-text", piece.ptr, piece.len);
    if (status == noErr)
        status = pasteboard_mark(board);
    return status == noErr || pasteboard_fail(status, "written", err);
}

static bool paste_piece(void *arg, struct str piece, struct error *err)
{
    struct pasting *pasting = arg;
    struct witness before = { NULL, NULL, false };
    bool ok = offer_piece(pasting->board, piece, err);

    if (!ok)
        return false;
    ax_do(see_field, &before);
    pasting->told = true;
    ok = press_paste_chord(pasting, pasting->chord, err) && await_paste(pasting, &before, err);
    forget_witness(&before);
    return ok;
}

/* --- all of it ------------------------------------------------------------------------------- */

/* Puts the earlier content back, unless another application copied meanwhile. */
static enum clip_fate give_board_back(PasteboardRef board, const struct pasteboard_copy *before)
{
    if (!(PasteboardSynchronize(board) & kPasteboardClientIsOwner) ||
        pasteboard_restore(board, before) != noErr)
        return CLIP_LOST;
    if (!before->count)
        return before->whole ? CLIP_WAS_EMPTY : CLIP_LOST;
    return before->whole ? CLIP_RESTORED : CLIP_PARTLY_RESTORED;
}

static bool paste_whole_text(struct pasting *pasting, struct str text, size_t *characters,
                             struct error *err)
{
    if (!paste_piece(pasting, text, err))
        return false;
    *characters = utf8_length(text.ptr, text.len);
    return true;
}

static bool paste_between(struct pasting *pasting, const struct input *what,
                          struct input_outcome *out, struct error *err)
{
    static const struct paste_steps steps = { paste_piece, press_paste_chord };
    struct pasteboard_copy before;
    bool ok;

    pasteboard_save(pasting->board, &before);
    ok = deadline_ok(pasting->deadline, err) &&
         (what->typed ? paste_text(&steps, pasting, what->text, &out->characters, err)
                      : paste_whole_text(pasting, what->text, &out->characters, err));
    out->settled = ok && !pasting->blind;
    out->clipboard = give_board_back(pasting->board, &before);
    pasteboard_copy_free(&before);
    return ok;
}

bool macos_paste(struct macos_desktop *desktop, struct deadline *deadline, const struct input *what,
                 struct input_outcome *out, struct error *err)
{
    struct pasting pasting = { .desktop = desktop, .deadline = deadline, .chord = what->chord };
    char chord[32];
    bool ok;

    if (what->chord.key == KEY_CHARACTER && !what->chord.point)
        pasting.chord = (struct chord){ .modifiers = MOD_META, .point = 'v' };
    chord_print(&pasting.chord, chord, sizeof chord);
    snprintf(out->route, sizeof out->route, "paste %s", chord);
    if (!pasteboard_enter(deadline, err))
        return false;
    pasting.board = pasteboard_open(err);
    ok = pasting.board && paste_between(&pasting, what, out, err);
    if (!ok && (pasting.told || out->characters))
        paste_timed_out(err);
    cf_release(pasting.board);
    pasteboard_leave();
    return ok;
}
