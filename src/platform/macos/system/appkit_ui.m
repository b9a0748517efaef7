/* NSPanel, NSTableView and NSSearchField (developer.apple.com/documentation/appkit/nspanel). A
 * panel that does not activate its application takes the keyboard, and the application in front
 * gets it back when the panel is gone. */
#import <AppKit/AppKit.h>

#include "platform/macos/system/appkit_news.h"
#include "platform/macos/system/appkit_ui.h"

enum { WIDTH = 640, ROWS_SHOWN = 9, FIELD_HEIGHT = 52, MARGIN = 20, ALERT_STEP = 84 };

static NSString *string_of(const char *text)
{
    NSString *string = [NSString stringWithUTF8String:text];

    return string ? string : @"";
}

static bool is_true(const cJSON *window, const char *key)
{
    return cJSON_IsTrue(json_get(window, key));
}

@interface PerigeePanel : NSPanel
@end

@implementation PerigeePanel

/* A panel without a title bar would not. */
- (BOOL)canBecomeKeyWindow
{
    return !self.ignoresMouseEvents;
}

- (void)cancelOperation:(id)sender
{
    (void)sender;
    ui_say("closed", 0, "");
}

@end

@interface PerigeeUi
    : NSObject <NSTableViewDataSource, NSTableViewDelegate, NSTextFieldDelegate, NSWindowDelegate>
@property(strong) PerigeePanel *panel;
@property(strong) NSTextField *field;
@property(strong) NSTableView *table;
@property const cJSON *const *rows;
@property NSInteger count;
@property BOOL filling; /* the engine changes rows or selection, not the user */
@end

static PerigeeUi *owner;

/* --- windows ---------------------------------------------------------------------------------- */

static NSTextField *label_of(const char *text, CGFloat size, BOOL bold)
{
    NSTextField *label = [NSTextField wrappingLabelWithString:string_of(text)];

    label.font = bold ? [NSFont boldSystemFontOfSize:size] : [NSFont systemFontOfSize:size];
    label.selectable = NO;
    return label;
}

static void make_panel(NSWindowStyleMask style, CGSize size, const char *title)
{
    PerigeePanel *panel =
        [[PerigeePanel alloc] initWithContentRect:CGRectMake(0, 0, size.width, size.height)
                                        styleMask:style | NSWindowStyleMaskNonactivatingPanel
                                          backing:NSBackingStoreBuffered
                                            defer:NO];

    panel.title = string_of(title);
    panel.level = NSFloatingWindowLevel;
    panel.hidesOnDeactivate = NO;
    panel.releasedWhenClosed = NO;
    panel.delegate = owner;
    panel.collectionBehavior =
        NSWindowCollectionBehaviorCanJoinAllSpaces | NSWindowCollectionBehaviorFullScreenAuxiliary;
    owner.panel = panel;
}

/* Centers the panel on the display with the pointer, in the upper part of what is free there. */
static void place_panel(CGFloat below)
{
    CGPoint pointer = [NSEvent mouseLocation];
    CGSize size = owner.panel.frame.size;

    for (NSScreen *screen in NSScreen.screens) {
        CGRect area = screen.visibleFrame;

        if (!CGRectContainsPoint(screen.frame, pointer))
            continue;
        [owner.panel
            setFrameOrigin:CGPointMake(area.origin.x + (area.size.width - size.width) / 2,
                                       area.origin.y + (area.size.height - size.height) * 2 / 3 -
                                           below)];
    }
}

/* Views one below the other, with a margin; the panel gets their size. */
static NSStackView *stack_of(NSArray<NSView *> *views, CGFloat margin)
{
    NSStackView *stack = [NSStackView stackViewWithViews:views];

    stack.orientation = NSUserInterfaceLayoutOrientationVertical;
    stack.alignment = NSLayoutAttributeLeading;
    stack.spacing = 12;
    stack.edgeInsets = (NSEdgeInsets){ margin, margin, margin, margin };
    return stack;
}

/* --- kinds ------------------------------------------------------------------------------------ */

