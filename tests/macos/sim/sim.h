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

/* Sets the world that the simulation shows; NULL at the end. Borrows it. Everything is permitted,
 * there is ScreenCaptureKit, no process hangs. */
void sim_use(struct fake *fake);
struct fake *sim_fake(void);

/* A connection to the world, and a deadline for one call. */
struct desktop *sim_desktop(void);
struct deadline *sim_deadline(void);

/* The number of references of Core Foundation that were not released. */
long sim_live(void);

void sim_deny(enum permission permission, bool denied);
bool sim_denied(enum permission permission);
/* How often the user was asked, who grants each permission. A dialog for automation ends the test
 * unless sim_allow_asking() allows it. */
int sim_asked(enum permission permission);
void sim_allow_asking(bool allow);
/* Asking for the screen shows no dialog and grants nothing, as if it was asked before. */
void sim_without_dialog(bool without);
/* True if the pane of Screen Recording lists this program. ScreenCaptureKit enters it. */
bool sim_in_pane(void);
void sim_enter_in_pane(void);
/* Automation is not denied, but has not been asked for yet. */
void sim_never_asked(bool never);
/* CGPreflightScreenCaptureAccess() says no though the permission is given. */
void sim_preflight_lies(bool lies);
/* The application answers no question of accessibility. 0: none hangs. */
void sim_hang(int pid);
bool sim_hangs(int pid);
bool sim_runs(int pid);
/* The number of questions that applications that hang were asked, of all time. */
int sim_unanswered(void);
/* The number of questions of accessibility that applications were asked, of all time. */
int sim_questions(void);
/* This window is in another Space: not shown, and not listed by its application. 0: none is. */
void sim_elsewhere(uint64_t window);
/* Elements do not give the window server's number. */
void sim_hide_numbers(bool hide);
/* NSWorkspace's application in front stays the one that it is now. */
void sim_freeze_workspace(bool freeze);
/* Only opening an application again brings it to the front; sim_reopened() counts that. */
void sim_refuse_all_but_reopening(bool refuse);
int sim_reopened(void);
/* Activation is asked for, and not granted: the application in front does not give way. */
void sim_refuse_activation(bool refuse);
void sim_secure_input(bool on);
void sim_cyrillic_layout(bool on);
/* The flags of the last key that was posted, when it went down or up. */
CGEventFlags sim_flags(bool down);
/* How often a key of the system's own was pressed (NX_KEYTYPE_*), of all time. */
int sim_media_keys(int key);
/* Input Monitoring is off unless a test allows it. */
void sim_input_monitoring(bool allowed);
/* The application shows nothing of its text to accessibility. */
void sim_hide_text(bool hide);
void sim_forget_pasteboard(void);
/* The shortest time between two events of text since the last was forgotten, in ms. */
uint64_t sim_text_pause(void);
void sim_forget_text(void);
/* True if this code point belongs to the one before it, as users see it. */
bool sim_continues(uint32_t before, uint32_t point);
/* The pointer's old place is reported for this many questions after it was moved. */
void sim_late_pointer(int questions);
/* Ends the test on any thread but the one that called sim_use(). */
void sim_main_only(const char *what);
/* The signature of this program is ad hoc. */
void sim_sign_ad_hoc(bool on);
/* True if a dialog of the keychain could come now. */
bool sim_keychain_may_ask(void);
/* The keychain refuses all access. */
void sim_lock_keychain(bool locked);
/* Pictures come from Core Graphics only. */
void sim_without_sckit(bool without);
bool sim_has_sckit(void);
/* ScreenCaptureKit exists, and lists no window and no display. */
void sim_list_nothing(bool nothing);
bool sim_lists_nothing(void);
/* Core Graphics gives no pictures any more: only `screencapture` does. */
void sim_without_graphics(bool without);
bool sim_has_graphics(void);

/* --- activation (windows.c), for the workspace ---------------------------------------- */

/* The application whose window has the focus; 0: none. */
int sim_focused(void);
/* False if the application has no window; sim_activate() also if that is refused. */
bool sim_activate(int pid);
bool sim_reopen(int pid);

/* --- accessibility (windows.c; elements.c for elements in windows; observers.c) --------------- */

/* An element; owned. window 0: the application's. */
AXUIElementRef sim_element(int pid, uint64_t window, uint64_t node, bool menu);
/* The error of a question to the element now; takes the time that its answer takes. */
AXError sim_ask(const struct sim_object *element);

/* The attributes and actions of elements in windows, and the attributes of applications and windows
 * that lead to them. NULL and kAXErrorSuccess: it has no such attribute here. */
CFTypeRef sim_value(const struct sim_object *element, CFStringRef attribute, AXError *error);
AXError sim_set(const struct sim_object *element, CFStringRef attribute,
                const struct sim_object *to);
