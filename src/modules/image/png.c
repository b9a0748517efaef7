/* PNG: every row filtered by Up, all of it deflated at once by libdeflate.
 *
 * On screenshots Up is near the best filter and costs a subtraction a byte,
 * where libpng's adaptive choice costs more than the compression itself. */
#include <libdeflate.h>
#include <stdlib.h>

#include "modules/image/image_module.h"

enum { FILTER_UP = 2, CHUNK_EXTRA = 12, HEAD_SIZE = 8 + CHUNK_EXTRA + 13 };

static void put32(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 24);
    at[1] = (uint8_t)(value >> 16);
    at[2] = (uint8_t)(value >> 8);
    at[3] = (uint8_t)value;
}

/* Length, name and checksum around `len` bytes that already lie at chunk + 8. */
static void close_chunk(uint8_t *chunk, const char name[4], size_t len)
{
    put32(chunk, (uint32_t)len);
    memcpy(chunk + 4, name, 4);
    put32(chunk + 8 + len, libdeflate_crc32(0, chunk + 4, len + 4));
}

static void put_head(uint8_t *at, const struct image *image)
{
    static const uint8_t signature[8] = { 137, 'P', 'N', 'G', '\r', '\n', 26, '\n' };
    uint8_t *data = at + 8 + 8;

    memcpy(at, signature, sizeof signature);
    put32(data, (uint32_t)image->width);
    put32(data + 4, (uint32_t)image->height);
    data[8] = 8;                    /* bits of a sample */
    data[9] = image->alpha ? 6 : 2; /* RGBA or RGB */
    data[10] = data[11] = data[12] = 0;
    close_chunk(at + 8, "IHDR", 13);
}

/* BGRX of the picture to RGB(A), less the row above. */
static void filter_row(uint8_t *to, const uint8_t *row, const uint8_t *above, int width, bool alpha)
{
    for (int x = 0; x < width; x++, row += 4, above += 4) {
        to[0] = (uint8_t)(row[2] - above[2]);
        to[1] = (uint8_t)(row[1] - above[1]);
        to[2] = (uint8_t)(row[0] - above[0]);
        if (alpha)
            to[3] = (uint8_t)(row[3] - above[3]);
        to += alpha ? 4 : 3;
    }
}

static uint8_t *filter_all(const struct image *image, size_t *size)
{
    size_t line = (size_t)image->width * (image->alpha ? 4 : 3) + 1;
    uint8_t *raw = mem_alloc(line * (size_t)image->height);
    uint8_t *none = mem_zero((size_t)image->width * 4);
    const uint8_t *above = none;

    for (int y = 0; y < image->height; y++) {
        uint8_t *to = raw + line * (size_t)y;

        *to = FILTER_UP;
        filter_row(to + 1, image_row(image, y), above, image->width, image->alpha);
        above = image_row(image, y);
    }
    free(none);
    *size = line * (size_t)image->height;
    return raw;
}

bool png_encode(const struct image *image, int level, struct buf *out, struct error *err)
{
    struct libdeflate_compressor *deflate = libdeflate_alloc_compressor(level);
    size_t size, bound, len;
    uint8_t *raw, *at;

    if (!deflate)
        return error_set(err, "encode_failed", "PNG level %d is none of 1 to 12", level);
    raw = filter_all(image, &size);
    bound = libdeflate_zlib_compress_bound(deflate, size);
    at = (uint8_t *)buf_reserve(out, HEAD_SIZE + bound + (size_t)2 * CHUNK_EXTRA);
    put_head(at, image);
    len = libdeflate_zlib_compress(deflate, raw, size, at + HEAD_SIZE + 8, bound);
    libdeflate_free_compressor(deflate);
    free(raw);
    if (len == 0 || len > INT32_MAX)
        return error_set(err, "too_large", "a PNG of %d x %d pixels is too large", image->width,
                         image->height);
    close_chunk(at + HEAD_SIZE, "IDAT", len);
    close_chunk(at + HEAD_SIZE + CHUNK_EXTRA + len, "IEND", 0);
    out->len += HEAD_SIZE + len + (size_t)2 * CHUNK_EXTRA;
    return true;
}
