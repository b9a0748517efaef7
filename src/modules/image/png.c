/* PNG: rows filtered by Up or not at all, then deflated at once by libdeflate.
 *
 * Flat rows, as most of a desktop has, pack fastest as they are; rows of photographs pack better
 * and faster as the difference to the row above. Other filters, and libpng's adaptive choice,
 * cost more than the compression itself. */
#include <libdeflate.h>
#include <sys/mman.h>

#include "modules/image/image_module.h"

enum { FILTER_NONE = 0, FILTER_UP = 2, SAMPLE = 8 };
enum { CHUNK_EXTRA = 12, HEAD_SIZE = 8 + CHUNK_EXTRA + 13 };

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

/* Blue in the lowest byte. Compilers make one load of it, and one store of put_rgb(). */
static inline uint32_t pixel_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Each byte of a less the same one of b. */
static inline uint32_t subtract(uint32_t a, uint32_t b)
{
    return ((a | 0x80808080) - (b & 0x7f7f7f7f)) ^ ((a ^ ~b) & 0x80808080);
}

/* Red, green, blue, and a byte beyond them, which the next pixel takes. */
static inline void put_rgb(uint8_t *to, uint32_t pixel)
{
    uint32_t rgb = (pixel >> 16 & 0xff) | (pixel & 0xff00) | (pixel & 0xff) << 16;

    to[0] = (uint8_t)rgb;
    to[1] = (uint8_t)(rgb >> 8);
    to[2] = (uint8_t)(rgb >> 16);
    to[3] = 0;
}

static inline void put_rgba(uint8_t *to, uint32_t pixel)
{
    put_rgb(to, pixel);
    to[3] = (uint8_t)(pixel >> 24);
}

static void put_plain(uint8_t *to, const uint8_t *row, int width, bool alpha)
{
    if (alpha) {
        for (int x = 0; x < width; x++, row += 4, to += 4)
            put_rgba(to, pixel_at(row));
    } else {
        for (int x = 0; x < width; x++, row += 4, to += 3)
            put_rgb(to, pixel_at(row));
    }
}

static void put_less(uint8_t *to, const uint8_t *row, const uint8_t *above, int width, bool alpha)
{
    if (alpha) {
        for (int x = 0; x < width; x++, row += 4, above += 4, to += 4)
            put_rgba(to, subtract(pixel_at(row), pixel_at(above)));
    } else {
        for (int x = 0; x < width; x++, row += 4, above += 4, to += 3)
            put_rgb(to, subtract(pixel_at(row), pixel_at(above)));
    }
}

/* Whether most pixels are as their neighbours, from a sample. */
static bool is_flat(const uint8_t *row, int width)
{
    int same = 0, seen = 0;

    for (int x = 4; x < width; x += SAMPLE, seen++)
        same +=
            ((pixel_at(row + (size_t)x * 4) ^ pixel_at(row + (size_t)x * 4 - 4)) & 0xffffff) == 0;
    return 2 * same >= seen;
}

/* Room for the filtered rows of a picture, not from malloc(): it is wanted for some milliseconds,
 * and in pages as large as there are, since touching it for the first time costs a tenth of
 * the whole work. NULL: there is no memory. */
static uint8_t *rows_map(size_t size)
{
    void *rows = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

#ifdef MADV_HUGEPAGE
    if (rows != MAP_FAILED)
        madvise(rows, size, MADV_HUGEPAGE);
#endif
    return rows == MAP_FAILED ? NULL : rows;
}

static void filter_all(const struct image *image, uint8_t *raw, size_t line)
{

    for (int y = 0; y < image->height; y++) {
        const uint8_t *row = image_row(image, y);
        uint8_t *to = raw + line * (size_t)y;

        if (y == 0 || is_flat(row, image->width)) {
            *to = FILTER_NONE;
            put_plain(to + 1, row, image->width, image->alpha);
        } else {
            *to = FILTER_UP;
            put_less(to + 1, row, image_row(image, y - 1), image->width, image->alpha);
        }
    }
}

bool png_encode(const struct image *image, int level, struct buf *out, struct error *err)
{
    size_t line = (size_t)image->width * (image->alpha ? 4 : 3) + 1;
    size_t size = line * (size_t)image->height, bound, len;
    struct libdeflate_compressor *deflate = libdeflate_alloc_compressor(level);
    uint8_t *raw, *at;

    if (!deflate)
        return error_set(err, "encode_failed", "PNG level %d is none of 1 to 12", level);
    raw = rows_map(size + 1);
    if (!raw) {
        libdeflate_free_compressor(deflate);
        return error_set(err, "too_large", "there is no memory for a PNG of %d x %d pixels",
                         image->width, image->height);
    }
    filter_all(image, raw, line);
    bound = libdeflate_zlib_compress_bound(deflate, size);
    at = (uint8_t *)buf_reserve(out, HEAD_SIZE + bound + (size_t)2 * CHUNK_EXTRA);
    put_head(at, image);
    len = libdeflate_zlib_compress(deflate, raw, size, at + HEAD_SIZE + 8, bound);
    libdeflate_free_compressor(deflate);
    munmap(raw, size + 1);
    if (len == 0 || len > INT32_MAX)
        return error_set(err, "too_large", "a PNG of %d x %d pixels is too large", image->width,
                         image->height);
    close_chunk(at + HEAD_SIZE, "IDAT", len);
    close_chunk(at + HEAD_SIZE + CHUNK_EXTRA + len, "IEND", 0);
    out->len += HEAD_SIZE + len + (size_t)2 * CHUNK_EXTRA;
    return true;
}
