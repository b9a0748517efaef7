/* Accessibility elements: the parts of an application's interface.
 *
 * AT-SPI and AX have vocabularies of their own; the roles and states here stand for both, and
 * element_words.c has their names. The word of an application is not always true: actions (see
 * act) report what was sent and what the application answered, and callers look for the effect.
 *
 * Ids.       A number that the backend gives an element when it is first seen. It is never given to
 *            another one while the process lives. An application may throw away the element at any
 *            moment, and show the same thing again as a new one: callers find it again by its role,
 *            name and place among others.
 * Budgets.   Applications claim 2^31 children, and walks end: elements that were left out are
 *            marked. */
#ifndef PERIGEE_PLATFORM_ELEMENT_H
#define PERIGEE_PLATFORM_ELEMENT_H

#include "base/error.h"
#include "base/util.h"
#include "platform/deadline.h"
#include "platform/geometry.h"

struct desktop;

enum element_role {
    ELEMENT_OTHER, /* a role without a place here: see element_info.native */
    ELEMENT_APPLICATION,
    ELEMENT_WINDOW,
    ELEMENT_DIALOG,
    ELEMENT_ALERT, /* a message box, or an element that asks for attention */
    ELEMENT_BUTTON,
    ELEMENT_TOGGLE, /* a button that stays down */
    ELEMENT_CHECK,  /* a check box */
    ELEMENT_RADIO,
    ELEMENT_SWITCH,
    ELEMENT_ENTRY,    /* text of one line that can be edited */
    ELEMENT_TEXT,     /* text of several lines, or text that can only be read */
    ELEMENT_PASSWORD, /* never read */
    ELEMENT_LABEL,
    ELEMENT_HEADING,
    ELEMENT_PARAGRAPH,
    ELEMENT_LINK,
    ELEMENT_IMAGE,
    ELEMENT_COMBO,
    ELEMENT_SPIN,
    ELEMENT_SLIDER,
    ELEMENT_PROGRESS,
    ELEMENT_SCROLL_BAR,
    ELEMENT_MENU_BAR,
    ELEMENT_MENU,
    ELEMENT_MENU_ITEM,
    ELEMENT_CHECK_ITEM, /* an item of a menu */
    ELEMENT_RADIO_ITEM,
    ELEMENT_TAB,
    ELEMENT_TAB_LIST,
    ELEMENT_LIST,
    ELEMENT_LIST_ITEM,
    ELEMENT_TABLE,
    ELEMENT_ROW,
    ELEMENT_CELL,
    ELEMENT_HEADER, /* that of a column or a row */
    ELEMENT_TREE,
    ELEMENT_TREE_ITEM,
    ELEMENT_TOOL_BAR,
    ELEMENT_STATUS_BAR,
    ELEMENT_TOOLTIP,
    ELEMENT_NOTIFICATION,
    ELEMENT_GROUP, /* panels, fillers, boxes, splitters: elements that only hold others */
    ELEMENT_SCROLL_AREA,
    ELEMENT_SEPARATOR,
    ELEMENT_DOCUMENT,
    ELEMENT_FORM,
    ELEMENT_CANVAS,
    ELEMENT_TERMINAL,
    ELEMENT_ROLES /* number of roles */
};

