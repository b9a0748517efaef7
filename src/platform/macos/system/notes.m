/* UNUserNotificationCenter (developer.apple.com/documentation/usernotifications). Its answers come
 * on threads of its own, and are passed on to the main one. */
#import <Foundation/Foundation.h>
#import <UserNotifications/UserNotifications.h>
#include <dispatch/dispatch.h>
#include <stdio.h>

#include "platform/macos/system/appkit_news.h"
#include "platform/macos/system/cf.h"
#include "platform/macos/system/notes.h"

enum { CATEGORIES_MOST = 64 }; /* beyond so many, sets that no notification has are dropped */

static NSString *const reply_action = @"reply";

static NSString *string_of(const char *text)
{
    return (__bridge_transfer NSString *)cf_string(text);
}

@interface PerigeeNotes : NSObject <UNUserNotificationCenterDelegate>
@property const struct notes_told *told;
@property(strong) UNUserNotificationCenter *center;
@end

@implementation PerigeeNotes

- (void)did:(enum note_did)what of:(NSString *)id button:(int)button text:(NSString *)text
{
    dispatch_async(dispatch_get_main_queue(), ^{
      self.told->did(self.told->arg, [id UTF8String], what, button, [text UTF8String]);
    });
}

/* Called while this process is in front; otherwise macOS shows the notification without asking. */
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
       willPresentNotification:(UNNotification *)notification
         withCompletionHandler:(void (^)(UNNotificationPresentationOptions))handler
{
    (void)center;
    (void)notification;
    handler(UNNotificationPresentationOptionBanner | UNNotificationPresentationOptionList |
            UNNotificationPresentationOptionSound);
}

- (void)userNotificationCenter:(UNUserNotificationCenter *)center
    didReceiveNotificationResponse:(UNNotificationResponse *)response
             withCompletionHandler:(void (^)(void))handler
{
    NSString *action = response.actionIdentifier, *id = response.notification.request.identifier;

    (void)center;
    if ([action isEqualToString:UNNotificationDismissActionIdentifier])
        [self did:NOTE_DISMISSED of:id button:0 text:@""];
    else if ([action isEqualToString:UNNotificationDefaultActionIdentifier])
        [self did:NOTE_CLICKED of:id button:0 text:@""];
    else if ([response isKindOfClass:[UNTextInputNotificationResponse class]])
        [self did:NOTE_REPLIED
               of:id
           button:0
             text:((UNTextInputNotificationResponse *)response).userText];
    else
        [self did:NOTE_BUTTON of:id button:action.intValue text:@""];
    handler();
}

@end

static PerigeeNotes *notes;

static void tell_done(long step, int result, NSString *why)
{
    dispatch_async(dispatch_get_main_queue(), ^{
      notes.told->done(notes.told->arg, step, result, why ? [why UTF8String] : NULL);
    });
}

/* The center, if the program is in a bundle. The linked Info.plist gives every copy of the program
 * an identifier, so that is no sign of a bundle. Without one currentNotificationCenter raises an
 * exception. */
static UNUserNotificationCenter *center_of_bundle(void)
{
    NSBundle *bundle = [NSBundle mainBundle];

    if (!bundle.bundleIdentifier || ![bundle.bundlePath hasSuffix:@".app"])
        return nil;
    @try {
        return [UNUserNotificationCenter currentNotificationCenter];
    } @catch (...) {
        return nil;
    }
}

bool notes_begin(const struct notes_told *told)
{
    @autoreleasepool {
        UNUserNotificationCenter *center = center_of_bundle();

        if (!center)
            return false;
        appkit_news_hide();
        notes = [[PerigeeNotes alloc] init];
        notes.told = told;
        notes.center = center;
        center.delegate = notes; /* before the application has finished launching */
        return true;
    }
}

/* --- permission ----------------------------------------------------------------------------- */

static int allowed_of(UNNotificationSettings *settings)
{
    switch (settings.authorizationStatus) {
    case UNAuthorizationStatusNotDetermined:
        return NOTES_UNASKED;
    case UNAuthorizationStatusAuthorized:
    case UNAuthorizationStatusProvisional:
        return settings.timeSensitiveSetting == UNNotificationSettingEnabled ? NOTES_URGENT
                                                                             : NOTES_ALLOWED;
    default:
        return NOTES_DENIED;
    }
}

void notes_look(long step)
{
    @autoreleasepool {
        [notes.center
            getNotificationSettingsWithCompletionHandler:^(UNNotificationSettings *settings) {
              tell_done(step, allowed_of(settings), nil);
            }];
    }
}

void notes_ask(long step)
{
    @autoreleasepool {
        [notes.center
            requestAuthorizationWithOptions:UNAuthorizationOptionAlert | UNAuthorizationOptionSound
                          completionHandler:^(BOOL granted, NSError *error) {
                            tell_done(step, granted, error.localizedDescription);
                          }];
    }
}

/* --- sets of buttons ------------------------------------------------------------------------ */

/* Makes a button, whose identifier is its place. No button brings this process to the front. */
static UNNotificationAction *button_of(const struct note *note, size_t i)
{
    char number[24];

    snprintf(number, sizeof number, "%zu", i + 1);
    return [UNNotificationAction actionWithIdentifier:string_of(number)
                                                title:string_of(note->buttons[i])
                                              options:UNNotificationActionOptionNone];
}

