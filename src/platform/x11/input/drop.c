/* Files dropped into a window, as a file manager does: XDND, version 5.
 *
 * The pointer is moved to the place and no button is pressed: the target takes the place from our
 * messages, and the files from the selection that we own. A target that asks others first (a
 * browser asks the page) refuses until it knows better, so it is asked again for a while. */
#include <X11/Xatom.h>
#include <stdio.h>

#include "platform/x11/clipboard/clipboard.h"
#include "platform/x11/input/input.h"
#include "platform/x11/input/judged.h"
#include "platform/x11/windows/focus.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/displays.h"
#include "platform/x11/wire/property.h"

enum {
    VERSION = 5,
    OLDEST = 3,
    TOLD = 5,         /* from this version on, the end says whether the drop was taken */
    ACCEPTS = 2,      /* answers in a row that accept: the first may be about an earlier place */
    AGAIN_MS = 40,    /* between two positions while the target refuses */
    ACCEPT_MS = 2500, /* for the target to accept */
    SILENT_MS = 3000, /* for one answer */
    FINISH_MS = 4000, /* for the end of the drop */
    MENU_MS = 1000    /* for that, if a menu opened, which may have to be answered first */
};

struct x11_drop {
    Window window, to; /* the target; the receiver of its messages: itself or its proxy */
    uint32_t version;
    bool answered, accepts, finished, taken;
    Atom done;    /* the action that the target did */
    Window popup; /* the last one before the drop */
};

void x11_drop_event(struct x11_desktop *desktop, const XClientMessageEvent *event)
{
    struct x11_drop *drop = desktop->input->drop;

    if (!drop || event->window != desktop->probe || (Window)event->data.l[0] != drop->window)
        return;
    if (event->message_type == A(XdndStatus)) {
        drop->answered = true;
        drop->accepts = event->data.l[1] & 1;
    } else if (event->message_type == A(XdndFinished)) {
        drop->finished = true;
        drop->taken = event->data.l[1] & 1;
        drop->done = (Atom)event->data.l[2];
    }
}

static void send_message(struct x11_desktop *desktop, const struct x11_drop *drop, Atom type,
                         const long data[4])
{
    XEvent event = { .xclient = { .type = ClientMessage, .format = 32 } };

    event.xclient.window = drop->window;
    event.xclient.message_type = type;
    event.xclient.data.l[0] = (long)desktop->probe;
    for (int i = 0; i < 4; i++)
        event.xclient.data.l[i + 1] = data[i];
    XSendEvent(desktop->display, drop->to, False, NoEventMask, &event);
}

/* --- the target ----------------------------------------------------------------------- */

static bool takes_drops(struct x11_desktop *desktop, Window window, struct x11_drop *drop)
{
    Window proxy = x11_read_long(desktop, window, A(XdndProxy));

    if (proxy && x11_read_long(desktop, proxy, A(XdndProxy)) != proxy)
        proxy = None; /* left over from a program that ended */
    drop->window = window;
    drop->to = proxy ? proxy : window;
    drop->version = x11_read_long(desktop, drop->to, A(XdndAware));
    return drop->version >= OLDEST;
}

/* Finds the outermost window under the place that takes drops. The root window counts only where no
 * other window is. */
static bool find_target(struct x11_desktop *desktop, struct point root, struct x11_drop *drop)
{
    Window in = desktop->root, child;
    int x, y;

    while (XTranslateCoordinates(desktop->display, desktop->root, in, (int)root.x, (int)root.y, &x,
                                 &y, &child) &&
           child) {
        if (takes_drops(desktop, child, drop))
            return true;
        in = child;
    }
    return in == desktop->root && takes_drops(desktop, in, drop);
}

/* --- the drop ------------------------------------------------------------------------- */

/* The types are named in the message, the possible actions on our window. Moving is none of them:
 * some targets would do that unasked. */
static void enter(struct x11_desktop *desktop, const struct x11_drop *drop, enum drop_action action)
{
    Atom actions[] = { action == DROP_LINK ? A(XdndActionLink) : A(XdndActionCopy),
                       A(XdndActionLink), A(XdndActionAsk) };
    uint32_t version = drop->version < VERSION ? drop->version : VERSION;
    Atom list = XInternAtom(desktop->display, "text/uri-list", False);

    XChangeProperty(desktop->display, desktop->probe, A(XdndActionList), XA_ATOM, 32,
                    PropModeReplace, (const unsigned char *)actions, action == DROP_ASK ? 3 : 1);
    send_message(desktop, drop, A(XdndEnter), (long[4]){ (long)version << 24, (long)list });
}

static bool refuse(const struct point *at, const char *when, struct error *err)
{
    return error_set(err, "drop_refused",
                     "the window at %.0f, %.0f %s. Drop them on an element that takes files, or "
                     "choose them in the application's dialog to open files",
                     at->x, at->y, when);
}

