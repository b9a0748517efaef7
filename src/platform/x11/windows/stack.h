/* How windows lie over each other, as the server has them. */
#ifndef PERIGEE_PLATFORM_X11_WINDOWS_STACK_H
#define PERIGEE_PLATFORM_X11_WINDOWS_STACK_H

#include "platform/x11/wire/x11.h"

/* The windows directly on the root window, bottom first. */
struct stack {
    uint32_t *ids;
    size_t count;
};

/* Asks for the windows, and takes the answer; stack_free() it. */
xcb_query_tree_cookie_t stack_ask(struct x11_desktop *desktop);
void stack_answer(struct x11_desktop *desktop, xcb_query_tree_cookie_t cookie, struct stack *out);
void stack_free(struct stack *stack);

/* The place of a window from the bottom; -1: it is not directly on the root window. */
int stack_place(const struct stack *stack, Window window);

/* The applications' windows among them, bottom first, for a server without a manager's list: each
 * is marked by WM_STATE, in a frame or not; without any manager, those that are mapped. The caller
 * frees. */
uint32_t *stack_clients(struct x11_desktop *desktop, const struct stack *stack, size_t *count);

/* The parent of a window; None: it is gone. */
Window x11_parent(struct x11_desktop *desktop, Window window);
/* The ancestor that is directly on the root window: the frame, if there is one. */
Window x11_outermost(struct x11_desktop *desktop, Window window);
/* The application's window that holds this one, by its WM_STATE: *marked; else the outermost one.
 * `managed` is the window that the manager names, and counts as marked; None: it names none. */
Window x11_client_around(struct x11_desktop *desktop, Window window, Window managed, bool *marked);

/* The first step of x11_client_around(), asked before it is known whether `window` is the right
 * one: one wait for all. It is answered, or dropped. */
struct around_question {
    Window window; /* None: nothing was asked */
    xcb_get_property_cookie_t mark;
    xcb_query_tree_cookie_t tree;
};

struct around_question x11_around_ask(struct x11_desktop *desktop, Window window);
Window x11_around_answer(struct x11_desktop *desktop, struct around_question question,
                         Window managed, bool *marked);
void x11_around_drop(struct x11_desktop *desktop, struct around_question question);

#endif
