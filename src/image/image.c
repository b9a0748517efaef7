/* Pictures: room, area scaling, blending.
 *
 * Scaling sums whole rows into one accumulator row with 8-bit weights, so a
 * full screen is read once, in order, and needs no floating point per pixel. */
#include "image/image.h"

#include <stdlib.h>

bool image_new(struct image *image, int width, int height, bool alpha, struct error *err)
{
    if (width < 1 || height < 1 || width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX)
        return error_set(err, "too_large", "a picture of %d x %d pixels: each side can be 1 to %d",
                         width, height, IMAGE_SIDE_MAX);
    *image = (struct image){
        .width = width, .height = height, .stride = (size_t)width * 4, .alpha = alpha
    };
    image->pixels = mem_alloc(image->stride * (size_t)height);
    return true;
}

void image_free(struct image *image)
{
    free(image->pixels);
    *image = (struct image){ 0 };
}

/* Which old pixels make a new one, and how much of the first and the last counts, in 1/256. */
struct span {
    int first, last;
    uint32_t head, tail;
};

/* New pixel i covers the old ones from i*old/new to (i+1)*old/new. */
static struct span *spans_make(int old, int new)
{
    struct span *spans = mem_alloc(sizeof *spans * (size_t) new);

    for (int i = 0; i < new; i++) {
        uint64_t from = (uint64_t)i * (uint64_t)old * 256 / (uint64_t) new;
        uint64_t to = (uint64_t)(i + 1) * (uint64_t)old * 256 / (uint64_t) new;
        struct span *span = &spans[i];

        span->first = (int)(from / 256);
        span->last = (int)((to - 1) / 256);
        span->head = 256 - (uint32_t)(from % 256);
        span->tail = (uint32_t)(to - (uint64_t)span->last * 256);
        if (span->first == span->last)
            span->head = span->tail = (uint32_t)(to - from);
    }
    return spans;
}

static uint32_t span_weight(const struct span *span, int at)
{
    if (at == span->first)
        return span->head;
    return at == span->last ? span->tail : 256;
}

static uint32_t span_total(const struct span *span)
{
    if (span->first == span->last)
        return span->head;
    return span->head + span->tail + 256 * (uint32_t)(span->last - span->first - 1);
}

/* Adds one old row, narrowed to the new width, to the sums with a weight. */
static void add_row(const uint8_t *row, const struct span *columns, int width, uint32_t weight,
                    uint64_t *sums)
{
    for (int x = 0; x < width; x++, sums += 4) {
        const struct span *span = &columns[x];
        uint32_t sum[4] = { 0 };

        for (int at = span->first; at <= span->last; at++) {
            const uint8_t *pixel = row + (size_t)at * 4;
            uint32_t part = span_weight(span, at);

            for (int c = 0; c < 4; c++)
                sum[c] += pixel[c] * part;
        }
        for (int c = 0; c < 4; c++)
            sums[c] += (uint64_t)sum[c] * weight;
    }
}

static void store_row(uint8_t *row, const uint64_t *sums, const struct span *columns, int width,
                      uint32_t height_total)
{
    for (int x = 0; x < width; x++) {
        uint64_t total = (uint64_t)span_total(&columns[x]) * height_total;

        for (int c = 0; c < 4; c++)
            row[x * 4 + c] = (uint8_t)((sums[x * 4 + c] + total / 2) / total);
    }
}

static void shrink(const struct image *from, struct image *to)
{
    struct span *columns = spans_make(from->width, to->width);
    struct span *rows = spans_make(from->height, to->height);
    size_t size = sizeof(uint64_t) * 4 * (size_t)to->width;
    uint64_t *sums = mem_alloc(size);

    for (int y = 0; y < to->height; y++) {
        memset(sums, 0, size);
        for (int at = rows[y].first; at <= rows[y].last; at++)
            add_row(image_row(from, at), columns, to->width, span_weight(&rows[y], at), sums);
        store_row(image_row(to, y), sums, columns, to->width, span_total(&rows[y]));
    }
    free(sums);
    free(rows);
    free(columns);
}

double image_fit(struct image *from, int longest, struct image *to)
{
    int side = from->width > from->height ? from->width : from->height;
    double factor;

    if (longest <= 0 || side <= longest) {
        *to = *from;
        *from = (struct image){ 0 };
        return 1;
    }
    factor = (double)longest / side;
    int width = (int)(from->width * factor + 0.5), height = (int)(from->height * factor + 0.5);
    image_new(to, width < 1 ? 1 : width, height < 1 ? 1 : height, from->alpha, NULL);
    shrink(from, to);
    image_free(from);
    return factor;
}

static void blend_pixel(uint8_t *under, const uint8_t *over, bool keeps_alpha)
{
    unsigned a = over[3];

    for (int c = 0; c < 3; c++)
        under[c] = (uint8_t)((over[c] * a + under[c] * (255 - a) + 127) / 255);
    if (keeps_alpha && under[3] < a)
        under[3] = (uint8_t)a;
}

void image_blend(struct image *image, const struct image *top, int x, int y)
{
    for (int row = 0; row < top->height; row++) {
        if (y + row < 0 || y + row >= image->height)
            continue;
        for (int column = 0; column < top->width; column++) {
            if (x + column < 0 || x + column >= image->width)
                continue;
            blend_pixel(image_row(image, y + row) + (size_t)(x + column) * 4,
                        image_row(top, row) + (size_t)column * 4, image->alpha);
        }
    }
}

bool image_crop(const struct image *image, int x, int y, int width, int height, struct image *to,
                struct error *err)
{
    int left = x < 0 ? 0 : x, top = y < 0 ? 0 : y;
    int64_t right = (int64_t)x + width, bottom = (int64_t)y + height;

    right = right > image->width ? image->width : right;
    bottom = bottom > image->height ? image->height : bottom;
    if (right <= left || bottom <= top)
        return error_set(err, "outside", "%d x %d pixels at %d, %d lie outside of the picture",
                         width, height, x, y);
    if (!image_new(to, (int)right - left, (int)bottom - top, image->alpha, err))
        return false;
    for (int row = 0; row < to->height; row++)
        memcpy(image_row(to, row), image_row(image, top + row) + (size_t)left * 4, to->stride);
    return true;
}
