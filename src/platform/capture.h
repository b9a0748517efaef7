/* The screenshots' part of platform.h, whose rules hold here, too. */
#ifndef PERIGEE_PLATFORM_CAPTURE_H
#define PERIGEE_PLATFORM_CAPTURE_H

#include "image/image.h"
#include "platform/windows.h"

struct desktop;

enum capture_kind { CAPTURE_DISPLAY, CAPTURE_ALL, CAPTURE_REGION, CAPTURE_WINDOW };

struct capture {
    enum capture_kind kind;
    uint64_t display;         /* display_info.id; 0: the main one */
    struct rect region;       /* cut to the displays */
    bool part;                /* only this region of the window is needed: picture_cut() */
    struct window_ref window; /* it may be covered */
    bool content_only;        /* the window without its title bar */
    bool popups;              /* the window with its menus and other popups (X11); larger then */
    bool cursor;              /* with the pointer drawn in */
    bool lend;                /* the pixels may be lent: they are valid until the next operation */
};

struct picture {
    struct image image;
    struct point origin; /* place of the picture's top left pixel */
    double scale;        /* pixels a point: point = origin + pixel / scale */
    char route[24];      /* "shm", "image", "composite", ... */
};

/* Permission: screen. Codes: "display_not_found", "window_not_found", "window_minimized",
 * "outside", "capture_failed". */
struct capture_ops {
    bool (*take)(struct desktop *desktop, struct deadline *deadline, const struct capture *what,
                 struct picture *out, struct error *err);
    /* Waits until something is drawn there, or until `until` of deadline_now(). *drawn says whether
     * it was; the pixels may be the same. Drawing in a covered window may not be reported.
     * "not_supported" and NULL: the backend cannot report drawing. */
    bool (*await_drawing)(struct desktop *desktop, struct deadline *deadline,
                          const struct capture *what, uint64_t until, bool *drawn,
                          struct error *err);
};

void picture_free(struct picture *picture);

/* Scales the picture so that its longest side is at most `longest` pixels (0: as it is). */
void picture_fit(struct picture *picture, int longest);

/* Keeps the region, in points, of a window's picture. "outside" when it has no part of that. */
bool picture_cut(struct picture *picture, struct rect region, struct error *err);

/* The place of a picture's pixel on the desktop. */
struct point picture_point(const struct picture *picture, double x, double y);

#endif
