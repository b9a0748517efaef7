/* Own declarations of what Perigee calls of Core Graphics, written from
 * developer.apple.com/documentation/coregraphics: the page is named at each, those of functions as
 * CoreFoundation.h beside says, where no other is given. Not Apple's header. */
#ifndef CHECK_CORE_GRAPHICS_H
#define CHECK_CORE_GRAPHICS_H

#include <CoreFoundation/CoreFoundation.h>
#include <stddef.h>

CF_ASSUME_NONNULL_BEGIN

typedef double CGFloat;
typedef struct CGPoint {
    CGFloat x, y;
} CGPoint;
typedef struct CGSize {
    CGFloat width, height;
} CGSize;
typedef struct CGRect {
    CGPoint origin;
    CGSize size;
} CGRect;
typedef int32_t CGError;
enum { kCGErrorSuccess = 0 };

/* corefoundation/cgpoint, cgsize, cgrect (whose page has null, isNull and intersection);
 * cgrectmakewithdictionaryrepresentation */
static inline CGPoint CGPointMake(CGFloat x, CGFloat y)
{
    return (CGPoint){ x, y };
}
static inline CGSize CGSizeMake(CGFloat width, CGFloat height)
{
    return (CGSize){ width, height };
}
static inline CGRect CGRectMake(CGFloat x, CGFloat y, CGFloat width, CGFloat height)
{
    return (CGRect){ { x, y }, { width, height } };
}
extern const CGRect CGRectNull;
extern bool CGRectIsNull(CGRect rect);
extern CGRect CGRectIntersection(CGRect one, CGRect two);
extern bool CGRectContainsPoint(CGRect rect, CGPoint point);
typedef struct CGColor *CGColorRef; /* coregraphics/cgcolor */
extern bool CGRectMakeWithDictionaryRepresentation(CFDictionaryRef _Nullable dictionary,
                                                   CGRect *_Nullable rect);

/* quartz-display-services: cggetactivedisplaylist, cggetdisplayswithpoint, cgdisplaybounds,
 * cgmaindisplayid, cgdisplayismain (a boolean_t: 32 bits), cgdisplayrotation,
 * cgdisplaycopydisplaymode; cgdisplaymode: width, pixelwidth */
typedef uint32_t CGDirectDisplayID;
typedef struct CGDisplayMode *CGDisplayModeRef;
extern CGError CGGetActiveDisplayList(uint32_t max, CGDirectDisplayID *_Nullable displays,
                                      uint32_t *_Nullable count);
extern CGError CGGetDisplaysWithPoint(CGPoint point, uint32_t max,
                                      CGDirectDisplayID *_Nullable displays,
                                      uint32_t *_Nullable count);
extern CGRect CGDisplayBounds(CGDirectDisplayID display);
extern CGDirectDisplayID CGMainDisplayID(void);
extern int CGDisplayIsMain(CGDirectDisplayID display);
extern double CGDisplayRotation(CGDirectDisplayID display);
extern CGDisplayModeRef _Nullable CGDisplayCopyDisplayMode(CGDirectDisplayID display);
extern size_t CGDisplayModeGetWidth(CGDisplayModeRef _Nullable mode);
extern size_t CGDisplayModeGetPixelWidth(CGDisplayModeRef _Nullable mode);
extern void CGDisplayModeRelease(CGDisplayModeRef _Nullable mode);

/* cgdisplayregisterreconfigurationcallback, cgdisplayreconfigurationcallback,
 * cgdisplaychangesummaryflags */
typedef uint32_t CGDisplayChangeSummaryFlags;
enum { kCGDisplayBeginConfigurationFlag = 1 << 0 };
typedef void (*CGDisplayReconfigurationCallBack)(CGDirectDisplayID display,
                                                 CGDisplayChangeSummaryFlags flags,
                                                 void *_Nullable arg);
extern CGError
CGDisplayRegisterReconfigurationCallback(CGDisplayReconfigurationCallBack _Nullable callback,
                                         void *_Nullable arg);

/* cgsessioncopycurrentdictionary */
extern CFDictionaryRef _Nullable CGSessionCopyCurrentDictionary(void);

/* quartz-window-services: cgwindowlistcopywindowinfo, window-list-option-constants,
 * window-image-types, null-window, required-window-list-keys, optional-window-list-keys */
