/* Picture files: their sizes from their first bytes, decoded by leptonica, and made to fit.
 * leptonica also writes the files here, in the forms that our own encoders do not make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <allheaders.h>
#include <cmocka.h>

#include "image/fit.h"

enum { WIDTH = 61, HEIGHT = 23 };

static const struct image_decoder *decoder;
static const struct image_encoder *encoder;

static int open_modules(void **state)
{
    struct error err;

    (void)state;
    decoder = decoder_get(&err);
    if (!decoder || !(encoder = encoder_get(&err)))
        fail_msg("%s", err.text);
    return 0;
}

/* Paints colors that no two neighbors share; alpha falls from left to right. */
static void paint(struct image *image, int width, int height, bool alpha)
{
    assert_true(image_new(image, width, height, alpha, NULL));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *at = image_row(image, y) + (size_t)x * 4;

            at[0] = (uint8_t)(x * 3);
            at[1] = (uint8_t)(y * 7);
            at[2] = (uint8_t)(x + y * 2);
            at[3] = alpha ? (uint8_t)(255 - x * 2) : 255;
        }
}

/* A pixel of leptonica's: RGBA from the highest byte down. */
static PIX *pix_of(const struct image *image)
{
    PIX *pix = pixCreate(image->width, image->height, 32);

    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const uint8_t *at = image_row(image, y) + (size_t)x * 4;

            pixSetPixel(pix, x, y,
                        (l_uint32)at[2] << 24 | (l_uint32)at[1] << 16 | (l_uint32)at[0] << 8 |
                            at[3]);
        }
    pixSetSpp(pix, image->alpha ? 4 : 3);
    return pix;
}

/* Checks that all samples are within `most` of each other. */
static void assert_alike(const struct image *image, const struct image *other, int most)
{
    assert_int_equal(image->width, other->width);
    assert_int_equal(image->height, other->height);
    assert_int_equal(image->alpha, other->alpha);
    for (int y = 0; y < image->height; y++)
        for (int i = 0; i < image->width * 4; i++) {
            int differ = image_row(image, y)[i] - image_row(other, y)[i];

            if ((i % 4 != 3 || image->alpha) && abs(differ) > most)
                fail_msg("row %d, sample %d: %d and %d", y, i, image_row(image, y)[i],
                         image_row(other, y)[i]);
        }
}

static void decode(struct str bytes, int longest, struct image *image, enum picture_kind kind)
{
    struct picture_head head;
    struct error err;

    if (!picture_head_read(bytes, &head, &err) ||
        !decoder->decode(bytes, &head, longest, image, &err))
        fail_msg("%s: %s", err.code, err.text);
    assert_int_equal(head.kind, kind);
}

static void assert_refused(struct str bytes, const char *code)
{
    struct picture_head head;
    struct image image = { 0 };
    struct error err;

    if (picture_head_read(bytes, &head, &err))
        assert_false(decoder->decode(bytes, &head, 0, &image, &err));
    assert_null(image.pixels);
    assert_string_equal(err.code, code);
}

static void what_was_encoded_is_decoded(void **state)
{
    (void)state;
    for (int alpha = 0; alpha < 2; alpha++) {
        struct image image, back;
        struct buf bytes = { 0 };

        paint(&image, WIDTH, HEIGHT, alpha);
        assert_true(encoder->png(&image, &bytes, NULL));
        decode(buf_str(&bytes), 0, &back, PICTURE_PNG);
        assert_alike(&image, &back, 0);
        image_free(&back);
        bytes.len = 0;
        image.alpha = false;
        assert_true(encoder->jpeg(&image, 100, &bytes, NULL));
        decode(buf_str(&bytes), 0, &back, PICTURE_JPEG);
        assert_alike(&image, &back, 40); /* its colors are at half the size */
        image_free(&back);
        image_free(&image);
        buf_free(&bytes);
    }
}

