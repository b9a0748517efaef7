/* SCScreenshotManager (developer.apple.com/documentation/screencapturekit/scscreenshotmanager).
 *
 * Both of its steps answer on a queue of their own; a step that does not answer in time is given
 * up. A later answer goes to an object that its block still owns, and is dropped with it. */
#import <Foundation/Foundation.h>
#import <ScreenCaptureKit/ScreenCaptureKit.h>
#include <dispatch/dispatch.h>
#include <time.h>

#include "platform/macos/system/sckit.h"

bool sckit_there(void)
{
    if (@available(macOS 14.0, *))
        return true;
    return false;
}

@interface PerigeeShot : NSObject
@property(strong) SCShareableContent *content;
@property(strong) NSError *error;
@property CGImageRef image;
@end

@implementation PerigeeShot
- (void)dealloc
{
    if (_image)
        CGImageRelease(_image);
}
@end

static uint64_t now_ms(void)
{
    return clock_gettime_nsec_np(CLOCK_MONOTONIC) / 1000000;
}

static bool wait_until(dispatch_semaphore_t done, uint64_t until)
{
    uint64_t now = now_ms();
    int64_t left = until > now ? (int64_t)(until - now) : 0;

    return dispatch_semaphore_wait(done, dispatch_time(DISPATCH_TIME_NOW, left * 1000000)) == 0;
}

static bool load_content(PerigeeShot *shot, uint64_t until)
{
    dispatch_semaphore_t done = dispatch_semaphore_create(0);

    [SCShareableContent
        getShareableContentExcludingDesktopWindows:NO
                               onScreenWindowsOnly:NO
                                 completionHandler:^(SCShareableContent *content, NSError *error) {
                                     shot.content = content;
                                     shot.error = error;
                                     dispatch_semaphore_signal(done);
                                 }];
    return wait_until(done, until);
}

API_AVAILABLE(macos(14.0))
static SCContentFilter *filter_of(SCShareableContent *content, const struct sckit_request *request)
{
    for (SCDisplay *display in content.displays) {
        if (request->display && display.displayID == request->display)
            return [[SCContentFilter alloc] initWithDisplay:display excludingWindows:[NSArray array]];
    }
    for (SCWindow *window in content.windows) {
        if (!request->display && window.windowID == request->window)
            return [[SCContentFilter alloc] initWithDesktopIndependentWindow:window];
    }
    return nil;
}

API_AVAILABLE(macos(14.0))
static SCStreamConfiguration *configuration_of(SCContentFilter *filter,
                                               const struct sckit_request *request)
{
    SCStreamConfiguration *configuration = [[SCStreamConfiguration alloc] init];
    bool part = request->part.size.width > 0;
    CGSize size = part ? request->part.size : filter.contentRect.size;

    if (part)
        configuration.sourceRect = request->part;
    configuration.width = (size_t)(size.width * request->scale + 0.5);
    configuration.height = (size_t)(size.height * request->scale + 0.5);
    configuration.showsCursor = request->cursor;
    configuration.captureResolution = SCCaptureResolutionBest;
    configuration.ignoreShadowsSingleWindow = YES;
    return configuration;
}

API_AVAILABLE(macos(14.0))
static bool take_image(PerigeeShot *shot, SCContentFilter *filter,
                       const struct sckit_request *request, uint64_t until)
{
    dispatch_semaphore_t done = dispatch_semaphore_create(0);

    [SCScreenshotManager captureImageWithFilter:filter
                                  configuration:configuration_of(filter, request)
                              completionHandler:^(CGImageRef image, NSError *error) {
                                  shot.image = image ? CGImageRetain(image) : NULL;
                                  shot.error = error;
                                  dispatch_semaphore_signal(done);
                              }];
    return wait_until(done, until);
}

static CGImageRef fail_shot(struct error *err, const char *code, NSError *why)
{
    const char *text = [why.localizedDescription UTF8String];

    error_set(err, code, "ScreenCaptureKit returned no image: %s", text ? text : "no reason given");
    return NULL;
}

/* Asks for a list, and drops it. */
void sckit_enroll(uint64_t ms)
{
    CGMainDisplayID();
    @autoreleasepool {
        load_content([[PerigeeShot alloc] init], now_ms() + ms);
    }
}

/* A filter for a window crashes a program that has not contacted the window server yet (an
 * assertion of SkyLight's, CGS_REQUIRE_INIT); asking for a display contacts it. */
CGImageRef sckit_copy_image(const struct sckit_request *request, uint64_t ms, struct error *err)
{
    uint64_t until = now_ms() + ms;

    CGMainDisplayID();
    if (@available(macOS 14.0, *)) {
        @autoreleasepool {
            PerigeeShot *shot = [[PerigeeShot alloc] init];
            SCContentFilter *filter;

            if (!load_content(shot, until))
                return fail_shot(err, "timeout", nil);
            if (!shot.content)
                return fail_shot(err, "capture_failed", shot.error);
            filter = filter_of(shot.content, request);
            if (!filter)
                return fail_shot(err, request->display ? "display_not_found" : "window_not_found",
                                 nil);
            if (!take_image(shot, filter, request, until))
                return fail_shot(err, "timeout", nil);
            return shot.image ? CGImageRetain(shot.image)
                              : fail_shot(err, "capture_failed", shot.error);
        }
    }
    return fail_shot(err, "capture_failed", nil);
}