/* Sends positions until the target accepts. */
static bool await_accept(struct x11_desktop *desktop, struct deadline *deadline,
                         struct x11_drop *drop, struct point at, Atom action, struct error *err)
{
    struct point root = x11_to_root(desktop, at);
    long position[4] = { 0, (long)root.x << 16 | (long)root.y, (long)desktop->time, (long)action };
    uint64_t until = deadline_now() + ACCEPT_MS, silent;

    for (int accepts = 0; accepts < ACCEPTS;) {
        silent = deadline_now() + SILENT_MS;
        drop->answered = false;
        send_message(desktop, drop, A(XdndPosition), position);
        while (!drop->answered) {
            if (deadline_now() >= silent)
                return error_set(err, "app_hung",
                                 "the window at %.0f, %.0f takes drops and has not answered for "
                                 "%d s, so nothing was dropped. Try again when it responds",
                                 at.x, at.y, SILENT_MS / 1000);
            if (!x11_wait(desktop, deadline, silent, err))
                return false;
        }
        accepts = drop->accepts ? accepts + 1 : 0;
        if (!accepts && deadline_now() >= until)
            return refuse(&at, "answered that it takes no files there", err);
        if (!accepts && !x11_pause(desktop, deadline, AGAIN_MS, err))
            return false;
    }
    return true;
}

/* Waits until the target has finished; shorter if a menu opened, because some answer only after a
 * choice in it. */
static bool await_finish(struct x11_desktop *desktop, struct deadline *deadline,
                         const struct x11_drop *drop, const struct offer *offer, struct error *err)
{
    uint64_t until = deadline_now() + FINISH_MS, menu = 0, now;
    bool open;

    while (!drop->finished) {
        now = deadline_now();
        open = desktop->input->effects.popup != drop->popup;
        if (open && !menu)
            menu = now + MENU_MS;
        if (now >= until || (menu && now >= menu))
            return error_set(err, "drop_unfinished",
                             "the target was given the drop, has %s, and has not said that it took "
                             "them%s. Look before you try again",
                             offer->given_other ? "read the list of files"
                                                : "not read the list of files yet",
                             open ? ": a menu or another popup opened, which may have to be "
                                    "answered first"
                                  : "");
        if (!x11_wait(desktop, deadline, menu && menu < until ? menu : until, err))
            return false;
    }
    return true;
}

static const char *action_name(struct x11_desktop *desktop, Atom action)
{
    if (action == A(XdndActionMove))
        return "move";
    if (action == A(XdndActionLink))
        return "link";
    return action == A(XdndActionCopy) ? "copy" : "action not named";
}

static bool drop_at(struct x11_desktop *desktop, struct deadline *deadline, struct x11_drop *drop,
                    struct point at, enum drop_action action, const struct offer *offer,
                    struct error *err)
{
    const Atom suggested[] = { A(XdndActionCopy), A(XdndActionLink), A(XdndActionAsk) };
    bool ok;

    enter(desktop, drop, action);
    if (!await_accept(desktop, deadline, drop, at, suggested[action], err)) {
        send_message(desktop, drop, A(XdndLeave), (long[4]){ 0 });
        XFlush(desktop->display);
        return false;
    }
    drop->popup = desktop->input->effects.popup;
    send_message(desktop, drop, A(XdndDrop), (long[4]){ 0, (long)desktop->time });
    ok = await_finish(desktop, deadline, drop, offer, err);
    if (ok && !(drop->version < TOLD ? offer->given_other : drop->taken))
        return refuse(&at, "took the drop and then refused the files", err);
    return ok;
}

bool x11_drop(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
              struct input_outcome *out, struct error *err)
{
    struct x11_drop drop = { 0 };
    struct clip clip = { 0 };
    struct offer *offer;
    struct point at;
    bool ok;

    if (!x11_await_pointer(desktop, deadline, &at, err))
        return false;
    if (!find_target(desktop, x11_to_root(desktop, at), &drop))
        return error_set(err, "no_drop_target",
                         "no window at %.0f, %.0f takes drops (XdndAware). Choose the files in the "
                         "application's dialog to open files instead",
                         at.x, at.y);
    if (!judged_has(desktop, input->judged, drop.window, err))
        return false;
    clip_add(&clip, "text/uri-list", input->text.ptr, input->text.len);
    offer = clipboard_own(desktop, deadline, SELECTION_XDND, &clip, err);
    clip_free(&clip);
    if (!offer)
        return false;
    offer->refs++; /* another program may take the selection meanwhile */
    desktop->input->drop = &drop;
    ok = drop_at(desktop, deadline, &drop, at, input->action, offer, err);
    desktop->input->drop = NULL;
    offer_free(offer);
    out->settled = ok;
    if (ok)
        snprintf(out->route, sizeof out->route, "xdnd %s", action_name(desktop, drop.done));
    if (ok || strcmp(err->code, "drop_unfinished") != 0) /* that one may still read them */
        clipboard_disown(desktop, SELECTION_XDND);
    return ok;
}
