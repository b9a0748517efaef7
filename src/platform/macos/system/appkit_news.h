/* Events that AppKit reports to a process whose main run loop runs, as C. appkit_news.m has the
 * real thing.
 *
 * For the main thread of `perigee --event-process`, which does nothing else
 * (event_process_serve.c). */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_APPKIT_NEWS_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_APPKIT_NEWS_H

enum appkit_what {
    APPKIT_APP_OPENED, /* pid: it runs, and has a Dock tile or may have windows */
    APPKIT_APP_ENDED,  /* pid */
    APPKIT_APP_ACTIVE, /* pid: it owns the menu bar */
    APPKIT_APP_HIDDEN, /* pid: by Hide */
    APPKIT_APP_SHOWN,  /* pid */
    APPKIT_SPACE,      /* another Space is shown */
    APPKIT_SCREENS,    /* displays, or the parts that the Dock leaves of them */
    APPKIT_LAYOUT,     /* another keyboard layout */
};

struct appkit_news {
    void (*told)(void *arg, enum appkit_what what, int pid);
    void *arg;
};

/* Makes this process an application without a Dock tile. */
void appkit_news_hide(void);

/* appkit_news_hide(), and reports events from now on. Called once; borrows. */
void appkit_news_listen(const struct appkit_news *news);

/* Runs the main run loop until appkit_news_stop() is called from it. */
void appkit_news_run(void);
void appkit_news_stop(void);

/* The number of changes of the clipboard's content since the user logged in. Asks no
 * application. */
long appkit_clipboard_count(void);

#endif
