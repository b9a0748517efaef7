/* Own declarations of what Perigee sends to UserNotifications' classes, written from
 * developer.apple.com/documentation/usernotifications. All of it is there from macOS 10.14 on, but
 * for what says otherwise. Not Apple's header. */
#ifndef CHECK_USER_NOTIFICATIONS_H
#define CHECK_USER_NOTIFICATIONS_H

#import <Foundation/Foundation.h>

#pragma clang assume_nonnull begin

/* unauthorizationoptions, unauthorizationstatus, unnotificationsetting, unnotificationsettings */
typedef NS_OPTIONS(NSUInteger, UNAuthorizationOptions) {
    UNAuthorizationOptionSound = 1 << 1,
    UNAuthorizationOptionAlert = 1 << 2,
};

typedef NS_ENUM(NSInteger, UNAuthorizationStatus) {
    UNAuthorizationStatusNotDetermined,
    UNAuthorizationStatusDenied,
    UNAuthorizationStatusAuthorized,
    UNAuthorizationStatusProvisional,
};

typedef NS_ENUM(NSInteger, UNNotificationSetting) {
    UNNotificationSettingNotSupported,
    UNNotificationSettingDisabled,
    UNNotificationSettingEnabled,
};

@interface UNNotificationSettings : NSObject
@property(readonly) UNAuthorizationStatus authorizationStatus;
@property(readonly) UNNotificationSetting timeSensitiveSetting API_AVAILABLE(macos(12.0));
@end

/* unnotificationaction, untextinputnotificationaction, unnotificationcategory */
typedef NS_OPTIONS(NSUInteger, UNNotificationActionOptions) {
    UNNotificationActionOptionForeground = 1 << 2,
};
static const UNNotificationActionOptions UNNotificationActionOptionNone = 0;

@interface UNNotificationAction : NSObject
+ (instancetype)actionWithIdentifier:(NSString *)identifier
                               title:(NSString *)title
                             options:(UNNotificationActionOptions)options;
@end

@interface UNTextInputNotificationAction : UNNotificationAction
+ (instancetype)actionWithIdentifier:(NSString *)identifier
                               title:(NSString *)title
                             options:(UNNotificationActionOptions)options
                textInputButtonTitle:(NSString *)button
                textInputPlaceholder:(NSString *)placeholder;
@end

typedef NS_OPTIONS(NSUInteger, UNNotificationCategoryOptions) {
    UNNotificationCategoryOptionCustomDismissAction = 1 << 0,
};

@interface UNNotificationCategory : NSObject
+ (instancetype)categoryWithIdentifier:(NSString *)identifier
                               actions:(NSArray<UNNotificationAction *> *)actions
                     intentIdentifiers:(NSArray<NSString *> *)intents
                               options:(UNNotificationCategoryOptions)options;
@property(readonly, copy) NSString *identifier;
@end

/* unnotificationsound, unnotificationattachment, unmutablenotificationcontent */
@interface UNNotificationSound : NSObject
@property(class, readonly, copy) UNNotificationSound *defaultSound;
@end

@interface UNNotificationAttachment : NSObject
+ (nullable instancetype)attachmentWithIdentifier:(NSString *)identifier
                                              URL:(NSURL *)url
                                          options:(nullable NSDictionary *)options
                                            error:(NSError *_Nullable *_Nullable)error;
@end

typedef NS_ENUM(NSUInteger, UNNotificationInterruptionLevel) {
    UNNotificationInterruptionLevelPassive,
    UNNotificationInterruptionLevelActive,
    UNNotificationInterruptionLevelTimeSensitive,
    UNNotificationInterruptionLevelCritical,
} API_AVAILABLE(macos(12.0));

@interface UNNotificationContent : NSObject
@property(readonly, copy) NSString *categoryIdentifier;
@end

@interface UNMutableNotificationContent : UNNotificationContent
@property(readwrite, copy) NSArray<UNNotificationAttachment *> *attachments;
@property(readwrite, copy) NSString *title, *body, *categoryIdentifier;
@property(readwrite, copy, nullable) UNNotificationSound *sound;
@property(readwrite) UNNotificationInterruptionLevel interruptionLevel API_AVAILABLE(macos(12.0));
@end

/* unnotificationrequest, unnotification, unnotificationresponse, untextinputnotificationresponse */
@class UNNotificationTrigger;

@interface UNNotificationRequest : NSObject
+ (instancetype)requestWithIdentifier:(NSString *)identifier
                              content:(UNNotificationContent *)content
                              trigger:(nullable UNNotificationTrigger *)trigger;
@property(readonly, copy) NSString *identifier;
@property(readonly, copy) UNNotificationContent *content;
@end

@interface UNNotification : NSObject
@property(readonly, copy) UNNotificationRequest *request;
@end

extern NSString *const UNNotificationDefaultActionIdentifier,
    *const UNNotificationDismissActionIdentifier;

@interface UNNotificationResponse : NSObject
@property(readonly, copy) UNNotification *notification;
@property(readonly, copy) NSString *actionIdentifier;
@end

@interface UNTextInputNotificationResponse : UNNotificationResponse
@property(readonly, copy) NSString *userText;
@end

/* unusernotificationcenter, unusernotificationcenterdelegate, unnotificationpresentationoptions */
typedef NS_OPTIONS(NSUInteger, UNNotificationPresentationOptions) {
    UNNotificationPresentationOptionSound = 1 << 1,
    UNNotificationPresentationOptionList API_AVAILABLE(macos(11.0)) = 1 << 3,
    UNNotificationPresentationOptionBanner API_AVAILABLE(macos(11.0)) = 1 << 4,
};

@class UNUserNotificationCenter;

@protocol UNUserNotificationCenterDelegate <NSObject>
@optional
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
       willPresentNotification:(UNNotification *)notification
         withCompletionHandler:(void (^)(UNNotificationPresentationOptions))handler;
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
    didReceiveNotificationResponse:(UNNotificationResponse *)response
             withCompletionHandler:(void (^)(void))handler;
@end

@interface UNUserNotificationCenter : NSObject
+ (UNUserNotificationCenter *)currentNotificationCenter;
@property(nullable, weak) id<UNUserNotificationCenterDelegate> delegate;
- (void)requestAuthorizationWithOptions:(UNAuthorizationOptions)options
                      completionHandler:(void (^)(BOOL, NSError *_Nullable))handler;
- (void)setNotificationCategories:(NSSet<UNNotificationCategory *> *)categories;
- (void)getNotificationCategoriesWithCompletionHandler:
    (void (^)(NSSet<UNNotificationCategory *> *))handler;
- (void)getNotificationSettingsWithCompletionHandler:(void (^)(UNNotificationSettings *))handler;
- (void)addNotificationRequest:(UNNotificationRequest *)request
         withCompletionHandler:(nullable void (^)(NSError *_Nullable))handler;
- (void)removePendingNotificationRequestsWithIdentifiers:(NSArray<NSString *> *)identifiers;
- (void)getDeliveredNotificationsWithCompletionHandler:
    (void (^)(NSArray<UNNotification *> *))handler;
- (void)removeDeliveredNotificationsWithIdentifiers:(NSArray<NSString *> *)identifiers;
@end

#pragma clang assume_nonnull end

#endif
