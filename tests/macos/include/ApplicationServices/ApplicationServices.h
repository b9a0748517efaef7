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
 * AXUIElementSetMessagingTimeout, AXUIElementCopyAttributeValue, AXUIElementCopyAttributeValues,
 * AXUIElementGetAttributeValueCount, AXUIElementIsAttributeSettable,
 * AXUIElementCopyMultipleAttributeValues, AXUIElementCopyParameterizedAttributeValue,
 * AXUIElementSetAttributeValue, AXUIElementCopyActionNames, AXUIElementPerformAction,
 * AXUIElementCopyElementAtPosition, AXIsProcessTrusted, AXIsProcessTrustedWithOptions;
 * AXObserverCreate, AXObserverAddNotification, AXObserverGetRunLoopSource; axerror */
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
    kAXErrorNotificationUnsupported = -25207,
    kAXErrorNotImplemented = -25208,
    kAXErrorNotificationAlreadyRegistered = -25209,
    kAXErrorAPIDisabled = -25211,
    kAXErrorNoValue = -25212,
    kAXErrorParameterizedAttributeUnsupported = -25213,
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
extern AXError AXUIElementCopyAttributeValues(AXUIElementRef element, CFStringRef attribute,
                                              CFIndex index, CFIndex max,
                                              CFArrayRef _Nullable *_Nonnull values);
extern AXError AXUIElementGetAttributeValueCount(AXUIElementRef element, CFStringRef attribute,
                                                 CFIndex *count);
extern AXError AXUIElementIsAttributeSettable(AXUIElementRef element, CFStringRef attribute,
                                              Boolean *settable);
extern AXError AXUIElementCopyParameterizedAttributeValue(AXUIElementRef element,
                                                          CFStringRef attribute,
                                                          CFTypeRef parameter,
                                                          CFTypeRef _Nullable *_Nonnull result);
extern AXError AXUIElementSetAttributeValue(AXUIElementRef element, CFStringRef attribute,
                                            CFTypeRef value);
extern AXError AXUIElementCopyActionNames(AXUIElementRef element,
                                          CFArrayRef _Nullable *_Nonnull names);
extern AXError AXUIElementCopyElementAtPosition(AXUIElementRef application, float x, float y,
                                                AXUIElementRef _Nullable *_Nonnull element);
extern CFTypeID AXUIElementGetTypeID(void);
extern AXError AXUIElementPerformAction(AXUIElementRef element, CFStringRef action);
typedef struct __AXObserver *AXObserverRef;
typedef void (*AXObserverCallback)(AXObserverRef observer, AXUIElementRef element,
                                   CFStringRef notification, void *_Nullable refcon);
extern AXError AXObserverCreate(pid_t application, AXObserverCallback callback,
                                AXObserverRef _Nullable *_Nonnull observer);
extern AXError AXObserverAddNotification(AXObserverRef observer, AXUIElementRef element,
                                         CFStringRef notification, void *_Nullable refcon);
extern CFRunLoopSourceRef AXObserverGetRunLoopSource(AXObserverRef observer);
extern Boolean AXIsProcessTrusted(void);
extern const CFStringRef kAXTrustedCheckOptionPrompt;
extern Boolean AXIsProcessTrustedWithOptions(CFDictionaryRef _Nullable options);

/* axvalue_h: AXValueCreate, AXValueGetValue; axvaluetype */
typedef const struct __AXValue *AXValueRef;
typedef uint32_t AXValueType;
enum {
    kAXValueTypeCGPoint = 1,
    kAXValueTypeCGSize = 2,
    kAXValueTypeCFRange = 4,
    kAXValueTypeAXError = 5
};
extern AXValueRef _Nullable AXValueCreate(AXValueType type, const void *value);
extern Boolean AXValueGetValue(AXValueRef value, AXValueType type, void *out);
extern CFTypeID AXValueGetTypeID(void);

CF_ASSUME_NONNULL_END