static void webp_is_decoded(void **state)
{
    (void)state;
    for (int alpha = 0; alpha < 2; alpha++)
        for (int lossless = 0; lossless < 2; lossless++) {
            struct image image, back;
            l_uint8 *data = NULL;
            size_t len = 0;
            PIX *pix;

            paint(&image, WIDTH, HEIGHT, alpha);
            pix = pix_of(&image);
            assert_int_equal(pixWriteMemWebP(&data, &len, pix, 90, lossless), 0);
            decode((struct str){ (const char *)data, len }, 0, &back, PICTURE_WEBP);
            if (lossless)
                assert_alike(&image, &back, alpha ? 255 : 0); /* unseen colors may change */
            assert_int_equal(back.width, WIDTH);
            assert_int_equal(back.alpha, alpha);
            image_free(&back);
            image_free(&image);
            pixDestroy(&pix);
            lept_free(data);
        }
}

/* 1, 2, 4 and 8 bits of gray, with a palette, and 16 bits. */
static void every_depth_of_png_becomes_four_bytes(void **state)
{
    static const int depths[] = { 1, 2, 4, 8, 16 };

    (void)state;
    for (size_t i = 0; i < countof(depths); i++)
        for (int mapped = 0; mapped < 2; mapped++) {
            PIX *pix = pixCreate(WIDTH, HEIGHT, depths[i]);
            l_uint8 *data = NULL;
            struct image back;
            size_t len = 0;
            PIXCMAP *map;

            if (mapped && depths[i] > 8) {
                pixDestroy(&pix);
                continue;
            }
            if (mapped) {
                map = pixcmapCreate(depths[i]);
                pixcmapAddColor(map, 200, 100, 50);
                pixcmapAddColor(map, 1, 2, 3);
                pixSetColormap(pix, map);
            }
            assert_int_equal(pixWriteMemPng(&data, &len, pix, 0), 0);
            decode((struct str){ (const char *)data, len }, 0, &back, PICTURE_PNG);
            assert_int_equal(back.width, WIDTH);
            assert_int_equal(back.height, HEIGHT);
            if (mapped) {
                assert_int_equal(back.pixels[0], 50);
                assert_int_equal(back.pixels[1], 100);
                assert_int_equal(back.pixels[2], 200);
            }
            image_free(&back);
            lept_free(data);
            pixDestroy(&pix);
        }
}

static void a_file_that_is_cut_off_anywhere_is_refused_or_shorter(void **state)
{
    struct image image, back;
    struct buf png = { 0 };

    (void)state;
    paint(&image, WIDTH, HEIGHT, false);
    assert_true(encoder->png(&image, &png, NULL));
    for (size_t len = 8; len + 12 < png.len; len++) {
        char *copy = mem_strndup(png.data, len); /* reading past its end shows */

        assert_refused((struct str){ copy, len }, "damaged");
        free(copy);
    }
    decode(buf_str(&png), 0, &back, PICTURE_PNG);
    image_free(&back);
    buf_free(&png);
    image_free(&image);
}

static void sizes_are_bounded_before_anything_is_decoded(void **state)
{
    char png[] = "\x89PNG\r\n\x1a\n\0\0\0\15IHDR\0\0\x7f\xff\0\0\x7f\xff\x08\x02\0\0\0";
    char webp[] = "RIFF\0\0\0\0WEBPVP8X\12\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff";
    char jpeg[] = "\xff\xd8\xff\xc0\0\13\x08\xff\xff\xff\xff\1\1\x11\0";

    (void)state;
    assert_refused((struct str){ png, sizeof png - 1 }, "too_large");
    assert_refused((struct str){ webp, sizeof webp - 1 }, "too_large");
    assert_refused((struct str){ jpeg, sizeof jpeg - 1 }, "too_large");
    webp[20] = 2;
    assert_refused((struct str){ webp, sizeof webp - 1 }, "animated");
    assert_refused(STR("GIF89a\1\0\1\0"), "not_an_image");
    assert_refused(STR(""), "not_an_image");
    assert_refused(STR("\xff\xd8\xff\xd9"), "damaged");
    assert_refused(STR("\xff\xd8\xff\xe0\0\1"), "damaged");
    assert_refused(STR("RIFF\0\0\0\0WEBPVP8Z"), "damaged");
    png[16] = png[17] = png[18] = png[19] = 0;
    assert_refused((struct str){ png, sizeof png - 1 }, "damaged");
}

