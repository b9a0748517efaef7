/* The barrier after input: until the application has taken what was sent.
 *
 * While anybody listens to events of accessibility, Qt hands each key to the registry, and takes it
 * when that has answered. Shortcuts are not handed over: one overtakes the keys before it, and an
 * answer to a ping proves nothing of them. */
#include "platform/freedesktop/proc.h"
#include "platform/x11/input/input.h"
#include "platform/x11/windows/focus.h"
#include "platform/x11/wire/accessibility.h"
#include "platform/x11/wire/client.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/owner.h"
#include "platform/x11/wire/property.h"

/* --- pings --------------------------------------------------------------------------------- */

/* Finds the receiver, and whether it answers pings. Mostly it is the same as last time, so the
 * protocols of that one are asked for ahead: one wait for both. */
static Window find_receiver(struct x11_desktop *desktop, bool *answers)
{
    Window guess = desktop->input->pinged ? desktop->input->pinged : desktop->root;
    xcb_get_property_cookie_t asked = x11_ask_list(desktop, guess, A(WM_PROTOCOLS));
    Window window = x11_receiver(desktop);
    bool guess_answers = x11_answer_has_atom(desktop, asked, A(_NET_WM_PING));

    desktop->input->pinged = window;
    *answers = window == guess ? guess_answers : x11_answers(desktop, window);
    return window;
}

/* *answered: the window has answered. It stays false if the keys closed the window, or gave the
 * focus to another. */
static bool await_answer(struct x11_desktop *desktop, struct deadline *deadline, Window window,
                         uint64_t until, bool *answered, struct error *err)
{
    *answered = false;
    x11_ping(desktop, window);
    while (!x11_ponged(desktop)) {
        if (!x11_wait(desktop, deadline, until, err))
            return false;
        if ((until && deadline_now() >= until) || x11_receiver(desktop) != window)
            return true;
    }
    *answered = true;
    return true;
}

/* --- keys that Qt hands on ------------------------------------------------------------------ */

enum { TAKEN_MS = 2000, FIRST_MS = 4 };

/* Remembers the last process. A window's number may be another one's by now. */
static bool is_qt(struct x11_desktop *desktop, int pid)
{
    static const char *const libraries[] = { "/libQt5Gui.so", "/libQt6Gui.so" };
    struct x11_input *input = desktop->input;
    bool loaded[countof(libraries)] = { false };

    if (input->known_pid != pid) {
        input->known_pid = pid;
        proc_has_loaded(pid, libraries, countof(libraries), loaded);
        input->known_qt = loaded[0] || loaded[1];
    }
    return input->known_qt;
}

/* The process of the window, if it may have keys of ours that it has not taken; otherwise 0. */
static int deferring_process(struct x11_desktop *desktop, Window window)
{
    bool sent = desktop->input->keys_sent;
    int pid = sent && window && accessibility_ops() ? x11_owner(desktop, window) : 0;

    desktop->input->keys_sent = false;
    return pid && is_qt(desktop, pid) ? pid : 0;
}

/* Questions get longer, and the display is served between them: the application may be waiting for
 * us, for what it pastes. */
static bool await_taken(struct x11_desktop *desktop, struct deadline *deadline, int pid,
                        bool *taken, struct error *err)
{
    struct atspi_keys keys = { .pid = pid };
    uint64_t until = deadline_now() + TAKEN_MS;

    for (uint64_t ms = FIRST_MS; !keys.taken && deadline_now() < until; ms *= 2) {
        keys.taken = !accessibility_begin(desktop, err);
        if (!keys.taken)
            accessibility_ops()->keys(desktop->atspi, &keys, ms);
        if (!x11_step(desktop, deadline, err))
            return false;
    }
    *taken = keys.taken;
    return true;
}

/* A ping comes after the events before it in the application's queue; so does its answer. */
bool x11_settle(struct x11_desktop *desktop, struct deadline *deadline, uint64_t ms, bool *settled,
                struct error *err)
{
    uint64_t asked = deadline_now(), until = ms ? asked + ms : 0;
    bool answers;
    int pid;
    Window window = find_receiver(desktop, &answers); /* keys sent before have arrived now */

    *settled = false;
    if (desktop->input->diverted &&
        desktop->input->holder.client != x11_client_of(desktop, window)) /* it proves nothing */
        return x11_step(desktop, deadline, err);
    if (!answers)
        return x11_step(desktop, deadline, err);
    if (!await_answer(desktop, deadline, window, until, settled, err))
        return false;
    if (*settled)
        desktop->input->answer_ms = deadline_now() - asked;
    pid = *settled ? deferring_process(desktop, window) : 0;
    if (!pid)
        return true;
    if (!await_taken(desktop, deadline, pid, settled, err))
        return false;
    return !*settled || await_answer(desktop, deadline, window, until, settled, err);
}
