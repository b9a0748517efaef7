/* NSWorkspace, NSRunningApplication and NSScreen, behind C.
 *
 * Properties of NSRunningApplication change only while the main run loop turns
 * (developer.apple.com/documentation/appkit/nsrunningapplication), which a process with a loop of
 * its own never does by itself: hence appkit_turn(). NSScreen is for the main thread; what it says
 * is noted there for the others. */
#import <AppKit/AppKit.h>
#include <dispatch/dispatch.h>
#include <pthread.h>

#include "base/util.h"
#include "platform/macos/system/appkit.h"
#include "platform/deadline.h"

static char *text_of(NSString *string)
{
    const char *text = string ? [string UTF8String] : NULL;

    return mem_strdup(text ? text : "");
}

static NSString *string_of(const char *text)
{
    NSString *string = [NSString stringWithUTF8String:text];

    return string ? string : @"";
}

void appkit_around(void (*work)(void *arg), void *arg)
{
    @autoreleasepool {
        work(arg);
    }
}

/* --- screens ---------------------------------------------------------------------- */

enum { SCREENS_MAX = 32 };

static struct screen {
    CGDirectDisplayID display;
    CGRect visible;
    char name[128];
} screens[SCREENS_MAX];
static size_t screen_count;
static pthread_mutex_t screens_lock = PTHREAD_MUTEX_INITIALIZER;

/* Describes a screen. AppKit counts from the bottom left corner of the first screen, which has the
 * menu bar. */
static void describe_screen(NSScreen *screen, CGFloat height, struct screen *out)
{
    NSNumber *number = screen.deviceDescription[@"NSScreenNumber"];
    NSString *name = screen.localizedName;
    CGRect frame = screen.visibleFrame;

    out->display = number.unsignedIntValue;
    out->visible = CGRectMake(frame.origin.x, height - frame.origin.y - frame.size.height,
                              frame.size.width, frame.size.height);
    out->name[0] = '\0'; /* a name that is too long is dropped, not cut within a character */
    if (![name getCString:out->name maxLength:sizeof out->name encoding:NSUTF8StringEncoding])
        out->name[0] = '\0';
}

/* Notes the screens; not at each turn, because names of displays are looked up. */
static void note_screens(void)
{
    enum { EVERY_MS = 250 };
    static uint64_t due;
    NSArray<NSScreen *> *all;
    CGFloat height;

    if (deadline_now() < due)
        return;
    due = deadline_now() + EVERY_MS;
    all = [NSScreen screens];
    height = all.count ? all[0].frame.size.height : 0;
    pthread_mutex_lock(&screens_lock);
    screen_count = 0;
    for (NSScreen *screen in all) {
        if (screen_count < SCREENS_MAX)
            describe_screen(screen, height, &screens[screen_count++]);
    }
    pthread_mutex_unlock(&screens_lock);
}

bool appkit_screen(CGDirectDisplayID display, char **name, CGRect *visible)
{
    bool found = false;

    pthread_mutex_lock(&screens_lock);
    for (size_t i = 0; i < screen_count && !found; i++) {
        if (screens[i].display != display)
            continue;
        *name = mem_strdup(screens[i].name);
        *visible = screens[i].visible;
        found = true;
    }
    pthread_mutex_unlock(&screens_lock);
    return found;
}

/* Runs for zero seconds: handles the events that are there and returns. A source that never rests
 * holds up no caller. */
void appkit_turn(void)
{
    enum { SOURCES_MAX = 100 };
    int left = SOURCES_MAX;

    @autoreleasepool {
        while (left-- > 0 &&
               CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, true) == kCFRunLoopRunHandledSource)
            ;
        note_screens();
    }
}

/* --- applications ----------------------------------------------------------------- */

