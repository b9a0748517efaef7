/* Pictures of displays, regions and windows, on the desktop that is tested. */
#include "platform_run.h"

static const struct rect place = { 100, 120, 200, 150 };

static struct picture stage_take(struct capture what)
{
    struct picture out;

    assert_ok(stage.ops->capture->take(stage.desktop, stage_deadline(), &what, &out, &stage.err));
    return out;
}

static const char *take_fails(struct capture what)
{
    struct picture out;

    assert_false(
        stage.ops->capture->take(stage.desktop, stage_deadline(), &what, &out, &stage.err));
    assert_null(out.image.pixels);
    return stage.err.code;
}

static uint32_t pixel(const struct picture *picture, int x, int y)
{
    const uint8_t *at = image_row(&picture->image, y) + (size_t)x * 4;

    return (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

/* A window whose content has one color. */
static struct window_ref coloured(const char *title, struct rect frame, const char *colour)
{
    struct window_ref ref;
    char geometry[64];

    if (stage.fake)
        return stage_window(title, frame);
    snprintf(geometry, sizeof geometry, "40x12+%.0f+%.0f", frame.x, frame.y);
    stage_spawn((const char *[]){ "xterm", "-title", title, "-geometry", geometry, "-bg", colour,
                                  "-fg", colour, "-e", "cat", NULL },
                title);
    ref = stage_await(title);
    stage_focus(&ref);
    return ref;
}

/* The most frequent color, because programs draw other things as well. */
static uint32_t main_colour(const struct picture *picture)
{
    uint32_t best = 0;
    size_t most = 0;

    for (int y = 20; y < picture->image.height && y < 140; y += 20) {
        for (int x = 10; x < picture->image.width; x += 30) {
            size_t count = 0;

            for (int v = 20; v < picture->image.height; v += 7)
                for (int u = 10; u < picture->image.width; u += 7)
                    count += pixel(picture, u, v) == pixel(picture, x, y);
            if (count > most) {
                most = count;
                best = pixel(picture, x, y);
            }
        }
    }
    return best;
}

/* A program may be on screen before it has painted. */
static struct picture await_colour(struct capture what, uint32_t colour)
{
    struct deadline deadline = deadline_of(STAGE_MS);
    struct picture out = stage_take(what);

    while (!stage.fake && main_colour(&out) != colour) {
        picture_free(&out);
        assert_true(deadline_wait(&deadline, -1, deadline_now() + 10, &stage.err));
        out = stage_take(what);
    }
    return out;
}

static void the_main_display_is_taken_whole(void **state)
{
    struct display_list list;
    struct picture out = stage_take((struct capture){ .kind = CAPTURE_DISPLAY });

    (void)state;
    assert_ok(stage.ops->displays->list(stage.desktop, stage_deadline(), &list, &stage.err));
    assert_int_equal(out.image.width, (int)(list.items[0].bounds.width * out.scale));
    assert_int_equal(out.image.height, (int)(list.items[0].bounds.height * out.scale));
    assert_true(out.origin.x == 0 && out.origin.y == 0);
    picture_free(&out);
    out = stage_take((struct capture){ .kind = CAPTURE_DISPLAY, .display = list.items[0].id });
    picture_free(&out);
    display_list_free(&list);
    assert_string_equal(take_fails((struct capture){ .kind = CAPTURE_DISPLAY, .display = 99 }),
                        "display_not_found");
}

static void a_region_is_cut_to_the_display(void **state)
{
    struct capture what = { .kind = CAPTURE_REGION, .region = { 30, 40, 100, 50 } };
    struct picture out = stage_take(what);

    (void)state;
    assert_int_equal(out.image.width, 100);
    assert_int_equal(out.image.height, 50);
    assert_true(out.origin.x == 30 && out.origin.y == 40);
    picture_free(&out);
    what.region = (struct rect){ 100000, 5, 10, 10 };
    assert_string_equal(take_fails(what), "outside");
}

static void a_window_is_taken_with_its_frame(void **state)
{
    struct window_ref ref = coloured("green", place, "#00ff00");
    struct capture what = { .kind = CAPTURE_WINDOW, .window = ref };
    struct window_info info = stage_info(&ref);
    struct picture out = await_colour(what, 0x00ff00);

    (void)state;
    assert_int_equal(out.image.width, (int)info.frame.width);
    assert_int_equal(out.image.height, (int)info.frame.height);
    assert_true(out.origin.x == info.frame.x && out.origin.y == info.frame.y);
    picture_free(&out);
    if (!stage.fake) {
        what.content_only = true;
        out = stage_take(what);
        assert_int_equal(out.image.width, (int)info.content.width);
        assert_true(out.origin.y == info.content.y);
        picture_free(&out);
    }
    window_info_free(&info);
}

static void a_covered_window_is_taken_as_if_it_were_not(void **state)
{
    struct window_ref under = coloured("under", place, "#ff0000");
    struct capture what = { .kind = CAPTURE_WINDOW, .window = under };
    struct picture out = await_colour(what, 0xff0000), screen;
    uint32_t colour = main_colour(&out);
    struct window_info info = stage_info(&under);

    (void)state;
    assert_null(strstr(out.route, "composite")); /* all of it is on the screen */
    picture_free(&out);
    struct window_ref above = coloured("above", (struct rect){ 80, 90, 300, 300 }, "#0000ff");
    out = await_colour((struct capture){ .kind = CAPTURE_WINDOW, .window = above }, 0x0000ff);
    picture_free(&out);
    out = stage_take(what);
    assert_int_equal(main_colour(&out), colour);
    if (strstr(out.route, "shm"))
        assert_non_null(strstr(out.route, "composite"));
    picture_free(&out);
    screen = stage_take((struct capture){ .kind = CAPTURE_REGION, .region = info.content });
    assert_int_not_equal(main_colour(&screen), colour);
    picture_free(&screen);
    window_info_free(&info);
}

static void a_minimized_window_has_no_picture(void **state)
{
    struct window_ref ref = coloured("hidden", place, "#ffff00");

    (void)state;
    assert_true(stage_do(&ref, WINDOW_MINIMIZE).done);
    assert_string_equal(take_fails((struct capture){ .kind = CAPTURE_WINDOW, .window = ref }),
                        "window_minimized");
    assert_non_null(strstr(stage.err.text, "Restore"));
    ref.id = 1;
    assert_string_equal(take_fails((struct capture){ .kind = CAPTURE_WINDOW, .window = ref }),
                        "window_not_found");
}

static void the_pointer_is_drawn_when_asked(void **state)
{
    struct capture what = { .kind = CAPTURE_REGION, .region = { 200, 200, 40, 40 } };
    struct input input = { .kind = INPUT_MOVE, .at = { 220, 220 } };
    struct input_outcome moved;
    struct picture without, with;

    (void)state;
    assert_ok(stage.ops->input->send(stage.desktop, stage_deadline(), &input, &moved, &stage.err));
    without = stage_take(what);
    what.cursor = true;
    with = stage_take(what);
    assert_memory_not_equal(without.image.pixels, with.image.pixels, with.image.stride * 40);
    picture_free(&without);
    picture_free(&with);
}

static void a_scaled_picture_still_leads_back_to_points(void **state)
{
    struct capture what = { .kind = CAPTURE_REGION, .region = { 50, 60, 400, 200 } };
    struct picture out = stage_take(what);
    struct point at;

    (void)state;
    picture_fit(&out, 100);
    assert_int_equal(out.image.width, 100);
    assert_int_equal(out.image.height, 50);
    at = picture_point(&out, 50, 25);
    assert_true(at.x == 250 && at.y == 160);
    picture_free(&out);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_start, stage_end)
#define REAL(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, stage_start, stage_end, on_real_desktops)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_main_display_is_taken_whole),
        CASE(a_region_is_cut_to_the_display),
        CASE(a_window_is_taken_with_its_frame),
        CASE(a_covered_window_is_taken_as_if_it_were_not),
        CASE(a_minimized_window_has_no_picture),
        REAL(the_pointer_is_drawn_when_asked),
        CASE(a_scaled_picture_still_leads_back_to_points),
    };

    return stage_run_tests(tests, countof(tests));
}
