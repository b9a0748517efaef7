/* The inside of the module `encoders`. */
#ifndef PERIGEE_IMAGE_ENCODERS_ENCODERS_H
#define PERIGEE_IMAGE_ENCODERS_ENCODERS_H

#include "image/encode.h"

bool png_encode(const struct image *image, struct buf *out, struct error *err);
bool jpeg_encode(const struct image *image, int quality, struct buf *out, struct error *err);

extern const struct image_encoder perigee_image;

#endif