static void open_list(const cJSON *window)
{
    CGFloat height = is_true(window, "tall") ? 48 : 32, list = ROWS_SHOWN * height;
    NSScrollView *scroll = [[NSScrollView alloc] initWithFrame:CGRectMake(0, 0, WIDTH, list)];
    NSTableColumn *column = [[NSTableColumn alloc] initWithIdentifier:@"text"];
    NSView *content;

    make_panel(NSWindowStyleMaskTitled | NSWindowStyleMaskFullSizeContentView,
               CGSizeMake(WIDTH, list + FIELD_HEIGHT), ui_text(window, "title"));
    owner.panel.titlebarAppearsTransparent = YES;
    owner.panel.titleVisibility = NSWindowTitleHidden;
    owner.field = [[NSSearchField alloc]
        initWithFrame:CGRectMake(12, list + 10, WIDTH - 24, FIELD_HEIGHT - 20)];
    owner.field.font = [NSFont systemFontOfSize:18];
    owner.field.placeholderString = string_of(ui_text(window, "hint"));
    owner.field.delegate = owner;
    owner.table = [[NSTableView alloc] initWithFrame:scroll.frame];
    column.width = WIDTH - 24;
    [owner.table addTableColumn:column];
    owner.table.headerView = nil;
    owner.table.rowHeight = height;
    owner.table.refusesFirstResponder = YES;
    owner.table.dataSource = owner;
    owner.table.delegate = owner;
    owner.table.target = owner;
    owner.table.action = @selector(clicked:);
    scroll.documentView = owner.table;
    scroll.hasVerticalScroller = YES;
    content = owner.panel.contentView;
    [content addSubview:owner.field];
    [content addSubview:scroll];
}

static NSStackView *buttons_of(const cJSON *labels)
{
    NSMutableArray<NSView *> *buttons = [NSMutableArray array];
    NSInteger number = 0;
    const cJSON *label;
    NSStackView *stack;

    cJSON_ArrayForEach (label, labels) {
        NSButton *button = [NSButton buttonWithTitle:string_of(label->valuestring)
                                              target:owner
                                              action:@selector(pressed:)];

        button.tag = ++number;
        if (number == 1)
            button.keyEquivalent = @"\r";
        [buttons insertObject:button atIndex:0]; /* the first one is on the right */
    }
    stack = [NSStackView stackViewWithViews:buttons];
    stack.spacing = 8;
    return stack;
}

static void open_question(const cJSON *window)
{
    NSMutableArray<NSView *> *views = [NSMutableArray array];
    NSStackView *stack;

    make_panel(NSWindowStyleMaskTitled | NSWindowStyleMaskClosable, CGSizeMake(WIDTH, 100),
               ui_text(window, "title"));
    [views addObject:label_of(ui_text(window, "text"), 14, YES)];
    if (*ui_text(window, "hint"))
        [views addObject:label_of(ui_text(window, "hint"), 13, NO)];
    if (is_true(window, "field")) {
        CGRect frame = CGRectMake(0, 0, 380, 24);

        owner.field = is_true(window, "secret") ? [[NSSecureTextField alloc] initWithFrame:frame]
                                                : [[NSTextField alloc] initWithFrame:frame];
        owner.field.stringValue = string_of(ui_text(window, "value"));
        [owner.field.widthAnchor constraintGreaterThanOrEqualToConstant:380].active = YES;
        [views addObject:owner.field];
    }
    [views addObject:buttons_of(json_get(window, "buttons"))];
    stack = stack_of(views, MARGIN);
    owner.panel.contentView = stack;
    [owner.panel setContentSize:stack.fittingSize];
}

static void open_alert(const cJSON *window)
{
    double seconds = cJSON_GetNumberValue(json_get(window, "seconds"));
    NSTextField *label = label_of(ui_text(window, "text"), 22, NO);
    NSStackView *stack = stack_of(@[ label ], MARGIN);

    make_panel(NSWindowStyleMaskBorderless, CGSizeMake(WIDTH, 100), ui_text(window, "title"));
    label.textColor = [NSColor whiteColor];
    label.alignment = NSTextAlignmentCenter;
    stack.wantsLayer = YES;
    stack.layer.cornerRadius = 14;
    stack.layer.backgroundColor = [NSColor colorWithWhite:0.1 alpha:0.9].CGColor;
    owner.panel.contentView = stack;
    [owner.panel setContentSize:stack.fittingSize];
    owner.panel.opaque = NO;
    owner.panel.backgroundColor = [NSColor clearColor];
    owner.panel.ignoresMouseEvents = YES;
    owner.panel.level = NSStatusWindowLevel;
    [owner performSelector:@selector(over) withObject:nil afterDelay:seconds];
}

/* --- what the user does ----------------------------------------------------------------------- */

@implementation PerigeeUi

- (void)over
{
    appkit_news_stop();
}

- (void)pressed:(NSButton *)button
{
    const char *text = self.field.stringValue.UTF8String;

    ui_say("answered", button.tag, text ? text : "");
}

