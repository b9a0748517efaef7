/* The inside of the module `encoders`. */
#ifndef PERIGEE_MODULES_IMAGE_H
#define PERIGEE_MODULES_IMAGE_H

#include "image/encode.h"

bool png_encode(const struct image *image, struct buf *out, struct error *err);
bool jpeg_encode(const struct image *image, int quality, struct buf *out, struct error *err);

extern const struct image_encoder perigee_image;

#endif
