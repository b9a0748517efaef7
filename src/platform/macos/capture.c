/* Pictures: taken by ScreenCaptureKit if the system has it, else by Core Graphics, at last by the
 * program `screencapture`.
 *
 * Core Graphics' own functions are obsoleted for programs that target macOS 15 and are still in the
 * library, so they are looked up when needed, and may be NULL. */
#include <ImageIO/ImageIO.h>
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files/file.h"
#include "platform/macos/connection.h"
#include "platform/macos/displays.h"
#include "platform/macos/system/cf.h"
#include "platform/macos/system/permission.h"
#include "platform/macos/system/sckit.h"
#include "platform/macos/system/spawn.h"
#include "platform/macos/windows.h"

#ifndef SCREENCAPTURE /* the tests replace the program */
#define SCREENCAPTURE "/usr/sbin/screencapture"
#endif

enum { SCKIT_MS = 4000, PROGRAM_MS = 5000, PROGRAM_LOOK_MS = 10 };

/* The picture to take, after its target was found. */
struct shot {
    CGDirectDisplayID display; /* 0: a window */
    CGWindowID window;
    CGRect part; /* part of the display, in its own points; zero size: all of it */
    CGPoint origin;
    CGSize size;  /* points */
    double scale; /* pixels a point */
    bool cursor;
    struct deadline *deadline;
};

/* --- pixels ------------------------------------------------------------------------- */

/* Undoes the premultiplied colors of bitmap contexts. */
static void unmultiply_image(struct image *image)
{
    for (int y = 0; y < image->height; y++) {
        uint8_t *p = image_row(image, y);

        for (int x = 0; x < image->width; x++, p += 4) {
            for (int i = 0; i < 3 && p[3] && p[3] < 255; i++) {
                unsigned value = p[i] * 255u / p[3];

                p[i] = (uint8_t)(value > 255 ? 255 : value);
            }
        }
    }
}

static bool copy_pixels(CGImageRef from, bool alpha, struct image *out, struct error *err)
{
    size_t width = CGImageGetWidth(from), height = CGImageGetHeight(from);
    CGColorSpaceRef space;
    CGContextRef context;

    if (width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX)
        return error_set(
            err, "too_large",
            "the screenshot has %zu x %zu pixels, more than %d on a side. Capture a smaller area",
            width, height, IMAGE_SIDE_MAX);
    if (!image_new(out, (int)width, (int)height, alpha, err))
        return false;
    memset(out->pixels, 0, out->stride * height);
    space = CGColorSpaceCreateWithName(kCGColorSpaceSRGB);
    context = CGBitmapContextCreate(
        out->pixels, width, height, 8, out->stride, space,
        (uint32_t)kCGBitmapByteOrder32Little |
            (uint32_t)(alpha ? kCGImageAlphaPremultipliedFirst : kCGImageAlphaNoneSkipFirst));
    CGColorSpaceRelease(space);
    if (!context) {
        image_free(out);
        return error_set(err, "capture_failed",
                         "Core Graphics cannot make a context of %zu x %zu pixels", width, height);
    }
    CGContextDrawImage(context, CGRectMake(0, 0, (double)width, (double)height), from);
    CGContextRelease(context);
    if (alpha)
        unmultiply_image(out);
    return true;
}

/* --- the ways ------------------------------------------------------------------------ */

GIVES_REF static CGImageRef take_by_sckit(const struct shot *shot, struct error *err)
{
    struct sckit_request request = { .display = shot->display,
                                     .window = shot->window,
                                     .part = shot->part,
                                     .scale = shot->scale,
                                     .cursor = shot->cursor };
    uint64_t left = deadline_left(shot->deadline);

    return sckit_copy_image(&request, left < SCKIT_MS ? left : SCKIT_MS, err);
}

/* Takes the display as a whole, or the window as an image of its own, without its shadow. */
GIVES_REF static CGImageRef take_by_graphics(const struct shot *shot)
{
    CGImageRef (*of_display)(CGDirectDisplayID) = NULL;
    CGImageRef (*of_display_part)(CGDirectDisplayID, CGRect) = NULL;
    CGImageRef (*of_window)(CGRect, uint32_t, CGWindowID, uint32_t) = NULL;
    void *symbol;

    if (!shot->display) {
        symbol = dlsym(RTLD_DEFAULT, "CGWindowListCreateImage");
        memcpy(&of_window, &symbol, sizeof of_window);
        return symbol ? of_window(CGRectNull, kCGWindowListOptionIncludingWindow, shot->window,
                                  kCGWindowImageBoundsIgnoreFraming)
                      : NULL;
    }
    if (shot->part.size.width > 0) {
        symbol = dlsym(RTLD_DEFAULT, "CGDisplayCreateImageForRect");
        memcpy(&of_display_part, &symbol, sizeof of_display_part);
        return symbol ? of_display_part(shot->display, shot->part) : NULL;
    }
    symbol = dlsym(RTLD_DEFAULT, "CGDisplayCreateImage");
    memcpy(&of_display, &symbol, sizeof of_display);
    return symbol ? of_display(shot->display) : NULL;
}

