/* An item in the menu bar's status area, as C. appkit_menu.m has the real thing.
 *
 * For the main thread of `perigee --menu` (menu.c), whose run loop is appkit_news_run(). */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_APPKIT_MENU_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_APPKIT_MENU_H

#include <stdbool.h>
#include <stddef.h>

enum menu_check { MENU_NO_CHECK, MENU_UNCHECKED, MENU_CHECKED };

struct menu_entry {
    long id;
    bool separator; /* a line: no other field is used */
    const char *label;
    bool enabled;
    enum menu_check check;
    struct menu_entry *items; /* a submenu of `count` entries; NULL: none */
    size_t count;
};

/* A view of the menu. Strings are never NULL; "" for none. All is borrowed. */
struct menu_view {
    const char *title, *text, *tooltip;
    const char *icon; /* absolute path of a file, or the name of a symbol */
    const char *png;  /* base64 of the bytes of a PNG file, instead of icon */
    bool activates;   /* a left click is reported; otherwise it opens the menu */
    struct menu_entry *items;
    size_t count;
};

struct menu_told {
    void (*chosen)(void *arg, long id);
    void (*activated)(void *arg);
    void (*opening)(void *arg); /* the menu is about to open: appkit_menu_show() may be called */
    void *arg;
};

/* Makes this process an application without a Dock tile. Called once; borrows. */
void appkit_menu_begin(const struct menu_told *told);

/* Puts the item into the status area, or changes it. */
void appkit_menu_show(const struct menu_view *view);

#endif
