/* The interfaces of the fake's windows: a tree of elements in each.
 *
 * A window's elements are made when they are first asked for, or clicked on. They keep to what real
 * toolkits do, faults included: what is off agrees to a press and does nothing, a long list has
 * elements only for the rows that it shows, and new ones after it was scrolled. Everything here
 * with the lock held. */
#ifndef PERIGEE_PLATFORM_FAKE_ELEMENTS_H
#define PERIGEE_PLATFORM_FAKE_ELEMENTS_H

#include "platform/fake/world.h"

/* What a press does. */
enum fake_reaction {
    REACT_NOTHING,
    REACT_TOGGLE,        /* check box */
    REACT_CHOOSE_RADIO,  /* on, and its siblings off */
    REACT_POP_UP,        /* shows what is in it, or hides it: menus, combo boxes, tree items */
    REACT_CHOOSE_OPTION, /* of a combo box: its value */
    REACT_SELECT,        /* in its parent, alone */
    REACT_CLEAR,         /* the text of the window */
    REACT_SELECT_ALL,
    REACT_SAVE,   /* says so in the status bar */
    REACT_RENAME, /* the window that this dialog is of gets what its entry holds as its title, after
                   * a question if another one has it */
    REACT_REPLACE, /* the same for the dialog that this one is of, whose question it answers */
    REACT_DIALOG,  /* opens one with the argument as its title */
    REACT_CLOSE,
    REACT_CLOSE_BOTH, /* the dialog, and the window that it is of */
    REACT_SAY,        /* the argument, in the status bar */
    REACT_SWALLOW,    /* agrees, and does nothing */
    REACT_POINTER,    /* the same, unless the pointer presses it: then it says so */
};

struct fake_element {
    struct link link, children; /* link: in its parent's children */
    struct fake_element *parent;
    struct fake_window *window;
    uint64_t id;
    enum element_role role;
    char *name;
    struct buf text;    /* its value, unless `shared` */
    bool shared;        /* its text is the window's, which gets what is typed */
    unsigned states;    /* those that do not depend on the window */
    unsigned abilities; /* enum element_ability */
    double number, least, most, step;
    struct rect place; /* below the title bar of its window */
    int rows, first; /* of a list that makes elements for what it shows: all, and the first shown */
    int caret, selected_from, selected_to; /* selected_from -1: nothing is */
    enum fake_reaction reaction;
    const char *argument;
    /* Of a copy; else NULL: as the role has them. */
    char *native, *description, *actions;
    bool unplaced; /* it has no place in the window */
};

/* --- trees ---------------------------------------------------------------------------- */

/* The window's own element; NULL: its application tells nothing of itself. */
struct fake_element *fake_top(struct fake *fake, struct fake_window *window);

/* Text that is typed into it: for what is selected, else where the caret is. */
void fake_insert_text(struct fake_element *element, struct str text);

/* Builds it from a table, if the fake has one for this window. element_scenes.c */
struct fake_element *fake_build_scene(struct fake *fake, struct fake_window *window);

struct fake_element *fake_new_element(struct fake *fake, struct fake_window *window,
                                      struct fake_element *parent, enum element_role role,
                                      const char *name);
void fake_drop_element(struct fake_element *element);

/* The one after `at` below `top`, parents first; NULL behind the last. */
struct fake_element *fake_next_element(struct fake_element *top, struct fake_element *at);

struct fake_element *fake_find_element(struct fake *fake, uint64_t id);

/* The text it holds; for a number that number. The first becomes invalid with the next change. */
struct str fake_element_text(struct fake_element *element);
void fake_set_element_text(struct fake_element *element, struct str text);

/* As states and bounds are now: they depend on the window. */
unsigned fake_element_states(struct fake *fake, const struct fake_element *element);
struct rect fake_element_bounds(const struct fake_element *element);
bool fake_element_shown(struct fake *fake, const struct fake_element *element);

/* The deepest one that is shown at this point of the desktop; or NULL. */
struct fake_element *fake_element_at(struct fake *fake, struct fake_window *window,
                                     struct point at);

/* What is called so in the system whose toolkit this plays, and its actions with \n between. */
const char *fake_native_role(enum element_role role);
const char *fake_actions(const struct fake_element *element);

/* --- what they do --------------------------------------------------------------------- */

/* A press, by the pointer or as an action. The element and its window may be gone afterwards. */
void fake_press_element(struct fake *fake, struct fake_element *element, bool pointer);

/* The key. Open menus and lists get all keys, whatever has the focus: the innermost closes. Without
 * one, the focused window (NULL: none) closes if it is a dialog. */
void fake_escape(struct fake *fake, struct fake_window *focused);

/* The element that gets keys of its window; also makes it so. */
void fake_focus_element(struct fake *fake, struct fake_element *element);

/* Selects in its parent, alone. */
void fake_select_element(struct fake *fake, struct fake_element *element);

/* Brings a row of a long list to its top; those that it shows then are new elements. */
void fake_scroll_list(struct fake *fake, struct fake_element *list, int first);

/* Of the pointer. */
void fake_click_at(struct fake *fake, struct fake_window *window, struct point at);
void fake_scroll_at(struct fake *fake, struct fake_window *window, struct point at, double lines);

/* Where keys go in this window. */
struct buf *fake_typed_text(struct fake *fake, struct fake_window *window);

/* Tells that it changed, to those who listen. */
void fake_tell(struct fake *fake, enum element_event_kind kind, const struct fake_element *element,
               const char *detail);

#endif
