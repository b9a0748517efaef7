#include "image/annotate.h"

enum {
    LINE = 2, /* pixels */
    GLYPH_WIDTH = 5,
    GLYPH_HEIGHT = 7,
    ZOOM = 2, /* pixels of a dot */
    GAP = 1,  /* dots between two glyphs, and around them */
};

/* A row each, its leftmost dot in bit 4. */
static const uint8_t digits[10][GLYPH_HEIGHT] = {
    { 0x0E, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0E }, { 0x04, 0x0C, 0x04, 0x04, 0x04, 0x04, 0x0E },
    { 0x0E, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1F }, { 0x1F, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0E },
    { 0x02, 0x06, 0x0A, 0x12, 0x1F, 0x02, 0x02 }, { 0x1F, 0x10, 0x1E, 0x01, 0x01, 0x11, 0x0E },
    { 0x06, 0x08, 0x10, 0x1E, 0x11, 0x11, 0x0E }, { 0x1F, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08 },
    { 0x0E, 0x11, 0x11, 0x0E, 0x11, 0x11, 0x0E }, { 0x0E, 0x11, 0x11, 0x0F, 0x01, 0x02, 0x0C }
};
static const uint8_t letter_e[GLYPH_HEIGHT] = { 0x00, 0x00, 0x0E, 0x11, 0x1F, 0x10, 0x0E };

/* Blue, green, red, alpha: dark enough for white text. */
static const uint8_t colors[][4] = { { 0x1C, 0x1C, 0xC8, 0xFF }, { 0xB4, 0x50, 0x10, 0xFF },
                                     { 0x20, 0x80, 0x10, 0xFF }, { 0xA0, 0x10, 0x90, 0xFF },
                                     { 0x00, 0x60, 0xB0, 0xFF }, { 0x80, 0x78, 0x00, 0xFF } };
static const uint8_t white[4] = { 0xFF, 0xFF, 0xFF, 0xFF };

static int clamp_to_limit(int64_t value, int limit)
{
    return value < 0 ? 0 : value > limit ? limit : (int)value;
}

static void fill_rect(struct image *image, int64_t x, int64_t y, int64_t width, int64_t height,
                      const uint8_t color[4])
{
    int left = clamp_to_limit(x, image->width), right = clamp_to_limit(x + width, image->width);
    int bottom = clamp_to_limit(y + height, image->height);

    for (int row = clamp_to_limit(y, image->height); row < bottom; row++)
        for (int column = left; column < right; column++)
            memcpy(image_row(image, row) + (size_t)4 * (size_t)column, color, 4);
}

static const uint8_t *color_of(int number)
{
    return colors[(unsigned)number % countof(colors)];
}

void annotate_frame(struct image *image, struct image_box box, int number)
{
    int64_t right = (int64_t)box.x + box.width, bottom = (int64_t)box.y + box.height;
    const uint8_t *color = color_of(number);

    fill_rect(image, box.x, box.y, box.width, LINE, color);
    fill_rect(image, box.x, bottom - LINE, box.width, LINE, color);
    fill_rect(image, box.x, box.y, LINE, box.height, color);
    fill_rect(image, right - LINE, box.y, LINE, box.height, color);
}

static const uint8_t *glyph_of(char c)
{
    if (c >= '0' && c <= '9')
        return digits[c - '0'];
    return c == 'e' ? letter_e : NULL;
}

static void draw_glyph(struct image *image, int64_t x, int64_t y, const uint8_t *glyph)
{
    for (int row = 0; row < GLYPH_HEIGHT; row++)
        for (int dot = 0; dot < GLYPH_WIDTH; dot++)
            if (glyph[row] & 1 << (GLYPH_WIDTH - 1 - dot))
                fill_rect(image, x + (int64_t)dot * ZOOM, y + (int64_t)row * ZOOM, ZOOM, ZOOM,
                          white);
}

void annotate_label(struct image *image, struct image_box box, const char *label, int number)
{
    int len = (int)strnlen(label, ANNOTATE_LABEL), advance = (GLYPH_WIDTH + GAP) * ZOOM;
    int width = len * advance + GAP * ZOOM, height = (GLYPH_HEIGHT + 2 * GAP) * ZOOM;
    int64_t x = box.x, y = box.y >= height ? box.y - height : box.y;

    if (!len)
        return;
    fill_rect(image, x, y, width, height, color_of(number));
    for (int i = 0; i < len; i++)
        if (glyph_of(label[i]))
            draw_glyph(image, x + (int64_t)GAP * ZOOM + (int64_t)i * advance,
                       y + (int64_t)GAP * ZOOM, glyph_of(label[i]));
}
