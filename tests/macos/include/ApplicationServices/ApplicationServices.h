/* Own declarations of what Perigee calls of ApplicationServices, written from
 * developer.apple.com/documentation/applicationservices. Not Apple's header; see CoreFoundation.h.
 */
#ifndef CHECK_APPLICATION_SERVICES_H
#define CHECK_APPLICATION_SERVICES_H

#include <ApplicationServices/Pasteboard.h>
#include <CoreFoundation/CoreFoundation.h>
#include <CoreGraphics/CoreGraphics.h>
#include <CoreServices/CoreServices.h>
#include <sys/types.h>

/* axuielement_h: AXUIElementCreateApplication, AXUIElementCreateSystemWide, AXUIElementGetPid,
 * AXUIElementSetMessagingTimeout, AXUIElementCopyAttributeValue,
 * AXUIElementCopyMultipleAttributeValues, AXUIElementSetAttributeValue,
 * AXUIElementPerformAction, AXIsProcessTrusted, AXIsProcessTrustedWithOptions;
 * axerror */
CF_ASSUME_NONNULL_BEGIN

typedef const struct __AXUIElement *AXUIElementRef;
typedef int32_t AXError;
enum {
    kAXErrorSuccess = 0,
    kAXErrorFailure = -25200,
    kAXErrorIllegalArgument = -25201,
    kAXErrorInvalidUIElement = -25202,
    kAXErrorCannotComplete = -25204,
    kAXErrorAttributeUnsupported = -25205,
    kAXErrorActionUnsupported = -25206,
    kAXErrorNotImplemented = -25208,
    kAXErrorAPIDisabled = -25211,
    kAXErrorNoValue = -25212,
};
extern AXUIElementRef AXUIElementCreateApplication(pid_t pid);
extern AXUIElementRef AXUIElementCreateSystemWide(void);
extern AXError AXUIElementGetPid(AXUIElementRef element, pid_t *pid);
extern AXError AXUIElementSetMessagingTimeout(AXUIElementRef element, float seconds);
extern AXError AXUIElementCopyAttributeValue(AXUIElementRef element, CFStringRef attribute,
                                             CFTypeRef _Nullable *_Nonnull value);
typedef uint32_t AXCopyMultipleAttributeOptions;
extern AXError AXUIElementCopyMultipleAttributeValues(AXUIElementRef element, CFArrayRef attributes,
                                                      AXCopyMultipleAttributeOptions options,
                                                      CFArrayRef _Nullable *_Nonnull values);
extern AXError AXUIElementSetAttributeValue(AXUIElementRef element, CFStringRef attribute,
                                            CFTypeRef value);
extern CFTypeID AXUIElementGetTypeID(void);
extern AXError AXUIElementPerformAction(AXUIElementRef element, CFStringRef action);
extern Boolean AXIsProcessTrusted(void);
extern const CFStringRef kAXTrustedCheckOptionPrompt;
extern Boolean AXIsProcessTrustedWithOptions(CFDictionaryRef _Nullable options);

/* axvalue_h: AXValueCreate, AXValueGetValue; axvaluetype */
typedef const struct __AXValue *AXValueRef;
typedef uint32_t AXValueType;
enum { kAXValueTypeCGPoint = 1, kAXValueTypeCGSize = 2, kAXValueTypeAXError = 5 };
extern AXValueRef _Nullable AXValueCreate(AXValueType type, const void *value);
extern Boolean AXValueGetValue(AXValueRef value, AXValueType type, void *out);
extern CFTypeID AXValueGetTypeID(void);

CF_ASSUME_NONNULL_END

/* carbon_accessibility/attributes and actions */
#define kAXFrontmostAttribute          CFSTR("AXFrontmost")
#define kAXFocusedApplicationAttribute CFSTR("AXFocusedApplication")
#define kAXFocusedUIElementAttribute   CFSTR("AXFocusedUIElement")
#define kAXNumberOfCharactersAttribute CFSTR("AXNumberOfCharacters")
#define kAXSelectedTextRangeAttribute  CFSTR("AXSelectedTextRange")
#define kAXWindowsAttribute            CFSTR("AXWindows")
#define kAXFocusedWindowAttribute      CFSTR("AXFocusedWindow")
#define kAXPositionAttribute           CFSTR("AXPosition")
#define kAXSizeAttribute               CFSTR("AXSize")
#define kAXValueAttribute              CFSTR("AXValue")
#define kAXTitleAttribute              CFSTR("AXTitle")
#define kAXMinimizedAttribute          CFSTR("AXMinimized")
#define kAXMainAttribute               CFSTR("AXMain")
#define kAXModalAttribute              CFSTR("AXModal")
#define kAXCloseButtonAttribute        CFSTR("AXCloseButton")
#define kAXRaiseAction                 CFSTR("AXRaise")
#define kAXPressAction                 CFSTR("AXPress")

#endif
