/* Displays, by Quartz Display Services; AppKit adds names and the work area. */
#include <stdio.h>
#include <stdlib.h>

#include "platform/macos/connection.h"
#include "platform/macos/displays.h"
#include "platform/macos/system/appkit.h"
#include "platform/macos/system/cf.h"

enum { DISPLAYS_MAX = 32 };

/* Pixels a point in the display's present mode; 1 when the system does not say. */
static double display_scale(CGDirectDisplayID id)
{
    CGDisplayModeRef mode = CGDisplayCopyDisplayMode(id);
    size_t points = mode ? CGDisplayModeGetWidth(mode) : 0;
    double scale = points ? (double)CGDisplayModeGetPixelWidth(mode) / (double)points : 1;

    if (mode)
        CGDisplayModeRelease(mode);
    return scale > 0 ? scale : 1;
}

static void describe_display(CGDirectDisplayID id, struct display_info *out)
{
    CGRect visible;

    *out = (struct display_info){
        .id = id,
        .bounds = rect_of_cg(CGDisplayBounds(id)),
        .scale = display_scale(id),
        .rotation = CGDisplayRotation(id),
        .main = CGDisplayIsMain(id) != 0,
    };
    out->work = out->bounds;
    if (appkit_screen(id, &out->name, &visible))
        out->work = rect_of_cg(visible);
    if (!out->name || !out->name[0]) {
        free(out->name);
        out->name = mem_printf("display-%u", id);
    }
}

static int main_first(const void *a, const void *b)
{
    const struct display_info *one = a, *two = b;

    if (one->main != two->main)
        return one->main ? -1 : 1;
    return one->id < two->id ? -1 : one->id > two->id;
}

bool macos_display_list(struct macos_desktop *desktop, struct deadline *deadline,
                        struct display_list *out, struct error *err)
{
    CGDirectDisplayID ids[DISPLAYS_MAX];
    uint32_t count = 0;
    CGError wrong;

    *out = (struct display_list){ 0 };
    if (!macos_begin(desktop, deadline, err))
        return false;
    wrong = CGGetActiveDisplayList(DISPLAYS_MAX, ids, &count);
    if (wrong != kCGErrorSuccess || count == 0)
        return error_set(err, "no_display",
                         "the window server reports no display (error %d). Log in at the screen, "
                         "or attach a display",
                         (int)wrong);
    out->items = mem_zero(sizeof *out->items * count);
    for (uint32_t i = 0; i < count; i++)
        describe_display(ids[i], &out->items[out->count++]);
    qsort(out->items, out->count, sizeof *out->items, main_first);
    return true;
}

static bool displays_list(struct desktop *handle, struct deadline *deadline,
                          struct display_list *out, struct error *err)
{
    return macos_display_list(macos_of(handle), deadline, out, err);
}

static bool displays_cursor(struct desktop *handle, struct deadline *deadline, struct point *out,
                            struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    CGEventRef event;
    CGPoint at;

    *out = (struct point){ 0, 0 };
    if (!macos_begin(desktop, deadline, err))
        return false;
    event = CGEventCreate(NULL); /* a new event carries the pointer's place */
    if (!event)
        return error_set(err, "no_display", "the window server does not respond");
    at = CGEventGetLocation(event);
    CFRelease(event);
    *out = (struct point){ at.x, at.y };
    return true;
}

const struct display_ops macos_display_ops = { displays_list, displays_cursor };