enum element_state {
    ELEMENT_ENABLED = 1 << 0, /* it takes input */
    ELEMENT_SHOWN = 1 << 1,   /* visible, as far as the application reports it */
    ELEMENT_FOCUSABLE = 1 << 2,
    ELEMENT_FOCUSED = 1 << 3,
    ELEMENT_ACTIVE = 1 << 4, /* the window that has the keyboard; the current item of a list */
    ELEMENT_EDITABLE = 1 << 5,
    ELEMENT_MULTILINE = 1 << 6,
    ELEMENT_CHECKABLE = 1 << 7,
    ELEMENT_CHECKED = 1 << 8,
    ELEMENT_MIXED = 1 << 9, /* neither checked nor not */
    ELEMENT_PRESSED = 1 << 10,
    ELEMENT_SELECTABLE = 1 << 11,
    ELEMENT_SELECTED = 1 << 12,
    ELEMENT_EXPANDABLE = 1 << 13,
    ELEMENT_EXPANDED = 1 << 14,
    ELEMENT_MODAL = 1 << 15,
    ELEMENT_REQUIRED = 1 << 16,
    ELEMENT_INVALID = 1 << 17,
    ELEMENT_BUSY = 1 << 18,
    ELEMENT_DEFAULT = 1 << 19, /* Return presses it */
    ELEMENT_HAS_POPUP = 1 << 20,
    ELEMENT_VIRTUAL = 1 << 21, /* it makes its children as they are looked at */
};

/* The actions that the application claims for it. */
enum element_ability {
    ELEMENT_CAN_ACT = 1 << 0,    /* it has actions */
    ELEMENT_CAN_READ = 1 << 1,   /* it has text */
    ELEMENT_CAN_WRITE = 1 << 2,  /* its text can be set in one piece */
    ELEMENT_CAN_COUNT = 1 << 3,  /* it has a number as its value */
    ELEMENT_CAN_SELECT = 1 << 4, /* its children can be selected */
    ELEMENT_CAN_FOCUS = 1 << 5,
};

enum { ELEMENT_NAME_MAX = 4096, ELEMENT_VALUE_MAX = 2048 }; /* bytes kept */

struct element_info {
    uint64_t id;
    int pid;
    uint64_t parent; /* id; 0: a window has none, or it is not known */
    uint64_t window; /* the number of the window around it, as in window_ref; 0: not known */
    enum element_role role;
    unsigned states, abilities;
    int depth;    /* below the root that was asked for: 0 */
    int index;    /* among its parent's children, from 0; -1: not known */
    int children; /* as the application claims; -1: not known */
    int listed;   /* so many of them are in the tree */
    bool placed;  /* bounds are known */
    bool gone;    /* get: the application does not have it any more; nothing else is set but id */
    bool name_cut, value_cut;
    struct rect bounds;               /* points, of the desktop; not cut to the visible part */
    double number, least, most, step; /* ELEMENT_CAN_COUNT, with `values` */
    char *name;                       /* cleaned, never NULL */
    char *value;       /* its text, or its number as text; "" for passwords; never NULL */
    char *description; /* never NULL */
    char *native;      /* its role in its system's words: "push button", "AXButton"; never NULL */
    char *actions;     /* their names with \n between them; NULL: not asked for */
};

struct element_tree {
    struct element_info *items; /* parents before children, in the application's order */
    size_t count;
    bool cut;       /* a budget ended the walk: parents with listed < children show where */
    bool late;      /* ... and it was time: missing elements and values may exist */
    char route[32]; /* how it was read: "at-spi cache", "at-spi kept", ... */
    char note[240]; /* for a person: why it is empty, or what may be missing; or "" */
};

struct element_query {
    int pid; /* the application; 0: that of `root` */
    uint64_t started;
    uint64_t window;  /* only this window's; 0: all of the application's */
    uint64_t root;    /* id: only this element and those below it; 0: all */
    struct point aim; /* with root: a part of its size: only what is there, if x is above 0 */
    size_t nodes;     /* at most; 0: ELEMENT_NODES */
    int depth;        /* at most, below the root; 0: ELEMENT_DEPTH */
    int children;     /* children of one element, at most; 0: ELEMENT_CHILDREN */
    bool hidden;      /* includes elements that are not shown, as the items of closed menus */
    bool bounds;
    bool values;  /* text and numbers */
    bool actions; /* their names: costly */
};

enum { ELEMENT_NODES = 2000, ELEMENT_DEPTH = 60, ELEMENT_CHILDREN = 300 };

