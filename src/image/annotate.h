/* Boxes with a short label, drawn onto a picture. */
#ifndef PERIGEE_IMAGE_ANNOTATE_H
#define PERIGEE_IMAGE_ANNOTATE_H

#include "image/changes.h"
#include "image/image.h"

enum { ANNOTATE_LABEL = 7 }; /* bytes of a label at most */

/* Both leave out what lies outside of the picture, whose pixels must be its own. `number` chooses
 * one of a few colors, so that neighbors differ. Draw all frames before the first label. */

/* The frame of the box, two pixels wide inside it. */
void annotate_frame(struct image *image, struct image_box box, int number);

/* The box's label at its top left corner, above it where there is room. Labels have the digits and
 * "e"; what else is in one is a space. */
void annotate_label(struct image *image, struct image_box box, const char *label, int number);

#endif
