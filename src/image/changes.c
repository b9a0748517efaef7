/* Sums of tiles, and boxes around those that changed. */
#include "image/changes.h"

#include <stdlib.h>

#include "base/bytes.h"

enum {
    HEAD = 8,
    NEAR = 1,       /* tiles between two changes that are told as one */
    BOXES_MAX = 64, /* while they are collected */
};

/* --- marks ------------------------------------------------------------------------------ */

static int tiles_of(int pixels)
{
    return (pixels + CHANGE_TILE - 1) / CHANGE_TILE;
}

/* One odd number for each two pixels of a row, so that two that change places are told apart. */
static const uint64_t weights[CHANGE_TILE / 2] = {
    0x9E3779B97F4A7C15u, 0xBF58476D1CE4E5B9u, 0x94D049BB133111EBu, 0xD6E8FEB86659FD93u,
    0xA0761D6478BD642Fu, 0xE7037ED1A0B428DBu, 0x8EBC6AF09C88C6E3u, 0x589965CC75374CC3u,
};

static uint64_t mix_tile_sum(uint64_t sum, uint64_t value)
{
    sum = (sum ^ value) * weights[0];
    return sum ^ sum >> 32;
}

/* A whole tile's pixels in one row, two at a time; without alpha the fourth byte means nothing.
 * The products do not wait for each other, which halves the time of a full screen. */
static uint64_t whole_row(const uint8_t *pixels, uint64_t mask)
{
    uint64_t sum = 0, two;

    for (int i = 0; i < CHANGE_TILE / 2; i++) {
        memcpy(&two, pixels + (size_t)i * sizeof two, sizeof two);
        sum += (two & mask) * weights[i];
    }
    return sum;
}

/* The same of a tile that the picture's edge cuts. */
static uint64_t cut_row(const uint8_t *pixels, int count, uint64_t mask)
{
    uint8_t whole[CHANGE_TILE * 4] = { 0 };

    memcpy(whole, pixels, (size_t)count * 4);
    return whole_row(whole, mask);
}

static uint64_t tile_row(const uint8_t *pixels, int left, uint64_t mask)
{
    return left < CHANGE_TILE ? cut_row(pixels, left, mask) : whole_row(pixels, mask);
}

void image_marks(const struct image *image, struct buf *out)
{
    uint64_t mask = image->alpha ? UINT64_MAX : 0x00FFFFFF00FFFFFFu;
    int across = tiles_of(image->width);
    uint64_t *sums = mem_alloc((size_t)across * sizeof *sums);

    bytes_u32(out, (uint32_t)image->width);
    bytes_u32(out, (uint32_t)image->height);
    for (int top = 0; top < image->height; top += CHANGE_TILE) {
        memset(sums, 0, (size_t)across * sizeof *sums);
        for (int y = top; y < image->height && y < top + CHANGE_TILE; y++)
            for (int tile = 0; tile < across; tile++) {
                int x = tile * CHANGE_TILE;
                const uint8_t *pixels = image_row(image, y) + (size_t)x * 4;

                sums[tile] = mix_tile_sum(sums[tile], tile_row(pixels, image->width - x, mask));
            }
        for (int tile = 0; tile < across; tile++)
            bytes_u32(out, (uint32_t)(sums[tile] >> 16));
    }
    free(sums);
}

/* --- boxes, in tiles: x and y of the first and of the one behind the last ----------------- */

struct span {
    int left, top, right, bottom;
};

struct spans {
    struct span items[BOXES_MAX];
    int count;
};

static struct span joined_spans(struct span a, struct span b)
{
    if (b.left < a.left)
        a.left = b.left;
    if (b.top < a.top)
        a.top = b.top;
    if (b.right > a.right)
        a.right = b.right;
    if (b.bottom > a.bottom)
        a.bottom = b.bottom;
    return a;
}

static bool are_near(struct span a, struct span b)
{
    return a.left <= b.right + NEAR && b.left <= a.right + NEAR && a.top <= b.bottom + NEAR &&
           b.top <= a.bottom + NEAR;
}

static int64_t span_area(struct span a)
{
    return (int64_t)(a.right - a.left) * (a.bottom - a.top);
}

static void spans_join(struct spans *spans, int to, int from)
{
    spans->items[to] = joined_spans(spans->items[to], spans->items[from]);
    spans->items[from] = spans->items[--spans->count];
}

/* Joins the two that need the least room more. */
static void join_cheapest(struct spans *spans)
{
    int64_t least = INT64_MAX;
    int to = 0, from = 1;

    for (int i = 0; i < spans->count; i++)
        for (int j = i + 1; j < spans->count; j++) {
            struct span a = spans->items[i], b = spans->items[j];
            int64_t more = span_area(joined_spans(a, b)) - span_area(a) - span_area(b);

            if (more < least) {
                least = more;
                to = i;
                from = j;
            }
        }
    spans_join(spans, to, from);
}

/* Until no two are near each other. */
static void join_near(struct spans *spans)
{
    for (int i = 0; i < spans->count; i++)
        for (int j = i + 1; j < spans->count; j++)
            if (are_near(spans->items[i], spans->items[j])) {
                spans_join(spans, i, j);
                i = -1; /* it grew: from the start */
                break;
            }
}

/* A run of tiles in a row that changed. */
static void spans_add(struct spans *spans, struct span run)
{
    for (int i = 0; i < spans->count; i++)
        if (are_near(spans->items[i], run)) {
            spans->items[i] = joined_spans(spans->items[i], run);
            return;
        }
    if (spans->count == BOXES_MAX)
        join_cheapest(spans);
    spans->items[spans->count++] = run;
}

static bool same_tile(struct bytes *a, struct bytes *b)
{
    return bytes_get_u32(a) == bytes_get_u32(b);
}

static void collect_changes(struct bytes *before, struct bytes *after, int across, int down,
                            struct spans *spans)
{
    for (int y = 0; y < down; y++) {
        int first = -1;

        for (int x = 0; x <= across; x++) {
            bool same = x == across || same_tile(before, after);

            if (!same && first < 0)
                first = x;
            if (same && first >= 0) {
                spans_add(spans, (struct span){ first, y, x, y + 1 });
                first = -1;
            }
        }
    }
}

static int least_int(int a, int b)
{
    return a < b ? a : b;
}

int image_changes(struct str before, struct str after, struct image_box boxes[CHANGE_BOXES])
{
    struct bytes a = { .left = before }, b = { .left = after };
    int width = (int)bytes_get_u32(&a), height = (int)bytes_get_u32(&a);
    struct spans spans = { .count = 0 };

    if (before.len != after.len || before.len < HEAD || width < 1 || height < 1 ||
        width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX ||
        memcmp(before.ptr, after.ptr, HEAD) != 0 ||
        before.len != HEAD + (size_t)tiles_of(width) * (size_t)tiles_of(height) * 4)
        return -1;
    b.left.ptr += HEAD;
    b.left.len -= HEAD;
    collect_changes(&a, &b, tiles_of(width), tiles_of(height), &spans);
    join_near(&spans);
    while (spans.count > CHANGE_BOXES) {
        join_cheapest(&spans);
        join_near(&spans);
    }
    for (int i = 0; i < spans.count; i++) {
        struct span span = spans.items[i];
        int x = span.left * CHANGE_TILE, y = span.top * CHANGE_TILE;

        boxes[i] = (struct image_box){ x, y, least_int(span.right * CHANGE_TILE, width) - x,
                                       least_int(span.bottom * CHANGE_TILE, height) - y };
    }
    return spans.count;
}
