/* Own declarations of what Perigee sends to AppKit's classes, written from
 * developer.apple.com/documentation/appkit (nsworkspace, nsrunningapplication, nsevent, nsscreen,
 * nsapplication, nspasteboard).
 * Not Apple's header. */
#ifndef CHECK_APP_KIT_H
#define CHECK_APP_KIT_H

#import <Foundation/Foundation.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

typedef NS_ENUM(NSInteger, NSApplicationActivationPolicy) {
    NSApplicationActivationPolicyRegular,
    NSApplicationActivationPolicyAccessory,
    NSApplicationActivationPolicyProhibited,
};

typedef NS_OPTIONS(NSUInteger, NSApplicationActivationOptions) {
    NSApplicationActivateAllWindows = 1 << 0,
    NSApplicationActivateIgnoringOtherApps API_DEPRECATED("has no effect",
                                                          macos(10.6, 14.0)) = 1 << 1,
};

@interface NSRunningApplication : NSObject
+ (nullable instancetype)runningApplicationWithProcessIdentifier:(pid_t)pid;
@property(readonly) pid_t processIdentifier;
@property(readonly, copy, nullable) NSString *localizedName, *bundleIdentifier;
@property(readonly, copy, nullable) NSURL *bundleURL;
@property(readonly, getter=isActive) BOOL active;
@property(readonly, getter=isHidden) BOOL hidden;
@property(readonly, getter=isTerminated) BOOL terminated;
@property(readonly, getter=isFinishedLaunching) BOOL finishedLaunching;
@property(readonly) NSApplicationActivationPolicy activationPolicy;
@property(class, readonly, strong) NSRunningApplication *currentApplication;
- (BOOL)activateWithOptions:(NSApplicationActivationOptions)options;
- (BOOL)activateFromApplication:(NSRunningApplication *)application
                        options:(NSApplicationActivationOptions)options API_AVAILABLE(macos(14.0));
- (BOOL)hide;
- (BOOL)unhide;
- (BOOL)terminate;
- (BOOL)forceTerminate;
@end

API_AVAILABLE(macos(10.15))
@interface NSWorkspaceOpenConfiguration : NSObject
+ (instancetype)configuration;
@property BOOL activates, createsNewApplicationInstance, promptsUserIfNeeded;
@property(copy) NSArray<NSString *> *arguments;
@end

@interface NSWorkspace : NSObject
@property(class, readonly, strong) NSWorkspace *sharedWorkspace;
@property(readonly, copy) NSArray<NSRunningApplication *> *runningApplications;
@property(readonly, nullable) NSRunningApplication *frontmostApplication;
@property(readonly, strong) NSNotificationCenter *notificationCenter;
- (nullable NSURL *)URLForApplicationWithBundleIdentifier:(NSString *)identifier;
- (void)openApplicationAtURL:(NSURL *)url
               configuration:(NSWorkspaceOpenConfiguration *)configuration
           completionHandler:
               (void (^_Nullable)(NSRunningApplication *_Nullable, NSError *_Nullable))handler
    API_AVAILABLE(macos(10.15));
- (void)openURLs:(NSArray<NSURL *> *)urls
    withApplicationAtURL:(NSURL *)application
           configuration:(NSWorkspaceOpenConfiguration *)configuration
       completionHandler:(void (^_Nullable)(NSRunningApplication *_Nullable,
                                            NSError *_Nullable))handler API_AVAILABLE(macos(10.15));
@end

extern NSNotificationName const NSWorkspaceDidLaunchApplicationNotification,
    NSWorkspaceDidTerminateApplicationNotification, NSWorkspaceDidActivateApplicationNotification,
    NSWorkspaceDidHideApplicationNotification, NSWorkspaceDidUnhideApplicationNotification,
    NSWorkspaceActiveSpaceDidChangeNotification;
extern NSString *const NSWorkspaceApplicationKey;

