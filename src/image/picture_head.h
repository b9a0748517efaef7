/* Reads the facts of an image file in its first bytes: PNG (ISO/IEC 15948), JPEG (ITU T.81) and
 * WebP (RFC 9649). Nothing is decoded, so this costs nothing and comes before anything that does.
 * Thread-safe. */
#ifndef PERIGEE_IMAGE_PICTURE_HEAD_H
#define PERIGEE_IMAGE_PICTURE_HEAD_H

#include "base/error.h"

enum picture_kind { PICTURE_PNG, PICTURE_JPEG, PICTURE_WEBP };

/* Limits of a file that is read, and of its pixels once it is decoded: 8K has 33 million. */
enum { PICTURE_BYTES_MAX = 64 * 1024 * 1024, PICTURE_PIXELS_MAX = 40 * 1000 * 1000 };

struct picture_head {
    enum picture_kind kind;
    int width, height; /* pixels, at least 1 */
};

/* The name of the file does not matter. "not_an_image" (none of the three kinds), "damaged" (its
 * beginning is cut off or contradicts itself), "too_large" (beyond the limits above, or those of
 * image_size_ok()), "animated". */
bool picture_head_read(struct str bytes, struct picture_head *head, struct error *err);

/* "image/png", "image/jpeg", "image/webp". */
const char *picture_mime(enum picture_kind kind);

#endif
