/* Making a picture fit. What was read with loss is written with loss again; everything else stays
 * exact as long as it is small enough. */
#include "image/fit.h"

enum { QUALITY = 85, SMALLEST = 32 };

static const double STEP = 0.7; /* the longest side shrinks by this from try to try */

static int longest_of(int width, int height)
{
    return width > height ? width : height;
}

static bool few_enough(size_t len, const struct fit_wanted *wanted)
{
    return !wanted->most || len <= wanted->most;
}

bool fit_is_fine(struct str bytes, const struct picture_head *head, const struct fit_wanted *wanted)
{
    return wanted->kinds[head->kind] && few_enough(bytes.len, wanted) &&
           (!wanted->longest || longest_of(head->width, head->height) <= wanted->longest);
}

static bool encode_as(const struct image_encoder *encoder, const struct image *image,
                      enum picture_kind kind, struct fitted *out, struct error *err)
{
    out->head = (struct picture_head){ kind, image->width, image->height };
    buf_free(&out->bytes);
    return image_encode(encoder, image, kind == PICTURE_JPEG ? IMAGE_JPEG : IMAGE_PNG, QUALITY,
                        &out->bytes, err);
}

/* JPEG has no alpha: what is not opaque is shown on white, as viewers do. */
static void flatten_alpha(struct image *image)
{
    if (!image->alpha)
        return;
    for (int y = 0; y < image->height; y++) {
        uint8_t *row = image_row(image, y);

        for (int x = 0; x < image->width; x++, row += 4)
            for (int c = 0; c < 3; c++)
                row[c] = (uint8_t)((row[c] * row[3] + 255 * (255 - row[3]) + 127) / 255);
    }
    image->alpha = false;
}

static void shrink_to_longest(struct image *image, int longest)
{
    struct image to;

    image_fit(image, longest, &to);
    *image = to;
}

/* The first of the kinds and sizes that is small enough. */
static bool encode_small(const struct image_encoder *encoder, struct image *image, bool png,
                         const struct fit_wanted *wanted, struct fitted *out, struct error *err)
{
    if (png) {
        if (!encode_as(encoder, image, PICTURE_PNG, out, err))
            return false;
        if (few_enough(out->bytes.len, wanted))
            return true;
    }
    flatten_alpha(image);
    for (;;) {
        enum picture_kind kind = wanted->kinds[PICTURE_JPEG] ? PICTURE_JPEG : PICTURE_PNG;
        int longest = longest_of(image->width, image->height);

        if (!encode_as(encoder, image, kind, out, err))
            return false;
        if (few_enough(out->bytes.len, wanted))
            return true;
        if (longest <= SMALLEST)
            return error_set(err, "too_large", "the image does not fit into %zu bytes",
                             wanted->most);
        shrink_to_longest(image, (int)(longest * STEP));
    }
}

bool fit_picture(const struct image_decoder *decoder, const struct image_encoder *encoder,
                 struct str bytes, const struct picture_head *head, const struct fit_wanted *wanted,
                 struct fitted *out, struct error *err)
{
    bool png =
        wanted->kinds[PICTURE_PNG] && (head->kind != PICTURE_JPEG || !wanted->kinds[PICTURE_JPEG]);
    struct image image;
    bool ok;

    *out = (struct fitted){ .head = *head, .factor = 1 };
    if (!decoder->decode(bytes, head, wanted->longest, &image, err))
        return false;
    shrink_to_longest(&image, wanted->longest);
    ok = encode_small(encoder, &image, png, wanted, out, err);
    out->factor = (double)out->head.width / head->width;
    image_free(&image);
    if (!ok)
        buf_free(&out->bytes);
    return ok;
}
