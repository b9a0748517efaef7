/* The accessibility interface, with a time limit on everything.
 *
 * AX talks to the other process and waits for its answer: a hung application costs AX_TIMEOUT
 * seconds a question. All of it is for the one thread that asks accessibility: ax_do(). Codes here:
 * "window_not_found" (the element is gone), "app_hung" (no answer in time), "permission_denied"
 * (accessibility is not granted), "not_supported" (no such attribute or action), "ax_error". */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_AX_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_AX_H

#include "platform/macos/system/cf.h"

#define AX_TIMEOUT 1.5 /* seconds for one answer */

/* Calls work(arg) on that thread and returns when it is over, for calling threads one after the
 * other. Work should ask one application only, so that one that hangs holds up other calls for one
 * question. Called from work() itself it is a plain call. */
void ax_do(void (*work)(void *arg), void *arg);

/* True if this application has left a question unanswered just now. */
bool ax_silent(int pid);

/* Attributes that have a constant in no header (developer.apple.com/documentation/
 * applicationservices/carbon_accessibility/attributes names the others). */
#define AX_FULL_SCREEN CFSTR("AXFullScreen")

/* The application's element; owned, with the time limit set; NULL when there is no such process. */
AXUIElementRef ax_app(int pid) GIVES_REF;

/* Reads an attribute; owned; NULL and err. */
CFTypeRef ax_copy(AXUIElementRef element, CFStringRef attribute, struct error *err) GIVES_REF;
bool ax_set(AXUIElementRef element, CFStringRef attribute, CFTypeRef value, struct error *err);
bool ax_perform(AXUIElementRef element, CFStringRef action, struct error *err);

/* Reads many attributes by one question. values[i] is borrowed from the array: the value in place
 * of a missing one is of a type that no attribute has. Owned; NULL and err. */
CFArrayRef ax_copy_all(AXUIElementRef element, const CFStringRef *names, CFTypeRef *values,
                       size_t count, struct error *err) GIVES_REF;

/* Reads text; "" for a missing attribute. */
char *ax_text(AXUIElementRef element, CFStringRef attribute, size_t max, bool *cut);

/* Asks for the application to be the active one, which macOS grants here more readily than to
 * NSRunningApplication. */
bool ax_front(int pid, struct error *err);

bool ax_move(AXUIElementRef window, CGPoint to, struct error *err);
bool ax_resize(AXUIElementRef window, CGSize to, struct error *err);

#endif