typedef uint32_t CGWindowID, CGWindowListOption, CGWindowImageOption;
enum {
    kCGNullWindowID = 0,
    kCGWindowListOptionAll = 0,
    kCGWindowListOptionOnScreenOnly = 1 << 0,
    kCGWindowListOptionIncludingWindow = 1 << 3,
    kCGWindowListExcludeDesktopElements = 1 << 4,
    kCGWindowImageBoundsIgnoreFraming = 1 << 0,
};
extern const CFStringRef kCGWindowNumber, kCGWindowLayer, kCGWindowBounds, kCGWindowOwnerPID,
    kCGWindowOwnerName, kCGWindowName, kCGWindowIsOnscreen;
extern CFArrayRef _Nullable CGWindowListCopyWindowInfo(CGWindowListOption option,
                                                       CGWindowID relative);

/* cgpreflightscreencaptureaccess, cgpreflightlisteneventaccess (macOS 10.15) */
extern bool CGPreflightScreenCaptureAccess(void);
extern bool CGRequestScreenCaptureAccess(void);
extern bool CGPreflightListenEventAccess(void);

/* cgimage (and cgimageretain), cgimagealphainfo, cgbitmapinfo, cgcontext, cgcolorspace */
typedef struct CGImage *CGImageRef;
typedef struct CGContext *CGContextRef;
typedef struct CGColorSpace *CGColorSpaceRef;
enum {
    kCGImageAlphaPremultipliedFirst = 2,
    kCGImageAlphaNoneSkipFirst = 6,
    kCGBitmapByteOrder32Little = 2 << 12,
};
extern const CFStringRef kCGColorSpaceSRGB;
extern CGColorSpaceRef _Nullable CGColorSpaceCreateWithName(CFStringRef _Nullable name);
extern void CGColorSpaceRelease(CGColorSpaceRef _Nullable space);
extern size_t CGImageGetWidth(CGImageRef _Nullable image);
extern size_t CGImageGetHeight(CGImageRef _Nullable image);
extern CGImageRef _Nullable CGImageRetain(CGImageRef _Nullable image);
extern void CGImageRelease(CGImageRef _Nullable image);
extern CGContextRef _Nullable CGBitmapContextCreate(void *_Nullable data, size_t width,
                                                    size_t height, size_t bits, size_t row,
                                                    CGColorSpaceRef _Nullable space, uint32_t info);
extern void CGContextDrawImage(CGContextRef _Nullable context, CGRect rect,
                               CGImageRef _Nullable image);
extern void CGContextRelease(CGContextRef _Nullable context);

/* quartz-event-services: cgeventsource, cgeventtype, cgeventfield, cgeventflags, cgmousebutton,
 * cgscrolleventunit, cgeventtaplocation, cgeventtapplacement, cgeventtapoptions,
 * cgeventtapcallback; cgevent: init(source:), init(keyboardeventsource:virtualkey:keydown:),
 * init(mouseeventsource:mousetype:mousecursorposition:mousebutton:), location, flags,
 * getintegervaluefield(_:), setintegervaluefield(_:value:),
 * keyboardsetunicodestring(stringlength:unicodestring:),
 * keyboardgetunicodestring(maxstringlength:actualstringlength:unicodestring:), post(tap:),
 * tapenable(tap:enable:), tapcreate(tap:place:options:eventsofinterest:callback:userinfo:) */
typedef struct __CGEvent *CGEventRef;
typedef struct __CGEventSource *CGEventSourceRef;
typedef struct __CGEventTapProxy *CGEventTapProxy;
typedef uint16_t CGKeyCode;
typedef uint64_t CGEventFlags, CGEventMask;
typedef uint32_t CGEventType, CGMouseButton, CGEventField, CGEventTapLocation, CGEventTapPlacement,
    CGEventTapOptions, CGScrollEventUnit;
typedef int32_t CGEventSourceStateID;
enum { kCGEventSourceStateCombinedSessionState = 0, kCGEventSourceStateHIDSystemState = 1 };
#define kCGAnyInputEventType 0xFFFFFFFFu
/* cgeventsource/secondssincelasteventtype(_:eventtype:) */
extern CFTimeInterval CGEventSourceSecondsSinceLastEventType(CGEventSourceStateID state,
                                                             CGEventType type);
