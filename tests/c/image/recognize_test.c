/* Words from pictures. The letters are as a toolkit drew them. Without tesseract only the program's
 * error is tested. */
#include "image/recognize.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <uv.h>

enum { SOON_MS = 20000 }; /* for a machine that has other work to do */

static const struct text_recognizer *recognizer(void)
{
    struct error err;
    const struct text_recognizer *found = recognizer_get(&err);

    if (!found) {
        assert_string_equal(err.code, "not_built");
        assert_non_null(strstr(err.text, "libtesseract-dev"));
        print_message("skipped: %s\n", err.text);
        skip();
    }
    return found;
}

/* Ten levels of ink. */
static const char *const document[] = {
    "#@@@%*:                                                       #-",
    "#+  .+@-                                                      #-",
    "#+    *%  .*%%*.  .+%%+  %:  .@. #+#@%:=%%+    +%%*.  #+#@%: *@@@#",
    "#+    :@. #*..#*  *#..=- %:  .@. #%: *@+..%-  **..+#  #%: =%  #-",
    "#+    .@:.@.  :@..@.     %:  .@. #=  :@   *+ .@.   %: #=  .@. #-",
    "#+    :@.:@    @::@      %:  .@. #-  :@   ++ :@@@@@@- #-   @. #-",
    "#+    *% .@.  :@..@.     %-  :@. #-  :@   ++ .@.      #-   @. #-",
    "#+  .+@-  #*..#*  *#..=- **..#@. #-  :@   ++  **. :*  #-   @. *+",
    "#@@@%*:   .*%%*.  .+%%+  .#@#=@. #-  :@   ++   +%@#-  #-   @. :%@#",
    NULL,
};
static const char *const search[] = {
    "                                     #-",
    " .*%%*:                              #-",
    " %*. :*                              #-",
    ".@:       +%%*.  *@@%=   #+#@-.+%%+  #+#@%:",
    " %*:     **..+#     :%-  #%:  *#..=- #%: =%",
    " .+%@#- .@.   %:     =*  #=  .@.     #=  .@.",
    "    .=@::@@@@@@- -#@@@#  #-  :@      #-   @.",
    "      %=.@.     .@-  =#  #-  .@.     #-   @.",
    ".*:..=@: **. :* .@: :%#  #-   *#..=- #-   @.",
    " -#%%#-   +%@#-  =%@#+#  #-   .+%%+  #-   @.",
    NULL,
};

static const char *const letter[] = {
    "#@@@%*:",   "#+  .+@-", "#+    *%", "#+    :@.", "#+    .@:",
    "#+    :@.", "#+    *%", "#+  .+@-", "#@@@%*:",   NULL,
};

static struct image plain(int width, int height)
{
    struct image image;

    assert_true(image_new(&image, width, height, false, NULL));
    for (int y = 0; y < height; y++)
        memset(image_row(&image, y), 0xF0, (size_t)width * 4);
    return image;
}

/* Each dot `zoom` pixels wide; `ground` and `ink` are gray. */
static void draw(struct image *image, int x, int y, const char *const *rows, int zoom, int ground,
                 int ink)
{
    static const char levels[] = " .:-=+*#%@";

    for (int row = 0; rows[row]; row++)
        for (int at = 0; rows[row][at]; at++) {
            int part = (int)(strchr(levels, rows[row][at]) - levels);

            for (int i = 0; i < zoom * zoom; i++)
                memset(image_row(image, y + row * zoom + i / zoom) +
                           (size_t)(x + at * zoom + i % zoom) * 4,
                       ground + (ink - ground) * part / 9, 3);
        }
}

static struct image noise(int width, int height)
{
    struct image image = plain(width, height);
    uint32_t seed = 11;

    /* Rows of bars that look like text */
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width * 4; x++)
            if (y % 16 < 10)
                image_row(&image, y)[x] = (uint8_t)((seed = seed * 1664525 + 1013904223) >> 24);
    return image;
}

static struct read_options plain_options(void)
{
    return (struct read_options){ .language = "eng", .scale = 1, .threads = 1 };
}

static uint64_t now_ms(void)
{
    return uv_hrtime() / 1000000;
}

static bool says(const struct reading *reading, size_t word, const char *text)
{
    return word < reading->count && reading->words[word].size == strlen(text) &&
           memcmp(reading->text.data + reading->words[word].text, text, strlen(text)) == 0;
}

static void assert_read(struct image *image, double scale, const char *wanted, int x, int y)
{
    const struct text_recognizer *text = recognizer();
    struct read_options options = plain_options();
    struct reading reading;
    struct error err;

    options.scale = scale;
    if (!text->read(image, &options, &reading, &err))
        fail_msg("%s", err.text);
    assert_int_equal(reading.count, 1);
    if (!says(&reading, 0, wanted))
        fail_msg("%s was read as %.*s", wanted, (int)reading.words[0].size,
                 reading.text.data + reading.words[0].text);
    assert_in_range(reading.words[0].x, x - 3 * scale, x + 3 * scale);
    assert_in_range(reading.words[0].y, y - 3 * scale, y + 3 * scale);
    assert_true(reading.words[0].confidence > 0.5F && reading.words[0].confidence <= 1);
    assert_false(reading.cut);
    reading_free(&reading);
    image_free(image);
}

