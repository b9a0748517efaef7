/* Pixels: taken by shared memory if the server has it, otherwise by plain requests. */
#include "platform/x11/screen/shot.h"

#include <X11/extensions/XShm.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/displays.h"

struct x11_capture {
    XShmSegmentInfo segment;
    size_t size;  /* bytes of the segment; 0: none */
    bool refused; /* the server cannot share memory with us (it is on another machine) */
};

/* --- shared memory ---------------------------------------------------------------- */

static void drop_segment(struct x11_desktop *desktop)
{
    struct x11_capture *capture = desktop->capture;

    if (!capture->size)
        return;
    if (!desktop->dead)
        XShmDetach(desktop->display, &capture->segment);
    shmdt(capture->segment.shmaddr);
    capture->size = 0;
}

void x11_capture_free(struct x11_desktop *desktop)
{
    if (!desktop->capture)
        return;
    drop_segment(desktop);
    free(desktop->capture);
    desktop->capture = NULL;
}

/* Makes a segment of at least this size. Its id is removed as soon as both sides are attached, so
 * it cannot be left behind. */
static bool have_segment(struct x11_desktop *desktop, size_t size)
{
    struct x11_capture *capture = desktop->capture;
    XShmSegmentInfo *segment = &capture->segment;

    if (capture->refused || capture->size >= size)
        return !capture->refused;
    drop_segment(desktop);
    segment->shmid = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
    if (segment->shmid < 0)
        return false;
    segment->shmaddr = shmat(segment->shmid, NULL, 0);
    segment->readOnly = False;
    x11_trap(desktop);
    if (segment->shmaddr == (void *)-1 || !XShmAttach(desktop->display, segment) ||
        x11_trapped(desktop)) {
        capture->refused = true;
        if (segment->shmaddr != (void *)-1)
            shmdt(segment->shmaddr);
    } else {
        capture->size = size;
    }
    shmctl(segment->shmid, IPC_RMID, NULL);
    return !capture->refused;
}

/* --- pixels ----------------------------------------------------------------------- */

/* Sets the masks of the colors: pixmaps have no visual, and shared images do not report theirs. */
static void set_masks(XImage *image, const Visual *visual)
{
    if (image->red_mask)
        return;
    image->red_mask = visual && visual->red_mask ? visual->red_mask : 0xff0000;
    image->green_mask = visual && visual->green_mask ? visual->green_mask : 0xff00;
    image->blue_mask = visual && visual->blue_mask ? visual->blue_mask : 0xff;
}

static bool is_plain(const XImage *from)
{
    return from->bits_per_pixel == 32 && from->byte_order == LSBFirst &&
           from->red_mask == 0xff0000 && from->green_mask == 0xff00 && from->blue_mask == 0xff;
}

static uint8_t channel(unsigned long pixel, unsigned long mask)
{
    unsigned long low, top;

    if (!mask)
        return 0;
    low = mask & (~mask + 1);
    top = mask / low;
    return (uint8_t)(((pixel & mask) / low * 255 + top / 2) / top);
}

static void convert(XImage *from, struct image *to)
{
    for (int y = 0; y < to->height; y++) {
        uint8_t *row = image_row(to, y);

        if (is_plain(from)) {
            memcpy(row, from->data + (size_t)y * (size_t)from->bytes_per_line, to->stride);
            continue;
        }
        for (int x = 0; x < to->width; x++, row += 4) {
            unsigned long pixel = XGetPixel(from, x, y);

            row[0] = channel(pixel, from->blue_mask);
            row[1] = channel(pixel, from->green_mask);
            row[2] = channel(pixel, from->red_mask);
            row[3] = 255;
        }
    }
}

/* Lends the segment itself as a picture, if its pixels are in our form. */
static bool lend(const XImage *from, struct image *to)
{
    if (!is_plain(from))
        return false;
    *to = (struct image){ .width = from->width,
                          .height = from->height,
                          .stride = (size_t)from->bytes_per_line,
                          .pixels = (uint8_t *)from->data,
                          .lent = true };
    return true;
}

static bool copy_pixels(XImage *from, struct image *to)
{
    if (!image_new(to, from->width, from->height, false, NULL))
        return false;
    convert(from, to);
    return true;
}

/* True if shared memory worked. */
static bool take_shared(struct x11_desktop *desktop, const struct shot *shot, struct image *to)
{
    struct x11_capture *capture = desktop->capture;
    XImage *image;
    bool ok;

    if (!XShmQueryExtension(desktop->display))
        return false;
    image = XShmCreateImage(desktop->display, shot->visual, (unsigned)shot->depth, ZPixmap, NULL,
                            &capture->segment, (unsigned)shot->width, (unsigned)shot->height);
    if (!image)
        return false;
    ok = have_segment(desktop, (size_t)image->bytes_per_line * (size_t)image->height);
    if (ok) {
        image->data = capture->segment.shmaddr;
        x11_trap(desktop);
        ok = XShmGetImage(desktop->display, shot->drawable, image, shot->x, shot->y, AllPlanes) &&
             !x11_trapped(desktop);
    }
    set_masks(image, shot->visual);
    if (ok)
        ok = (shot->lend && lend(image, to)) || copy_pixels(image, to);
    image->data = NULL; /* the segment stays */
    XDestroyImage(image);
    return ok;
}

static bool take_plain(struct x11_desktop *desktop, const struct shot *shot, struct image *to)
{
    XImage *image;
    bool ok;

    x11_trap(desktop);
    image = XGetImage(desktop->display, shot->drawable, shot->x, shot->y, (unsigned)shot->width,
                      (unsigned)shot->height, AllPlanes, ZPixmap);
    if (!image)
        return false;
    set_masks(image, shot->visual);
    ok = copy_pixels(image, to);
    XDestroyImage(image);
    return ok;
}

bool shot_take(struct x11_desktop *desktop, const struct shot *shot, struct picture *out,
               struct error *err)
{
    struct point at = x11_from_root(desktop, shot->root_x, shot->root_y);
    bool shared;

    if (!desktop->capture)
        desktop->capture = mem_zero(sizeof *desktop->capture);
    if (!image_size_ok(shot->width, shot->height, err))
        return false;
    shared = take_shared(desktop, shot, &out->image);
    if (!shared && !take_plain(desktop, shot, &out->image)) {
        if (desktop->dead)
            return x11_lost(desktop, err);
        return error_set(err, "capture_failed",
                         "the X server refused to capture %d x %d pixels at %.0f, %.0f: the "
                         "window may have closed or moved. Try again",
                         shot->width, shot->height, at.x, at.y);
    }
    out->origin = at;
    out->scale = 1;
    snprintf(out->route, sizeof out->route, "%s%s",
             shot->drawable == desktop->root ? "" : "composite, ", shared ? "shm" : "image");
    return true;
}
