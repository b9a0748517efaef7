/* CGPreflightScreenCaptureAccess, AXIsProcessTrusted, AEDeterminePermissionToAutomateTarget: none
 * of them shows a dialog when called so. permission_ask() does. */
#include "platform/macos/system/permission.h"

#include <CoreServices/CoreServices.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/macos/system/cf.h"
#include "platform/macos/system/sckit.h"
#include "process/identity.h"

enum { ENROLL_MS = 4000 }; /* ScreenCaptureKit is known to hang at times */

static const struct identity_pane *pane_of(enum permission permission)
{
    switch (permission) {
    case PERMISSION_SCREEN:
        return &identity_pane_screen;
    case PERMISSION_AUTOMATION:
        return &identity_pane_automation;
    default:
        return &identity_pane_accessibility;
    }
}

static const char *permission_code(enum permission permission)
{
    switch (permission) {
    case PERMISSION_SCREEN:
        return "permission_denied_screen";
    case PERMISSION_AUTOMATION:
        return "permission_denied_automation";
    default:
        return "permission_denied_access";
    }
}

bool permission_denied(enum permission permission, struct error *err)
{
    const struct identity_pane *pane = pane_of(permission);
    char *advice = identity_advice(pane);

    error_set(err, permission_code(permission),
              "macOS does not allow this: the permission %s is missing. %s", pane->name, advice);
    free(advice);
    return false;
}

/* True if titles of other programs' windows are visible: only a process that may see the screen
 * gets them. Titles of the Dock, the menu bar and the like are visible to every process; they are
 * in other layers. */
static bool sees_titles(void)
{
    CFArrayRef entries = CGWindowListCopyWindowInfo(
        kCGWindowListOptionAll | kCGWindowListExcludeDesktopElements, kCGNullWindowID);
    bool seen = false;

    for (CFIndex i = 0; entries && i < CFArrayGetCount(entries) && !seen; i++) {
        CFDictionaryRef entry = CFArrayGetValueAtIndex(entries, i);
        char *title = cf_text(CFDictionaryGetValue(entry, kCGWindowName), 8, NULL);

        seen = title[0] && cf_number(entry, kCGWindowLayer, -1) == 0 &&
               cf_number(entry, kCGWindowOwnerPID, getpid()) != getpid();
        free(title);
    }
    cf_release(entries);
    return seen;
}

/* True if the screen may be read. The first check is reported to fail for programs without a bundle
 * that may read it. */
static bool sees_screen(void)
{
    return CGPreflightScreenCaptureAccess() || sees_titles();
}

bool permission_granted(enum permission permission, struct error *err)
{
    switch (permission) {
    case PERMISSION_ACCESSIBILITY:
        return AXIsProcessTrusted() || permission_denied(permission, err);
    case PERMISSION_SCREEN:
        return sees_screen() || permission_denied(permission, err);
    default:
        return true;
    }
}

/* The pane of Automation has no "+" and lists only programs that have asked. */
static bool ask_first(const char *identifier, struct error *err)
{
    return error_set(
        err, permission_code(PERMISSION_AUTOMATION),
        "macOS has not been asked yet whether %.100s may be automated from here. Run a "
        "script for it once while a user is at the screen, and answer the dialog: "
        "perigee doctor --ask does. If no dialog comes, it was denied: System Settings "
        "> Privacy & Security > %s",
        identifier, identity_pane_automation.name);
}

static bool automation_permitted(const char *identifier, bool ask, struct error *err)
{
    enum { NOT_RUNNING = -600, NOT_PERMITTED = -1743, WOULD_ASK = -1744 }; /* MacErrors.h */
    AEAddressDesc target = { 0 };
    OSStatus status =
        AECreateDesc(typeApplicationBundleID, identifier, (Size)strlen(identifier), &target);

    if (status == noErr) {
        status = AEDeterminePermissionToAutomateTarget(&target, typeWildCard, typeWildCard, ask);
        AEDisposeDesc(&target);
    }
    if (status == noErr)
        return true;
    if (status == NOT_RUNNING)
        return error_set(err, "app_not_running",
                         "%.100s is not running, and macOS reports the permission to automate it "
                         "only while it runs. Open it first",
                         identifier);
    if (status == WOULD_ASK)
        return ask_first(identifier, err);
    if (status == NOT_PERMITTED)
        return permission_denied(PERMISSION_AUTOMATION, err);
    return error_set(err, "ax_error",
                     "macOS does not report whether %.100s may be automated (error %d)", identifier,
                     (int)status);
}

bool automation_granted(const char *identifier, struct error *err)
{
    return automation_permitted(identifier, false, err);
}

/* --- asking --------------------------------------------------------------------------------- */

static void ask_for_accessibility(void)
{
    const void *key = kAXTrustedCheckOptionPrompt, *yes = kCFBooleanTrue;
    CFMutableDictionaryRef options = CFDictionaryCreateMutable(
        NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);

    CFDictionarySetValue(options, key, yes);
    AXIsProcessTrustedWithOptions(options);
    cf_release(options);
}

bool permission_ask(enum permission permission, const char *identifier, struct error *err)
{
    switch (permission) {
    case PERMISSION_ACCESSIBILITY:
        ask_for_accessibility();
        break;
    case PERMISSION_SCREEN:
        CGRequestScreenCaptureAccess();
        sckit_enroll(ENROLL_MS);
        break;
    default:
        return automation_permitted(identifier, true, err);
    }
    return permission_granted(permission, err);
}