static void a_label_is_read_where_it_stands(void **state)
{
    struct image image = plain(400, 200);

    (void)state;
    draw(&image, 150, 90, document, 1, 0xF0, 0x20);
    assert_read(&image, 1, "Document", 150, 90);
}

/* Read as a whole line, it gives no text. */
static void a_letter_alone_is_looked_for(void **state)
{
    struct image image = plain(400, 200);

    (void)state;
    draw(&image, 150, 90, letter, 1, 0xF0, 0x22);
    assert_read(&image, 1, "D", 150, 90);
}

static void light_letters_on_dark_ground_are_read(void **state)
{
    struct image image = plain(400, 200);

    (void)state;
    for (int y = 60; y < 140; y++)
        memset(image_row(&image, y), 0x30, (size_t)image.width * 4);
    draw(&image, 100, 90, search, 1, 0x30, 0xF8);
    assert_read(&image, 1, "Search", 100, 90);
}

static void letters_of_a_display_with_scale_2_are_read(void **state)
{
    struct image image = plain(600, 300);

    (void)state;
    draw(&image, 200, 120, document, 2, 0xF0, 0x20);
    assert_read(&image, 2, "Document", 200, 120);
}

static void the_side_of_a_frame_is_no_letter(void **state)
{
    struct image image = plain(400, 200);

    (void)state;
    for (int y = 80; y < 110; y++)
        memset(image_row(&image, y) + (size_t)146 * 4, 0x40, 4);
    draw(&image, 150, 90, document, 1, 0xF0, 0x20);
    assert_read(&image, 1, "Document", 150, 90);
}

static void a_selected_text_was_read_as_two_bars(void **state)
{
    struct image image = plain(400, 200);

    (void)state;
    for (int y = 86; y < 103; y++)
        memset(image_row(&image, y) + (size_t)149 * 4, 0x78, (size_t)70 * 4);
    draw(&image, 150, 90, document, 1, 0x78, 0xFF);
    assert_read(&image, 1, "Document", 150, 90);
}

/* Two cells of a sheet, with its lines a pixel away. */
static void text_between_the_lines_of_a_sheet_is_read(void **state)
{
    const struct text_recognizer *text = recognizer();
    struct read_options options = plain_options();
    struct image image = plain(400, 200);
    struct reading reading;

    (void)state;
    for (int i = 0; i <= 3; i++) {
        for (int y = 70; y <= 121; y++)
            memset(image_row(&image, y) + (size_t)(50 + 82 * i) * 4, 0xA0, 4);
        memset(image_row(&image, 70 + 17 * i) + (size_t)50 * 4, 0xA0, (size_t)(3 * 82 + 1) * 4);
    }
    draw(&image, 132 + 82 - 69, 91, document, 1, 0xF0, 0x23);
    draw(&image, 132 + 82 + 2, 90, search, 1, 0xF0, 0x23);
    assert_true(text->read(&image, &options, &reading, NULL));
    assert_int_equal(reading.labels, 2);
    assert_int_equal(reading.count, 2);
    assert_true(says(&reading, 0, "Document"));
    assert_true(says(&reading, 1, "Search"));
    reading_free(&reading);
    image_free(&image);
}

static void nothing_is_read_twice(void **state)
{
    const struct text_recognizer *text = recognizer();
    struct read_options options = plain_options();
    struct image image = plain(400, 200), moved = plain(500, 300);
    struct reading reading;

    (void)state;
    draw(&image, 50, 90, document, 1, 0xF0, 0x50); /* an ink that no other test uses */
    draw(&moved, 250, 190, document, 1, 0xF0, 0x50);
    draw(&moved, 250, 20, search, 1, 0xF0, 0x50);
    assert_true(text->read(&image, &options, &reading, NULL));
    assert_int_equal(reading.count, 1);
    reading_free(&reading);
    assert_true(text->read(&moved, &options, &reading, NULL));
    assert_int_equal(reading.labels, 2);
    assert_int_equal(reading.recognized, 1);
    assert_true(says(&reading, 0, "Search"));
    assert_true(says(&reading, 1, "Document"));
    assert_in_range(reading.words[1].x, 247, 253);
    reading_free(&reading);
    image_free(&image);
    image_free(&moved);
}

/* Each label in another gray, so that none is known from the one before. */
static void several_threads_read_each_label_once(void **state)
{
    const struct text_recognizer *text = recognizer();
    struct read_options options = plain_options();
    struct image image = plain(800, 600);
    struct reading reading;

    (void)state;
    for (int i = 0; i < 40; i++) {
        int x = 20 + 190 * (i % 4), y = 40 + 50 * (i / 4);

        draw(&image, x, y, i & 1 ? search : document, 1, 0xF0, 0);
        memset(image_row(&image, y + 2) + (size_t)x * 4, 0x10 + i * 3, 3);
    }
    options.threads = 4;
    assert_true(text->read(&image, &options, &reading, NULL));
    assert_int_equal(reading.labels, 40);
    assert_int_equal(reading.count, 40);
    for (int i = 0; i < 40; i++) {
        assert_int_equal(reading.words[i].label, i);
        assert_true(says(&reading, (size_t)i, i & 1 ? "Search" : "Document"));
    }
    reading_free(&reading);
    image_free(&image);
}

