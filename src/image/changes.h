/* Where two pictures of the same thing differ.
 *
 * Marks stand for a picture: a sum for each tile of CHANGE_TILE pixels, so that a picture can be
 * compared with one whose pixels are gone. Two tiles that differ have the same sum once in 2^32. */
#ifndef PERIGEE_IMAGE_CHANGES_H
#define PERIGEE_IMAGE_CHANGES_H

#include "image/image.h"

enum {
    CHANGE_TILE = 16, /* pixels, each side */
    CHANGE_BOXES = 4, /* that are told; more are joined */
};

/* In pixels, inside the picture. */
struct image_box {
    int x, y, width, height;
};

/* Appends the marks: width and height (u32), then a u32 for each tile, row by row. */
void image_marks(const struct image *image, struct buf *out);

/* The changes from the marks `before` to `after`: at most CHANGE_BOXES boxes that hold every
 * changed tile and do not touch each other. Gives their number; 0: nothing changed; -1: they are no
 * marks, or of pictures that differ in size. */
int image_changes(struct str before, struct str after, struct image_box boxes[CHANGE_BOXES]);

#endif
