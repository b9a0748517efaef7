/* Pictures out of the bytes of PNG, JPEG and WebP files. The work is in the module `leptonica`,
 * opened on first use.
 *
 * decoder_get() is for the main thread; what it gives works on any thread, also on several at
 * once. */
#ifndef PERIGEE_IMAGE_DECODE_H
#define PERIGEE_IMAGE_DECODE_H

#include "image/image.h"
#include "image/picture_head.h"

/* The operations that the module exports as `perigee_decoder`. */
struct image_decoder {
    /* `head` is what picture_head_read() said of the bytes. The longest side that is wanted (0: the
     * full size) lets a JPEG be decoded to a half, a quarter or an eighth, never below it.
     * image_free() afterwards. "damaged", "too_large". */
    bool (*decode)(struct str bytes, const struct picture_head *head, int longest,
                   struct image *image, struct error *err);
};

/* NULL with the error of module_symbol(). Borrowed for the life of the process. */
const struct image_decoder *decoder_get(struct error *err);

#endif
