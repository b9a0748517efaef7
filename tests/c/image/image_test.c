/* Pictures: scaling, blending, and that PNG and JPEG hold the given pixels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "image/annotate.h"
#include "image/encode.h"

static struct image made(int width, int height, bool alpha)
{
    struct image image;

    assert_true(image_new(&image, width, height, alpha, NULL));
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            uint8_t *pixel = image_row(&image, y) + (size_t)x * 4;

            pixel[0] = (uint8_t)(x * 3);
            pixel[1] = (uint8_t)(y * 5);
            pixel[2] = (uint8_t)(x ^ y);
            pixel[3] = alpha ? (uint8_t)(x + y) : 255;
        }
    }
    return image;
}

static uint32_t big32(const char *at)
{
    const uint8_t *p = (const uint8_t *)at;

    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static const struct image_encoder *encoder(void)
{
    struct error err = { "", "" };
    const struct image_encoder *found = encoder_get(&err);

    assert_string_equal(err.text, "");
    return found;
}

/* CRC-32 of PNG, the plain way. */
static uint32_t crc(const char *at, size_t len)
{
    uint32_t value = 0xffffffffu;

    for (size_t i = 0; i < len; i++) {
        value ^= (uint8_t)at[i];
        for (int bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (value & 1 ? 0xedb88320u : 0);
    }
    return ~value;
}

static void a_png_has_sound_chunks(void **state)
{
    static const char *const names[] = { "IHDR", "IDAT", "IEND" };
    struct image image = made(61, 17, true);
    struct buf out = { 0 };
    struct error err;
    size_t at = 8;

    (void)state;
    buf_adds(&out, "before");
    assert_true(image_encode(encoder(), &image, IMAGE_PNG, 0, &out, &err));
    buf_drop(&out, 6);
    assert_memory_equal(out.data, "\211PNG\r\n\032\n", 8);
    for (size_t i = 0; i < 3; i++) {
        size_t len = big32(out.data + at);

        assert_memory_equal(out.data + at + 4, names[i], 4);
        assert_int_equal(big32(out.data + at + 8 + len), crc(out.data + at + 4, len + 4));
        at += len + 12;
    }
    assert_int_equal(at, out.len);
    assert_int_equal(big32(out.data + 16), 61);
    assert_int_equal(big32(out.data + 20), 17);
    assert_int_equal(out.data[25], 6); /* RGBA */
    image_free(&image);
    buf_free(&out);
}

static void a_jpeg_begins_and_ends_as_one(void **state)
{
    struct image image = made(200, 100, false);
    struct buf good = { 0 }, poor = { 0 };
    struct error err;

    (void)state;
    assert_true(image_encode(encoder(), &image, IMAGE_JPEG, 95, &good, &err));
    assert_true(image_encode(encoder(), &image, IMAGE_JPEG, 20, &poor, &err));
    assert_memory_equal(good.data, "\xff\xd8\xff", 3);
    assert_memory_equal(good.data + good.len - 2, "\xff\xd9", 2);
    assert_true(poor.len < good.len);
    assert_false(image_encode(encoder(), &image, IMAGE_JPEG, 0, &good, &err));
    assert_string_equal(err.code, "encode_failed");
    image_free(&image);
    buf_free(&good);
    buf_free(&poor);
}

static void scaling_takes_the_mean_of_the_area(void **state)
{
    struct image image, small;

    (void)state;
    assert_true(image_new(&image, 4, 2, false, NULL));
    for (int y = 0; y < 2; y++) {
        for (int x = 0; x < 4; x++)
            memset(image_row(&image, y) + x * 4, (x * 20 + y * 10), 4);
    }
    assert_true(image_fit(&image, 2, &small) == 0.5);
    assert_null(image.pixels);
    assert_int_equal(small.width, 2);
    assert_int_equal(small.height, 1);
    assert_int_equal(image_row(&small, 0)[0], 15); /* the mean of 0, 20, 10, 30 */
    assert_int_equal(image_row(&small, 0)[4], 55);
    image_free(&small);
}

static void scaling_by_an_odd_factor_keeps_a_flat_colour(void **state)
{
    struct image image, small;

    (void)state;
    assert_true(image_new(&image, 1920, 1080, false, NULL));
    memset(image.pixels, 201, image.stride * 1080);
    image_fit(&image, 1568, &small);
    assert_int_equal(small.width, 1568);
    assert_int_equal(small.height, 882);
    for (size_t i = 0; i < small.stride * 882; i++) {
        if (small.pixels[i] != 201)
            fail_msg("byte %zu is %d", i, small.pixels[i]);
    }
    image_free(&small);
}

static void a_small_picture_is_left_alone(void **state)
{
    struct image image = made(30, 20, false), same;
    uint8_t *pixels = image.pixels;

    (void)state;
    assert_true(image_fit(&image, 30, &same) == 1);
    assert_ptr_equal(same.pixels, pixels);
    assert_true(image_fit(&same, 0, &image) == 1);
    image_free(&image);
}

static void a_line_of_one_pixel_can_be_scaled(void **state)
{
    struct image image = made(5000, 1, false), small;

    (void)state;
    image_fit(&image, 10, &small);
    assert_int_equal(small.width, 10);
    assert_int_equal(small.height, 1);
    image_free(&small);
}

static void cropping_and_blending_stay_inside(void **state)
{
    struct image image = made(10, 10, false), part, top = made(4, 4, true);
    struct error err;

    (void)state;
    assert_true(image_crop(&image, -5, 8, 100, 100, &part, &err));
    assert_int_equal(part.width, 10);
    assert_int_equal(part.height, 2);
    assert_memory_equal(part.pixels, image_row(&image, 8), 80);
    image_free(&part);
    assert_false(image_crop(&image, 10, 0, 5, 5, &part, &err));
    assert_string_equal(err.code, "outside");
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 4; x++)
            memset(image_row(&top, y) + x * 4, 255, 4);
    }
    image_blend(&image, &top, -2, 8);
    assert_int_equal(image_row(&image, 9)[0], 255);
    assert_int_equal(image_row(&image, 9)[4], 255);
    assert_int_equal(image_row(&image, 9)[8], 6);
    image_free(&image);
    image_free(&top);
}

