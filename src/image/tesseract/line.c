/* A label made ready: cut out with a little around it, dark on light, stretched to the whole range
 * of gray, and enlarged to the height that the recognizer's network was taught on. */
#include "image/tesseract/tesseract.h"

#include <math.h>
#include <stdlib.h>

/* The network looks at 36 rows, and takes the longer the wider a line is in them. What is read as a
 * whole line must begin and end with its letters: in white beside them it sees brackets. Of one or
 * two letters it sees too little then, and of large ones the ends are not known: these get white
 * around, and the library looks for them in it. */
static const double HEIGHT = 30 /* pixels, with what is around */, LOOSE_HEIGHT = 34, ZOOM_MAX = 4,
                    SHORT = 1.6 /* heights */, AROUND = 3 /* points */, LARGE = 16 /* points */;

/* Pixels, after enlarging. */
enum { LINE_WIDTH_MAX = 6000, MARGIN = 3 /* above and below */, LOOSE_MARGIN = 8 };

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

/* Cuts off what is beside the strokes: the side of a frame would read as an l, and much white as
 * brackets. Of large letters the sides were taken for frames, so they keep it. */
static void cut_sides(struct gray *cut, const struct image_box *label, struct image_box *at,
                      double scale)
{
    size_t left = (size_t)(label->x - at->x), width = (size_t)label->width;

    if (label->height > LARGE * scale)
        return;
    for (size_t y = 0; y < (size_t)cut->height; y++)
        memmove(cut->pixels + y * width, cut->pixels + y * (size_t)cut->width + left, width);
    cut->width = at->width = label->width;
    at->x = label->x;
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

/* With the margins. */
static struct gray enlarged(const struct gray *cut, const struct line *line)
{
    int width = (int)fmax(1, lround(cut->width * line->zoom));
    int height = (int)fmax(1, lround(cut->height * line->zoom));
    struct gray large = { width + 2 * line->left, height + 2 * line->top, NULL };

    large.pixels = mem_alloc((size_t)large.width * (size_t)large.height);
    memset(large.pixels, 255, (size_t)large.width * (size_t)large.height);
    for (int y = 0; y < height; y++) {
        uint8_t *to = large.pixels + (size_t)(y + line->top) * (size_t)large.width + line->left;

        for (int x = 0; x < width; x++)
            to[x] = (uint8_t)lround(
                between(cut, (x + 0.5) / line->zoom - 0.5, (y + 0.5) / line->zoom - 0.5));
    }
    return large;
}

struct line line_cut(const struct gray *picture, const struct image_box *labels, size_t count,
                     size_t which, double scale)
{
    struct line line = { .at = box_around(picture, labels, count, which, scale) };
    const struct image_box *label = &labels[which];
    struct gray cut = leveled(picture, &line.at);

    line.is_loose = label->width < SHORT * label->height || label->height > LARGE * scale;
    line.left = line.is_loose ? LOOSE_MARGIN : 0;
    line.top = line.is_loose ? LOOSE_MARGIN : MARGIN;
    drop_bars(&cut);
    cut_sides(&cut, label, &line.at, scale);
    line.zoom = fmin(fmin((line.is_loose ? LOOSE_HEIGHT : HEIGHT) / line.at.height, ZOOM_MAX),
                     (double)LINE_WIDTH_MAX / line.at.width);
    line.pixels = enlarged(&cut, &line);
    gray_free(&cut);
    return line;
}
