/* Own declarations of what Perigee sends to ScreenCaptureKit's classes, written from
 * developer.apple.com/documentation/screencapturekit. Not Apple's header. */
#ifndef CHECK_SCREEN_CAPTURE_KIT_H
#define CHECK_SCREEN_CAPTURE_KIT_H

#import <Foundation/Foundation.h>

#pragma clang assume_nonnull begin

API_AVAILABLE(macos(12.3))
@interface SCDisplay : NSObject
@property(readonly) CGDirectDisplayID displayID;
@end

API_AVAILABLE(macos(12.3))
@interface SCWindow : NSObject
@property(readonly) CGWindowID windowID;
@end

API_AVAILABLE(macos(12.3))
@interface SCShareableContent : NSObject
+ (void)getShareableContentExcludingDesktopWindows:(BOOL)desktop
                               onScreenWindowsOnly:(BOOL)shown
                                 completionHandler:(void (^)(SCShareableContent *_Nullable,
                                                             NSError *_Nullable))handler;
@property(readonly) NSArray<SCDisplay *> *displays;
@property(readonly) NSArray<SCWindow *> *windows;
@end

API_AVAILABLE(macos(12.3))
@interface SCContentFilter : NSObject
- (instancetype)initWithDisplay:(SCDisplay *)display
               excludingWindows:(NSArray<SCWindow *> *)windows;
- (instancetype)initWithDesktopIndependentWindow:(SCWindow *)window;
@property(readonly) CGRect contentRect API_AVAILABLE(macos(14.0));
@end

typedef NS_ENUM(NSInteger, SCCaptureResolutionType) {
    SCCaptureResolutionBest = 1
} API_AVAILABLE(macos(14.0));

API_AVAILABLE(macos(12.3))
@interface SCStreamConfiguration : NSObject
@property size_t width, height;
@property CGRect sourceRect;
@property BOOL showsCursor;
@property SCCaptureResolutionType captureResolution API_AVAILABLE(macos(14.0));
@property BOOL ignoreShadowsSingleWindow API_AVAILABLE(macos(14.0));
@end

API_AVAILABLE(macos(14.0))
@interface SCScreenshotManager : NSObject
+ (void)captureImageWithFilter:(SCContentFilter *)filter
                 configuration:(SCStreamConfiguration *)configuration
             completionHandler:(nullable void (^)(CGImageRef _Nullable, NSError *_Nullable))handler;
@end

#pragma clang assume_nonnull end

#endif
