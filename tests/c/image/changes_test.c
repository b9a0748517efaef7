/* Marks of pictures, and the boxes around the changes between two. */
#include "image/changes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct image plain(int width, int height)
{
    struct image image;

    assert_true(image_new(&image, width, height, false, NULL));
    for (int y = 0; y < height; y++)
        memset(image_row(&image, y), 0x20, (size_t)width * 4);
    return image;
}

static void dot(struct image *image, int x, int y)
{
    image_row(image, y)[(size_t)x * 4 + 1] ^= 0x80;
}

/* Finds the boxes between the picture before and after these dots. */
static int changed(int width, int height, const int (*dots)[2], int count,
                   struct image_box boxes[CHANGE_BOXES])
{
    struct image image = plain(width, height);
    struct buf before = { 0 }, after = { 0 };
    int found;

    image_marks(&image, &before);
    for (int i = 0; i < count; i++)
        dot(&image, dots[i][0], dots[i][1]);
    image_marks(&image, &after);
    found = image_changes(buf_str(&before), buf_str(&after), boxes);
    buf_free(&before);
    buf_free(&after);
    image_free(&image);
    return found;
}

static bool holds(const struct image_box *box, int x, int y)
{
    return x >= box->x && y >= box->y && x < box->x + box->width && y < box->y + box->height;
}

static void the_same_has_no_changes(void **state)
{
    struct image_box boxes[CHANGE_BOXES];
    struct image a = plain(100, 50), b = plain(100, 50);
    struct buf marks = { 0 }, again = { 0 };

    (void)state;
    image_marks(&a, &marks);
    for (int y = 0; y < 50; y++) /* without alpha the fourth byte may have any value */
        for (int x = 0; x < 100; x++)
            image_row(&b, y)[(size_t)x * 4 + 3] = (uint8_t)(x * y);
    image_marks(&b, &again);
    assert_int_equal(marks.len, 8 + 7 * 4 * 4);
    assert_int_equal(image_changes(buf_str(&marks), buf_str(&again), boxes), 0);
    buf_free(&marks);
    buf_free(&again);
    image_free(&a);
    image_free(&b);
}

static void every_single_pixel_shows(void **state)
{
    struct image_box boxes[CHANGE_BOXES];

    (void)state;
    for (int y = 0; y < 35; y++)
        for (int x = 0; x < 35; x++) {
            int at[1][2] = { { x, y } };

            assert_int_equal(changed(35, 35, at, 1, boxes), 1);
            assert_true(holds(&boxes[0], x, y));
            assert_true(boxes[0].width <= CHANGE_TILE && boxes[0].height <= CHANGE_TILE);
            assert_true(boxes[0].x + boxes[0].width <= 35 && boxes[0].y + boxes[0].height <= 35);
        }
}

static void changes_far_apart_have_boxes_of_their_own(void **state)
{
    static const int dots[][2] = { { 5, 5 }, { 300, 10 }, { 12, 250 }, { 25, 8 } };
    struct image_box boxes[CHANGE_BOXES];

    (void)state;
    assert_int_equal(changed(400, 300, dots, 4, boxes), 3); /* the first and the last are near */
}

static void many_changes_are_joined_and_none_is_lost(void **state)
{
    struct image_box boxes[CHANGE_BOXES];
    int dots[400][2];
    unsigned seed = 7;

    (void)state;
    for (int count = 1; count <= 400; count += 21) {
        int found;

        for (int i = 0; i < count; i++) {
            seed = seed * 1103515245u + 12345u;
            dots[i][0] = (int)(seed >> 8) % 1900;
            dots[i][0] = dots[i][0] < 0 ? -dots[i][0] : dots[i][0];
            dots[i][1] = i * 1000 / 400;
        }
        found = changed(1900, 1000, (const int(*)[2])dots, count, boxes);
        assert_in_range(found, 1, CHANGE_BOXES);
        for (int i = 0; i < count; i++) {
            int in = 0;

            for (int b = 0; b < found; b++)
                in += holds(&boxes[b], dots[i][0], dots[i][1]);
            assert_int_equal(in, 1); /* boxes do not overlap */
        }
    }
}

static void what_cannot_be_compared_is_told(void **state)
{
    struct image_box boxes[CHANGE_BOXES];
    struct image a = plain(64, 32), b = plain(32, 64);
    struct buf one = { 0 }, other = { 0 };
    struct str cut;

    (void)state;
    image_marks(&a, &one);
    image_marks(&b, &other);
    assert_int_equal(one.len, other.len);
    assert_int_equal(image_changes(buf_str(&one), buf_str(&other), boxes), -1);
    cut = buf_str(&one);
    cut.len -= 4;
    assert_int_equal(image_changes(cut, cut, boxes), -1);
    assert_int_equal(image_changes(STR("x"), STR("y"), boxes), -1);
    assert_int_equal(image_changes((struct str){ 0 }, buf_str(&one), boxes), -1);
    buf_free(&one);
    buf_free(&other);
    image_free(&a);
    image_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_has_no_changes),
        cmocka_unit_test(every_single_pixel_shows),
        cmocka_unit_test(changes_far_apart_have_boxes_of_their_own),
        cmocka_unit_test(many_changes_are_joined_and_none_is_lost),
        cmocka_unit_test(what_cannot_be_compared_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
