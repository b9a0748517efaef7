/* Pictures in memory: four bytes a pixel, in the order blue, green, red, alpha. */
#ifndef PERIGEE_IMAGE_IMAGE_H
#define PERIGEE_IMAGE_IMAGE_H

#include "base/buf.h"
#include "base/error.h"

enum { IMAGE_SIDE_MAX = 32767 }; /* pixels; what an X server can hold too */

/* Zeroed memory is no picture. */
struct image {
    int width, height; /* pixels */
    size_t stride;     /* bytes from a row to the next, at least 4 * width */
    uint8_t *pixels;   /* owned, free()d by image_free(), unless lent */
    bool alpha;        /* the fourth byte counts (not premultiplied); else it is undefined */
    bool lent;         /* the pixels are somebody else's, who says how long they stay */
};

/* "too_large" beyond IMAGE_SIDE_MAX or when either side is below 1. */
bool image_size_ok(int width, int height, struct error *err);

/* Room for a picture, undefined contents; fails as image_size_ok() does. */
bool image_new(struct image *image, int width, int height, bool alpha, struct error *err);

/* Accepts a zeroed one; leaves it zeroed. */
void image_free(struct image *image);

static inline uint8_t *image_row(const struct image *image, int y)
{
    return image->pixels + image->stride * (size_t)y;
}

/* A smaller copy whose longest side is `longest` pixels, each pixel the mean of the area it
 * stands for. A picture that is small enough, or longest 0, is moved, not copied: from is
 * empty afterwards in every case. Returns the factor: new pixels for an old one, at most 1. */
double image_fit(struct image *from, int longest, struct image *to);

/* Draws `top` with its alpha onto image, its corner at x, y; what lies outside is left out. */
void image_blend(struct image *image, const struct image *top, int x, int y);

/* A copy of the part that lies inside the picture. "outside" when nothing does. */
bool image_crop(const struct image *image, int x, int y, int width, int height, struct image *to,
                struct error *err);

#endif