GIVES_REF static CGImageRef read_image(const char *path)
{
    CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path,
                                                           (CFIndex)strlen(path), false);
    CGImageSourceRef source = url ? CGImageSourceCreateWithURL(url, NULL) : NULL;
    CGImageRef image = source ? CGImageSourceCreateImageAtIndex(source, 0, NULL) : NULL;

    cf_release(source);
    cf_release(url);
    return image;
}

/* Runs the program, and kills it when its time is up. */
static bool run_program(char *const argv[], struct deadline *deadline)
{
    uint64_t until = deadline_now() + PROGRAM_MS;
    int status = -1;
    pid_t pid, ended = 0;

    if (!spawn_alone(argv, -1, &pid))
        return false;
    while (ended == 0 || (ended < 0 && errno == EINTR)) {
        ended = waitpid(pid, &status, WNOHANG);
        if (ended != 0 || (deadline_now() < until &&
                           deadline_wait(deadline, -1, deadline_now() + PROGRAM_LOOK_MS, NULL)))
            continue;
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        return false;
    }
    return ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

GIVES_REF static CGImageRef take_by_program(const struct shot *shot)
{
    char *folder = folder_make_temp(NULL);
    char *path = folder ? mem_printf("%s/picture.png", folder) : NULL;
    char what[96];
    char program[] = SCREENCAPTURE, silent[] = "-x", shadowless[] = "-o", format[] = "-tpng",
         pointer[] = "-C";
    char *argv[] = { program, silent, shadowless, format, what, path, NULL, NULL };
    CGImageRef image = NULL;

    if (shot->display)
        snprintf(what, sizeof what, "-R%.0f,%.0f,%.0f,%.0f", shot->origin.x, shot->origin.y,
                 shot->size.width, shot->size.height);
    else
        snprintf(what, sizeof what, "-l%u", shot->window);
    if (shot->cursor) {
        argv[6] = path;
        argv[5] = pointer;
    }
    if (path && run_program(argv, shot->deadline))
        image = read_image(path);
    folder_remove_all(folder, NULL);
    free(path);
    free(folder);
    return image;
}

/* Tries the ways one after the other: ScreenCaptureKit is reported to list no display or window at
 * times, although both are known to be there. */
GIVES_REF static CGImageRef take_image(const struct shot *shot, struct picture *out,
                                       struct error *err)
{
    struct error why = { "", "" };
    CGImageRef image = sckit_there() ? take_by_sckit(shot, &why) : NULL;

    snprintf(out->route, sizeof out->route, "screencapturekit");
    if (!image && !shot->cursor) {
        snprintf(out->route, sizeof out->route, "coregraphics");
        image = take_by_graphics(shot);
    }
    if (!image && deadline_ok(shot->deadline, NULL)) {
        snprintf(out->route, sizeof out->route, "screencapture");
        image = take_by_program(shot);
    }
    if (!image)
        error_set(err, why.code[0] ? why.code : "capture_failed", "%s",
                  why.text[0] ? why.text : "every way to capture the screen failed");
    return image;
}

static bool take_shot(const struct shot *shot, struct picture *out, struct error *err)
{
    CGImageRef image = take_image(shot, out, err);
    bool ok = image && copy_pixels(image, !shot->display, &out->image, err);

    if (image)
        CGImageRelease(image);
    if (!ok)
        return false;
    out->origin = (struct point){ shot->origin.x, shot->origin.y };
    out->scale = shot->size.width > 0 ? out->image.width / shot->size.width : shot->scale;
    return true;
}

/* --- the target ---------------------------------------------------------------------- */

static bool find_display(struct macos_desktop *desktop, struct deadline *deadline, uint64_t id,
                         const struct rect *around, struct display_info *out, struct error *err)
{
    struct display_list list;
    bool found = false;

    *out = (struct display_info){ .scale = 1 };
    if (!macos_display_list(desktop, deadline, &list, err))
        return false;
    for (size_t i = 0; i < list.count && !found; i++) {
        const struct display_info *info = &list.items[i];
        const struct rect *d = &info->bounds;
        double x = around ? around->x + around->width / 2 : 0;
        double y = around ? around->y + around->height / 2 : 0;

        if (around ? x >= d->x && x < d->x + d->width && y >= d->y && y < d->y + d->height
                   : (id ? info->id == id : info->main)) {
            *out = *info;
            out->name = NULL;
            found = true;
        }
    }
    display_list_free(&list);
    if (!found && around)
        return error_set(err, "outside",
                         "the center of the region is outside all displays. Call list_displays to "
                         "get their bounds");
    return found ||
           error_set(err, "display_not_found", "there is no display %llu. List the displays again",
                     (unsigned long long)id);
}

static void aim_display(const struct display_info *display, struct shot *shot)
{
    shot->display = (CGDirectDisplayID)display->id;
    shot->origin = CGPointMake(display->bounds.x, display->bounds.y);
    shot->size = CGSizeMake(display->bounds.width, display->bounds.height);
    shot->scale = display->scale;
}

/* A region is taken from the display that has its middle, cut to that display. */
static bool aim_region(const struct rect *region, const struct display_info *display,
                       struct shot *shot, struct error *err)
{
    CGRect all = CGRectMake(display->bounds.x, display->bounds.y, display->bounds.width,
                            display->bounds.height);
    CGRect cut =
        CGRectIntersection(CGRectMake(region->x, region->y, region->width, region->height), all);

    if (CGRectIsNull(cut) || cut.size.width < 1 || cut.size.height < 1)
        return error_set(err, "outside",
                         "the region is outside all displays. Call list_displays to get their "
                         "bounds");
    aim_display(display, shot);
    shot->part = CGRectMake(cut.origin.x - all.origin.x, cut.origin.y - all.origin.y,
                            cut.size.width, cut.size.height);
    shot->origin = cut.origin;
    shot->size = cut.size;
    return true;
}

static bool aim_window(struct macos_desktop *desktop, struct deadline *deadline,
                       const struct capture *what, struct shot *shot, struct error *err)
{
    struct display_info display;
    struct window_info info;
    bool minimized;

    if (!macos_window_get(desktop, deadline, &what->window, &info, err))
        return false;
    minimized = info.state & WINDOW_MINIMIZED;
    shot->window = (CGWindowID)info.ref.id;
    shot->origin = CGPointMake(info.frame.x, info.frame.y);
    shot->size = CGSizeMake(info.frame.width, info.frame.height);
    shot->scale = 1;
    if (find_display(desktop, deadline, 0, &info.frame, &display, NULL))
        shot->scale = display.scale;
    window_info_free(&info);
    return !minimized || error_set(err, "window_minimized",
                                   "the window is minimized and cannot be captured. Restore it "
                                   "first");
}

static bool aim_shot(struct macos_desktop *desktop, struct deadline *deadline,
                     const struct capture *what, struct shot *shot, struct error *err)
{
    struct display_info display;

    switch (what->kind) {
    case CAPTURE_WINDOW:
        return aim_window(desktop, deadline, what, shot, err);
    case CAPTURE_REGION:
        return find_display(desktop, deadline, 0, &what->region, &display, err) &&
               aim_region(&what->region, &display, shot, err);
    default:
        if (!find_display(desktop, deadline, what->display, NULL, &display, err))
            return false;
        aim_display(&display, shot);
        return true;
    }
}

/* --- all displays in one --------------------------------------------------------------- */

static void place_picture(struct picture *all, struct picture *one)
{
    int x = (int)lround((one->origin.x - all->origin.x) * all->scale);
    int y = (int)lround((one->origin.y - all->origin.y) * all->scale);

    if (one->scale > all->scale)
        picture_fit(
            one, (int)lround(fmax(one->image.width, one->image.height) * all->scale / one->scale));
    image_blend(&all->image, &one->image, x, y);
}

static struct rect bounds_of(const struct display_list *list, double *scale)
{
    struct rect all = list->items[0].bounds;

    *scale = list->items[0].scale;
    for (size_t i = 1; i < list->count; i++) {
        const struct rect *d = &list->items[i].bounds;
        double right = fmax(all.x + all.width, d->x + d->width);
        double bottom = fmax(all.y + all.height, d->y + d->height);

        all.x = fmin(all.x, d->x);
        all.y = fmin(all.y, d->y);
        all.width = right - all.x;
        all.height = bottom - all.y;
        *scale = fmin(*scale, list->items[i].scale);
    }
    return all;
}

static bool take_shots(struct macos_desktop *desktop, const struct shot *like, struct picture *out,
                       struct error *err)
{
    struct display_list list;
    struct rect all;
    bool ok;

    if (!macos_display_list(desktop, like->deadline, &list, err))
        return false;
    all = bounds_of(&list, &out->scale);
    out->origin = (struct point){ all.x, all.y };
    ok = image_new(&out->image, (int)lround(all.width * out->scale),
                   (int)lround(all.height * out->scale), false, err);
    if (ok)
        memset(out->image.pixels, 0, out->image.stride * (size_t)out->image.height);
    for (size_t i = 0; ok && i < list.count; i++) {
        struct picture one = { 0 };
        struct shot shot = *like;

        aim_display(&list.items[i], &shot);
        ok = take_shot(&shot, &one, err);
        if (ok) {
            memcpy(out->route, one.route, sizeof out->route);
            place_picture(out, &one);
        }
        picture_free(&one);
    }
    display_list_free(&list);
    return ok;
}

static bool capture_take(struct desktop *handle, struct deadline *deadline,
                         const struct capture *what, struct picture *out, struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    struct shot shot = { .cursor = what->cursor, .deadline = deadline };
    bool ok;

    *out = (struct picture){ .scale = 1 };
    if (!macos_begin(desktop, deadline, err) || !permission_granted(PERMISSION_SCREEN, err))
        return false;
    if (what->kind == CAPTURE_ALL)
        ok = take_shots(desktop, &shot, out, err);
    else
        ok = aim_shot(desktop, deadline, what, &shot, err) && take_shot(&shot, out, err);
    if (!ok)
        picture_free(out);
    return ok;
}

const struct capture_ops macos_capture_ops = { .take = capture_take };
