/* Pictures: room, area scaling, blending.
 *
 * Scaling adds whole rows, weighted, into one row of sums and narrows that: a full screen is read
 * in order, and its loops are plain enough for compilers to make vectors of them. */
#include "image/image.h"

#include <stdlib.h>

bool image_size_ok(int width, int height, struct error *err)
{
    return (width >= 1 && height >= 1 && width <= IMAGE_SIDE_MAX && height <= IMAGE_SIDE_MAX) ||
           error_set(err, "too_large",
                     "an image cannot have %d x %d pixels. Use 1 to %d for each side", width,
                     height, IMAGE_SIDE_MAX);
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

/* The old pixels that make a new one, and the weights of the first, the one after it and the last:
 * those between count whole. Where there is no such pixel, its weight is 0. */
struct pixel_run {
    int first, last;
    float head, next, tail;
};

/* New pixel i covers the old ones from i*old/new to (i+1)*old/new. */
static struct pixel_run *runs_make(int old, int new)
{
    struct pixel_run *runs = mem_alloc(sizeof *runs * (size_t) new);
    double each = (double)old / new;

    for (int i = 0; i < new; i++) {
        struct pixel_run *run = &runs[i];
        int64_t end = (int64_t)(i + 1) * old;

        run->first = (int)((int64_t)i * old / new);
        run->last = (int)((end + new - 1) / new) - 1;
        run->head = (float)(run->first + 1 - i * each);
        run->next = run->last > run->first + 1 ? 1 : 0;
        run->tail = (float)((i + 1) * each - run->last);
        if (run->first == run->last) {
            run->head = (float)each;
            run->tail = 0;
        }
    }
    return runs;
}

/* sums = a * a_weight + b * b_weight */
static void first_rows(float *restrict sums, const uint8_t *restrict a, float a_weight,
                       const uint8_t *restrict b, float b_weight, int count)
{
    for (int i = 0; i < count; i++)
        sums[i] = (float)a[i] * a_weight + (float)b[i] * b_weight;
}

static void add_pixel_row(float *restrict sums, const uint8_t *restrict row, int count)
{
    for (int i = 0; i < count; i++)
        sums[i] += (float)row[i];
}

/* The row of sums to the new width; `share` is one over the old pixels that a new one covers. */
static void narrow_row(quad *restrict line, const quad *restrict sums,
                       const struct pixel_run *restrict columns, int width, float share)
{
    for (int x = 0; x < width; x++) {
        const struct pixel_run *run = &columns[x];
        quad sum = sums[run->first] * run->head + sums[run->first + 1] * run->next;

        for (int at = run->first + 2; at < run->last; at++)
            sum += sums[at];
        line[x] = (sum + sums[run->last] * run->tail) * share;
    }
}

/* Rounds values of 0 to 255. */
static void store_row(uint8_t *restrict row, const float *restrict line, int count)
{
    for (int i = 0; i < count; i++)
        row[i] = (uint8_t)(int)(line[i] + 0.5F);
}

static void sum_rows(float *sums, const struct image *from, const struct pixel_run *run)
{
    int count = from->width * 4;

    first_rows(sums, image_row(from, run->first), run->head, image_row(from, run->last), run->tail,
               count);
    for (int at = run->first + 1; at < run->last; at++)
        add_pixel_row(sums, image_row(from, at), count);
}

static void shrink_image(const struct image *from, struct image *to)
{
    struct pixel_run *columns = runs_make(from->width, to->width);
    struct pixel_run *rows = runs_make(from->height, to->height);
    quad *sums = mem_zero(sizeof *sums * ((size_t)from->width + 1)); /* one more: run.next */
    quad *line = mem_alloc(sizeof *line * (size_t)to->width);
    double share = (double)to->width / from->width * to->height / from->height;

    for (int y = 0; y < to->height; y++) {
        sum_rows((float *)sums, from, &rows[y]);
        narrow_row(line, sums, columns, to->width, (float)share);
        store_row(image_row(to, y), (float *)line, to->width * 4);
    }
    free(line);
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
    shrink_image(from, to);
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
        return error_set(err, "outside",
                         "%d x %d pixels at %d, %d are outside the image. Choose an area inside it",
                         width, height, x, y);
    if (!image_new(to, (int)right - left, (int)bottom - top, image->alpha, err))
        return false;
    for (int row = 0; row < to->height; row++)
        memcpy(image_row(to, row), image_row(image, top + row) + (size_t)left * 4, to->stride);
    return true;
}
