/* Pictures of the fake desktop as images of Core Graphics, by either way to take them. */
#include <ImageIO/ImageIO.h>
#include <stdio.h>
#include <stdlib.h>

#include "files/file.h"
#include "platform/macos/system/sckit.h"
#include "sim.h"

const CFStringRef kCGColorSpaceSRGB = NULL;

bool sckit_there(void)
{
    return sim_has_sckit();
}

void sckit_enroll(uint64_t ms)
{
    if (ms > 0)
        sim_enter_in_pane();
}

static CGImageRef image_of(struct capture what, struct error *err)
{
    struct picture picture;
    struct sim_object *image;

    if (!perigee_fake.capture->take(sim_desktop(), sim_deadline(), &what, &picture, err))
        return NULL;
    image = sim_object(SIM_IMAGE);
    image->image = picture.image;
    return (CGImageRef)image;
}

static struct capture of_display(CGDirectDisplayID display, CGRect part)
{
    CGRect bounds = CGDisplayBounds(display);

    if (part.size.width <= 0)
        return (struct capture){ .kind = CAPTURE_DISPLAY, .display = display };
    return (struct capture){ .kind = CAPTURE_REGION,
                             .region = { bounds.origin.x + part.origin.x,
                                         bounds.origin.y + part.origin.y, part.size.width,
                                         part.size.height } };
}

static struct capture of_window(CGWindowID window)
{
    return (struct capture){ .kind = CAPTURE_WINDOW, .window = { .id = window } };
}

CGImageRef sckit_copy_image(const struct sckit_request *request, uint64_t ms, struct error *err)
{
    struct capture what =
        request->display ? of_display(request->display, request->part) : of_window(request->window);

    if (ms == 0) {
        error_set(err, "timeout", "no time");
        return NULL;
    }
    what.cursor = request->cursor;
    if (sim_lists_nothing()) {
        error_set(err, "window_not_found", "ScreenCaptureKit lists nothing");
        return NULL;
    }
    return image_of(what, err);
}

/* Looked up by name, as on a Mac whose headers do not declare them any more. */
CGImageRef CGDisplayCreateImage(CGDirectDisplayID display);
CGImageRef CGDisplayCreateImageForRect(CGDirectDisplayID display, CGRect part);
CGImageRef CGWindowListCreateImage(CGRect bounds, uint32_t list, CGWindowID window,
                                   uint32_t options);

CGImageRef CGDisplayCreateImage(CGDirectDisplayID display)
{
    return sim_has_graphics() ? image_of(of_display(display, CGRectMake(0, 0, 0, 0)), NULL) : NULL;
}

CGImageRef CGDisplayCreateImageForRect(CGDirectDisplayID display, CGRect part)
{
    return sim_has_graphics() ? image_of(of_display(display, part), NULL) : NULL;
}

CGImageRef CGWindowListCreateImage(CGRect bounds, uint32_t list, CGWindowID window,
                                   uint32_t options)
{
    (void)bounds;
    (void)list;
    (void)options;
    return sim_has_graphics() ? image_of(of_window(window), NULL) : NULL;
}

/* --- images and contexts ------------------------------------------------------------------ */

size_t CGImageGetWidth(CGImageRef image)
{
    return (size_t)sim_of(image)->image.width;
}

size_t CGImageGetHeight(CGImageRef image)
{
    return (size_t)sim_of(image)->image.height;
}

CGImageRef CGImageRetain(CGImageRef image)
{
    return (CGImageRef)(uintptr_t)CFRetain(image);
}

void CGImageRelease(CGImageRef image)
{
    CFRelease(image);
}

CGColorSpaceRef CGColorSpaceCreateWithName(CFStringRef name)
{
    (void)name;
    return (CGColorSpaceRef)sim_object(SIM_OTHER);
}

void CGColorSpaceRelease(CGColorSpaceRef space)
{
    CFRelease(space);
}

CGContextRef CGBitmapContextCreate(void *data, size_t width, size_t height, size_t bits, size_t row,
                                   CGColorSpaceRef space, uint32_t info)
{
    struct sim_object *context;

    if (bits != 8 || !space || !(info & (uint32_t)kCGBitmapByteOrder32Little))
        return NULL;
    context = sim_object(SIM_CONTEXT);
    context->pixels = data;
    context->width = width;
    context->height = height;
    context->stride = row;
    return (CGContextRef)context;
}

void CGContextDrawImage(CGContextRef ref, CGRect rect, CGImageRef image)
{
    const struct sim_object *context = sim_of(ref);
    const struct image *from = &sim_of(image)->image;

    if ((size_t)rect.size.width != context->width || (size_t)from->width != context->width ||
        (size_t)from->height != context->height)
        abort();
    for (int y = 0; y < from->height; y++) {
        uint8_t *to = (uint8_t *)context->pixels + context->stride * (size_t)y;

        memcpy(to, image_row(from, y), 4 * context->width);
        for (size_t x = 0; x < context->width && !from->alpha; x++)
            to[4 * x + 3] = 255;
    }
}

void CGContextRelease(CGContextRef context)
{
    CFRelease(context);
}

/* Reads the file that the double of screencapture left: "window 12", or "region 0,0,640,400". */
CGImageSourceRef CGImageSourceCreateWithURL(CFURLRef url, CFDictionaryRef options)
{
    struct sim_object *source = sim_object(SIM_DATA);

    (void)options;
    if (file_read_all(buf_text(&sim_of(url)->bytes), 256, &source->bytes, NULL))
        return (CGImageSourceRef)source;
    CFRelease((CFTypeRef)source);
    return NULL;
}

CGImageRef CGImageSourceCreateImageAtIndex(CGImageSourceRef source, size_t index,
                                           CFDictionaryRef options)
{
    const char *text = buf_text(&sim_of(source)->bytes);
    struct capture what = { .kind = CAPTURE_WINDOW };
    struct rect *part = &what.region;
    unsigned window;

    (void)options;
    if (index != 0)
        return NULL;
    if (sscanf(text, "window %u", &window) == 1)
        return image_of(of_window(window), NULL);
    what.kind = CAPTURE_REGION;
    return sscanf(text, "region %lf,%lf,%lf,%lf", &part->x, &part->y, &part->width,
                  &part->height) == 4
               ? image_of(what, NULL)
               : NULL;
}