/* carbon_accessibility/attributes and actions */
#define kAXFrontmostAttribute                   CFSTR("AXFrontmost")
#define kAXFocusedApplicationAttribute          CFSTR("AXFocusedApplication")
#define kAXFocusedUIElementAttribute            CFSTR("AXFocusedUIElement")
#define kAXNumberOfCharactersAttribute          CFSTR("AXNumberOfCharacters")
#define kAXSelectedTextRangeAttribute           CFSTR("AXSelectedTextRange")
#define kAXWindowsAttribute                     CFSTR("AXWindows")
#define kAXFocusedWindowAttribute               CFSTR("AXFocusedWindow")
#define kAXPositionAttribute                    CFSTR("AXPosition")
#define kAXSizeAttribute                        CFSTR("AXSize")
#define kAXValueAttribute                       CFSTR("AXValue")
#define kAXTitleAttribute                       CFSTR("AXTitle")
#define kAXMinimizedAttribute                   CFSTR("AXMinimized")
#define kAXMainAttribute                        CFSTR("AXMain")
#define kAXModalAttribute                       CFSTR("AXModal")
#define kAXCloseButtonAttribute                 CFSTR("AXCloseButton")
#define kAXChildrenAttribute                    CFSTR("AXChildren")
#define kAXVisibleChildrenAttribute             CFSTR("AXVisibleChildren")
#define kAXRowsAttribute                        CFSTR("AXRows")
#define kAXVisibleRowsAttribute                 CFSTR("AXVisibleRows")
#define kAXSelectedRowsAttribute                CFSTR("AXSelectedRows")
#define kAXSelectedChildrenAttribute            CFSTR("AXSelectedChildren")
#define kAXHeaderAttribute                      CFSTR("AXHeader")
#define kAXRoleAttribute                        CFSTR("AXRole")
#define kAXParentAttribute                      CFSTR("AXParent")
#define kAXSubroleAttribute                     CFSTR("AXSubrole")
#define kAXDescriptionAttribute                 CFSTR("AXDescription")
#define kAXHelpAttribute                        CFSTR("AXHelp")
#define kAXEnabledAttribute                     CFSTR("AXEnabled")
#define kAXFocusedAttribute                     CFSTR("AXFocused")
#define kAXSelectedAttribute                    CFSTR("AXSelected")
#define kAXExpandedAttribute                    CFSTR("AXExpanded")
#define kAXDisclosingAttribute                  CFSTR("AXDisclosing")
#define kAXTitleUIElementAttribute              CFSTR("AXTitleUIElement")
#define kAXMinValueAttribute                    CFSTR("AXMinValue")
#define kAXMaxValueAttribute                    CFSTR("AXMaxValue")
#define kAXValueIncrementAttribute              CFSTR("AXValueIncrement")
#define kAXIndexAttribute                       CFSTR("AXIndex")
#define kAXMenuItemMarkCharAttribute            CFSTR("AXMenuItemMarkChar")
#define kAXMenuBarAttribute                     CFSTR("AXMenuBar")
#define kAXExtrasMenuBarAttribute               CFSTR("AXExtrasMenuBar")
#define kAXDefaultButtonAttribute               CFSTR("AXDefaultButton")
#define kAXHiddenAttribute                      CFSTR("AXHidden")
#define kAXElementBusyAttribute                 CFSTR("AXElementBusy")
#define kAXPlaceholderValueAttribute            CFSTR("AXPlaceholderValue")
#define kAXStringForRangeParameterizedAttribute CFSTR("AXStringForRange")

/* axnotificationconstants_h */
#define kAXMainWindowChangedNotification       CFSTR("AXMainWindowChanged")
#define kAXFocusedWindowChangedNotification    CFSTR("AXFocusedWindowChanged")
#define kAXFocusedUIElementChangedNotification CFSTR("AXFocusedUIElementChanged")
#define kAXWindowCreatedNotification           CFSTR("AXWindowCreated")
#define kAXWindowMiniaturizedNotification      CFSTR("AXWindowMiniaturized")
#define kAXWindowDeminiaturizedNotification    CFSTR("AXWindowDeminiaturized")
#define kAXWindowMovedNotification             CFSTR("AXWindowMoved")
#define kAXWindowResizedNotification           CFSTR("AXWindowResized")
#define kAXSheetCreatedNotification            CFSTR("AXSheetCreated")
#define kAXUIElementDestroyedNotification      CFSTR("AXUIElementDestroyed")
#define kAXMenuOpenedNotification              CFSTR("AXMenuOpened")
#define kAXMenuClosedNotification              CFSTR("AXMenuClosed")
#define kAXValueChangedNotification            CFSTR("AXValueChanged")
#define kAXTitleChangedNotification            CFSTR("AXTitleChanged")
#define kAXSelectedTextChangedNotification     CFSTR("AXSelectedTextChanged")
#define kAXSelectedChildrenChangedNotification CFSTR("AXSelectedChildrenChanged")
#define kAXSelectedRowsChangedNotification     CFSTR("AXSelectedRowsChanged")
#define kAXRowCountChangedNotification         CFSTR("AXRowCountChanged")
#define kAXRowExpandedNotification             CFSTR("AXRowExpanded")
#define kAXRowCollapsedNotification            CFSTR("AXRowCollapsed")
#define kAXLayoutChangedNotification           CFSTR("AXLayoutChanged")
#define kAXCreatedNotification                 CFSTR("AXCreated")
#define kAXElementBusyChangedNotification      CFSTR("AXElementBusyChanged")
#define kAXRaiseAction                         CFSTR("AXRaise")
#define kAXPressAction                         CFSTR("AXPress")

#endif
