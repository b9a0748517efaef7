/* PNG: rows filtered by Up or not at all, then packed at once. Other filters, and libpng's adaptive
 * choice, cost more than the compression itself. */
#include <sys/mman.h>

#include "image/encoders/encoders.h"
#include "image/encoders/pack.h"

enum { FILTER_NONE = 0, FILTER_UP = 2, SAMPLE = 8 };
enum { LARGE_PAGE = 2 << 20 };
enum { CHUNK_EXTRA = 12, HEAD_SIZE = 8 + CHUNK_EXTRA + 13 };

static void put_big32(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 24);
    at[1] = (uint8_t)(value >> 16);
    at[2] = (uint8_t)(value >> 8);
    at[3] = (uint8_t)value;
}

/* Length, name and checksum around `len` bytes that already lie at chunk + 8. */
static void close_chunk(uint8_t *chunk, const char name[4], size_t len)
{
    put_big32(chunk, (uint32_t)len);
    memcpy(chunk + 4, name, 4);
    put_big32(chunk + 8 + len, pack_crc32(chunk + 4, len + 4));
}

static void put_head(uint8_t *at, const struct image *image)
{
    static const uint8_t signature[8] = { 137, 'P', 'N', 'G', '\r', '\n', 26, '\n' };
    uint8_t *data = at + 8 + 8;

    memcpy(at, signature, sizeof signature);
    put_big32(data, (uint32_t)image->width);
    put_big32(data + 4, (uint32_t)image->height);
    data[8] = 8;                    /* bits of a sample */
    data[9] = image->alpha ? 6 : 2; /* RGBA or RGB */
    data[10] = data[11] = data[12] = 0;
    close_chunk(at + 8, "IHDR", 13);
}

/* Blue, green, red, alpha become red, green, blue and perhaps alpha. Plain loops over bytes that do
 * not overlap: compilers make vectors of them. */
static void put_plain(uint8_t *restrict to, const uint8_t *restrict row, int width, bool alpha)
{
    int step = alpha ? 4 : 3;

    for (int x = 0; x < width; x++, row += 4, to += step) {
        to[0] = row[2];
        to[1] = row[1];
        to[2] = row[0];
        if (alpha)
            to[3] = row[3];
    }
}

static void put_row_less_above(uint8_t *restrict to, const uint8_t *restrict row,
                               const uint8_t *restrict above, int width, bool alpha)
{
    int step = alpha ? 4 : 3;

    for (int x = 0; x < width; x++, row += 4, above += 4, to += step) {
        to[0] = (uint8_t)(row[2] - above[2]);
        to[1] = (uint8_t)(row[1] - above[1]);
        to[2] = (uint8_t)(row[0] - above[0]);
        if (alpha)
            to[3] = (uint8_t)(row[3] - above[3]);
    }
}

static bool same_colour(const uint8_t *a, const uint8_t *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Whether most pixels are as their neighbours, from a sample. */
static bool is_flat(const uint8_t *row, int width)
{
    int same = 0, seen = 0;

    for (int x = 4; x < width; x += SAMPLE, seen++)
        same += same_colour(row + (size_t)x * 4, row + (size_t)x * 4 - 4);
    return 2 * same >= seen;
}

/* Room for the filtered rows of a picture, not from malloc(): it is wanted for some milliseconds,
 * and in pages as large as there are, since touching it for the first time costs a tenth of
 * the whole work. Linux makes a large page only where a whole one fits (madvise(2)), so the room
 * begins at one, and ends with one where most of it is used. */
struct rows {
    uint8_t *bytes; /* NULL: there is no memory */
    size_t size;
};

static struct rows rows_map(size_t size)
{
    size_t tail = size % LARGE_PAGE, more = size >= LARGE_PAGE ? LARGE_PAGE : 0, before;
    uint8_t *room;

    if (more && tail >= LARGE_PAGE / 2)
        size += LARGE_PAGE - tail;
    room = mmap(NULL, size + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return (struct rows){ NULL, 0 };
    if (more) {
        before = (LARGE_PAGE - (uintptr_t)room % LARGE_PAGE) % LARGE_PAGE;
        if (before)
            munmap(room, before);
        room += before;
        size += more - before;
    }
#ifdef MADV_HUGEPAGE
    madvise(room, size, MADV_HUGEPAGE);
#endif
    return (struct rows){ room, size };
}

static void filter_rows(const struct image *image, uint8_t *raw, size_t line)
{
    for (int y = 0; y < image->height; y++) {
        const uint8_t *row = image_row(image, y);
        uint8_t *to = raw + line * (size_t)y;

        if (y == 0 || (pack_plain_is_quick && is_flat(row, image->width))) {
            *to = FILTER_NONE;
            put_plain(to + 1, row, image->width, image->alpha);
        } else {
            *to = FILTER_UP;
            put_row_less_above(to + 1, row, image_row(image, y - 1), image->width, image->alpha);
        }
    }
}

static bool no_memory(const struct image *image, struct error *err)
{
    return error_set(err, "too_large", "there is no memory for a PNG of %d x %d pixels",
                     image->width, image->height);
}

bool png_encode(const struct image *image, struct buf *out, struct error *err)
{
    size_t line = (size_t)image->width * (image->alpha ? 4 : 3) + 1;
    size_t size = line * (size_t)image->height, len;
    struct rows rows;
    uint8_t *at;

    if (size > PACK_MOST)
        return error_set(err, "too_large",
                         "a PNG of %d x %d pixels is too large. Use a smaller image", image->width,
                         image->height);
    rows = rows_map(size);
    if (!rows.bytes)
        return no_memory(image, err);
    filter_rows(image, rows.bytes, line);
    at = (uint8_t *)buf_reserve(out, HEAD_SIZE + pack_bound(size) + (size_t)2 * CHUNK_EXTRA);
    len = pack(rows.bytes, size, at + HEAD_SIZE + 8);
    munmap(rows.bytes, rows.size);
    if (len == 0 || len > PACK_MOST)
        return no_memory(image, err);
    put_head(at, image);
    close_chunk(at + HEAD_SIZE, "IDAT", len);
    close_chunk(at + HEAD_SIZE + CHUNK_EXTRA + len, "IEND", 0);
    out->len += HEAD_SIZE + len + (size_t)2 * CHUNK_EXTRA;
    return true;
}