static void describe_app(NSRunningApplication *app, struct appkit_app *out)
{
    *out = (struct appkit_app){
        .pid = app.processIdentifier,
        .name = text_of(app.localizedName),
        .id = text_of(app.bundleIdentifier),
        .bundle = text_of(app.bundleURL.path),
        .active = app.active,
        .hidden = app.hidden,
        .regular = app.activationPolicy == NSApplicationActivationPolicyRegular,
        .finished = app.finishedLaunching,
    };
}

void appkit_list(struct appkit_apps *out)
{
    @autoreleasepool {
        NSArray<NSRunningApplication *> *apps = [NSWorkspace sharedWorkspace].runningApplications;

        *out = (struct appkit_apps){ .items = mem_zero(sizeof *out->items * (apps.count + 1)) };
        for (NSRunningApplication *app in apps) {
            if (app.activationPolicy != NSApplicationActivationPolicyProhibited && !app.terminated)
                describe_app(app, &out->items[out->count++]);
        }
    }
}

static NSRunningApplication *find_app(int pid)
{
    NSRunningApplication *app =
        [NSRunningApplication runningApplicationWithProcessIdentifier:(pid_t)pid];

    return app.terminated ? nil : app;
}

bool appkit_get(int pid, struct appkit_app *out)
{
    @autoreleasepool {
        NSRunningApplication *app = find_app(pid);

        if (app)
            describe_app(app, out);
        return app != nil;
    }
}

int appkit_active(void)
{
    @autoreleasepool {
        NSRunningApplication *app = [NSWorkspace sharedWorkspace].frontmostApplication;

        return app ? app.processIdentifier : 0;
    }
}

/* Activates. From macOS 14 on activation is only a request, and ignoringOtherApps has no effect. */
static bool activate_app(NSRunningApplication *app)
{
    if (@available(macOS 14.0, *))
        return [app activateWithOptions:NSApplicationActivateAllWindows];
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    return [app activateWithOptions:NSApplicationActivateAllWindows |
                                    NSApplicationActivateIgnoringOtherApps];
#pragma clang diagnostic pop
}

bool appkit_activate(int pid)
{
    @autoreleasepool {
        NSRunningApplication *app = find_app(pid);

        if (app.hidden)
            [app unhide];
        return app && activate_app(app);
    }
}

bool appkit_activate_from_here(int pid)
{
    @autoreleasepool {
        NSRunningApplication *app = find_app(pid);

        if (@available(macOS 14.0, *))
            return app && [app activateFromApplication:[NSRunningApplication currentApplication]
                                               options:NSApplicationActivateAllWindows];
        return false;
    }
}

bool appkit_reopen(int pid)
{
    @autoreleasepool {
        NSURL *bundle = find_app(pid).bundleURL;
        NSWorkspaceOpenConfiguration *configuration = [NSWorkspaceOpenConfiguration configuration];

        configuration.activates = YES;
        configuration.promptsUserIfNeeded = NO;
        if (bundle)
            [[NSWorkspace sharedWorkspace] openApplicationAtURL:bundle
                                                  configuration:configuration
                                              completionHandler:nil];
        return bundle != nil;
    }
}

bool appkit_hide(int pid, bool show)
{
    @autoreleasepool {
        NSRunningApplication *app = find_app(pid);

        return app && (show ? [app unhide] : [app hide]);
    }
}

bool appkit_quit(int pid, bool force)
{
    @autoreleasepool {
        NSRunningApplication *app = find_app(pid);

        return app && (force ? [app forceTerminate] : [app terminate]);
    }
}

char *appkit_bundle_of(const char *identifier)
{
    @autoreleasepool {
        NSURL *url = [[NSWorkspace sharedWorkspace]
            URLForApplicationWithBundleIdentifier:string_of(identifier)];

        return url.path ? text_of(url.path) : NULL;
    }
}

/* --- opening ---------------------------------------------------------------------- */

static NSURL *url_of(const char *text)
{
    NSString *string = string_of(text);
    NSURL *url = text[0] == '/' ? nil : [NSURL URLWithString:string];

    return url.scheme ? url : [NSURL fileURLWithPath:string];
}

