/* JPEG by libjpeg-turbo, 4:2:0, straight into the caller's buffer. */
#include <turbojpeg.h>

#include "image/encoders/encoders.h"

bool jpeg_encode(const struct image *image, int quality, struct buf *out, struct error *err)
{
    unsigned long room = tjBufSize(image->width, image->height, TJSAMP_420), len = room;
    unsigned char *at;
    tjhandle jpeg;
    int rc;

    if (room == (unsigned long)-1 || quality < 1 || quality > 100)
        return error_set(err, "encode_failed",
                         "a JPEG of %d x %d pixels with quality %d cannot be encoded. Use a "
                         "smaller image, and a quality of 1 to 100",
                         image->width, image->height, quality);
    jpeg = tjInitCompress();
    if (!jpeg)
        return error_set(err, "encode_failed", "libjpeg-turbo: %s", tjGetErrorStr2(NULL));
    at = (unsigned char *)buf_reserve(out, room);
    rc = tjCompress2(jpeg, image->pixels, image->width, (int)image->stride, image->height,
                     TJPF_BGRX, &at, &len, TJSAMP_420, quality, TJFLAG_NOREALLOC | TJFLAG_FASTDCT);
    if (rc != 0)
        error_set(err, "encode_failed", "libjpeg-turbo: %s", tjGetErrorStr2(jpeg));
    else
        out->len += len;
    tjDestroy(jpeg);
    return rc == 0;
}

const struct image_encoder perigee_image = { .png = png_encode, .jpeg = jpeg_encode };
