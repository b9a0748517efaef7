/* The interfaces of the fake's windows: a tree of elements in each.
 *
 * A window's elements are made when they are first asked for, or clicked on. They do what those of
 * real toolkits do, faults included: an element that is off agrees to a press and does nothing, a
 * long list has elements only for the rows that it shows, and new ones after it was scrolled. All
 * functions here are called with the lock held. */
#ifndef PERIGEE_PLATFORM_FAKE_ELEMENTS_H
#define PERIGEE_PLATFORM_FAKE_ELEMENTS_H

#include "platform/fake/world.h"

/* The reactions to a press. */
enum fake_reaction {
    REACT_NOTHING,
    REACT_TOGGLE,       /* for check boxes */
    REACT_CHOOSE_RADIO, /* turns it on, and its siblings off */
    REACT_POP_UP, /* shows the elements in it, or hides them: menus, combo boxes, tree items */
    REACT_CHOOSE_OPTION, /* becomes the value of its combo box */
    REACT_SELECT,        /* selects it in its parent, alone */
    REACT_CLEAR,         /* clears the text of the window */
    REACT_SELECT_ALL,
    REACT_SAVE,    /* reports it in the status bar */
    REACT_RENAME,  /* gives the window of this dialog the title in the dialog's entry, after a
                      question if another window has it */
    REACT_REPLACE, /* does the same for the dialog whose question this dialog is */
    REACT_DIALOG,  /* opens a dialog with the argument as its title */
    REACT_CLOSE,
    REACT_CLOSE_BOTH, /* closes the dialog, and the window that it belongs to */
    REACT_SAY,        /* shows the argument in the status bar */
    REACT_SWALLOW,    /* agrees, and does nothing */
    REACT_POINTER,    /* the same, unless the pointer presses it: then it reports that */
};

struct fake_element {
    struct link link, children; /* link: in its parent's children */
    struct fake_element *parent;
    struct fake_window *window;
    uint64_t id;
    enum element_role role;
    char *name;
    struct buf text;    /* its value, unless `shared` */
    bool shared;        /* its text is the window's, which gets typed text */
    unsigned states;    /* those that do not depend on the window */
    unsigned abilities; /* enum element_ability */
    double number, least, most, step;
    struct rect place; /* below the title bar of its window */
    int rows, first; /* all rows of a list that makes elements only for those that it shows, and the
                        first shown */
    int caret, selected_from, selected_to; /* selected_from -1: nothing is selected */
    enum fake_reaction reaction;
    const char *argument;
    /* The values of an element of a copy; NULL otherwise: those of the role. */
    char *native, *description, *actions;
    bool unplaced; /* it has no place in the window */
};

/* --- trees ---------------------------------------------------------------------------- */

/* The window's own element; NULL: its application reports no elements. */
struct fake_element *fake_top(struct fake *fake, struct fake_window *window);

/* Inserts text as if typed: in place of the selection, else at the caret. */
void fake_insert_text(struct fake_element *element, struct str text);

/* Builds the window's elements from a table, if the fake has one for it. element_scenes.c */
struct fake_element *fake_build_scene(struct fake *fake, struct fake_window *window);

struct fake_element *fake_new_element(struct fake *fake, struct fake_window *window,
                                      struct fake_element *parent, enum element_role role,
                                      const char *name);
void fake_drop_element(struct fake_element *element);

/* The element after `at` below `top`, parents first; NULL behind the last. */
struct fake_element *fake_next_element(struct fake_element *top, struct fake_element *at);

struct fake_element *fake_find_element(struct fake *fake, uint64_t id);

/* The element's text; for a number that number. An earlier result becomes invalid with the next
 * change. */
struct str fake_element_text(struct fake_element *element);
void fake_set_element_text(struct fake_element *element, struct str text);

/* The present states and bounds, which depend on the window. */
unsigned fake_element_states(struct fake *fake, const struct fake_element *element);
struct rect fake_element_bounds(const struct fake_element *element);
bool fake_element_shown(struct fake *fake, const struct fake_element *element);

/* The deepest element that is shown at this point of the desktop; or NULL. */
struct fake_element *fake_element_at(struct fake *fake, struct fake_window *window,
                                     struct point at);

/* The role's name in the toolkit that the fake plays, and the element's actions with \n between. */
const char *fake_native_role(enum element_role role);
const char *fake_actions(const struct fake_element *element);

/* --- their reactions ------------------------------------------------------------------ */

/* Presses the element, with the pointer or by an action. The element and its window may be gone
 * afterwards. */
void fake_press_element(struct fake *fake, struct fake_element *element, bool pointer);

/* Presses Escape. Open menus and lists get all keys, whatever has the focus: the innermost closes.
 * Without one, the focused window (NULL: none) closes if it is a dialog. */
void fake_escape(struct fake *fake, struct fake_window *focused);

/* Makes the element the one that gets the keys of its window. */
void fake_focus_element(struct fake *fake, struct fake_element *element);

/* Selects the element in its parent, alone. */
void fake_select_element(struct fake *fake, struct fake_element *element);

/* Brings a row of a long list to its top; the rows that it shows then are new elements. */
void fake_scroll_list(struct fake *fake, struct fake_element *list, int first);

/* The actions of the pointer. */
void fake_click_at(struct fake *fake, struct fake_window *window, struct point at);
void fake_scroll_at(struct fake *fake, struct fake_window *window, struct point at, double lines);

/* The text that keys go to in this window. */
struct buf *fake_typed_text(struct fake *fake, struct fake_window *window);

/* Reports a change of the element to listeners. */
void fake_tell(struct fake *fake, enum element_event_kind kind, const struct fake_element *element,
               const char *detail);

#endif
