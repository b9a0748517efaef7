/* A picture's file made to fit what somebody takes: small enough, few enough bytes, of a kind that
 * they read. Thread-safe. */
#ifndef PERIGEE_IMAGE_FIT_H
#define PERIGEE_IMAGE_FIT_H

#include "image/decode.h"
#include "image/encode.h"

struct fit_wanted {
    int longest;   /* pixels of the longest side; 0: any */
    size_t most;   /* bytes of the file; 0: any */
    bool kinds[3]; /* a flag for each picture_kind; PNG or JPEG at least */
};

struct fitted {
    struct buf bytes; /* owned; empty if the file fits as it is */
    struct picture_head head;
    double factor; /* new pixels for an old one, at most 1 */
};

/* Whether the file fits as it is. */
bool fit_is_fine(struct str bytes, const struct picture_head *head,
                 const struct fit_wanted *wanted);

/* Decodes, scales by the mean of areas and encodes: PNG if it was not a JPEG and that is small
 * enough, otherwise JPEG, smaller and smaller. buf_free() of the bytes afterwards. "damaged",
 * "too_large" (no size has so few bytes), "encode_failed". */
bool fit_picture(const struct image_decoder *decoder, const struct image_encoder *encoder,
                 struct str bytes, const struct picture_head *head, const struct fit_wanted *wanted,
                 struct fitted *out, struct error *err);

#endif