static UNNotificationCategory *category_of(const struct note *note)
{
    NSMutableArray<UNNotificationAction *> *actions = [NSMutableArray array];

    for (size_t i = 0; i < note->count; i++)
        [actions addObject:button_of(note, i)];
    if (note->reply)
        [actions addObject:[UNTextInputNotificationAction
                               actionWithIdentifier:reply_action
                                              title:@"Reply"
                                            options:UNNotificationActionOptionNone
                               textInputButtonTitle:@"Send"
                               textInputPlaceholder:string_of(note->reply)]];
    return [UNNotificationCategory
        categoryWithIdentifier:string_of(note->category)
                       actions:actions
             intentIdentifiers:[NSArray array]
                       options:UNNotificationCategoryOptionCustomDismissAction];
}

static bool has_category(NSSet<UNNotificationCategory *> *categories, NSString *identifier)
{
    for (UNNotificationCategory *each in categories) {
        if ([each.identifier isEqualToString:identifier])
            return true;
    }
    return false;
}

static bool is_used(NSArray<UNNotification *> *delivered, NSString *identifier)
{
    for (UNNotification *each in delivered) {
        if ([each.request.content.categoryIdentifier isEqualToString:identifier])
            return true;
    }
    return false;
}

/* Replaces the set of categories, which includes those of other engines. The new set is in effect
 * when it can be read: a notification that came before would have no buttons. */
static void set_categories(long step, NSSet<UNNotificationCategory *> *all, NSString *identifier)
{
    [notes.center setNotificationCategories:all];
    [notes.center
        getNotificationCategoriesWithCompletionHandler:^(NSSet<UNNotificationCategory *> *known) {
          tell_done(step, has_category(known, identifier), nil);
        }];
}

static void add_category(long step, NSSet<UNNotificationCategory *> *known,
                         UNNotificationCategory *added)
{
    NSSet<UNNotificationCategory *> *all = [known setByAddingObject:added];

    if (known.count < CATEGORIES_MOST) {
        set_categories(step, all, added.identifier);
        return;
    }
    [notes.center
        getDeliveredNotificationsWithCompletionHandler:^(NSArray<UNNotification *> *delivered) {
          NSSet<UNNotificationCategory *> *kept = [NSSet setWithObject:added];

          for (UNNotificationCategory *each in known) {
              if (is_used(delivered, each.identifier))
                  kept = [kept setByAddingObject:each];
          }
          set_categories(step, kept, added.identifier);
        }];
}

void notes_prepare(long step, const struct note *note)
{
    @autoreleasepool {
        UNNotificationCategory *category = category_of(note);

        [notes.center getNotificationCategoriesWithCompletionHandler:^(
                          NSSet<UNNotificationCategory *> *known) {
          if (has_category(known, category.identifier))
              tell_done(step, 1, nil);
          else
              add_category(step, known, category);
        }];
    }
}

/* --- notifications -------------------------------------------------------------------------- */

static UNNotificationInterruptionLevel level_of(enum note_urgency urgency)
{
    return urgency == NOTE_LOW        ? UNNotificationInterruptionLevelPassive
           : urgency == NOTE_CRITICAL ? UNNotificationInterruptionLevelTimeSensitive
                                      : UNNotificationInterruptionLevelActive;
}

static void attach_file(UNMutableNotificationContent *content, const char *path, NSError **error)
{
    UNNotificationAttachment *attachment = [UNNotificationAttachment
        attachmentWithIdentifier:@"image"
                             URL:[NSURL fileURLWithPath:string_of(path)]
                         options:nil
                           error:error];

    if (attachment)
        content.attachments = [NSArray arrayWithObject:attachment];
}

void notes_show(long step, const struct note *note)
{
    @autoreleasepool {
        UNMutableNotificationContent *content = [[UNMutableNotificationContent alloc] init];
        NSError *error = nil;

        content.title = string_of(note->title);
        content.body = string_of(note->text);
        content.categoryIdentifier = string_of(note->category);
        content.interruptionLevel = level_of(note->urgency);
        if (note->urgency == NOTE_CRITICAL)
            content.sound = [UNNotificationSound defaultSound];
        if (note->image)
            attach_file(content, note->image, &error);
        if (error) {
            tell_done(step, 0, error.localizedDescription);
            return;
        }
        [notes.center
            addNotificationRequest:[UNNotificationRequest requestWithIdentifier:string_of(note->id)
                                                                        content:content
                                                                        trigger:nil]
             withCompletionHandler:^(NSError *why) {
               tell_done(step, why == nil, why.localizedDescription);
             }];
    }
}

static bool is_shown(NSArray<UNNotification *> *delivered, NSString *identifier)
{
    for (UNNotification *each in delivered) {
        if ([each.request.identifier isEqualToString:identifier])
            return true;
    }
    return false;
}

void notes_remove(long step, const char *id)
{
    @autoreleasepool {
        NSString *identifier = string_of(id);
        NSArray<NSString *> *one = [NSArray arrayWithObject:identifier];

        [notes.center removePendingNotificationRequestsWithIdentifiers:one];
        [notes.center removeDeliveredNotificationsWithIdentifiers:one];
        [notes.center
            getDeliveredNotificationsWithCompletionHandler:^(NSArray<UNNotification *> *delivered) {
              tell_done(step, !is_shown(delivered, identifier), nil);
            }];
    }
}