static void lent_pixels_are_left_to_their_owner(void **state)
{
    uint8_t pixels[4 * 4 * 4] = { 7 };
    struct image lent = { .width = 4, .height = 4, .stride = 16, .pixels = pixels, .lent = true };
    struct image small, moved;

    (void)state;
    assert_true(image_fit(&lent, 4, &moved) == 1); /* moved, and still lent */
    assert_true(moved.lent && moved.pixels == pixels);
    assert_true(image_fit(&moved, 2, &small) == 0.5);
    assert_false(small.lent);
    image_free(&small);
    image_free(&moved);
    assert_int_equal(pixels[0], 7);
}

static void sizes_that_cannot_be_are_refused(void **state)
{
    struct image image;
    struct error err;

    (void)state;
    assert_false(image_new(&image, 0, 5, false, &err));
    assert_string_equal(err.code, "too_large");
    assert_false(image_new(&image, 40000, 5, false, &err));
}

/* How many pixels of the picture are this color. */
static int count(const struct image *image, int blue, int green, int red)
{
    int found = 0;

    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const uint8_t *pixel = image_row(image, y) + (size_t)x * 4;

            found += pixel[0] == blue && pixel[1] == green && pixel[2] == red;
        }
    return found;
}

static void a_box_has_a_frame_and_its_label(void **state)
{
    struct image image;

    (void)state;
    assert_true(image_new(&image, 100, 60, false, NULL));
    memset(image.pixels, 0, image.stride * 60);
    annotate_frame(&image, (struct image_box){ 10, 30, 40, 20 }, 0);
    annotate_label(&image, (struct image_box){ 10, 30, 40, 20 }, "", 0);
    assert_int_equal(count(&image, 0x1C, 0x1C, 0xC8), 2 * 40 * 2 + 2 * 16 * 2);
    assert_int_equal(image_row(&image, 30)[40], 0x1C); /* its corner */
    annotate_label(&image, (struct image_box){ 10, 30, 40, 20 }, "e1", 0);
    /* above it, 26 x 18 without the dots of "e" (14) and "1" (10), 4 pixels each */
    assert_int_equal(count(&image, 255, 255, 255), (14 + 10) * 4);
    assert_int_equal(count(&image, 0x1C, 0x1C, 0xC8), 224 + 26 * 18 - (14 + 10) * 4);
    image_free(&image);
}

static void boxes_stay_inside(void **state)
{
    static const struct image_box boxes[] = {
        { -20, -20, 30, 30 },
        { 90, 50, 1000, 1000 },
        { 0, 0, 1, 1 },
        { -500, 10, 2000, 3 },
        { 99, 59, 1, 1 },
        { 2147483000, 5, 2000, 5 },
        { 5, -2147483000, 10, 5 },
        { 0, 0, 2000000000, 2000000000 },
    };
    struct image image;

    (void)state;
    for (size_t i = 0; i < countof(boxes); i++) {
        assert_true(image_new(&image, 100, 60, false, NULL));
        memset(image.pixels, 0, image.stride * 60);
        annotate_frame(&image, boxes[i], (int)i - 3);
        annotate_label(&image, boxes[i], "e9876543210", (int)i - 3);
        image_free(&image);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_png_has_sound_chunks),
        cmocka_unit_test(a_jpeg_begins_and_ends_as_one),
        cmocka_unit_test(scaling_takes_the_mean_of_the_area),
        cmocka_unit_test(scaling_by_an_odd_factor_keeps_a_flat_colour),
        cmocka_unit_test(a_small_picture_is_left_alone),
        cmocka_unit_test(a_line_of_one_pixel_can_be_scaled),
        cmocka_unit_test(cropping_and_blending_stay_inside),
        cmocka_unit_test(lent_pixels_are_left_to_their_owner),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(a_box_has_a_frame_and_its_label),
        cmocka_unit_test(boxes_stay_inside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
