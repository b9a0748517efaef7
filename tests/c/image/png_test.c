/* PNG: pictures packed by either library unpack to the same pixels; zlib is the judge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/module.h"
#include "image/encode.h"

enum { HEAD = 8 + 25, MARGIN = 12 };

/* The encoder with the other library than the build's, which the tests make beside it; NULL if
 * there is only one. */
static const struct image_encoder *other_encoder(void)
{
    char path[600];
    void *handle;

    snprintf(path, sizeof path, "%.500s", module_executable());
    snprintf(strrchr(path, '/'), 40, "/../pack/encoders.so");
    if (access(path, R_OK) != 0)
        return NULL;
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        fail_msg("%s", dlerror());
    return dlsym(handle, "perigee_image");
}

static uint32_t big32(const char *at)
{
    const uint8_t *p = (const uint8_t *)at;

    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* The sample of a pixel in the file's order: red, green, blue, alpha. */
static uint8_t sample(const struct image *image, int x, int y, int i)
{
    return image_row(image, y)[(size_t)x * 4 + (size_t)(i < 3 ? 2 - i : 3)];
}

/* `raw` begins with the row's filter: 0, or 2 where the row above has been taken off (PNG 9.2). */
static void check_row(const struct image *image, int y, const uint8_t *raw)
{
    int samples = image->alpha ? 4 : 3;

    assert_true(raw[0] == 0 || (raw[0] == 2 && y > 0));
    for (int x = 0; x < image->width; x++) {
        for (int i = 0; i < samples; i++) {
            uint8_t above = raw[0] == 2 ? sample(image, x, y - 1, i) : 0;

            if ((uint8_t)(raw[1 + x * samples + i] + above) != sample(image, x, y, i))
                fail_msg("%d x %d: pixel %d, %d, sample %d", image->width, image->height, x, y, i);
        }
    }
}

/* Signature, IHDR, one IDAT that zlib unpacks to the picture's rows, IEND, and nothing else. */
static void check(const struct image_encoder *encoder, const struct image *image)
{
    size_t line = (size_t)image->width * (image->alpha ? 4 : 3) + 1;
    uLongf len = line * (size_t)image->height;
    uint8_t *raw = malloc(len);
    struct buf out = { 0 };
    struct error err;
    size_t packed;

    assert_true(encoder->png(image, &out, &err));
    packed = big32(out.data + HEAD);
    assert_memory_equal(out.data + HEAD + 4, "IDAT", 4);
    assert_int_equal(HEAD + MARGIN + packed + MARGIN, out.len);
    assert_int_equal(big32(out.data + HEAD + 8 + packed),
                     crc32(0, (const Bytef *)out.data + HEAD + 4, (uInt)packed + 4));
    assert_int_equal(uncompress(raw, &len, (const Bytef *)out.data + HEAD + 8, packed), Z_OK);
    assert_int_equal(len, line * (size_t)image->height);
    for (int y = 0; y < image->height; y++)
        check_row(image, y, raw + line * (size_t)y);
    free(raw);
    buf_free(&out);
}

enum pattern { FLAT, NOISE, STRIPES, PATTERNS };

static void paint(struct image *image, enum pattern pattern)
{
    uint32_t random = 1;

    for (int y = 0; y < image->height; y++) {
        uint8_t *row = image_row(image, y);

        for (int x = 0; x < image->width * 4; x++) {
            random = random * 1664525 + 1013904223;
            row[x] = pattern == FLAT    ? (uint8_t)(x % 4 * 50)
                     : pattern == NOISE ? (uint8_t)(random >> 24)
                                        : (uint8_t)(x / 4 % 7 * 30 + y / 9 * 3);
        }
    }
}

static void check_all(const struct image_encoder *encoder)
{
    static const int sizes[][2] = { { 1, 1 },   { 2, 3 },     { 5000, 1 },  { 1, 3000 },
                                    { 61, 17 }, { 257, 255 }, { 1280, 720 } };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int kind = 0; kind < 2 * PATTERNS; kind++) {
            struct image image;

            assert_true(image_new(&image, sizes[i][0], sizes[i][1], kind % 2, NULL));
            paint(&image, (enum pattern)(kind / 2));
            check(encoder, &image);
            image_free(&image);
        }
    }
}

static void all_pixels_come_back(void **state)
{
    struct error err = { "", "" };
    const struct image_encoder *encoder = encoder_get(&err);

    (void)state;
    assert_string_equal(err.text, "");
    check_all(encoder);
}

static void all_pixels_come_back_from_the_other_library(void **state)
{
    const struct image_encoder *encoder = other_encoder();

    (void)state;
    if (!encoder)
        skip();
    check_all(encoder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pixels_come_back),
        cmocka_unit_test(all_pixels_come_back_from_the_other_library),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
