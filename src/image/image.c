/* Pictures: room, area scaling, blending.
 *
 * Scaling adds whole rows, weighted, into one row of sums and narrows that: a full screen is read
 * in order, and a pixel's four bytes are one vector of floats, which every machine multiplies at
 * once. */
#include "image/image.h"

#include <stdlib.h>

bool image_size_ok(int width, int height, struct error *err)
{
    return (width >= 1 && height >= 1 && width <= IMAGE_SIDE_MAX && height <= IMAGE_SIDE_MAX) ||
           error_set(err, "too_large", "a picture of %d x %d pixels: each side can be 1 to %d",
                     width, height, IMAGE_SIDE_MAX);
}

bool image_new(struct image *image, int width, int height, bool alpha, struct error *err)
{
    if (!image_size_ok(width, height, err))
        return false;
    *image = (struct image){
        .width = width, .height = height, .stride = (size_t)width * 4, .alpha = alpha
    };
    image->pixels = mem_alloc(image->stride * (size_t)height);
    return true;
}

void image_free(struct image *image)
{
    if (!image->lent)
        free(image->pixels);
    *image = (struct image){ 0 };
}

typedef float quad __attribute__((vector_size(16)));
typedef int32_t quad_int __attribute__((vector_size(16)));
typedef uint8_t quad_byte __attribute__((vector_size(4)));

static inline quad quad_load(const uint8_t *pixel)
{
    quad_byte bytes;

    memcpy(&bytes, pixel, sizeof bytes);
    return __builtin_convertvector(bytes, quad);
}

/* Rounds values of 0 to 255. */
static inline void quad_store(uint8_t *pixel, quad value)
{
    quad_int rounded = __builtin_convertvector(value + 0.5F, quad_int);
    quad_byte bytes = __builtin_convertvector(rounded, quad_byte);

    memcpy(pixel, &bytes, sizeof bytes);
}

/* Which old pixels make a new one, and how much of the first and the last counts. */
struct span {
    int first, last; /* those between count whole */
    float head, tail;
};

/* New pixel i covers the old ones from i*old/new to (i+1)*old/new. */
static struct span *spans_make(int old, int new)
{
    struct span *spans = mem_alloc(sizeof *spans * (size_t) new);
    double each = (double)old / new;

    for (int i = 0; i < new; i++) {
        struct span *span = &spans[i];
        int64_t end = (int64_t)(i + 1) * old;

        span->first = (int)((int64_t)i * old / new);
        span->last = (int)((end + new - 1) / new) - 1;
        span->head = (float)(span->first + 1 - i * each);
        span->tail = (float)((i + 1) * each - span->last);
        if (span->first == span->last)
            span->head = (float)each;
    }
    return spans;
}

static float span_weight(const struct span *span, int at)
{
    if (at == span->first)
        return span->head;
    return at == span->last ? span->tail : 1;
}

static void first_row(quad *sums, const uint8_t *row, int width, float weight)
{
    for (int x = 0; x < width; x++, row += 4)
        sums[x] = quad_load(row) * weight;
}

static void add_row(quad *sums, const uint8_t *row, int width, float weight)
{
    for (int x = 0; x < width; x++, row += 4)
        sums[x] += quad_load(row) * weight;
}

/* The row of sums to the new width; `share` is one over the old pixels that a new one covers. */
static void narrow(uint8_t *row, const quad *sums, const struct span *columns, int width,
                   float share)
{
    for (int x = 0; x < width; x++, row += 4) {
        const struct span *span = &columns[x];
        quad sum = sums[span->first] * span->head;

        for (int at = span->first + 1; at < span->last; at++)
            sum += sums[at];
        if (span->last > span->first)
            sum += sums[span->last] * span->tail;
        quad_store(row, sum * share);
    }
}

static void shrink(const struct image *from, struct image *to)
{
    struct span *columns = spans_make(from->width, to->width);
    struct span *rows = spans_make(from->height, to->height);
    quad *sums = mem_alloc(sizeof *sums * (size_t)from->width);
    double share = (double)to->width / from->width * to->height / from->height;

    for (int y = 0; y < to->height; y++) {
        const struct span *span = &rows[y];

        first_row(sums, image_row(from, span->first), from->width, span->head);
        for (int at = span->first + 1; at <= span->last; at++)
            add_row(sums, image_row(from, at), from->width, span_weight(span, at));
        narrow(image_row(to, y), sums, columns, to->width, (float)share);
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
