/* Decoding by leptonica, which reads each kind with the library that is made for it.
 *
 * A file is decoded only if leptonica reads the same size out of its beginning as picture_head.c
 * did: what was checked is what is made room for. */
#include <allheaders.h>
#include <pthread.h>

#include "image/decode.h"

/* Its words are RGBA from the highest byte down. */
enum { ALPHA_OFF = 8 };

static pthread_once_t quiet_once = PTHREAD_ONCE_INIT;

static void be_quiet(void)
{
    setMsgSeverity(L_SEVERITY_NONE); /* the error says what is wrong; libpng still writes a line */
}

static bool read_size(const l_uint8 *data, size_t len, enum picture_kind kind, int *width,
                      int *height)
{
    l_int32 bits, samples, mapped, ycck, cmyk;

    if (kind == PICTURE_PNG)
        return readHeaderMemPng(data, len, width, height, &bits, &samples, &mapped) == 0;
    if (kind == PICTURE_JPEG)
        return readHeaderMemJpeg(data, len, width, height, &samples, &ycck, &cmyk) == 0;
    return readHeaderMemWebP(data, len, width, height, &samples) == 0;
}

/* 1, 2, 4 or 8: how much smaller a JPEG may be decoded. */
static int reduction_for(const struct picture_head *head, int longest)
{
    int side = head->width > head->height ? head->width : head->height, reduction = 1;

    while (longest > 0 && reduction < 8 && side / (reduction * 2) >= longest)
        reduction *= 2;
    return reduction;
}

static PIX *read_pix(const l_uint8 *data, size_t len, const struct picture_head *head, int longest)
{
    if (head->kind == PICTURE_PNG)
        return pixReadMemPng(data, len);
    if (head->kind == PICTURE_JPEG)
        return pixReadMemJpeg(data, len, 0, reduction_for(head, longest), NULL, 0);
    return pixReadMemWebP(data, len);
}

/* Words of RGBA to bytes of BGRA, in place. */
static void reorder_pixels(uint32_t *restrict pixels, size_t count, bool alpha)
{
    const uint32_t opaque = alpha ? 0 : 0xff000000U;

    for (size_t i = 0; i < count; i++) {
        uint32_t word = pixels[i];

        pixels[i] = (word >> ALPHA_OFF | word << (32 - ALPHA_OFF)) | opaque;
    }
}

/* Takes the picture; its pixels become the image's. */
static bool take_picture(PIX *pix, struct image *image, struct error *err)
{
    PIX *whole = pixGetDepth(pix) == 32 ? pixClone(pix) : pixConvertTo32(pix);
    uint32_t *pixels;

    pixDestroy(&pix);
    if (!whole)
        return error_set(err, "damaged", "the image cannot be decoded: its colors are damaged");
    *image = (struct image){ .width = pixGetWidth(whole),
                             .height = pixGetHeight(whole),
                             .stride = (size_t)pixGetWpl(whole) * 4,
                             .alpha = pixGetSpp(whole) == 4 };
    pixels = pixExtractData(whole);
    pixDestroy(&whole);
    if (!pixels) {
        *image = (struct image){ 0 };
        return error_set(err, "damaged", "the image cannot be decoded: it has no pixels");
    }
    image->pixels = (uint8_t *)pixels;
    reorder_pixels(pixels, image->stride / 4 * (size_t)image->height, image->alpha);
    return true;
}

static bool decode_picture(struct str bytes, const struct picture_head *head, int longest,
                           struct image *image, struct error *err)
{
    const l_uint8 *data = (const l_uint8 *)bytes.ptr;
    int width = 0, height = 0;
    PIX *pix;

    pthread_once(&quiet_once, be_quiet);
    *image = (struct image){ 0 };
    if (!read_size(data, bytes.len, head->kind, &width, &height))
        return error_set(err, "damaged", "the image is damaged: its beginning cannot be read");
    if (width != head->width || height != head->height)
        return error_set(err, "damaged",
                         "the image is damaged: it has two sizes, %d x %d and %d x %d", head->width,
                         head->height, width, height);
    pix = read_pix(data, bytes.len, head, longest);
    if (!pix)
        return error_set(err, "damaged", "the image cannot be decoded: it is damaged or cut off");
    return take_picture(pix, image, err);
}

const struct image_decoder perigee_decoder = { decode_picture };