typedef NS_ENUM(NSUInteger, NSEventType) {
    NSEventTypeRightMouseUp = 4,
    NSEventTypeSystemDefined = 14,
    NSEventTypeApplicationDefined = 15,
};
typedef NS_OPTIONS(unsigned long long, NSEventMask) {
    NSEventMaskLeftMouseUp = 1 << 2,
    NSEventMaskRightMouseUp = 1 << 4,
};
typedef NS_OPTIONS(NSUInteger, NSEventModifierFlags) { NSEventModifierFlagShift = 1 << 17 };
@class NSGraphicsContext;

/* nsevent: CGEvent belongs to the event */
@interface NSEvent : NSObject
+ (nullable NSEvent *)otherEventWithType:(NSEventType)type
                                location:(CGPoint)location
                           modifierFlags:(NSEventModifierFlags)flags
                               timestamp:(double)time
                            windowNumber:(NSInteger)window
                                 context:(nullable NSGraphicsContext *)context
                                 subtype:(short)subtype
                                   data1:(NSInteger)one
                                   data2:(NSInteger)two;
@property(readonly, nullable) CGEventRef CGEvent;
@property(readonly) NSEventType type;
@property(class, readonly) CGPoint mouseLocation;
@end

extern NSNotificationName const NSApplicationDidChangeScreenParametersNotification;

@interface NSApplication : NSObject
@property(class, readonly, strong) NSApplication *sharedApplication;
- (BOOL)setActivationPolicy:(NSApplicationActivationPolicy)policy;
@property(readonly, strong, nullable) NSEvent *currentEvent;
- (void)run;
- (void)stop:(nullable id)sender;
- (void)postEvent:(NSEvent *)event atStart:(BOOL)start;
@end

/* nsmenu, nsmenuitem, nsmenudelegate, nsstatusbar, nsstatusitem, nsstatusbarbutton, nsimage */
typedef NSInteger NSControlStateValue;
static const NSControlStateValue NSControlStateValueOff = 0, NSControlStateValueOn = 1;
@class NSMenu;

@interface NSMenuItem : NSObject
+ (NSMenuItem *)separatorItem;
- (instancetype)initWithTitle:(NSString *)title
                       action:(nullable SEL)action
                keyEquivalent:(NSString *)key;
@property(nullable, weak) id target;
@property NSInteger tag;
@property(getter=isEnabled) BOOL enabled;
@property NSControlStateValue state;
@property(nullable, strong) NSMenu *submenu;
@end

@protocol NSMenuDelegate
- (void)menuNeedsUpdate:(NSMenu *)menu;
@end

@interface NSMenu : NSObject
@property BOOL autoenablesItems;
@property(nullable, weak) id<NSMenuDelegate> delegate;
- (void)addItem:(NSMenuItem *)item;
- (void)removeAllItems;
@end

@interface NSImage : NSObject
- (nullable instancetype)initWithContentsOfFile:(NSString *)path;
- (nullable instancetype)initWithData:(NSData *)data;
+ (nullable instancetype)imageWithSystemSymbolName:(NSString *)name
                          accessibilityDescription:(nullable NSString *)description
    API_AVAILABLE(macos(11.0));
@property CGSize size;
@property(getter=isTemplate) BOOL template;
@end

@interface NSStatusBarButton : NSObject
@property(copy) NSString *title;
@property(nullable, strong) NSImage *image;
@property(nullable, copy) NSString *toolTip;
@property(nullable, weak) id target;
@property(nullable) SEL action;
- (NSInteger)sendActionOn:(NSEventMask)mask;
- (void)performClick:(nullable id)sender;
@end

static const CGFloat NSVariableStatusItemLength = -1;

@interface NSStatusItem : NSObject
@property(nullable, strong) NSMenu *menu;
@property(nullable, readonly, strong) NSStatusBarButton *button;
@end

@interface NSStatusBar : NSObject
@property(class, readonly, strong) NSStatusBar *systemStatusBar;
- (NSStatusItem *)statusItemWithLength:(CGFloat)length;
@end

/* nsview, nscontrol, nstextfield, nssearchfield, nssecuretextfield, nsbutton, nsstackview,
 * nsscrollview, nstableview, nstableviewdatasource, nstableviewdelegate, nswindow,
 * nswindowdelegate, nspanel, nscolor, nsfont, nslayoutconstraint, calayer */