static struct fitted fit(struct str bytes, const struct fit_wanted *wanted)
{
    struct picture_head head;
    struct fitted out;
    struct error err;

    if (!picture_head_read(bytes, &head, &err) || fit_is_fine(bytes, &head, wanted) ||
        !fit_picture(decoder, encoder, bytes, &head, wanted, &out, &err))
        fail_msg("%s", err.text);
    if (wanted->longest)
        assert_true(out.head.width <= wanted->longest && out.head.height <= wanted->longest);
    if (wanted->most)
        assert_true(out.bytes.len <= wanted->most);
    assert_true(wanted->kinds[out.head.kind]);
    return out;
}

static void a_picture_is_made_to_fit(void **state)
{
    struct fit_wanted small = { .longest = 100, .kinds = { true, true, true } };
    struct fit_wanted few = { .most = 4000, .kinds = { true, true, false } };
    struct fit_wanted exact = { .longest = 100, .kinds = { true, false, false } };
    struct fit_wanted jpeg = { .kinds = { false, true, false } };
    struct image image;
    struct buf bytes = { 0 };
    struct fitted out;

    (void)state;
    paint(&image, 400, 300, true);
    for (size_t i = 0, noise = 1; i < image.stride * 300; i++) /* no encoder makes this small */
        image.pixels[i] = (uint8_t)((noise = noise * 1103515245 + 12345) >> 16);
    assert_true(encoder->png(&image, &bytes, NULL));
    out = fit(buf_str(&bytes), &small);
    assert_int_equal(out.head.kind, PICTURE_PNG);
    assert_int_equal(out.head.height, 75);
    assert_true(out.factor == 0.25);
    buf_free(&out.bytes);
    out = fit(buf_str(&bytes), &few);
    assert_int_equal(out.head.kind, PICTURE_JPEG);
    assert_true(out.factor < 0.5);
    buf_free(&out.bytes);
    out = fit(buf_str(&bytes), &jpeg);
    assert_int_equal(out.head.width, 400);
    exact.longest = 60;
    struct fitted again = fit(buf_str(&out.bytes), &exact); /* decoded to a quarter, then scaled */
    assert_int_equal(again.head.kind, PICTURE_PNG);
    assert_int_equal(again.head.width, 60);
    buf_free(&again.bytes);
    buf_free(&out.bytes);
    buf_free(&bytes);
    image_free(&image);
}

/* Transparent blue is put on white, as viewers show it. */
static void what_is_not_opaque_becomes_white_in_a_jpeg(void **state)
{
    struct fit_wanted jpeg = { .kinds = { false, true, false } };
    struct image image, back;
    struct buf bytes = { 0 };
    struct fitted out;

    (void)state;
    assert_true(image_new(&image, 32, 32, true, NULL));
    memset(image.pixels, 0, image.stride * 32);
    assert_true(encoder->png(&image, &bytes, NULL));
    out = fit(buf_str(&bytes), &jpeg);
    decode(buf_str(&out.bytes), 0, &back, PICTURE_JPEG);
    for (int i = 0; i < 3; i++)
        assert_true(back.pixels[i] > 250);
    image_free(&back);
    buf_free(&out.bytes);
    buf_free(&bytes);
    image_free(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_encoded_is_decoded),
        cmocka_unit_test(webp_is_decoded),
        cmocka_unit_test(every_depth_of_png_becomes_four_bytes),
        cmocka_unit_test(a_file_that_is_cut_off_anywhere_is_refused_or_shorter),
        cmocka_unit_test(sizes_are_bounded_before_anything_is_decoded),
        cmocka_unit_test(a_picture_is_made_to_fit),
        cmocka_unit_test(what_is_not_opaque_becomes_white_in_a_jpeg),
    };

    return cmocka_run_group_tests(tests, open_modules, NULL);
}