enum element_verb {
    ELEMENT_DO,       /* the action `name`, which is one of element_info.actions */
    ELEMENT_SET_TEXT, /* replaces all of it by `text` */
    ELEMENT_SET_NUMBER,
    ELEMENT_FOCUS,
    ELEMENT_SELECT, /* in its parent; alone */
    ELEMENT_EXPAND, /* opens it, in the application's way; an open one is left so */
    ELEMENT_COLLAPSE,
    ELEMENT_SHOW,  /* scrolls it into view */
    ELEMENT_CARET, /* the caret to `from`; or from..to selected */
};

struct element_change {
    enum element_verb verb;
    const char *name;
    struct str text;
    double number;
    int from, to; /* characters; to < 0: nothing is selected */
};

struct element_outcome {
    bool agreed;    /* the application answered that it did it, which alone proves nothing */
    char route[64]; /* "at-spi action press", "at-spi EditableText", ... */
};

struct element_text {
    char *text;                     /* valid UTF-8 */
    int length;                     /* characters of the whole text */
    int from, to;                   /* the range that `text` holds, in characters */
    int caret;                      /* -1: none, or not reported */
    int selected_from, selected_to; /* -1: no selection */
};

/* The knowledge of the text field that has the keyboard. */
enum element_field_finding {
    FIELD_UNKNOWN, /* the element that has the keyboard is not known, or is no field */
    FIELD_FOUND,
    FIELD_READ_ONLY, /* a field that takes no text has it */
    FIELD_NOWHERE,   /* no element that takes keys has it */
    FIELD_ABSENT,    /* the application, or the system, tells nothing of elements */
    FIELD_FINDINGS
};

/* Lengths and places are in characters. */
struct element_field_query {
    uint64_t id; /* a field that was found before, which alone is asked; 0: it is looked for */
    bool again;  /* with id: it is read even if it has lost the keyboard, and the range is that
                    between its first `from` characters and its last `rest` ones; otherwise the
                    range is the selection, or where the caret is */
    /* With id: the expected beginning of the range and length of the text, in one round of
     * questions. Another length or selection costs a second one. */
    int from, rest, length;
    int before, behind; /* characters on both sides of the range that are read */
    int above;          /* without id: this many paragraphs above a paragraph belong to `before` */
    bool present; /* without id: nothing is looked for but whether the application has elements */
};

/* A text field. Its texts are as the application has them, control characters included. */
struct element_field {
    enum element_field_finding finding;
    uint64_t window; /* the number of the window that has the keyboard; 0: not known, or not asked
                        for to read a field again */
    int pid;         /* its application; with query.id the field's; 0: not known */

    /* The rest is set with FIELD_FOUND alone. */
    uint64_t id;
    bool focused; /* it has the keyboard; always, unless it was read again */
    bool multiline;
    bool paragraph;        /* one of several, each with an element of its own */
    bool readable;         /* no password and no terminal, and it reports its text. Only then: */
    int length, caret;     /* caret -1: not reported */
    int from, to;          /* the range, cut to the text */
    char *before, *behind; /* on both sides of it; NULL: not reported */
    char *text;            /* within it, if it was read again; otherwise NULL */
};

enum element_event_kind {
    ELEMENT_EVENT_WINDOW,   /* a window came, went, or became the active one */
    ELEMENT_EVENT_CHILDREN, /* children came or went */
    ELEMENT_EVENT_NAME,
    ELEMENT_EVENT_VALUE, /* text, a number, a selection */
    ELEMENT_EVENT_STATE,
    ELEMENT_EVENT_FOCUS,
    ELEMENT_EVENT_GONE, /* the application is gone */
    ELEMENT_EVENT_KINDS
};

struct element_event {
    uint64_t number; /* counts up by one */
    uint64_t id;     /* the changed element; 0: one that was never listed */
    uint64_t at;     /* deadline_now() */
    int pid;
    enum element_event_kind kind;
    char detail[48]; /* "focused on", "add", "insert", ... */
};

