/* A label made ready: cut out with a little around it, dark on light, stretched to the whole range
 * of gray, and enlarged or reduced to the height that the recognizer's network looks at. */
#include "image/tesseract/tesseract.h"

#include <math.h>
#include <stdlib.h>

/* The network looks at 36 rows, and takes the longer the wider a line is in them. What is read as a
 * whole line must begin and end with its letters: in white beside them it sees brackets. Of one or
 * two letters it sees too little then, and of large ones the ends are not known: these get white
 * around, and the library looks for them in it. */
static const double HEIGHT = 29 /* pixels, with what is around */, LOOSE_HEIGHT = 34, ZOOM_MAX = 4,
                    SHORT = 1.6 /* heights */, AROUND = 3 /* points */, LARGE = 16 /* points */,
                    LINE = 19 /* points, of the usual font, with what is around */;

/* Pixels, after enlarging. */
enum { LINE_WIDTH_MAX = 6000, MARGIN = 4 /* above and below */, LOOSE_MARGIN = 8 };

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
static void contrast_levels(const struct gray *picture, const struct image_box *box,
                            uint8_t levels[256])
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
static struct gray leveled_label(const struct gray *picture, const struct image_box *box)
{
    struct gray cut = { box->width, box->height, NULL };
    uint8_t levels[256], *to;

    contrast_levels(picture, box, levels);
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

/* Between two pixels: 256ths of the second. */
struct between {
    int first, second, part;
};

/* For each of `to` pixels, of which `zoom` come from one of `from`; beyond these the last goes on.
 */
static void fill_between(int from, int to, double zoom, struct between *all)
{
    for (int i = 0; i < to; i++) {
        double at = fmin(fmax((i + 0.5) / zoom - 0.5, 0), from - 1);
        int first = (int)at;

        all[i] = (struct between){ first, first + 1 < from ? first + 1 : first,
                                   (int)((at - first) * 256) };
    }
}

static void enlarge_row(const uint8_t *upper, const uint8_t *lower, int part,
                        const struct between *columns, int width, uint8_t *to)
{
    for (int x = 0; x < width; x++) {
        const struct between *at = &columns[x];
        int up = upper[at->first] * (256 - at->part) + upper[at->second] * at->part;
        int low = lower[at->first] * (256 - at->part) + lower[at->second] * at->part;

        to[x] = (uint8_t)((up * (256 - part) + low * part + 0x8000) >> 16);
    }
}

/* With the margins. */
static struct gray enlarged_label(const struct gray *cut, const struct line *line)
{
    int width = (int)fmax(1, lround(cut->width * line->zoom));
    int height = (int)fmax(1, lround(cut->height * line->zoom));
    struct gray large = { width + 2 * line->left, height + 2 * line->top, NULL };
    struct between *columns = mem_alloc((size_t)(width + height) * sizeof *columns);
    struct between *rows = columns + width;

    fill_between(cut->width, width, line->zoom, columns);
    fill_between(cut->height, height, line->zoom, rows);
    large.pixels = mem_alloc((size_t)large.width * (size_t)large.height);
    memset(large.pixels, 255, (size_t)large.width * (size_t)large.height);
    for (int y = 0; y < height; y++)
        enlarge_row(cut->pixels + (size_t)rows[y].first * (size_t)cut->width,
                    cut->pixels + (size_t)rows[y].second * (size_t)cut->width, rows[y].part,
                    columns, width,
                    large.pixels + (size_t)(y + line->top) * (size_t)large.width + line->left);
    free(columns);
    return large;
}

/* The zoom and the margins. Low letters get as much white as if some went below the line: no text
 * of the same font is to be larger than another. */
static void line_fit(struct line *line, double scale)
{
    double most = fmin(ZOOM_MAX, (double)LINE_WIDTH_MAX / line->at.width);
    double height = fmax(line->at.height, LINE * scale);

    line->zoom = fmin((line->is_loose ? LOOSE_HEIGHT / line->at.height : HEIGHT / height), most);
    line->left = line->is_loose ? LOOSE_MARGIN : 0;
    line->top = line->is_loose ? LOOSE_MARGIN
                               : MARGIN + (int)lround((height - line->at.height) * line->zoom / 2);
}

struct line line_cut(const struct gray *picture, const struct image_box *labels, size_t count,
                     size_t which, double scale)
{
    struct line line = { .at = box_around(picture, labels, count, which, scale) };
    const struct image_box *label = &labels[which];
    struct gray cut = leveled_label(picture, &line.at);

    line.is_loose = label->width < SHORT * label->height || label->height > LARGE * scale;
    drop_bars(&cut);
    cut_sides(&cut, label, &line.at, scale);
    line_fit(&line, scale);
    line.pixels = enlarged_label(&cut, &line);
    gray_free(&cut);
    return line;
}