- (BOOL)windowShouldClose:(id)sender
{
    (void)sender;
    ui_say("closed", 0, "");
    return NO; /* the engine ends the process */
}

- (void)controlTextDidChange:(NSNotification *)notification
{
    const char *text = self.field.stringValue.UTF8String;

    (void)notification;
    ui_say("typed", 0, text ? text : "");
}

/* Takes the keys that move and choose from the field of a list. While an input method composes, it
 * takes them itself. */
- (BOOL)control:(NSControl *)control
               textView:(NSTextView *)view
    doCommandBySelector:(SEL)command
{
    (void)control, (void)view;
    if (command == @selector(moveDown:))
        ui_say("moved", 1, "");
    else if (command == @selector(moveUp:))
        ui_say("moved", -1, "");
    else if (command == @selector(scrollPageDown:))
        ui_say("moved", ROWS_SHOWN - 1, "");
    else if (command == @selector(scrollPageUp:))
        ui_say("moved", 1 - ROWS_SHOWN, "");
    else if (command == @selector(insertNewline:))
        ui_say("entered", 0, "");
    else if (command == @selector(cancelOperation:))
        ui_say("closed", 0, "");
    else
        return command == @selector(insertTab:) || command == @selector(insertBacktab:);
    return YES;
}

- (NSInteger)numberOfRowsInTableView:(NSTableView *)table
{
    (void)table;
    return self.count;
}

- (NSView *)tableView:(NSTableView *)table
    viewForTableColumn:(NSTableColumn *)column
                   row:(NSInteger)row
{
    const cJSON *text = self.rows[row]->child;
    NSMutableArray<NSView *> *lines = [NSMutableArray array];
    CGFloat left = self.table.rowHeight; /* without the lines */
    NSStackView *stack;

    (void)table, (void)column;
    for (int i = 0; i < 2 && *text->valuestring; i++, text = text->next) {
        NSTextField *line = [NSTextField labelWithString:string_of(text->valuestring)];

        line.font = [NSFont systemFontOfSize:i ? 11 : 14];
        line.textColor = i ? [NSColor secondaryLabelColor] : [NSColor labelColor];
        line.lineBreakMode = NSLineBreakByTruncatingTail;
        left -= line.fittingSize.height;
        [lines addObject:line];
    }
    stack = stack_of(lines, 0);
    stack.spacing = 0;
    stack.edgeInsets = (NSEdgeInsets){ left / 2, 12, left / 2, 12 };
    return stack;
}

- (void)clicked:(NSTableView *)table
{
    if (table.clickedRow >= 0 && table.clickedRow < self.count)
        ui_say("clicked", ui_row_id(self.rows[table.clickedRow]), "");
}

- (void)tableViewSelectionDidChange:(NSNotification *)notification
{
    NSInteger row = self.table.selectedRow;

    (void)notification;
    if (!self.filling && row >= 0 && row < self.count)
        ui_say("selected", ui_row_id(self.rows[row]), "");
}

@end

/* --- as C ------------------------------------------------------------------------------------- */

void appkit_ui_begin(void)
{
    appkit_news_hide();
}

void appkit_ui_open(const cJSON *window)
{
    @autoreleasepool {
        const char *kind = ui_text(window, "kind");
        int64_t place = 0;

        owner = [[PerigeeUi alloc] init];
        if (strcmp(kind, "alert") == 0)
            open_alert(window);
        else if (strcmp(kind, "ask") == 0)
            open_question(window);
        else
            open_list(window);
        json_integer(json_get(window, "place"), &place);
        place_panel((CGFloat)place * ALERT_STEP);
        if (owner.panel.ignoresMouseEvents)
            [owner.panel orderFrontRegardless];
        else
            [owner.panel makeKeyAndOrderFront:nil];
        if (owner.field)
            [owner.panel makeFirstResponder:owner.field];
        ui_say("shown", 0, "");
    }
}

void appkit_ui_rows(const cJSON *const *rows, int count)
{
    @autoreleasepool {
        owner.filling = YES;
        owner.rows = rows;
        owner.count = count;
        [owner.table reloadData];
        owner.filling = NO;
    }
}

void appkit_ui_select(int row)
{
    @autoreleasepool {
        owner.filling = YES;
        [owner.table selectRowIndexes:[NSIndexSet indexSetWithIndex:(NSUInteger)row]
                 byExtendingSelection:NO];
        [owner.table scrollRowToVisible:row];
        owner.filling = NO;
    }
}