static NSWorkspaceOpenConfiguration *configuration_of(const struct appkit_open *what)
{
    NSWorkspaceOpenConfiguration *configuration = [NSWorkspaceOpenConfiguration configuration];
    NSMutableArray<NSString *> *arguments = [NSMutableArray array];

    for (const char *const *at = what->arguments; at && *at; at++)
        [arguments addObject:string_of(*at)];
    configuration.activates = !what->background;
    configuration.createsNewApplicationInstance = what->fresh;
    configuration.promptsUserIfNeeded = NO;
    if (arguments.count)
        configuration.arguments = arguments;
    return configuration;
}

/* The result of the completion handler. That may be called after the wait was given up, so the
 * block owns the object, not the waiting function's stack. */
@interface PerigeeOpened : NSObject
@property(strong) NSRunningApplication *app;
@property(strong) NSError *error;
@end

@implementation PerigeeOpened
@end

static PerigeeOpened *open_and_wait(const struct appkit_open *what, uint64_t ms)
{
    NSURL *bundle = [NSURL fileURLWithPath:string_of(what->bundle)];
    NSMutableArray<NSURL *> *urls = [NSMutableArray array];
    PerigeeOpened *opened = [[PerigeeOpened alloc] init];
    dispatch_semaphore_t done = dispatch_semaphore_create(0);
    void (^handler)(NSRunningApplication *, NSError *) =
        ^(NSRunningApplication *app, NSError *error) {
            opened.app = app;
            opened.error = error;
            dispatch_semaphore_signal(done);
        };

    for (const char *const *at = what->files; at && *at; at++)
        [urls addObject:url_of(*at)];
    if (urls.count)
        [[NSWorkspace sharedWorkspace] openURLs:urls
                           withApplicationAtURL:bundle
                                  configuration:configuration_of(what)
                              completionHandler:handler];
    else
        [[NSWorkspace sharedWorkspace] openApplicationAtURL:bundle
                                              configuration:configuration_of(what)
                                          completionHandler:handler];
    if (dispatch_semaphore_wait(done, dispatch_time(DISPATCH_TIME_NOW, (int64_t)ms * 1000000)) != 0)
        return nil;
    return opened;
}

bool appkit_open(const struct appkit_open *what, uint64_t ms, int *pid, struct error *err)
{
    @autoreleasepool {
        PerigeeOpened *opened = open_and_wait(what, ms);

        if (!opened)
            return error_set(err, "timeout",
                             "macOS did not confirm within %.1f s that %s was opened",
                             (double)ms / 1000, what->bundle);
        if (!opened.app) {
            const char *why = [opened.error.localizedDescription UTF8String];

            return error_set(err, "launch_failed", "%s could not be opened: %s", what->bundle,
                             why ? why : "macOS gave no reason");
        }
        *pid = opened.app.processIdentifier;
        return true;
    }
}

/* --- keys of the system's own -------------------------------------------------------- */

/* Posts the event that a keyboard sends for such a key: one of the kind that applications see as
 * "auxiliary control button" (IOKit's IOLLEvent.h: NX_SYSDEFINED with
 * NX_SUBTYPE_AUX_CONTROL_BUTTONS, state 10 is down and 11 up). */
bool appkit_media_key(int key, bool down)
{
    enum { AUX_BUTTONS = 8, DOWN = 0xa, UP = 0xb };
    int state = down ? DOWN : UP;

    @autoreleasepool {
        NSEvent *event = [NSEvent otherEventWithType:NSEventTypeSystemDefined
                                            location:CGPointMake(0, 0)
                                       modifierFlags:(NSUInteger)state << 8
                                           timestamp:0
                                        windowNumber:0
                                             context:nil
                                             subtype:AUX_BUTTONS
                                               data1:(key << 16) | (state << 8)
                                               data2:-1];

        if (!event.CGEvent)
            return false;
        CGEventPost(kCGHIDEventTap, event.CGEvent);
        return true;
    }
}
