/* Strokes to words to labels. Numbers that are called points are those of a display of scale 1. */
#include "image/text_lines.h"

#include <math.h>
#include <stdlib.h>

enum {
    STEP = 28,         /* a difference (of 255) between two pixels of a row: the edge of a stroke */
    LEVEL = 12,        /* less is the same color */
    PARTS_MAX = 40000, /* letters and icons in a picture */
};

/* The kinds of pixels. A wall is the side of a box; a side is long, but may belong to a large
 * letter. */
enum { NO_STROKE, STROKE, SIDE, WALL };

/* Points. */
static const double LETTER_GAP = 3, BLANK = 9, BLANK_PART = 0.95 /* a part of the height */,
                    FRAME = 19, BOX = 20, BEYOND = 3, THICK = 3, LOWEST = 5, LOWEST_WHOLE = 8,
                    HIGHEST = 70, ICON = 14, BAR = 3;

struct box {
    int left, top, right, bottom; /* the last ones are outside */
};

/* --- gray ------------------------------------------------------------------------------- */

struct gray gray_of(const struct image *image)
{
    struct gray gray = { image->width, image->height, NULL };
    uint8_t *to = mem_alloc((size_t)gray.width * (size_t)gray.height + 1);

    gray.pixels = to;
    for (int y = 0; y < gray.height; y++) {
        const uint8_t *from = image_row(image, y);

        for (int x = 0; x < gray.width; x++, from += 4)
            *to++ = (uint8_t)((from[0] * 29 + from[1] * 150 + from[2] * 77) >> 8);
    }
    return gray;
}

void gray_free(struct gray *gray)
{
    free(gray->pixels);
    *gray = (struct gray){ 0 };
}

/* --- strokes ---------------------------------------------------------------------------- */

/* STROKE where a pixel differs from the next of its row. */
static uint8_t *strokes_of(const struct gray *gray)
{
    size_t width = (size_t)gray->width;
    uint8_t *strokes = mem_zero(width * (size_t)gray->height + 1);

    for (int y = 0; y < gray->height; y++) {
        const uint8_t *row = gray->pixels + (size_t)y * width;
        uint8_t *to = strokes + (size_t)y * width;

        for (size_t x = 0; x + 1 < width; x++)
            to[x] = abs(row[x + 1] - row[x]) > STEP;
    }
    return strokes;
}

/* Whether `count` pixels from x on, to the right or (step -1) to the left, are alike in the rows y
 * and `beyond`, but differ from row to row. Beyond the picture everything may be. */
static bool is_edge(const struct gray *gray, int x, int y, int beyond, int step, int count)
{
    int last = x + step * (count - 1);
    const uint8_t *row, *other;

    if (last < 0 || last >= gray->width)
        return false;
    if (beyond < 0 || beyond >= gray->height)
        return true;
    row = gray->pixels + (size_t)y * (size_t)gray->width;
    other = gray->pixels + (size_t)beyond * (size_t)gray->width;
    for (int i = x; i != last; i += step)
        if (abs(row[i + step] - row[i]) > LEVEL || abs(other[i + step] - other[i]) > LEVEL)
            return false;
    return abs(row[x] - other[x]) > LEVEL;
}

/* Whether what goes down from row `from` to `last` has the upper and the lower edge of a box on
 * the same hand: so have fields, and the cells of a sheet, which other lines cross. The other side
 * of a thin line may lie between. */
static bool is_box_side(const struct gray *gray, int x, int from, int last, double scale)
{
    int count = (int)lround(BOX * scale), thick = (int)lround(THICK * scale);

    for (int off = 0; off <= thick; off++)
        if ((is_edge(gray, x - off, last, last + 1, -1, count) &&
             is_edge(gray, x - off, from, from - 1, -1, count)) ||
            (is_edge(gray, x + 1 + off, last, last + 1, 1, count) &&
             is_edge(gray, x + 1 + off, from, from - 1, 1, count)))
            return true;
    return false;
}

/* Marks what goes straight down for longer than letters do, and the sides of boxes. */
static void mark_frames(const struct gray *gray, uint8_t *strokes, double scale)
{
    size_t width = (size_t)gray->width;
    int longest = (int)lround(FRAME * scale), shortest = (int)lround(LOWEST * scale);
    int *runs = mem_zero((width + 1) * sizeof *runs);

    for (int y = 0; y <= gray->height; y++) {
        const uint8_t *row = strokes + (size_t)y * width;

        for (size_t x = 0; x < width; x++) {
            bool wall;

            if (y < gray->height && row[x]) {
                runs[x]++;
                continue;
            }
            wall = runs[x] >= shortest && is_box_side(gray, (int)x, y - runs[x], y - 1, scale);
            if (wall || runs[x] > longest)
                for (int up = 1; up <= runs[x]; up++)
                    strokes[(size_t)(y - up) * width + x] = wall ? WALL : SIDE;
            runs[x] = 0;
        }
    }
    free(runs);
}

