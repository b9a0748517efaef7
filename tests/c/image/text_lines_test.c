#include "image/text_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct image plain(int width, int height, uint8_t level)
{
    struct image image;

    assert_true(image_new(&image, width, height, false, NULL));
    for (int y = 0; y < height; y++)
        memset(image_row(&image, y), level, (size_t)width * 4);
    return image;
}

static void fill(struct image *image, struct image_box box, uint8_t level)
{
    for (int y = box.y; y < box.y + box.height; y++)
        memset(image_row(image, y) + (size_t)box.x * 4, level, (size_t)box.width * 4);
}

/* Bars like those of letters, 10 pixels high. */
static void word(struct image *image, int x, int y, int letters)
{
    for (int i = 0; i < letters; i++) {
        fill(image, (struct image_box){ x + 6 * i, y, 2, 10 }, 0);
        fill(image, (struct image_box){ x + 6 * i, y + 4, 4, 2 }, 0);
    }
}

static size_t found(struct image *image, double scale, struct image_box **boxes)
{
    struct gray gray = gray_of(image);
    size_t count = text_lines_find(&gray, scale, boxes);

    gray_free(&gray);
    image_free(image);
    return count;
}

static void assert_holds(const struct image_box *box, int x, int y, int width, int height)
{
    assert_in_range(box->x, x - 2, x + 1);
    assert_in_range(box->y, y - 2, y + 1);
    assert_in_range(box->x + box->width, x + width - 1, x + width + 2);
    assert_in_range(box->y + box->height, y + height - 1, y + height + 2);
}

static void nothing_is_found_on_a_plain_picture(void **state)
{
    struct image image = plain(300, 200, 0xEE);
    struct image_box *boxes;

    (void)state;
    assert_int_equal(found(&image, 1, &boxes), 0);
    free(boxes);
}

static void words_of_a_line_are_one_label(void **state)
{
    struct image image = plain(300, 100, 0xEE);
    struct image_box *boxes;

    (void)state;
    word(&image, 20, 30, 4);
    word(&image, 20 + 4 * 6 + 5, 30, 3);
    assert_int_equal(found(&image, 1, &boxes), 1);
    assert_holds(&boxes[0], 20, 30, 4 * 6 + 5 + 3 * 6 - 2, 10);
    free(boxes);
}

static void what_stands_apart_is_another_label_and_rows_go_from_left_to_right(void **state)
{
    struct image image = plain(300, 100, 0xEE);
    struct image_box *boxes;

    (void)state;
    word(&image, 120, 29, 4);
    word(&image, 20, 30, 4); /* a pixel lower, and still before it */
    word(&image, 20, 60, 4);
    assert_int_equal(found(&image, 1, &boxes), 3);
    assert_holds(&boxes[0], 20, 30, 22, 10);
    assert_holds(&boxes[1], 120, 29, 22, 10);
    assert_holds(&boxes[2], 20, 60, 22, 10);
    free(boxes);
}

static void frames_are_no_labels(void **state)
{
    struct image image = plain(300, 100, 0xEE);
    struct image_box *boxes;

    (void)state;
    fill(&image, (struct image_box){ 10, 10, 100, 34 }, 0x80);
    fill(&image, (struct image_box){ 11, 11, 98, 32 }, 0xF0);
    word(&image, 40, 22, 4);
    assert_int_equal(found(&image, 1, &boxes), 1);
    assert_holds(&boxes[0], 40, 22, 22, 10);
    free(boxes);
}

/* A grid as in a sheet: lines of one pixel, which stop at each other's crossing, because they are
 * of one gray there; text begins two pixels beside a line, or touches it. */
static struct image grid(int columns, int rows)
{
    struct image image = plain(20 + 82 * columns, 20 + 17 * rows, 0xFF);

    for (int i = 0; i <= columns; i++)
        fill(&image, (struct image_box){ 10 + 82 * i, 10, 1, 17 * rows }, 0xC0);
    for (int i = 0; i <= rows; i++)
        fill(&image, (struct image_box){ 10, 10 + 17 * i, 82 * columns + 1, 1 }, 0xC0);
    return image;
}

static void the_cells_of_a_sheet_were_one_label_with_its_lines(void **state)
{
    enum { COLUMNS = 4, ROWS = 6 };
    struct image image = grid(COLUMNS, ROWS);
    struct image_box *boxes;

    (void)state;
    for (int i = 0; i < COLUMNS * ROWS; i++)
        word(&image, 13 + 82 * (i % COLUMNS), 14 + 17 * (i / COLUMNS), 4);
    assert_int_equal(found(&image, 1, &boxes), COLUMNS * ROWS);
    for (int i = 0; i < COLUMNS * ROWS; i++)
        assert_holds(&boxes[i], 13 + 82 * (i % COLUMNS), 14 + 17 * (i / COLUMNS), 22, 10);
    free(boxes);
}

