/* PNG and JPEG from pictures. The work is in the module `encoders`, opened on first use.
 *
 * encoder_get() is for the main thread; what it gives works on any thread, also on several
 * at once. */
#ifndef PERIGEE_IMAGE_ENCODE_H
#define PERIGEE_IMAGE_ENCODE_H

#include "image/image.h"

enum image_format { IMAGE_PNG, IMAGE_JPEG };

/* The operations that the module exports as `perigee_image`. Both append to out; on failure out is
 * as before, code "encode_failed" or "too_large". */
struct image_encoder {
    bool (*png)(const struct image *image, struct buf *out, struct error *err);
    /* quality 1 to 100. Alpha is dropped: JPEG has none. */
    bool (*jpeg)(const struct image *image, int quality, struct buf *out, struct error *err);
};

/* NULL with the error of module_symbol(). Borrowed for the life of the process. */
const struct image_encoder *encoder_get(struct error *err);

/* Quality counts for JPEG only. */
bool image_encode(const struct image_encoder *encoder, const struct image *image,
                  enum image_format format, int quality, struct buf *out, struct error *err);

const char *image_mime(enum image_format format);

/* "png", "jpg" or "jpeg", any case. */
bool image_format_named(const char *name, enum image_format *format);

#endif
