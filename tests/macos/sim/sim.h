/* A test double of the parts of macOS that src/platform/macos calls.
 *
 * Behind it is the desktop in memory of platform/fake/fake.h: its windows are what the window
 * server lists, its applications what the workspace knows, its clipboard the pasteboard, and events
 * that are posted act on it. So the tests of platform.h run on the macOS backend as they run on the
 * others. It proves the backend's own logic and its counting of references, and nothing about a
 * Mac. The switches below are not for several threads at a time. */
#ifndef PERIGEE_TESTS_MACOS_SIM_H
#define PERIGEE_TESTS_MACOS_SIM_H

#include <ApplicationServices/ApplicationServices.h>

#include "platform/fake/fake.h"

struct sim_object;
struct sim_loop;

/* The world it shows; NULL at the end. Borrows. Everything is permitted, there is
 * ScreenCaptureKit, no process hangs. */
void sim_use(struct fake *fake);
struct fake *sim_fake(void);

/* A connection to it, and time for one call. */
struct desktop *sim_desktop(void);
struct deadline *sim_deadline(void);

/* References of Core Foundation that nobody ended. */
long sim_live(void);

void sim_deny(enum permission permission, bool denied);
bool sim_denied(enum permission permission);
/* How often the user was asked; a dialog for automation ends the test where it is not allowed. The
 * user grants what is asked for. */
int sim_asked(enum permission permission);
void sim_allow_asking(bool allow);
/* Asking for the screen shows no dialog and grants nothing, as where it was asked before. */
void sim_without_dialog(bool without);
/* Does the pane of Screen Recording list this program? ScreenCaptureKit enters it. */
bool sim_in_pane(void);
void sim_enter_in_pane(void);
/* Automation is not denied: nobody has asked for it yet. */
void sim_never_asked(bool never);
/* CGPreflightScreenCaptureAccess() says no to what is allowed. */
void sim_preflight_lies(bool lies);
/* The application answers no question of accessibility. 0: none hangs. */
void sim_hang(int pid);
bool sim_hangs(int pid);
bool sim_runs(int pid);
/* Questions that such applications were asked, of all time. */
int sim_unanswered(void);
/* Questions of accessibility that applications were asked, of all time. */
int sim_questions(void);
/* This window is in another Space: not shown, and not told by its application. 0: none is. */
void sim_elsewhere(uint64_t window);
/* Elements do not tell the window server's number. */
void sim_hide_numbers(bool hide);
/* What NSWorkspace says of the application in front stays as it is. */
void sim_freeze_workspace(bool freeze);
/* Nothing brings an application to the front but opening it again; how often that was done. */
void sim_refuse_all_but_reopening(bool refuse);
int sim_reopened(void);
/* Activation is asked for, and not granted: the application in front does not give way. */
void sim_refuse_activation(bool refuse);
void sim_secure_input(bool on);
void sim_cyrillic_layout(bool on);
/* What the last key that was posted bore, when it went down or up. */
CGEventFlags sim_flags(bool down);
/* How often a key of the system's own was pressed (NX_KEYTYPE_*), of all time. */
int sim_media_keys(int key);
/* Off, unless a test says otherwise. */
void sim_input_monitoring(bool allowed);
/* The application shows nothing of its text to accessibility. */
void sim_hide_text(bool hide);
void sim_forget_pasteboard(void);
/* The shortest time between two events of text since the last was forgotten, in ms. */
uint64_t sim_text_pause(void);
void sim_forget_text(void);
/* Does this code point belong to the one before it, as users see it? */
bool sim_continues(uint32_t before, uint32_t point);
/* The pointer is where it was for this many questions after it was moved. */
void sim_late_pointer(int questions);
/* Ends the test on any thread but the one that called sim_use(). */
void sim_main_only(const char *what);
/* The signature of this program; whether a dialog of the keychain could come now. */
void sim_sign_ad_hoc(bool on);
bool sim_keychain_may_ask(void);
/* The keychain lets nobody in. */
void sim_lock_keychain(bool locked);
/* Pictures come from Core Graphics only. */
void sim_without_sckit(bool without);
bool sim_has_sckit(void);
/* It is there, and knows of no window and no display. */
void sim_list_nothing(bool nothing);
bool sim_lists_nothing(void);
/* Core Graphics gives no pictures any more: `screencapture` is left. */
void sim_without_graphics(bool without);
bool sim_has_graphics(void);

/* --- activation (windows.c), for the workspace ---------------------------------------- */

/* The application whose window has the focus; 0: none. */
int sim_focused(void);
/* False: it was refused, or has no window. */
bool sim_activate(int pid);
bool sim_reopen(int pid);

/* --- accessibility (windows.c; elements.c for what is in windows; observers.c) ---------------- */

/* An element; owned. window 0: the application's. */
AXUIElementRef sim_element(int pid, uint64_t window, uint64_t node, bool menu);
/* Whether it may be asked now; the time that this takes. */
AXError sim_ask(const struct sim_object *element);

/* Of elements in windows, and what applications and windows tell of those. NULL and
 * kAXErrorSuccess: there is no such attribute here. */
CFTypeRef sim_value(const struct sim_object *element, CFStringRef attribute, AXError *error);
AXError sim_set(const struct sim_object *element, CFStringRef attribute,
                const struct sim_object *to);
AXError sim_do(const struct sim_object *element, CFStringRef action);

/* Electron's attribute was set: whether that is agreed to. */
bool sim_wake(int pid);

/* Of the fake (elements.c). The caller frees info and text. */
bool sim_get(uint64_t id, struct element_info *out);
enum element_role sim_role_of(uint64_t id);
bool sim_is_text(enum element_role role);
bool sim_read_text(uint64_t id, struct element_text *out);
CFIndex sim_units_of(const char *text, int characters);

