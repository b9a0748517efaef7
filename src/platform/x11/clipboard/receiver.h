/* The program that has the keyboard: how it pastes, and the facts about its toolkit. */
#ifndef PERIGEE_PLATFORM_X11_CLIPBOARD_RECEIVER_H
#define PERIGEE_PLATFORM_X11_CLIPBOARD_RECEIVER_H

#include "platform/x11/clipboard/clipboard.h"

struct receiver {
    Window window;   /* None: no particular window */
    uint32_t client; /* the base of its ids */
    bool terminal;   /* Ctrl+V goes to the program inside it; Return runs a line */
    bool gtk4;       /* it inserts a paste later, from a thread: keys would overtake the paste */
    bool far;    /* one process reads the text and another inserts it, and the first may read it in
                    vain: Chromium and programs built on it */
    bool relays; /* it hands its keys to another process or thread: an answer to a ping does not
                    prove that they have been processed */
    bool vte;    /* it shows another character in place of each pasted one of U+0080 to U+009F */
    const char *asks; /* the characters about which it asks the user before it inserts a paste that
                         has them; "": none */
    bool high_lost;   /* its editors drop, misplace or change typed characters above U+FFFF: Qt,
                         LibreOffice, Swing */
    const char *chord;
    enum selection from;
};

/* Describes the program that has the keyboard now. */
void x11_know_receiver(struct x11_desktop *desktop, struct receiver *out);
/* Updates it when only the window may have changed, as between two pieces of one text. */
void x11_know_window(struct x11_desktop *desktop, struct receiver *receiver);

#endif
