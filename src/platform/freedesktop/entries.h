/* Desktop entries: the installed applications (freedesktop.org's specification 1.5). */
#ifndef PERIGEE_PLATFORM_FREEDESKTOP_ENTRIES_H
#define PERIGEE_PLATFORM_FREEDESKTOP_ENTRIES_H

#include "platform/platform.h"

struct desktop_entry {
    char *id;    /* "org.gnome.Calculator", without ".desktop" */
    char *file;  /* path of its file */
    char *name;  /* in the user's language */
    char *plain; /* Name without a language */
    char *exec, *icon, *wm_class, *folder, *try_exec; /* "" when not given */
    bool hidden; /* NoDisplay: it is not to be shown in menus */
    bool terminal;
};

struct entries {
    struct desktop_entry *items;
    size_t count;
    uint64_t read_at; /* deadline_now(); 0: never */
    bool pinned;      /* set while a caller uses an item: they are not read again */
};

struct entries *entries_new(void);          /* reads nothing before the first question */
void entries_free(struct entries *entries); /* NULL is fine */

/* Reads the data folders again if the entries are a few seconds old. Returns `entries`. */
const struct entries *entries_fresh(struct entries *entries);

/* The lines of the entry's file without comments, and without the texts in languages other than the
 * user's. "" if it cannot be read any more. The caller frees. */
char *entry_text(const struct desktop_entry *entry);

/* Finds an entry by id, file, name, program or window class, in this order, ignoring case. NULL and
 * no error: none; NULL and "app_ambiguous": several. */
const struct desktop_entry *entries_find(struct entries *entries, const char *name,
                                         struct error *err);

/* The entry that a window belongs to: that of its class, else that of its program; NULL: none, or
 * several of its program and no sign which. */
const struct desktop_entry *
entries_of_window(struct entries *entries, const struct window_info *window, const char *program);

/* True if a window may be one of the entry's: it has its class or its program's name. */
bool entry_owns(const struct desktop_entry *entry, const struct window_info *window);
/* True if the window's class is the one that the entry declares (StartupWMClass). */
bool entry_declares(const struct desktop_entry *entry, const struct window_info *window);
/* True if it starts the program without options, as the one for the program itself does. */
bool entry_is_plain(const struct desktop_entry *entry);

/* The program's name in Exec, without folder; the caller frees. */
char *entry_program(const struct desktop_entry *entry);

/* The argument for a file on a command line: a URL, or an absolute path, which no program takes for
 * an option. The caller frees. */
char *file_argument(const char *file);

/* The argv for these files (NULL-terminated; each a path or a URL), from *used on: an Exec that
 * accepts one file at a time gets one, any other all; *used moves past them. Exec is split as GLib
 * splits it, and a file stays one piece of its word whatever its name. NULL-terminated; the caller
 * frees with argv_free(). NULL and "launch_failed" if Exec is not well-formed, or a program in it
 * would read a file's name as a command (exec_text.h). */
char **entry_argv(const struct desktop_entry *entry, const char *const *files, size_t *used,
                  struct error *err);
void argv_free(char **argv);

#endif