/* The world changes while nobody is told of what happens in it. */
void sim_hold_news(bool hold);
/* What happened since is told to the observers whose source is in this loop; whether there was
 * something. */
bool sim_tell_news(struct sim_loop *loop);
/* A window of this process did what the name says: told to observers, later. */
void sim_window_did(int pid, uint64_t window, const char *name);
void sim_observer_end(struct sim_object *observer);
/* Each of its answers takes so long; none within its time limit is CannotComplete. 0: none does. */
void sim_slow(int pid, unsigned ms);
/* The error that questions to elements in its windows get; 0: none. */
void sim_fail(int pid, AXError error);
/* It shows what is in its windows only after AXManualAccessibility was set, and after so many looks
 * more; `agrees` as it answers to that. 0: none does. */
void sim_electron(int pid, int looks, bool agrees);

/* --- what happens (news.c; workspace.c; hotkeys.c; herald.c) -----------------------------------
 */

/* A thread that is told what happens in the world, and passes it on as macOS would. */
void sim_news_begin(void);
void sim_news_end(void);
/* Hot keys of all processes; sim_press() is told of one, by its number there. False: it is taken.
 */
bool sim_news_bind(unsigned number, const struct chord *chord);
void sim_news_unbind(unsigned number);
/* The key of a chord whose modifiers are there: its name, or with Shift the character it makes. */
void sim_name_key(unsigned code, struct chord *chord);
/* Of a hot key, later, on the loop that registered it. */
void sim_press(unsigned number, bool down);
bool sim_tell_presses(struct sim_loop *loop);
/* Another program has these keys, or the system itself: by code and Carbon's modifiers; 0: none. */
void sim_take_key(UInt32 code, UInt32 modifiers, bool system);
/* The workspace's notifications, for the loops that listen. */
void sim_note(int what, int pid);
bool sim_tell_notes(struct sim_loop *loop);
/* Changes of the clipboard, as NSPasteboard counts them. */
long sim_clipboard_count(void);
/* Something of the displays changed. */
void sim_displays_change(void);
/* This thread is the main one of a process that the simulation does not start. */
void sim_become_main(void);
/* Those have ended. */
void sim_await_heralds(void);
/* The one that was started last exits. */
void sim_kill_herald(void);

/* --- objects (objects.c) ------------------------------------------------------------- */

enum sim_type {
    SIM_STRING = 1,
    SIM_NUMBER,
    SIM_BOOLEAN,
    SIM_ARRAY,
    SIM_DICTIONARY,
    SIM_DATA,
    SIM_URL,
    SIM_ELEMENT,
    SIM_VALUE,
    SIM_EVENT,
    SIM_PASTEBOARD,
    SIM_IMAGE,
    SIM_CONTEXT,
    SIM_OBSERVER,
    SIM_SOURCE,
    SIM_DESCRIPTOR,
    SIM_TIMER,
    SIM_OTHER,
};

struct sim_pair {
    CFTypeRef key, value;
};

struct sim_event {
    CGEventType type;
    CGPoint at;
    unsigned key, button;
    bool down; /* a key; of a wheel: by pixels */
    CGEventFlags flags;
    int64_t clicks;
    int32_t lines[2]; /* up, left */
    struct buf text;  /* UTF-8 */
};

/* One kind of object; which members count, its type says. */
struct sim_object {
    enum sim_type type;
    long refs;              /* below 0: a constant */
    struct buf bytes;       /* STRING (UTF-8), DATA, URL */
    long long number;       /* NUMBER, BOOLEAN */
    struct sim_pair *pairs; /* ARRAY (values only), DICTIONARY */
    size_t count;
    int pid;                     /* ELEMENT */
    uint64_t window;             /* ELEMENT: 0, or one of its windows */
    bool close_button;           /* ELEMENT: that of the window */
    uint64_t node;               /* ELEMENT: the fake's number of one that is in the window; or 0 */
    bool menu;                   /* ELEMENT: not that one, but the menu that it opens */
    float limit;                 /* ELEMENT: its own time limit, seconds; 0: none */
    double values[2];            /* VALUE, TIMER; of a NUMBER the first */
    bool real;                   /* NUMBER: it is values[0]; DESCRIPTOR: it is enabled */
    AXObserverCallback callback; /* OBSERVER; pid says whose */
    CFTypeRef source;            /* OBSERVER: its own; owned */
    CFRunLoopSourceContext context;    /* SOURCE; of DESCRIPTOR and TIMER its info */
    CFFileDescriptorCallBack readable; /* DESCRIPTOR; number is what it watches */
    CFRunLoopTimerCallBack tick;       /* TIMER; values are when it is due, and its interval */
    struct sim_loop *loop;             /* SOURCE, DESCRIPTOR, TIMER: where it was added; or NULL */
    struct sim_event event;            /* EVENT */
    struct image image;                /* IMAGE */
    void *pixels;                      /* CONTEXT; borrowed */
    size_t width, height, stride;
};

/* Owned by the caller, as what a function with Create in its name gives. */
struct sim_object *sim_object(enum sim_type type);
CFStringRef sim_string(const char *text);
CFTypeRef sim_number(long long number);
CFTypeRef sim_real(double number);
CFTypeRef sim_data(const void *bytes, size_t len);
CFArrayRef sim_array(void);
CFDictionaryRef sim_dictionary(void);
/* Take the value. */
void sim_append(CFArrayRef array, CFTypeRef value);
void sim_put(CFDictionaryRef dictionary, CFStringRef key, CFTypeRef value);

static inline struct sim_object *sim_of(const void *ref)
{
    return (struct sim_object *)(uintptr_t)ref;
}

#endif