/* --- parts: strokes that touch, or nearly ------------------------------------------------ */

struct parts {
    struct box *boxes;
    int *above; /* the one that a part was joined to; itself */
    int count;
};

static int root_of(struct parts *parts, int part)
{
    while (parts->above[part] != part) {
        parts->above[part] = parts->above[parts->above[part]];
        part = parts->above[part];
    }
    return part;
}

static void box_add(struct box *box, const struct box *more)
{
    box->left = box->left < more->left ? box->left : more->left;
    box->top = box->top < more->top ? box->top : more->top;
    box->right = box->right > more->right ? box->right : more->right;
    box->bottom = box->bottom > more->bottom ? box->bottom : more->bottom;
}

static int parts_join(struct parts *parts, int a, int b)
{
    a = root_of(parts, a);
    b = root_of(parts, b);
    if (a == b)
        return a;
    parts->above[b] = a;
    box_add(&parts->boxes[a], &parts->boxes[b]);
    return a;
}

struct run {
    int left, right, part;
};

/* The strokes of a row with the gaps between them closed, but those over a wall. */
static int runs_of(const uint8_t *row, int width, int gap, struct run *runs)
{
    int count = 0, wall = -1;

    for (int x = 0; x < width; x++) {
        if (row[x] == WALL)
            wall = x;
        if (row[x] != STROKE)
            continue;
        if (count && x - runs[count - 1].right < gap && wall < runs[count - 1].right)
            runs[count - 1].right = x + 1;
        else
            runs[count++] = (struct run){ x, x + 1, -1 };
    }
    return count;
}

static void join_rows(struct parts *parts, const struct run *old, int olds, struct run *now,
                      int nows, int y)
{
    int first = 0;

    for (int i = 0; i < nows; i++) {
        struct box box = { now[i].left, y, now[i].right + 1, y + 1 };

        while (first < olds && old[first].right < now[i].left)
            first++;
        for (int j = first; j < olds && old[j].left <= now[i].right; j++)
            now[i].part = now[i].part < 0 ? root_of(parts, old[j].part)
                                          : parts_join(parts, now[i].part, old[j].part);
        if (now[i].part >= 0) {
            now[i].part = root_of(parts, now[i].part);
            box_add(&parts->boxes[now[i].part], &box);
        } else if (parts->count < PARTS_MAX) {
            now[i].part = parts->count++;
            parts->boxes[now[i].part] = box;
            parts->above[now[i].part] = now[i].part;
        } else {
            now[i] = now[--nows]; /* no room: what lies lower is left out */
            i--;
        }
    }
}

static struct parts parts_of(const struct gray *gray, const uint8_t *strokes, int gap)
{
    size_t width = (size_t)gray->width, room = width / 2 + 2;
    struct parts parts = { mem_alloc(PARTS_MAX * sizeof *parts.boxes),
                           mem_alloc(PARTS_MAX * sizeof *parts.above), 0 };
    struct run *runs = mem_alloc(2 * room * sizeof *runs), *old = runs, *now = runs + room;
    int olds = 0;

    for (int y = 0; y < gray->height && parts.count < PARTS_MAX; y++) {
        struct run *other = old;
        int nows = runs_of(strokes + (size_t)y * width, gray->width, gap, now);

        join_rows(&parts, old, olds, now, nows, y);
        old = now;
        olds = nows;
        now = other;
    }
    free(runs);
    return parts;
}

/* --- words ------------------------------------------------------------------------------ */

struct words {
    struct box *items;
    size_t count, room;
};

static void add_word_box(struct words *words, struct box box)
{
    if (words->count == words->room) {
        words->room = words->room ? 2 * words->room : 256;
        words->items = mem_resize(words->items, words->room * sizeof *words->items);
    }
    words->items[words->count++] = box;
}

/* The box made as narrow as what is in its rows. */
static bool tighten_box(const struct gray *gray, const uint8_t *strokes, struct box *box)
{
    struct box tight = { box->right, box->bottom, box->left, box->top };

    for (int y = box->top; y < box->bottom; y++)
        for (int x = box->left; x < box->right && x < gray->width; x++)
            if (strokes[(size_t)y * (size_t)gray->width + (size_t)x] == STROKE)
                box_add(&tight, &(struct box){ x, y, x + 2, y + 1 });
    *box = tight;
    return tight.right > tight.left && tight.bottom > tight.top;
}

