/* The application in front.
 *
 * NSWorkspace is asked last: in a process without a run loop of its own its answer is reported to
 * stay as it was at the start. Accessibility knows the application, and without that permission the
 * order of the window server's list shows it: the first window in the layer of normal windows is
 * the front application's. */
#include "platform/macos/front.h"

#include "platform/macos/system/appkit.h"
#include "platform/macos/system/ax.h"
#include "platform/macos/system/permission.h"

enum { PATIENCE_MS = 250, LAYER_NORMAL = 0 };

static void ask_accessibility(void *arg)
{
    int *pid = arg;
    AXUIElementRef all = AXUIElementCreateSystemWide();
    CFTypeRef app = all ? ax_copy(all, kAXFocusedApplicationAttribute, NULL) : NULL;
    pid_t found = 0;

    if (app && CFGetTypeID(app) == AXUIElementGetTypeID() &&
        AXUIElementGetPid((AXUIElementRef)app, &found) == kAXErrorSuccess)
        *pid = found;
    cf_release(app);
    cf_release(all);
}

static int first_in_list(void)
{
    CFArrayRef shown = CGWindowListCopyWindowInfo(
        kCGWindowListOptionOnScreenOnly | kCGWindowListExcludeDesktopElements, kCGNullWindowID);
    int pid = 0;

    for (CFIndex i = 0; shown && i < CFArrayGetCount(shown) && !pid; i++) {
        CFDictionaryRef entry = CFArrayGetValueAtIndex(shown, i);

        if (cf_number(entry, kCGWindowLayer, -1) == LAYER_NORMAL)
            pid = (int)cf_number(entry, kCGWindowOwnerPID, 0);
    }
    cf_release(shown);
    return pid;
}

int front_pid(void)
{
    int pid = 0;

    if (permission_granted(PERMISSION_ACCESSIBILITY, NULL))
        ax_do(ask_accessibility, &pid);
    if (!pid)
        pid = first_in_list();
    return pid ? pid : appkit_active();
}

/* Asks for the front. Without the permission this fails, and nothing is lost. */
static void ask_for_front(void *arg)
{
    const int *pid = arg;

    ax_front(*pid, NULL);
}

static void try_next(struct front *front)
{
    switch (front->tried++) {
    case 0:
        appkit_activate(front->pid);
        ax_do(ask_for_front, &front->pid);
        break;
    case 1:
        appkit_activate_from_here(front->pid);
        break;
    case 2:
        appkit_reopen(front->pid);
        break;
    default:
        break;
    }
    front->next = deadline_now() + PATIENCE_MS;
}

void front_begin(struct front *front, int pid)
{
    *front = (struct front){ .pid = pid };
    try_next(front);
}

void front_insist(struct front *front)
{
    if (deadline_now() >= front->next)
        try_next(front);
}
