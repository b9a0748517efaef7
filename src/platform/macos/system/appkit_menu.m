/* NSStatusItem and NSMenu (developer.apple.com/documentation/appkit/nsstatusitem). */
#import <AppKit/AppKit.h>

#include "platform/macos/system/appkit_menu.h"
#include "platform/macos/system/appkit_news.h"

enum { ICON_POINTS = 18 }; /* the size that fits into the menu bar */

static NSString *string_of(const char *text)
{
    NSString *string = [NSString stringWithUTF8String:text];

    return string ? string : @"";
}

@interface PerigeeMenu : NSObject <NSMenuDelegate>
@property const struct menu_told *told;
@property(strong) NSStatusItem *item;
@property(strong) NSMenu *menu;
@end

static NSMenu *menu_of(PerigeeMenu *owner, NSMenu *menu, const struct menu_entry *entries,
                       size_t count);

static NSMenuItem *item_of(PerigeeMenu *owner, const struct menu_entry *entry)
{
    NSMenuItem *item;

    if (entry->separator)
        return [NSMenuItem separatorItem];
    item = [[NSMenuItem alloc] initWithTitle:string_of(entry->label)
                                      action:@selector(chosen:)
                               keyEquivalent:@""];
    item.target = owner;
    item.tag = entry->id;
    item.enabled = entry->enabled;
    item.state = entry->check == MENU_CHECKED ? NSControlStateValueOn : NSControlStateValueOff;
    if (entry->items)
        item.submenu = menu_of(owner, [[NSMenu alloc] init], entry->items, entry->count);
    return item;
}

static NSMenu *menu_of(PerigeeMenu *owner, NSMenu *menu, const struct menu_entry *entries,
                       size_t count)
{
    menu.autoenablesItems = NO;
    [menu removeAllItems];
    for (size_t i = 0; i < count; i++)
        [menu addItem:item_of(owner, &entries[i])];
    return menu;
}

/* The icon, as a template: the menu bar colors it. Nil: there is none. */
static NSImage *image_of(const struct menu_view *view)
{
    NSImage *image = nil;

    if (view->png[0]) {
        NSData *data = [[NSData alloc] initWithBase64EncodedString:string_of(view->png) options:0];

        image = data ? [[NSImage alloc] initWithData:data] : nil;
    } else if (view->icon[0] == '/') {
        image = [[NSImage alloc] initWithContentsOfFile:string_of(view->icon)];
    } else if (view->icon[0]) {
        image = [NSImage imageWithSystemSymbolName:string_of(view->icon)
                          accessibilityDescription:string_of(view->title)];
        image.template = YES;
    }
    if (image && !image.template)
        image.size = CGSizeMake(ICON_POINTS, ICON_POINTS);
    return image;
}

@implementation PerigeeMenu

- (void)chosen:(NSMenuItem *)item
{
    self.told->chosen(self.told->arg, item.tag);
}

/* Handles a click. While an item has a menu its button has no action, so the menu is set for one
 * click. */
- (void)clicked:(id)sender
{
    (void)sender;
    if ([NSApplication sharedApplication].currentEvent.type != NSEventTypeRightMouseUp) {
        self.told->activated(self.told->arg);
        return;
    }
    self.item.menu = self.menu;
    [self.item.button performClick:nil];
    self.item.menu = nil;
}

- (void)menuNeedsUpdate:(NSMenu *)menu
{
    if (menu == self.menu)
        self.told->opening(self.told->arg);
}

- (void)show:(const struct menu_view *)view
{
    NSStatusBarButton *button = self.item.button;
    NSImage *image = image_of(view);
    const char *text = view->text[0] || image ? view->text : view->title;

    menu_of(self, self.menu, view->items, view->count);
    button.image = image;
    button.title = string_of(text);
    button.toolTip = string_of(view->tooltip[0] ? view->tooltip : view->title);
    button.target = self;
    button.action = view->activates ? @selector(clicked:) : NULL;
    [button sendActionOn:NSEventMaskLeftMouseUp | NSEventMaskRightMouseUp];
    self.item.menu = view->activates ? nil : self.menu;
}

@end

static PerigeeMenu *owner;

void appkit_menu_begin(const struct menu_told *told)
{
    @autoreleasepool {
        appkit_news_hide();
        owner = [[PerigeeMenu alloc] init];
        owner.told = told;
        owner.menu = [[NSMenu alloc] init];
        owner.menu.delegate = owner;
        owner.item =
            [[NSStatusBar systemStatusBar] statusItemWithLength:NSVariableStatusItemLength];
    }
}

void appkit_menu_show(const struct menu_view *view)
{
    @autoreleasepool {
        [owner show:view];
    }
}
