/* A label made ready: cut out with a little around it, dark on light, stretched to the whole range
 * of gray, and enlarged to the height that the recognizer's network was taught on. */
#include "image/tesseract/tesseract.h"

#include <math.h>
#include <stdlib.h>

enum { LINE_WIDTH_MAX = 6000 }; /* pixels, after enlarging */

static const double AROUND = 3 /* points */, LARGE = 16 /* points */,
                    HEIGHT = 34 /* pixels, with what is around */, ZOOM_MAX = 4;

/* How many rows are free next to the label, at most `most`; `down` or up. */
static int free_rows(const struct image_box *labels, size_t count, size_t which, int most,
                     bool down)
{
    const struct image_box *me = &labels[which];
    int free = most;

    for (size_t i = 0; i < count; i++) {
        const struct image_box *other = &labels[i];
        int gap = down ? other->y - (me->y + me->height) : me->y - (other->y + other->height);

        if (i == which || other->x >= me->x + me->width || me->x >= other->x + other->width)
            continue;
        if (gap >= 0 && gap / 2 < free)
            free = gap / 2;
    }
    return free;
}

static struct image_box box_around(const struct gray *picture, const struct image_box *labels,
                                   size_t count, size_t which, double scale)
{
    struct image_box box = labels[which];
    int most = (int)ceil(AROUND * scale);
    int up = free_rows(labels, count, which, most, false);
    int down = free_rows(labels, count, which, most, true);
    int left = box.x < most ? box.x : most;
    int right = picture->width - (box.x + box.width);

    up = box.y < up ? box.y : up;
    if (picture->height - (box.y + box.height) < down)
        down = picture->height - (box.y + box.height);
    right = right < most ? right : most;
    return (struct image_box){ box.x - left, box.y - up, box.width + left + right,
                               box.height + up + down };
}

/* A table that makes the background white and what differs most from it black. */
static void contrast(const struct gray *picture, const struct image_box *box, uint8_t levels[256])
{
    size_t seen[256] = { 0 }, total = (size_t)box->width * (size_t)box->height, few = total / 200;
    int ground = 0, darkest = 0, lightest = 255, ink;
    size_t sum = 0;

    for (int y = box->y; y < box->y + box->height; y++)
        for (int x = box->x; x < box->x + box->width; x++)
            seen[picture->pixels[(size_t)y * (size_t)picture->width + (size_t)x]]++;
    for (int i = 0; i < 256; i++)
        ground = seen[i] > seen[ground] ? i : ground;
    while (darkest < 255 && (sum += seen[darkest]) <= few)
        darkest++;
    sum = 0;
    while (lightest > 0 && (sum += seen[lightest]) <= few)
        lightest--;
    ink = lightest - ground > ground - darkest ? lightest : darkest;
    for (int i = 0; i < 256; i++) {
        double part = ink == ground ? 0 : (double)(i - ground) / (ink - ground);

        levels[i] = (uint8_t)lround(255 * (1 - fmin(fmax(part, 0), 1)));
    }
}

/* The label with what is around it, as it is in the picture but for the levels. */
static struct gray leveled(const struct gray *picture, const struct image_box *box)
{
    struct gray cut = { box->width, box->height, NULL };
    uint8_t levels[256], *to;

    contrast(picture, box, levels);
    to = cut.pixels = mem_alloc((size_t)box->width * (size_t)box->height);
    for (int y = box->y; y < box->y + box->height; y++) {
        const uint8_t *from = picture->pixels + (size_t)y * (size_t)picture->width + box->x;

        for (int x = 0; x < box->width; x++)
            *to++ = levels[*from++];
    }
    return cut;
}

/* Whether `count` pixels, `step` apart, are nearly all dark. */
static bool is_bar(const uint8_t *at, int count, size_t step)
{
    int dark = 0;

    for (int i = 0; i < count; i++)
        dark += at[(size_t)i * step] < 128;
    return dark * 10 > count * 9;
}

/* Takes out what goes from side to side: no letter does, with what is around. It is the field
 * around a selected text, or a frame. */
static void drop_bars(struct gray *cut)
{
    size_t width = (size_t)cut->width, height = (size_t)cut->height;
    bool *bars =
        mem_zero(width + height); /* columns, then rows: all are judged before the first goes */

    for (size_t x = 0; x < width; x++)
        bars[x] = is_bar(cut->pixels + x, cut->height, width);
    for (size_t y = 0; y < height; y++)
        bars[width + y] = is_bar(cut->pixels + y * width, cut->width, 1);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            if (bars[x] || bars[width + y])
                cut->pixels[y * width + x] = 255;
    free(bars);
}

/* Beside the strokes there may be the side of a frame, which would read as an l; of large letters
 * the sides were taken for frames. */
static void drop_sides(struct gray *cut, const struct image_box *label, const struct image_box *at,
                       double scale)
{
    int left = label->x - 1 - at->x, right = label->x + label->width + 1 - at->x;

    if (label->height > LARGE * scale)
        return;
    for (int y = 0; y < cut->height; y++) {
        uint8_t *row = cut->pixels + (size_t)y * (size_t)cut->width;

        for (int x = 0; x < cut->width; x++)
            if (x < left || x >= right)
                row[x] = 255;
    }
}

/* Between four pixels; beyond the picture its edge goes on. */
static double between(const struct gray *cut, double x, double y)
{
    int left = (int)floor(x), top = (int)floor(y);
    double right_part = x - left, bottom_part = y - top, sum = 0;

    for (int i = 0; i < 4; i++) {
        int px = left + (i & 1), py = top + (i >> 1);
        double part =
            (i & 1 ? right_part : 1 - right_part) * (i >> 1 ? bottom_part : 1 - bottom_part);

        px = px < 0 ? 0 : px >= cut->width ? cut->width - 1 : px;
        py = py < 0 ? 0 : py >= cut->height ? cut->height - 1 : py;
        sum += part * cut->pixels[(size_t)py * (size_t)cut->width + (size_t)px];
    }
    return sum;
}

/* `zoom` times as large, in a white margin. */
static struct gray enlarged(const struct gray *cut, double zoom)
{
    int width = (int)fmax(1, lround(cut->width * zoom));
    int height = (int)fmax(1, lround(cut->height * zoom));
    struct gray line = { width + 2 * LINE_MARGIN, height + 2 * LINE_MARGIN, NULL };

    line.pixels = mem_alloc((size_t)line.width * (size_t)line.height);
    memset(line.pixels, 255, (size_t)line.width * (size_t)line.height);
    for (int y = 0; y < height; y++) {
        uint8_t *to = line.pixels + (size_t)(y + LINE_MARGIN) * (size_t)line.width + LINE_MARGIN;

        for (int x = 0; x < width; x++)
            to[x] = (uint8_t)lround(between(cut, (x + 0.5) / zoom - 0.5, (y + 0.5) / zoom - 0.5));
    }
    return line;
}

struct gray line_cut(const struct gray *picture, const struct image_box *labels, size_t count,
                     size_t which, double scale, struct image_box *at, double *zoom)
{
    struct gray cut, line;

    *at = box_around(picture, labels, count, which, scale);
    cut = leveled(picture, at);
    drop_bars(&cut);
    drop_sides(&cut, &labels[which], at, scale);
    *zoom = fmin(fmin(HEIGHT / at->height, ZOOM_MAX), (double)LINE_WIDTH_MAX / at->width);
    line = enlarged(&cut, *zoom);
    gray_free(&cut);
    return line;
}
