/* The inside of the macOS backend.
 *
 * C throughout: what only Objective-C can reach is behind appkit.h and sckit.h. Every reference
 * that a function of Core Foundation's gives by a name with Copy or Create is owned and ended with
 * cf_release() (developer.apple.com/library/archive/documentation/CoreFoundation/Conceptual/
 * CFMemoryMgmt, "The Create Rule"). */
#ifndef PERIGEE_PLATFORM_MACOS_MACOS_H
#define PERIGEE_PLATFORM_MACOS_MACOS_H

#include <ApplicationServices/ApplicationServices.h>

#include "platform/platform.h"

struct macos_input;
struct macos_clipboard;

struct macos_desktop {
    _Atomic bool dead;                 /* interrupted: a call of it hung */
    struct macos_input *input;         /* from the first input on */
    struct macos_clipboard *clipboard; /* from the first use on */
};

/* What is behind the handle that an operation is given. */
static inline struct macos_desktop *macos_of(struct desktop *handle)
{
    return (struct macos_desktop *)handle;
}

extern const struct platform_ops perigee_macos; /* what the module exports */

extern const struct app_ops macos_app_ops;
extern const struct window_ops macos_window_ops;
extern const struct display_ops macos_display_ops;
extern const struct input_ops macos_input_ops;
extern const struct clipboard_ops macos_clipboard_ops;
extern const struct capture_ops macos_capture_ops;

void macos_input_free(struct macos_desktop *desktop);
void macos_clipboard_free(struct macos_desktop *desktop);
/* Looks whether something was copied, when a history is kept. */
void macos_clipboard_idle(struct macos_desktop *desktop);
bool macos_clipboard_watches(const struct macos_desktop *desktop);

/* True when the work may go on; else "display_lost", "timeout", "cancelled", "stopped". */
bool macos_begin(struct macos_desktop *desktop, struct deadline *deadline, struct error *err);

/* --- Core Foundation, made handy (cf.c) ------------------------------------------- */

/* For clang's analyzer, which counts references: what a function gives, and what it ends. */
#ifdef __clang__
#define GIVES_REF __attribute__((cf_returns_retained))
#define ENDS_REF  __attribute__((cf_consumed))
#else
#define GIVES_REF
#define ENDS_REF
#endif

/* NULL is fine. */
void cf_release(CFTypeRef ref ENDS_REF);

/* UTF-8 of a string, at most max bytes (0: all), valid; "" for NULL or what is no string. The
 * caller frees. *cut (or NULL) says whether it was longer. */
char *cf_text(CFTypeRef ref, size_t max, bool *cut);

/* Owned; never NULL: bytes that are not UTF-8 are cleaned first. */
CFStringRef cf_string(const char *text) GIVES_REF;

/* A number or boolean of a dictionary; `absent` when there is none. Borrows. */
long long cf_number(CFDictionaryRef dictionary, CFStringRef key, long long absent);

/* --- processes (process.c) -------------------------------------------------------- */

/* Microseconds since 1970 when it started, 0: it does not run, or is not ours to see. */
uint64_t process_started(int pid);

/* The executable's path, "" when unknown. The caller frees. */
char *process_path(int pid);

/* True when it has ended by then. */
bool process_wait_end(struct deadline *deadline, int pid, uint64_t ms);

/* --- windows that others here look at (windows.c) ---------------------------------- */

bool macos_window_list(struct macos_desktop *desktop, const struct window_query *query,
                       struct window_list *out, struct error *err);
bool macos_window_get(struct macos_desktop *desktop, struct deadline *deadline,
                      const struct window_ref *ref, struct window_info *out, struct error *err);
bool macos_window_act(struct macos_desktop *desktop, struct deadline *deadline,
                      const struct window_ref *ref, const struct window_change *change,
                      struct window_outcome *out, struct error *err);

static inline struct rect rect_of_cg(CGRect rect)
{
    return (struct rect){ rect.origin.x, rect.origin.y, rect.size.width, rect.size.height };
}

#endif