static void a_language_that_is_not_installed_is_named_with_its_package(void **state)
{
    const struct text_recognizer *text = recognizer();
    struct read_options options = plain_options();
    struct image image = plain(200, 100);
    struct reading reading;
    struct error err;

    (void)state;
    draw(&image, 50, 50, search, 1, 0xF0, 0x31);
    options.language = "nonesuch";
    assert_false(text->read(&image, &options, &reading, &err));
    assert_string_equal(err.code, "no_language");
    assert_non_null(strstr(err.text, "\"nonesuch\""));
    assert_non_null(strstr(err.text, "tesseract-ocr-eng"));
    assert_int_equal(reading.count, 0);
    image_free(&image);
}

static void a_budget_ends_it_and_what_is_missing_is_told(void **state)
{
    const struct text_recognizer *text = recognizer();
    struct read_options options = plain_options();
    struct image image = noise(1600, 1200);
    struct reading reading;
    uint64_t began = now_ms();

    (void)state;
    options.until = began + 100;
    options.threads = 2;
    assert_true(text->read(&image, &options, &reading, NULL));
    assert_true(reading.cut);
    assert_true(now_ms() - began < SOON_MS);
    reading_free(&reading);
    image_free(&image);
}

static bool stop_now(void *arg)
{
    return ++*(int *)arg > 3;
}

static void one_that_is_cancelled_stops_in_the_middle(void **state)
{
    const struct text_recognizer *text = recognizer();
    struct read_options options = plain_options();
    struct image image = noise(1600, 1200);
    struct reading reading;
    struct error err;
    int asked = 0;

    (void)state;
    options.stop = stop_now;
    options.arg = &asked;
    assert_false(text->read(&image, &options, &reading, &err));
    assert_string_equal(err.code, "cancelled");
    assert_true(asked < 50);
    assert_int_equal(reading.count, 0);
    image_free(&image);
}

static void odd_sizes_are_read_or_refused(void **state)
{
    static const int sizes[][2] = { { 1, 1 }, { 1, 400 },  { 400, 1 },
                                    { 3, 3 }, { 5, 3000 }, { 9000, 12 } };
    const struct text_recognizer *text = recognizer();
    struct read_options options = plain_options();
    struct image none = { 0 };
    struct reading reading;
    struct error err;

    (void)state;
    options.until = now_ms() + 5000;
    for (size_t i = 0; i < countof(sizes); i++) {
        struct image image = noise(sizes[i][0], sizes[i][1]);

        assert_true(text->read(&image, &options, &reading, &err));
        reading_free(&reading);
        image_free(&image);
    }
    assert_false(text->read(&none, &options, &reading, &err));
    assert_string_equal(err.code, "too_large");
}

/* OpenMP would start a thread for each processor. */
static void the_library_starts_no_threads(void **state)
{
    const struct text_recognizer *text = recognizer();
    struct read_options options = plain_options();
    struct image image = plain(400, 200);
    struct reading reading;
    FILE *status;
    char line[200];
    int threads = 0;

    (void)state;
    draw(&image, 50, 90, document, 1, 0xF0, 0x32);
    assert_true(text->read(&image, &options, &reading, NULL));
    reading_free(&reading);
    image_free(&image);
    status = fopen("/proc/self/status", "r");
    if (!status)
        skip();
    while (fgets(line, sizeof line, status))
        if (strncmp(line, "Threads:", 8) == 0)
            threads = atoi(line + 8);
    fclose(status);
    assert_int_equal(threads, 1);
}

static void languages_are_names_and_no_paths(void **state)
{
    (void)state;
    assert_true(read_language_ok("eng"));
    assert_true(read_language_ok("chi_sim+eng"));
    assert_false(read_language_ok(""));
    assert_false(read_language_ok("../eng"));
    assert_false(read_language_ok("eng deu"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_starts_no_threads),
        cmocka_unit_test(a_label_is_read_where_it_stands),
        cmocka_unit_test(a_letter_alone_is_looked_for),
        cmocka_unit_test(light_letters_on_dark_ground_are_read),
        cmocka_unit_test(letters_of_a_display_with_scale_2_are_read),
        cmocka_unit_test(the_side_of_a_frame_is_no_letter),
        cmocka_unit_test(a_selected_text_was_read_as_two_bars),
        cmocka_unit_test(text_between_the_lines_of_a_sheet_is_read),
        cmocka_unit_test(nothing_is_read_twice),
        cmocka_unit_test(several_threads_read_each_label_once),
        cmocka_unit_test(a_language_that_is_not_installed_is_named_with_its_package),
        cmocka_unit_test(a_budget_ends_it_and_what_is_missing_is_told),
        cmocka_unit_test(one_that_is_cancelled_stops_in_the_middle),
        cmocka_unit_test(odd_sizes_are_read_or_refused),
        cmocka_unit_test(languages_are_names_and_no_paths),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