AXError sim_do(const struct sim_object *element, CFStringRef action);

/* Electron's attribute was set. True if the application agrees. */
bool sim_wake(int pid);

/* Reads an element of the fake (elements.c). The caller frees info and text. */
bool sim_get(uint64_t id, struct element_info *out);
enum element_role sim_role_of(uint64_t id);
bool sim_is_text(enum element_role role);
bool sim_read_text(uint64_t id, struct element_text *out);
CFIndex sim_units_of(const char *text, int characters);

/* Holds back the news of changes in the world. */
void sim_hold_news(bool hold);
/* Tells the news to the observers whose source is in this loop. True if there was any. */
bool sim_tell_news(struct sim_loop *loop);
/* Has observers told, later, of this notification of a window of this process. */
void sim_window_did(int pid, uint64_t window, const char *name);
void sim_observer_end(struct sim_object *observer);
/* Each answer of this process takes so long, or is CannotComplete after the time limit. 0: no
 * process is slow. */
void sim_slow(int pid, unsigned ms);
/* The error that questions to elements in its windows get; 0: none. */
void sim_fail(int pid, AXError error);
/* This process shows the elements of its windows only after AXManualAccessibility was set, and
 * after so many looks more; `agrees` is its answer to the setting. 0: no process does so. */
void sim_electron(int pid, int looks, bool agrees);

/* --- events of the world (news.c; workspace.c; hotkeys.c; event_process.c) -------------------- */

/* A thread that gets the events of the world, and passes them on as macOS would. */
void sim_news_begin(void);
void sim_news_end(void);
/* Binds a hot key, for any process; sim_press() gets its presses, by this number. False: it is
 * taken. */
bool sim_news_bind(unsigned number, const struct chord *chord);
void sim_news_unbind(unsigned number);
/* Sets the key of a chord that has its modifiers: the name, or with Shift alone the character. */
void sim_name_key(unsigned code, struct chord *chord);
/* Has a hot key's press or release reported later, on the loop that registered it. */
void sim_press(unsigned number, bool down);
bool sim_tell_presses(struct sim_loop *loop);
/* Another program, or the system, has the key of this code with Carbon's modifiers; 0: none. */
void sim_take_key(UInt32 code, UInt32 modifiers, bool system);
/* The workspace's notifications, for the loops that listen. */
void sim_note(int what, int pid);
bool sim_tell_notes(struct sim_loop *loop);
/* Changes of the clipboard, as NSPasteboard counts them. */
long sim_clipboard_count(void);
/* Reports a change of the displays. */
void sim_displays_change(void);
/* This thread is the main one of a process that the simulation does not start. */
void sim_become_main(void);
/* Waits until all event processes have ended. */
void sim_await_event_processes(void);
/* Ends the event process that was started last. */
void sim_kill_event_process(void);

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

/* The user does this: taps are told, and nothing else happens. */
void sim_input(struct sim_event event);

/* An object; its type decides which members are used. */
struct sim_object {
    enum sim_type type;
    long refs;              /* below 0: a constant */
    struct buf bytes;       /* STRING (UTF-8), DATA, URL */
    long long number;       /* NUMBER, BOOLEAN */
    struct sim_pair *pairs; /* ARRAY (values only), DICTIONARY */
    size_t count;
    int pid;                           /* ELEMENT */
    uint64_t window;                   /* ELEMENT: 0, or one of its windows */
    bool close_button;                 /* ELEMENT: the window's close button */
    uint64_t node;                     /* ELEMENT: the fake's number of one in the window; or 0 */
    bool menu;                         /* ELEMENT: the menu that `node` opens, not `node` */
    float limit;                       /* ELEMENT: its own time limit, seconds; 0: none */
    double values[2];                  /* VALUE, TIMER; NUMBER: the first */
    bool real;                         /* NUMBER: it is values[0]; DESCRIPTOR: it is enabled */
    AXObserverCallback callback;       /* OBSERVER, of the process pid */
    CFTypeRef source;                  /* OBSERVER: its own; owned */
    CFRunLoopSourceContext context;    /* SOURCE; DESCRIPTOR, TIMER: its info */
    CFFileDescriptorCallBack readable; /* DESCRIPTOR; number is the watched one */
    CFRunLoopTimerCallBack tick;       /* TIMER; values are its due time and its interval */
    struct sim_loop *loop;             /* SOURCE, DESCRIPTOR, TIMER: where it was added; or NULL */
    struct sim_event event;            /* EVENT */
    struct image image;                /* IMAGE */
    void *pixels;                      /* CONTEXT; borrowed */
    size_t width, height, stride;
};

/* The caller owns the object, as that of a function with Create in its name. */
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
