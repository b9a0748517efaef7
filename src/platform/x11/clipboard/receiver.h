/* The program that has the keyboard: how it pastes, and what is known of its toolkit. */
#ifndef PERIGEE_PLATFORM_X11_CLIPBOARD_RECEIVER_H
#define PERIGEE_PLATFORM_X11_CLIPBOARD_RECEIVER_H

#include "platform/x11/clipboard/clipboard.h"

struct receiver {
    Window window;   /* None: nobody's in particular */
    uint32_t client; /* the base of its ids */
    bool terminal;   /* the program inside gets Ctrl+V; a line runs by Return */
    bool gtk4;       /* inserts what it pastes later, from a thread: keys would overtake it */
    bool far; /* what reads the text is not what inserts it, and may read it for nothing: Chromium
                 and what is built on it */
    bool relays; /* hands its keys to another process or thread: an answer to a ping does not tell
                    that they have been processed */
    bool vte;    /* shows another character in place of each of U+0080 to U+009F that is pasted */
    const char *asks; /* the user about these characters, before it inserts what was pasted with
                         them; "": about none */
    bool high_lost;   /* its editors drop, misplace or change typed characters above U+FFFF: Qt,
                         LibreOffice, Swing */
    const char *chord;
    enum selection from;
};

/* Who it is now. */
void x11_know_receiver(struct x11_desktop *desktop, struct receiver *out);
/* Only the window may have changed, as between two pieces of one text. */
void x11_know_window(struct x11_desktop *desktop, struct receiver *receiver);

#endif