struct element_events {
    struct element_event *items;
    size_t count;
    uint64_t next;   /* the `since` for the next call */
    uint64_t missed; /* number of events that were dropped between `since` and the first item */
};

/* Permission: accessibility. Codes: "no_accessibility" (the system has none, or the bus does not
 * run; the message says what to do), "no_tree" (the application reports no elements; the message
 * says how to get them), "element_gone", "element_refused" (the application refused),
 * "not_supported" (this element has no such attribute or action), "app_hung". All may be given up
 * by their deadline at any point; an action may then have been done. */
struct element_ops {
    /* Called on the main thread, before the first operation. NULL: nothing is needed. */
    bool (*ready)(struct error *err);
    bool (*tree)(struct desktop *desktop, struct deadline *deadline,
                 const struct element_query *query, struct element_tree *out, struct error *err);
    /* Reads these elements as they are now, in the same order, with bounds and values; those that
     * are gone are marked. Depth and listed are not set. */
    bool (*get)(struct desktop *desktop, struct deadline *deadline, const uint64_t *ids,
                size_t count, struct element_tree *out, struct error *err);
    bool (*act)(struct desktop *desktop, struct deadline *deadline, uint64_t id,
                const struct element_change *change, struct element_outcome *out,
                struct error *err);
    /* Reads the characters from..to; to < 0: up to the end, at most ELEMENT_TEXT_MAX bytes. */
    bool (*text)(struct desktop *desktop, struct deadline *deadline, uint64_t id, int from, int to,
                 struct element_text *out, struct error *err);
    /* Finds the text field that has the keyboard, or reads one again. Never switches accessibility
     * on, and starts no service for it. */
    bool (*field)(struct desktop *desktop, struct deadline *deadline,
                  const struct element_field_query *query, struct element_field *out,
                  struct error *err);
    /* Finds the deepest element at this point of the application's window. */
    bool (*at)(struct desktop *desktop, struct deadline *deadline, int pid, struct point point,
               uint64_t *id, struct error *err);
    /* Reports events from number `since` on, of one application or (0) of all; waits for the first
     * until `until` of deadline_now(). The first call begins to listen: since 0 means from now. */
    bool (*events)(struct desktop *desktop, struct deadline *deadline, int pid, uint64_t since,
                   uint64_t until, struct element_events *out, struct error *err);
    /* Until this connection is closed, events also have the ids of elements that were never listed.
     * When it returns, the applications know that there is a listener. NULL: both is always
     * true. */
    bool (*hear)(struct desktop *desktop, struct deadline *deadline, struct error *err);
};

enum { ELEMENT_TEXT_MAX = 1 << 20 };

/* "button", "menu item", ... */
const char *element_role_name(enum element_role role);

/* "enabled", "checked", ...; NULL behind the last bit. */
const char *element_state_name(unsigned bit_number);

/* Rates how well the action of this name opens (else closes) an element: 1 is the best, 0 does not.
 * Some names are for nothing else; "press" opens an element whose role or states say that it opens,
 * and is the usual action of a button. Case does not matter. */
int element_opener(const char *action, bool open, enum element_role role, unsigned states);

/* The best of these actions, which have \n between; NULL: none does. The caller frees. */
char *element_best_opener(const char *actions, bool open, enum element_role role, unsigned states);

/* Text of an application, cut to `most` bytes and valid; without control characters but \n and \t.
 * *cut says whether there was more; it may be NULL. The caller frees. */
char *element_clean(const char *text, size_t most, bool *cut);

/* Returns a name or a description: the same on one line, without invisible characters
 * (line_clean()). */
char *element_label(const char *text, size_t most, bool *cut);

void element_info_free(struct element_info *info);
void element_tree_free(struct element_tree *tree);
void element_text_free(struct element_text *text);
void element_field_free(struct element_field *field);
void element_events_free(struct element_events *events);

#endif
