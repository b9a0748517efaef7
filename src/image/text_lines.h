/* Where a picture of an interface has something that looks like text: one box for each label.
 *
 * Interfaces are flat: what changes from pixel to pixel along a row is a letter, an icon or a
 * frame. The strokes that lie close to each other in rows are joined to words, words of one line
 * that a blank separates to a label; frames, lines and what is too small or too large is left out,
 * and so is a line of text of which the edge of the picture shows half.
 * Finding them here takes a few milliseconds for a screen, lets each be read by itself (and only
 * if it was not read before), and finds labels in rows and tables that page layouts join. */
#ifndef PERIGEE_IMAGE_TEXT_LINES_H
#define PERIGEE_IMAGE_TEXT_LINES_H

#include "image/changes.h"
#include "image/image.h"

/* One byte a pixel, 0 black. */
struct gray {
    int width, height; /* pixels; the stride is the width */
    uint8_t *pixels;   /* owned, free()d by gray_free() */
};

struct gray gray_of(const struct image *image);
void gray_free(struct gray *gray); /* accepts a zeroed one */

enum { TEXT_LINES_MAX = 5000 }; /* lines of a picture; the rest is left out */

/* `scale` is the pixels a point: 13-point letters have 10 pixels at 1. The boxes, in pixels, from
 * top to bottom and left to right, hold all strokes of their label; the caller free()s them. */
size_t text_lines_find(const struct gray *gray, double scale, struct image_box **boxes);

#endif