enum { kCGHIDEventTap = 0, kCGSessionEventTap = 1 };
enum { kCGHeadInsertEventTap = 0 };
enum { kCGEventTapOptionDefault = 0, kCGEventTapOptionListenOnly = 1 };
enum { kCGScrollEventUnitPixel = 0, kCGScrollEventUnitLine = 1 };
enum { kCGMouseButtonLeft = 0, kCGMouseButtonRight = 1, kCGMouseButtonCenter = 2 };
enum {
    kCGEventLeftMouseDown = 1,
    kCGEventLeftMouseUp = 2,
    kCGEventRightMouseDown = 3,
    kCGEventRightMouseUp = 4,
    kCGEventMouseMoved = 5,
    kCGEventLeftMouseDragged = 6,
    kCGEventRightMouseDragged = 7,
    kCGEventKeyDown = 10,
    kCGEventKeyUp = 11,
    kCGEventFlagsChanged = 12,
    kCGEventScrollWheel = 22,
    kCGEventOtherMouseDown = 25,
    kCGEventOtherMouseUp = 26,
    kCGEventOtherMouseDragged = 27,
};
#define kCGEventTapDisabledByTimeout   0xFFFFFFFEu
#define kCGEventTapDisabledByUserInput 0xFFFFFFFFu
enum {
    kCGMouseEventClickState = 1,
    kCGMouseEventButtonNumber = 3,
    kCGMouseEventDeltaX = 4,
    kCGMouseEventDeltaY = 5,
    kCGKeyboardEventKeycode = 9,
    kCGScrollWheelEventDeltaAxis1 = 11,
};
enum {
    kCGEventFlagMaskShift = 0x00020000,
    kCGEventFlagMaskControl = 0x00040000,
    kCGEventFlagMaskAlternate = 0x00080000,
    kCGEventFlagMaskCommand = 0x00100000,
    kCGEventFlagMaskNumericPad = 0x00200000,
    kCGEventFlagMaskSecondaryFn = 0x00800000,
};
#define CGEventMaskBit(type) ((CGEventMask)1 << (type))
typedef CGEventRef _Nullable (*CGEventTapCallBack)(CGEventTapProxy proxy, CGEventType type,
                                                   CGEventRef event, void *_Nullable info);
extern CGEventSourceRef _Nullable CGEventSourceCreate(CGEventSourceStateID state);
extern CGEventRef _Nullable CGEventCreate(CGEventSourceRef _Nullable source);
extern CGEventRef _Nullable CGEventCreateKeyboardEvent(CGEventSourceRef _Nullable source,
                                                       CGKeyCode key, bool down);
extern CGEventRef _Nullable CGEventCreateMouseEvent(CGEventSourceRef _Nullable source,
                                                    CGEventType type, CGPoint at,
                                                    CGMouseButton button);
/* cgevent/init(scrollwheelevent2source:units:wheelcount:wheel1:wheel2:wheel3:), macOS 10.13 */
extern CGEventRef _Nullable CGEventCreateScrollWheelEvent2(CGEventSourceRef _Nullable source,
                                                           CGScrollEventUnit unit, uint32_t wheels,
                                                           int32_t one, int32_t two, int32_t three);
extern CGPoint CGEventGetLocation(CGEventRef _Nullable event);
extern void CGEventSetLocation(CGEventRef _Nullable event, CGPoint location);
extern CGEventFlags CGEventGetFlags(CGEventRef _Nullable event);
extern void CGEventSetFlags(CGEventRef _Nullable event, CGEventFlags flags);
extern int64_t CGEventGetIntegerValueField(CGEventRef _Nullable event, CGEventField field);
extern void CGEventSetIntegerValueField(CGEventRef _Nullable event, CGEventField field,
                                        int64_t value);
extern void CGEventKeyboardSetUnicodeString(CGEventRef _Nullable event, UniCharCount count,
                                            const UniChar *_Nullable text);
extern void CGEventKeyboardGetUnicodeString(CGEventRef _Nullable event, UniCharCount max,
                                            UniCharCount *_Nullable count, UniChar *_Nullable text);
extern void CGEventPost(CGEventTapLocation tap, CGEventRef _Nullable event);
extern CFMachPortRef _Nullable CGEventTapCreate(CGEventTapLocation tap, CGEventTapPlacement place,
                                                CGEventTapOptions options, CGEventMask events,
                                                CGEventTapCallBack callback, void *_Nullable info);
extern void CGEventTapEnable(CFMachPortRef tap, bool on);

CF_ASSUME_NONNULL_END

#endif
