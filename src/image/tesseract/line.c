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
    while ((sum += seen[darkest]) <= few && darkest < 255)
        darkest++;
    sum = 0;
    while ((sum += seen[lightest]) <= few && lightest > 0)
        lightest--;
    ink = lightest - ground > ground - darkest ? lightest : darkest;
    for (int i = 0; i < 256; i++) {
        double part = ink == ground ? 0 : (double)(i - ground) / (ink - ground);

        levels[i] = (uint8_t)lround(255 * (1 - fmin(fmax(part, 0), 1)));
    }
}

/* The middle of four pixels; beyond the picture its edge goes on. */
static double between(const struct gray *picture, const struct image_box *box,
                      const uint8_t levels[256], double x, double y)
{
    int left = (int)floor(x), top = (int)floor(y);
    double right_part = x - left, bottom_part = y - top, sum = 0;

    for (int i = 0; i < 4; i++) {
        int px = left + (i & 1), py = top + (i >> 1);
        double part =
            (i & 1 ? right_part : 1 - right_part) * (i >> 1 ? bottom_part : 1 - bottom_part);

        px = px < 0 ? 0 : px >= box->width ? box->width - 1 : px;
        py = py < 0 ? 0 : py >= box->height ? box->height - 1 : py;
        sum += part * levels[picture->pixels[(size_t)(box->y + py) * (size_t)picture->width +
                                             (size_t)(box->x + px)]];
    }
    return sum;
}

struct gray line_cut(const struct gray *picture, const struct image_box *labels, size_t count,
                     size_t which, double scale, struct image_box *at, double *zoom)
{
    uint8_t levels[256];
    struct gray line;
    int width, height, left, right;

    *at = box_around(picture, labels, count, which, scale);
    contrast(picture, at, levels);
    *zoom = fmin(fmin(HEIGHT / at->height, ZOOM_MAX), (double)LINE_WIDTH_MAX / at->width);
    width = (int)fmax(1, lround(at->width * *zoom));
    height = (int)fmax(1, lround(at->height * *zoom));
    /* Beside the strokes there may be the side of a frame, which would read as an l; of large
     * letters the sides were taken for frames. */
    left = (int)lround((labels[which].x - 1 - at->x) * *zoom);
    right = (int)lround((labels[which].x + labels[which].width + 1 - at->x) * *zoom);
    if (labels[which].height > LARGE * scale) {
        left = 0;
        right = width;
    }
    line = (struct gray){ width + 2 * LINE_MARGIN, height + 2 * LINE_MARGIN, NULL };
    line.pixels = mem_alloc((size_t)line.width * (size_t)line.height);
    memset(line.pixels, 255, (size_t)line.width * (size_t)line.height);
    for (int y = 0; y < height; y++) {
        uint8_t *to = line.pixels + (size_t)(y + LINE_MARGIN) * (size_t)line.width + LINE_MARGIN;

        for (int x = left < 0 ? 0 : left; x < width && x < right; x++)
            to[x] = (uint8_t)lround(
                between(picture, at, levels, (x + 0.5) / *zoom - 0.5, (y + 0.5) / *zoom - 0.5));
    }
    return line;
}