typedef struct {
    CGFloat top, left, bottom, right;
} NSEdgeInsets;

typedef NS_OPTIONS(NSUInteger, NSWindowStyleMask) {
    NSWindowStyleMaskBorderless = 0,
    NSWindowStyleMaskTitled = 1 << 0,
    NSWindowStyleMaskClosable = 1 << 1,
    NSWindowStyleMaskNonactivatingPanel = 1 << 7,
    NSWindowStyleMaskFullSizeContentView = 1 << 15,
};
typedef NS_OPTIONS(NSUInteger, NSWindowCollectionBehavior) {
    NSWindowCollectionBehaviorCanJoinAllSpaces = 1 << 0,
    NSWindowCollectionBehaviorFullScreenAuxiliary = 1 << 8,
};
typedef NS_ENUM(NSUInteger, NSBackingStoreType) { NSBackingStoreBuffered = 2 };
typedef NS_ENUM(NSInteger, NSWindowTitleVisibility) { NSWindowTitleHidden = 1 };
typedef NS_ENUM(NSInteger, NSUserInterfaceLayoutOrientation) {
    NSUserInterfaceLayoutOrientationVertical = 1,
};
typedef NS_ENUM(NSInteger, NSLayoutAttribute) { NSLayoutAttributeLeading = 5 };
typedef NS_ENUM(NSInteger, NSTextAlignment) { NSTextAlignmentCenter = 1 };
typedef NS_ENUM(NSUInteger, NSLineBreakMode) { NSLineBreakByTruncatingTail = 4 };
typedef NSInteger NSWindowLevel;
static const NSWindowLevel NSFloatingWindowLevel = 3, NSStatusWindowLevel = 25;

@interface NSColor : NSObject
+ (NSColor *)colorWithWhite:(CGFloat)white alpha:(CGFloat)alpha;
@property(class, readonly, strong) NSColor *whiteColor, *clearColor, *labelColor,
    *secondaryLabelColor;
@property(readonly) CGColorRef CGColor;
@end

@interface NSFont : NSObject
+ (NSFont *)systemFontOfSize:(CGFloat)size;
+ (NSFont *)boldSystemFontOfSize:(CGFloat)size;
@end

@interface CALayer : NSObject
@property CGFloat cornerRadius;
@property(nullable) CGColorRef backgroundColor;
@end

@interface NSLayoutConstraint : NSObject
@property(getter=isActive) BOOL active;
@end

@interface NSLayoutDimension : NSObject
- (NSLayoutConstraint *)constraintGreaterThanOrEqualToConstant:(CGFloat)constant;
@end

@interface NSView : NSObject
- (instancetype)initWithFrame:(CGRect)frame;
@property CGRect frame;
@property(readonly) CGSize fittingSize;
@property BOOL wantsLayer;
@property(nullable, strong) CALayer *layer;
@property(readonly, strong) NSLayoutDimension *widthAnchor;
- (void)addSubview:(NSView *)view;
@end

@interface NSControl : NSView
@property(nullable, weak) id target;
@property(nullable) SEL action;
@property NSInteger tag;
@property(copy) NSString *stringValue;
@property(nullable, strong) NSFont *font;
@property NSTextAlignment alignment;
@property NSLineBreakMode lineBreakMode;
@property BOOL refusesFirstResponder;
@end

@class NSTextView;
@protocol NSTextFieldDelegate
@optional
- (void)controlTextDidChange:(NSNotification *)notification;
- (BOOL)control:(NSControl *)control textView:(NSTextView *)view doCommandBySelector:(SEL)command;
@end

@protocol NSSearchFieldDelegate <NSTextFieldDelegate>
@end

@interface NSTextField : NSControl
+ (instancetype)labelWithString:(NSString *)text;
+ (instancetype)wrappingLabelWithString:(NSString *)text;
@property(nullable, copy) NSString *placeholderString;
@property(nullable, strong) NSColor *textColor;
@property(nullable, weak) id<NSTextFieldDelegate> delegate;
@property(getter=isSelectable) BOOL selectable;
@end

