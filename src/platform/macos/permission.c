/* CGPreflightScreenCaptureAccess, AXIsProcessTrusted, AEDeterminePermissionToAutomateTarget: none
 * of them shows a dialog when called so. */
#include "platform/macos/permission.h"

#include <CoreServices/CoreServices.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/macos/macos.h"

#define PANES "x-apple.systempreferences:com.apple.preference.security?Privacy_"

const char *permission_pane(enum permission permission)
{
    switch (permission) {
    case PERMISSION_SCREEN:
        return PANES "ScreenCapture";
    case PERMISSION_AUTOMATION:
        return PANES "Automation";
    default:
        return PANES "Accessibility";
    }
}

/* Private, and used by LLDB, Chromium and Qt Creator for the same question: so it is looked up, and
 * without it the answer is ourselves. */
int responsible_process(char **path)
{
    pid_t (*ask)(pid_t);
    void *symbol = dlsym(RTLD_DEFAULT, "responsibility_get_pid_responsible_for_pid");
    int pid = getpid();

    memcpy(&ask, &symbol, sizeof ask);
    if (symbol) {
        int responsible = ask(pid);

        pid = responsible > 0 ? responsible : pid;
    }
    *path = process_path(pid);
    return pid;
}

static const char *name_of(enum permission permission)
{
    switch (permission) {
    case PERMISSION_SCREEN:
        return "Screen Recording";
    case PERMISSION_AUTOMATION:
        return "Automation";
    default:
        return "Accessibility";
    }
}

static const char *code_of(enum permission permission)
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
    char *path;
    int pid = responsible_process(&path);

    error_set(
        err, code_of(permission),
        "macOS does not allow this: the permission %s is missing for %.150s (process %d), which "
        "answers for this program. Allow it in System Settings, Privacy & Security (open "
        "\"%s\"), then restart it",
        name_of(permission), *path ? path : "the program that started this one", pid,
        permission_pane(permission));
    free(path);
    return false;
}

bool permission_granted(enum permission permission, struct error *err)
{
    switch (permission) {
    case PERMISSION_ACCESSIBILITY:
        return AXIsProcessTrusted() || permission_denied(permission, err);
    case PERMISSION_SCREEN:
        return CGPreflightScreenCaptureAccess() || permission_denied(permission, err);
    default:
        return true;
    }
}

bool automation_granted(const char *identifier, struct error *err)
{
    enum { NOT_RUNNING = -600, REFUSED = -1743, WOULD_ASK = -1744 }; /* MacErrors.h */
    AEAddressDesc target = { 0 };
    OSStatus status =
        AECreateDesc(typeApplicationBundleID, identifier, (Size)strlen(identifier), &target);

    if (status == noErr) {
        status = AEDeterminePermissionToAutomateTarget(&target, typeWildCard, typeWildCard, false);
        AEDisposeDesc(&target);
    }
    if (status == noErr)
        return true;
    if (status == NOT_RUNNING)
        return error_set(err, "app_not_running",
                         "%.100s does not run, and macOS tells about the permission to automate it "
                         "only while it does",
                         identifier);
    if (status == REFUSED || status == WOULD_ASK)
        return permission_denied(PERMISSION_AUTOMATION, err);
    return error_set(err, "ax_error",
                     "macOS does not say whether %.100s may be automated (error %d)", identifier,
                     (int)status);
}