/* Text on the left of the line is aligned to the right, and text on its right to the left. */
static void cells_were_joined_over_the_line_between_them(void **state)
{
    struct image image = grid(3, 3);
    struct image_box *boxes;

    (void)state;
    word(&image, 92 - 26, 14 + 17, 4);
    word(&image, 95, 14 + 17, 4);
    assert_int_equal(found(&image, 1, &boxes), 2);
    assert_holds(&boxes[0], 92 - 26, 14 + 17, 22, 10);
    assert_holds(&boxes[1], 95, 14 + 17, 22, 10);
    free(boxes);
}

/* The tail of a J or a g lies on the line: the other cell shows that it is a line. */
static void a_letter_that_touches_a_line_leaves_it_a_line(void **state)
{
    struct image image = grid(3, 3);
    struct image_box *boxes;

    (void)state;
    word(&image, 95, 14 + 17, 4);
    fill(&image, (struct image_box){ 93, 14 + 17 + 11, 3, 2 }, 0);
    fill(&image, (struct image_box){ 95, 14 + 17 + 10, 2, 2 }, 0);
    assert_int_equal(found(&image, 1, &boxes), 1);
    assert_holds(&boxes[0], 93, 14 + 17, 24, 13);
    free(boxes);
}

static void light_letters_on_dark_ground_are_found(void **state)
{
    struct image image = plain(300, 100, 0x20);
    struct image_box *boxes;

    (void)state;
    for (int i = 0; i < 4; i++)
        fill(&image, (struct image_box){ 20 + 6 * i, 30, 2, 10 }, 0xFF);
    assert_int_equal(found(&image, 1, &boxes), 1);
    free(boxes);
}

static void lines_that_touch_are_taken_apart(void **state)
{
    struct image image = plain(300, 100, 0xEE);
    struct image_box *boxes;

    (void)state;
    for (int line = 0; line < 3; line++)
        word(&image, 20, 20 + 12 * line, 12);
    fill(&image, (struct image_box){ 26, 30, 2, 2 }, 0); /* a g above an l */
    fill(&image, (struct image_box){ 38, 42, 2, 2 }, 0);
    assert_int_equal(found(&image, 1, &boxes), 3);
    free(boxes);
}

static void letters_of_a_display_with_scale_2_are_one_label(void **state)
{
    struct image image = plain(600, 200, 0xEE);
    struct image_box *boxes;

    (void)state;
    for (int i = 0; i < 8; i++)
        fill(&image, (struct image_box){ 40 + 12 * i + (i > 3 ? 10 : 0), 60, 4, 20 }, 0);
    assert_int_equal(found(&image, 2, &boxes), 1);
    free(boxes);
}

/* The part of a line that the edge leaves would be read as other text. */
static void half_a_line_at_the_edge_is_left_out(void **state)
{
    struct image image = plain(300, 100, 0xEE);
    struct image_box *boxes;

    (void)state;
    word(&image, 20, 30, 4);
    word(&image, 120, 90, 4); /* whole */
    for (int i = 0; i < 4; i++) {
        fill(&image, (struct image_box){ 20 + 6 * i, 94, 2, 6 }, 0);
        fill(&image, (struct image_box){ 20 + 6 * i, 0, 2, 6 }, 0);
    }
    assert_int_equal(found(&image, 1, &boxes), 2);
    assert_holds(&boxes[0], 20, 30, 22, 10);
    assert_holds(&boxes[1], 120, 90, 22, 10);
    free(boxes);
}

static void noise_and_odd_sizes_end(void **state)
{
    static const int sizes[][2] = { { 1, 1 },     { 1, 500 },   { 500, 1 },  { 2, 2 },
                                    { 700, 500 }, { 3, 32767 }, { 32767, 3 } };
    uint32_t seed = 7;

    (void)state;
    for (size_t i = 0; i < countof(sizes); i++) {
        struct image image = plain(sizes[i][0], sizes[i][1], 0);
        struct image_box *boxes;

        for (int y = 0; y < image.height; y++)
            for (int x = 0; x < image.width * 4; x++)
                image_row(&image, y)[x] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
        assert_true(found(&image, 1, &boxes) <= TEXT_LINES_MAX);
        free(boxes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_on_a_plain_picture),
        cmocka_unit_test(words_of_a_line_are_one_label),
        cmocka_unit_test(what_stands_apart_is_another_label_and_rows_go_from_left_to_right),
        cmocka_unit_test(frames_are_no_labels),
        cmocka_unit_test(the_cells_of_a_sheet_were_one_label_with_its_lines),
        cmocka_unit_test(cells_were_joined_over_the_line_between_them),
        cmocka_unit_test(a_letter_that_touches_a_line_leaves_it_a_line),
        cmocka_unit_test(light_letters_on_dark_ground_are_found),
        cmocka_unit_test(lines_that_touch_are_taken_apart),
        cmocka_unit_test(letters_of_a_display_with_scale_2_are_one_label),
        cmocka_unit_test(half_a_line_at_the_edge_is_left_out),
        cmocka_unit_test(noise_and_odd_sizes_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