@interface NSSearchField : NSTextField
@end

@interface NSSecureTextField : NSTextField
@end

@interface NSButton : NSControl
+ (instancetype)buttonWithTitle:(NSString *)title
                         target:(nullable id)target
                         action:(nullable SEL)action;
@property(copy) NSString *keyEquivalent;
@end

@interface NSStackView : NSView
+ (instancetype)stackViewWithViews:(NSArray<NSView *> *)views;
@property NSUserInterfaceLayoutOrientation orientation;
@property NSLayoutAttribute alignment;
@property CGFloat spacing;
@property NSEdgeInsets edgeInsets;
@end

@interface NSScrollView : NSView
@property(nullable, strong) NSView *documentView;
@property BOOL hasVerticalScroller;
@end

@interface NSTableColumn : NSObject
- (instancetype)initWithIdentifier:(NSString *)identifier;
@property CGFloat width;
@end

@class NSTableView;
@protocol NSTableViewDataSource
@optional
- (NSInteger)numberOfRowsInTableView:(NSTableView *)table;
@end

@protocol NSTableViewDelegate
@optional
- (nullable NSView *)tableView:(NSTableView *)table
            viewForTableColumn:(nullable NSTableColumn *)column
                           row:(NSInteger)row;
- (void)tableViewSelectionDidChange:(NSNotification *)notification;
@end

@interface NSTableView : NSControl
@property(nullable, weak) id<NSTableViewDataSource> dataSource;
@property(nullable, weak) id<NSTableViewDelegate> delegate;
@property(nullable, strong) NSView *headerView;
@property CGFloat rowHeight;
@property(readonly) NSInteger selectedRow, clickedRow;
- (void)addTableColumn:(NSTableColumn *)column;
- (void)reloadData;
- (void)selectRowIndexes:(NSIndexSet *)indexes byExtendingSelection:(BOOL)extend;
- (void)scrollRowToVisible:(NSInteger)row;
@end

@protocol NSWindowDelegate
@optional
- (BOOL)windowShouldClose:(id)sender;
@end

@interface NSWindow : NSObject
- (instancetype)initWithContentRect:(CGRect)rect
                          styleMask:(NSWindowStyleMask)style
                            backing:(NSBackingStoreType)backing
                              defer:(BOOL)defer;
@property(copy) NSString *title;
@property NSWindowTitleVisibility titleVisibility;
@property BOOL titlebarAppearsTransparent, hidesOnDeactivate, ignoresMouseEvents;
@property(getter=isReleasedWhenClosed) BOOL releasedWhenClosed;
@property(getter=isOpaque) BOOL opaque;
@property(nullable, copy) NSColor *backgroundColor;
@property NSWindowLevel level;
@property NSWindowCollectionBehavior collectionBehavior;
@property(nullable, weak) id<NSWindowDelegate> delegate;
@property(nullable, strong) NSView *contentView;
@property(readonly) CGRect frame;
@property(readonly) BOOL canBecomeKeyWindow;
- (void)setContentSize:(CGSize)size;
- (void)setFrameOrigin:(CGPoint)point;
- (void)makeKeyAndOrderFront:(nullable id)sender;
- (void)orderFrontRegardless;
- (BOOL)makeFirstResponder:(nullable NSView *)view;
- (void)cancelOperation:(nullable id)sender;
@end

@interface NSPanel : NSWindow
@end

@interface NSPasteboard : NSObject
@property(class, readonly, strong) NSPasteboard *generalPasteboard;
@property(readonly) NSInteger changeCount;
@end

@interface NSScreen : NSObject
@property(class, readonly, copy) NSArray<NSScreen *> *screens;
@property(readonly) CGRect frame, visibleFrame;
@property(readonly, copy) NSDictionary<NSString *, id> *deviceDescription;
@property(readonly, copy) NSString *localizedName API_AVAILABLE(macos(10.15));
@end

#pragma clang assume_nonnull end

#endif
