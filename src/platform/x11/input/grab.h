/* The client that holds the keyboard or the pointer, as an open menu does: input goes there,
 * whichever window has the focus. */
#ifndef PERIGEE_PLATFORM_X11_INPUT_GRAB_H
#define PERIGEE_PLATFORM_X11_INPUT_GRAB_H

#include "platform/x11/windows/popup.h"

struct grabs {
    bool keyboard, pointer; /* held by another client */
};

/* A question on its way; each is answered or dropped once. */
struct grab_question {
    xcb_grab_keyboard_cookie_t keyboard;
    xcb_grab_pointer_cookie_t pointer;
};

struct grab_question grab_ask(struct x11_desktop *desktop);
struct grabs grab_answer(struct x11_desktop *desktop, struct grab_question question);
void grab_drop(struct x11_desktop *desktop, struct grab_question question);

/* The holder, which the server does not name: an open menu or popup is taken to be the one. */
struct grab_holder {
    uint32_t client;           /* the base of its ids; 0: not known */
    char name[POPUP_NAME_MAX]; /* "a menu of Mousepad", "another application" */
};

void grab_find_holder(struct x11_desktop *desktop, struct grab_holder *out);

/* Waits until no device is held, at most `ms`; *left says which still are. */
bool grab_await_end(struct x11_desktop *desktop, struct deadline *deadline, uint64_t ms,
                    struct grabs *left, struct error *err);

#endif
