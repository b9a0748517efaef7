/* NSWorkspace's notifications (developer.apple.com/documentation/appkit/nsworkspace), NSApplication
 * and NSPasteboard's count, behind C. */
#import <AppKit/AppKit.h>

#include "platform/macos/system/appkit_news.h"

/* The value of Carbon's kTISNotifySelectedKeyboardInputSourceChanged. */
#define LAYOUT_CHANGED @"com.apple.Carbon.TISNotifySelectedKeyboardInputSourceChanged"

@interface PerigeeNews : NSObject
@property const struct appkit_news *news;
@end

@implementation PerigeeNews

- (void)tell:(enum appkit_what)what of:(NSNotification *)notification
{
    NSRunningApplication *app = notification.userInfo[NSWorkspaceApplicationKey];

    if (app && app.processIdentifier > 0)
        self.news->told(self.news->arg, what, app.processIdentifier);
}

- (void)opened:(NSNotification *)notification
{
    NSRunningApplication *app = notification.userInfo[NSWorkspaceApplicationKey];

    if (app.activationPolicy != NSApplicationActivationPolicyProhibited)
        [self tell:APPKIT_APP_OPENED of:notification];
}

- (void)ended:(NSNotification *)notification
{
    [self tell:APPKIT_APP_ENDED of:notification];
}

- (void)activated:(NSNotification *)notification
{
    [self tell:APPKIT_APP_ACTIVE of:notification];
}

- (void)hidden:(NSNotification *)notification
{
    [self tell:APPKIT_APP_HIDDEN of:notification];
}

- (void)shown:(NSNotification *)notification
{
    [self tell:APPKIT_APP_SHOWN of:notification];
}

- (void)space:(NSNotification *)notification
{
    (void)notification;
    self.news->told(self.news->arg, APPKIT_SPACE, 0);
}

- (void)screens:(NSNotification *)notification
{
    (void)notification;
    self.news->told(self.news->arg, APPKIT_SCREENS, 0);
}

- (void)layout:(NSNotification *)notification
{
    (void)notification;
    self.news->told(self.news->arg, APPKIT_LAYOUT, 0);
}

@end

static PerigeeNews *listener;

static void hear_notification(NSNotificationCenter *center, NSNotificationName name, SEL selector)
{
    [center addObserver:listener selector:selector name:name object:nil];
}

static void hear_workspace(NSNotificationCenter *center)
{
    hear_notification(center, NSWorkspaceDidLaunchApplicationNotification, @selector(opened:));
    hear_notification(center, NSWorkspaceDidTerminateApplicationNotification, @selector(ended:));
    hear_notification(center, NSWorkspaceDidActivateApplicationNotification, @selector(activated:));
    hear_notification(center, NSWorkspaceDidHideApplicationNotification, @selector(hidden:));
    hear_notification(center, NSWorkspaceDidUnhideApplicationNotification, @selector(shown:));
    hear_notification(center, NSWorkspaceActiveSpaceDidChangeNotification, @selector(space:));
}

void appkit_news_hide(void)
{
    @autoreleasepool {
        [[NSApplication sharedApplication]
            setActivationPolicy:NSApplicationActivationPolicyAccessory];
    }
}

void appkit_news_listen(const struct appkit_news *news)
{
    @autoreleasepool {
        appkit_news_hide();
        listener = [[PerigeeNews alloc] init];
        listener.news = news;
        hear_workspace([NSWorkspace sharedWorkspace].notificationCenter);
        hear_notification([NSNotificationCenter defaultCenter],
             NSApplicationDidChangeScreenParametersNotification, @selector(screens:));
        hear_notification([NSDistributedNotificationCenter defaultCenter], LAYOUT_CHANGED,
                          @selector(layout:));
    }
}

void appkit_news_run(void)
{
    @autoreleasepool {
        [[NSApplication sharedApplication] run];
    }
}

/* stop: takes effect after the next event (NSApplication's page says so). */
void appkit_news_stop(void)
{
    @autoreleasepool {
        NSApplication *app = [NSApplication sharedApplication];
        NSEvent *event = [NSEvent otherEventWithType:NSEventTypeApplicationDefined
                                            location:CGPointMake(0, 0)
                                       modifierFlags:0
                                           timestamp:0
                                        windowNumber:0
                                             context:nil
                                             subtype:0
                                               data1:0
                                               data2:0];

        [app stop:nil];
        if (event)
            [app postEvent:event atStart:YES];
    }
}

long appkit_clipboard_count(void)
{
    @autoreleasepool {
        return [NSPasteboard generalPasteboard].changeCount;
    }
}