static int ink_of_row(const struct gray *gray, const uint8_t *strokes, const struct box *box, int y)
{
    const uint8_t *row = strokes + (size_t)y * (size_t)gray->width;
    int ink = 0;

    for (int x = box->left; x < box->right && x < gray->width; x++)
        ink += row[x] == STROKE;
    return ink;
}

/* Lines of text that lie so close that a g touches the l below it come as one part: rows with
 * little in them separate those. */
static void add_rows(const struct gray *gray, const uint8_t *strokes, struct box box, double scale,
                     struct words *words)
{
    int height = box.bottom - box.top, mean = 0, rows = 0, from = -1;
    int *ink = mem_alloc(((size_t)height + 1) * sizeof *ink);

    for (int i = 0; i < height; i++) {
        ink[i] = ink_of_row(gray, strokes, &box, box.top + i);
        mean += ink[i];
        rows += ink[i] > 0;
    }
    mean /= rows ? rows : 1;
    ink[height] = 0;
    for (int i = 0; i <= height; i++) {
        bool some = i < height && ink[i] * 4 > mean;

        if (some && from < 0)
            from = i;
        if (some || from < 0)
            continue;
        if (i - from >= 4 * scale) { /* descenders and dots have little ink, but belong to it */
            int more = (int)lround(3 * scale), top = from - more, bottom = i + more;
            struct box row;

            for (; top < from && (top < 0 || !ink[top]); top++)
                ;
            for (; bottom > i && (bottom > height || !ink[bottom - 1]); bottom--)
                ;
            row = (struct box){ box.left, box.top + top, box.right, box.top + bottom };
            if (tighten_box(gray, strokes, &row))
                add_word_box(words, row);
        }
        from = -1;
    }
    free(ink);
}

/* Sides of check boxes and buttons, scroll bars, pictures. */
static bool is_text_sized(const struct box *box, double scale)
{
    int width = box->right - box->left, height = box->bottom - box->top;

    if (height > HIGHEST * scale || height < 1)
        return false;
    return width > BAR * scale || height < ICON * scale;
}

static void find_words(const struct gray *gray, const uint8_t *strokes, struct parts *parts,
                       double scale, struct words *words)
{
    for (int i = 0; i < parts->count; i++) {
        struct box *box = &parts->boxes[i];
        int width = box->right - box->left, height = box->bottom - box->top;

        if (parts->above[i] != i)
            continue;
        if (height > 17 * scale && width > 2 * height)
            add_rows(gray, strokes, *box, scale, words);
        else if (height > HIGHEST * scale && width > 40 * scale)
            add_rows(gray, strokes, *box, scale, words);
        else if (is_text_sized(box, scale))
            add_word_box(words, *box);
    }
}

/* --- labels ------------------------------------------------------------------------------- */

static int shared_span(int a_from, int a_to, int b_from, int b_to)
{
    int from = a_from > b_from ? a_from : b_from, to = a_to < b_to ? a_to : b_to;

    return to - from;
}

/* Square, and higher than the text beside it on both sides. */
static bool is_icon_beside(const struct box *icon, const struct box *text, double scale)
{
    int width = icon->right - icon->left, height = icon->bottom - icon->top;

    return height >= ICON * scale && width * 10 >= height * 6 && width * 10 <= height * 17 &&
           icon->top < text->top && icon->bottom >= text->bottom &&
           height * 10 >= (text->bottom - text->top) * 13;
}

/* Whether b, which begins further to the right, goes on where a ends. */
static bool line_goes_on(const struct box *a, const struct box *b, double scale)
{
    int a_height = a->bottom - a->top, b_height = b->bottom - b->top;
    int high = a_height > b_height ? a_height : b_height;
    int low = a_height < b_height ? a_height : b_height;
    double gap = fmax(BLANK * scale, BLANK_PART * high);

    if (b->left - a->right > gap)
        return false;
    if (high > 3 * low && low > 4 * scale)
        return false;
    if (shared_span(a->top, a->bottom, b->top, b->bottom) * 2 < low)
        return false;
    return !is_icon_beside(a, b, scale) && !is_icon_beside(b, a, scale);
}

/* Whether a frame stands between two words of a row: a wall, or a side that goes on above and below
 * them, which a stem of theirs does not. */
