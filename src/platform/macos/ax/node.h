/* One element, read by one question (and by a second one for its actions, or for a field). */
#ifndef PERIGEE_PLATFORM_MACOS_AX_NODE_H
#define PERIGEE_PLATFORM_MACOS_AX_NODE_H

#include "platform/element.h"
#include "platform/macos/ax/ask.h"

struct node_wish {
    bool bounds, values, actions;
    enum element_role inside; /* the role of its parent */
};

struct node {
    struct element_info info; /* all but id, parent, window, depth, children, listed. ELEMENT_SHOWN:
                                 as far as the element reports it itself */
    char role[40];            /* native, without the subrole */
    CGRect frame;             /* set even if bounds are not wished for */
    bool framed;
    bool selected;            /* for an item that opens a menu: the menu is open */
    bool is_main;             /* the main window of its application */
    CFTypeRef default_button; /* that of a window; or NULL. Owned */
};

/* ANSWER_GIVEN: out is to be freed by node_free(), unless info is taken out of it. */
enum answer node_read(const struct ask *ask, AXUIElementRef element, const struct node_wish *wish,
                      struct node *out, struct error *err);
void node_free(struct node *node);

/* The names of actions with \n between: "AXShowMenu" is "showMenu". */
char *node_action_names(CFArrayRef names);

/* The system's name of one of these names, "press" or "AXPress"; NULL: there is none. Borrowed. */
CFStringRef node_action_of(CFArrayRef names, const char *name);

/* The application's text without control characters, at most `max` bytes; never NULL. */
char *node_clean(CFTypeRef text, size_t max, bool *cut);

/* The number of a CFNumber or CFBoolean; false: it is neither. */
bool node_number(CFTypeRef value, double *number);

#endif
