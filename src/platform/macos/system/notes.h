/* Notifications in macOS's Notification Center, as C. notes.m has the real thing.
 *
 * For the main thread of `perigee --notify` (notify/serve.c), whose run loop is appkit_news_run().
 * The work that a function begins is over when notes_told.done() is called, on the same thread and
 * never before the function has returned. Strings are borrowed, and only during a call. */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_NOTES_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_NOTES_H

#include <stdbool.h>
#include <stddef.h>

enum note_urgency { NOTE_LOW, NOTE_NORMAL, NOTE_CRITICAL };

struct note {
    const char *id; /* a shown notification with the same id is replaced */
    const char *title, *text;
    const char *category; /* name of its set of buttons: the same name has the same set */
    const char *const *buttons;
    size_t count;
    const char *reply; /* the text in the field for a reply while it is empty; NULL: no field */
    const char *image; /* path of a file that the system takes away; NULL: none */
    enum note_urgency urgency;
};

/* The user's action. NOTE_BUTTON comes with the button's place, from 1; NOTE_REPLIED with text. */
enum note_did { NOTE_CLICKED, NOTE_BUTTON, NOTE_REPLIED, NOTE_DISMISSED };

struct notes_told {
    /* `step` is the caller's; `result` is described at the function; `why` is in the system's
     * words, or NULL. */
    void (*done)(void *arg, long step, int result, const char *why);
    void (*did)(void *arg, const char *id, enum note_did what, int button, const char *text);
    void *arg;
};

/* Makes this process an application without a Dock tile that gets events of its notifications.
 * Called once; borrows. False: macOS has no notifications for this program, because it is not in a
 * bundle. */
bool notes_begin(const struct notes_told *told);

enum notes_allowed {
    NOTES_UNASKED, /* the user has not decided */
    NOTES_DENIED,
    NOTES_ALLOWED,
    NOTES_URGENT, /* and critical ones may come while the user wants quiet */
};

/* Reads the permission. Result: enum notes_allowed. */
void notes_look(long step);

/* Makes macOS ask the user. Result: 1 the user allowed it, 0 not. Over when the user has
 * answered. */
void notes_ask(long step);

/* Makes the note's set of buttons known, beside those of other notifications. Result: 1 it is
 * known, 0 not. */
void notes_prepare(long step, const struct note *note);

/* Shows the notification. Result: 1 macOS has taken it, 0 not. */
void notes_show(long step, const struct note *note);

/* Removes the notification. Result: 1 it is not shown any more, 0 it still is. */
void notes_remove(long step, const char *id);

#endif