static bool is_parted(const struct gray *gray, const uint8_t *strokes, const struct box *a,
                      const struct box *b, double scale)
{
    int more = (int)lround(BEYOND * scale), from = a->right - 2, to = b->left + 2;
    int top = (a->top < b->top ? a->top : b->top) - more;
    int bottom = (a->bottom > b->bottom ? a->bottom : b->bottom) - 1 + more;
    size_t width = (size_t)gray->width;
    const uint8_t *row = strokes + (size_t)((top + bottom) / 2) * width;

    for (int x = from < 0 ? 0 : from; x < to && x < gray->width; x++)
        if (row[x] == WALL || (row[x] == SIDE && top >= 0 && bottom < gray->height &&
                               strokes[(size_t)top * width + (size_t)x] == SIDE &&
                               strokes[(size_t)bottom * width + (size_t)x] == SIDE))
            return true;
    return false;
}

static int by_left(const void *a, const void *b)
{
    const struct box *left = a, *right = b;

    return left->left != right->left ? left->left - right->left : left->top - right->top;
}

static int by_middle(const void *a, const void *b)
{
    const struct image_box *up = a, *down = b;

    return 2 * up->y + up->height - 2 * down->y - down->height;
}

static int by_x(const void *a, const void *b)
{
    const struct image_box *left = a, *right = b;

    return left->x != right->x ? left->x - right->x : left->y - right->y;
}

/* From top to bottom; those whose middle is beside the first of a row, from left to right. */
static void sort_labels(struct image_box *boxes, size_t count)
{
    size_t from = 0;

    qsort(boxes, count, sizeof *boxes, by_middle);
    for (size_t i = 1; i <= count; i++) {
        const struct image_box *first = &boxes[from];

        if (i < count && 2 * boxes[i].y + boxes[i].height < 2 * (first->y + first->height))
            continue;
        qsort(&boxes[from], i - from, sizeof *boxes, by_x);
        from = i;
    }
}

/* Joins in place; what was joined to another has right == 0. */
static void join_words(const struct gray *gray, const uint8_t *strokes, struct words *words,
                       double scale)
{
    double reach = fmax(BLANK * scale, BLANK_PART * HIGHEST * scale);
    bool again = words->count > 0;

    for (int round = 0; again && round < 4; round++) {
        again = false;
        qsort(words->items, words->count, sizeof *words->items, by_left);
        for (size_t i = 0; i < words->count; i++) {
            struct box *a = &words->items[i];

            for (size_t j = i + 1; a->right && j < words->count; j++) {
                struct box *b = &words->items[j];

                if (b->left > a->right + reach)
                    break;
                if (!b->right || !line_goes_on(a, b, scale) ||
                    is_parted(gray, strokes, a, b, scale))
                    continue;
                box_add(a, b);
                b->right = 0;
                again = true;
            }
        }
    }
}

/* Too low to be a text, or a line of it that the picture's edge cuts: half of it reads as another.
 */
static bool is_low(const struct box *box, const struct gray *gray, double scale)
{
    bool at_edge = box->top <= 0 || box->bottom >= gray->height;

    return box->bottom - box->top < (at_edge ? LOWEST_WHOLE : LOWEST) * scale;
}

static size_t labels_of(const struct words *words, const struct gray *gray, double scale,
                        struct image_box **boxes)
{
    size_t count = 0;

    *boxes = mem_alloc((words->count + 1) * sizeof **boxes);
    for (size_t i = 0; i < words->count && count < TEXT_LINES_MAX; i++) {
        const struct box *box = &words->items[i];
        int right = box->right < gray->width ? box->right : gray->width;

        if (box->right && !is_low(box, gray, scale) && right - box->left >= 2)
            (*boxes)[count++] = (struct image_box){ box->left, box->top, right - box->left,
                                                    box->bottom - box->top };
    }
    sort_labels(*boxes, count);
    return count;
}

size_t text_lines_find(const struct gray *gray, double scale, struct image_box **boxes)
{
    uint8_t *strokes = strokes_of(gray);
    struct words words = { 0 };
    struct parts parts;
    size_t count;

    mark_frames(gray, strokes, scale);
    parts = parts_of(gray, strokes, (int)lround(LETTER_GAP * scale) + 1);
    find_words(gray, strokes, &parts, scale, &words);
    join_words(gray, strokes, &words, scale);
    count = labels_of(&words, gray, scale, boxes);
    free(words.items);
    free(parts.boxes);
    free(parts.above);
    free(strokes);
    return count;
}
