/* The clipboard, on the desktop that is tested. On X11 the other party is xclip. */
#include <pthread.h>

#include "platform_run.h"

static struct clip stage_read(const char *const *types)
{
    struct clip clip;

    assert_ok(
        stage.ops->clipboard->read(stage.desktop, stage_deadline(), types, 0, &clip, &stage.err));
    return clip;
}

static void stage_write(const char *type, const char *data, size_t len, bool secret)
{
    struct clip clip = { .secret = secret };

    clip_add(&clip, type, data, len);
    assert_ok(stage.ops->clipboard->write(stage.desktop, stage_deadline(), &clip, &stage.err));
    clip_free(&clip);
}

static bool holds(const char *type, const char *data, size_t len)
{
    const char *const types[] = { type, NULL };
    struct clip clip = stage_read(types);
    const struct clip_part *part = clip_part(&clip, type);
    bool same = part && part->len == len && memcmp(part->data, data, len) == 0;

    clip_free(&clip);
    return same;
}

/* Serves other programs until the file has the text. */
static bool serve_until(const char *file, const char *text)
{
    struct deadline deadline = deadline_of(STAGE_MS);

    while (stage_count(file, text, 0) == 0) {
        if (!stage.ops->alive(stage.desktop) ||
            !deadline_wait(&deadline, -1, deadline_now() + 2, &stage.err))
            return false;
    }
    return true;
}

/* Makes another program copy; it is the owner a moment later, and as long as it runs. */
static pid_t other_copies(const char *data, size_t len, const char *target)
{
    struct clip clip = { 0 };
    char *path;
    pid_t pid;

    if (stage.fake) {
        clip_add(&clip, strcmp(target, "UTF8_STRING") == 0 ? "text/plain" : target, data, len);
        fake_copy(stage.fake, &clip);
        clip_free(&clip);
        return 0;
    }
    path = mem_printf("%s/copied", stage.folder);
    assert_ok(file_write_atomic(path, data, len, 0600, &stage.err));
    pid = stage_spawn((const char *[]){ "xclip", "-quiet", "-selection", "clipboard", "-t", target,
                                        "-i", path, NULL },
                      "xclip");
    free(path);
    return pid;
}

/* Waits until the clipboard has the data, which it has a moment after the copy. */
static bool will_hold(const char *type, const char *data, size_t len)
{
    struct deadline deadline = deadline_of(STAGE_MS);

    while (!holds(type, data, len)) {
        if (!deadline_wait(&deadline, -1, deadline_now() + 5, NULL))
            return false;
    }
    return true;
}

/* Another connection answers on a thread of its own meanwhile. */
static struct {
    struct desktop *desktop;
    int wake[2];
    pthread_t thread;
} server;

static void *serve(void *arg)
{
    (void)arg;
    stage.ops->idle(server.desktop, server.wake[0]);
    return NULL;
}

static void serve_other(struct desktop *desktop)
{
    server.desktop = desktop;
    assert_int_equal(pipe(server.wake), 0);
    assert_int_equal(pthread_create(&server.thread, NULL, serve, NULL), 0);
}

static void stop_serving(void)
{
    assert_int_equal(write(server.wake[1], "!", 1), 1);
    pthread_join(server.thread, NULL);
    close(server.wake[0]);
    close(server.wake[1]);
}

static void text_is_written_and_read(void **state)
{
    static const char text[] = "héllo – 世界 🎉\n\ttab";

    (void)state;
    stage_write("text/plain", text, sizeof text - 1, false);
    assert_true(holds("text/plain", text, sizeof text - 1));
    stage_write("text/plain", "", 0, false);
    assert_true(holds("text/plain", "", 0));
}

static void several_types_are_kept_together(void **state)
{
    static const char html[] = "<b>bold</b>", png[] = "\211PNG\r\n\032\n\0data";
    struct clip clip = { 0 }, back;

    (void)state;
    clip_add(&clip, "text/plain", "bold", 4);
    clip_add(&clip, "text/html", html, sizeof html - 1);
    clip_add(&clip, "image/png", png, sizeof png - 1);
    assert_ok(stage.ops->clipboard->write(stage.desktop, stage_deadline(), &clip, &stage.err));
    back = stage_read(NULL);
    assert_non_null(clip_part(&back, "text/plain"));
    assert_int_equal(clip_part(&back, "image/png")->len, sizeof png - 1);
    assert_memory_equal(clip_part(&back, "image/png")->data, png, sizeof png - 1);
    assert_string_equal(clip_part(&back, "text/html")->data, html);
    assert_true(back.type_count >= 3);
    clip_free(&back);
    clip_free(&clip);
}

static void clearing_leaves_nothing(void **state)
{
    struct clip clip;

    (void)state;
    stage_write("text/plain", "gone", 4, false);
    assert_ok(stage.ops->clipboard->clear(stage.desktop, stage_deadline(), &stage.err));
    clip = stage_read(NULL);
    assert_int_equal(clip.count, 0);
    assert_int_equal(clip.type_count, 0);
    clip_free(&clip);
}

static void what_another_program_copied_is_read(void **state)
{
    (void)state;
    stage_write("text/plain", "mine", 4, false);
    other_copies("thëirs", 7, "UTF8_STRING");
    assert_true(will_hold("text/plain", "thëirs", 7));
    other_copies("<i>x</i>", 8, "text/html");
    assert_true(will_hold("text/html", "<i>x</i>", 8));
    assert_false(holds("text/plain", "thëirs", 7));
}

/* Far more than an X request can hold: it comes and goes in pieces. */
static void many_megabytes_come_in_pieces(void **state)
{
    size_t len = CLIP_BYTES_MAX;
    char *data = mem_alloc(len);
    struct clip clip;

    (void)state;
    for (size_t i = 0; i < len; i++)
        data[i] = (char)('a' + (i * 7 + i / 4096) % 26);
    other_copies(data, len, "UTF8_STRING");
    assert_true(will_hold("text/plain", data, len));
    stage.err = (struct error){ "", "" };
    assert_fails(stage.ops->clipboard->read(stage.desktop, stage_deadline(), NULL, 1 << 20, &clip,
                                            &stage.err),
                 "too_large");
    assert_true(holds("text/plain", data, len)); /* and it still works */
    free(data);
}

static void others_get_what_we_wrote(void **state)
{
    size_t len = CLIP_BYTES_MAX;
    char *data = mem_alloc(len);

    (void)state;
    stage_write("text/plain", "short ünd sweet", 16, false);
    stage_spawn((const char *[]){ "xclip", "-selection", "clipboard", "-o", NULL }, "short");
    assert_true(serve_until("short", "short ünd sweet"));
    memset(data, 'x', len);
    memcpy(data + len - 8, "the end!", 8);
    stage_write("text/plain", data, len, false);
    stage_spawn((const char *[]){ "xclip", "-selection", "clipboard", "-o", NULL }, "long");
    assert_true(serve_until("long", "the end!"));
    assert_int_equal(stage_count("long", "x", 0), len - 8); /* 64 MB, in pieces */
    stage_spawn((const char *[]){ "xclip", "-selection", "clipboard", "-o", "-t", "TARGETS", NULL },
                "targets");
    assert_true(serve_until("targets", "UTF8_STRING"));
    free(data);
}

static void files_are_offered_as_file_managers_want_them(void **state)
{
    static const char list[] = "file:///tmp/a%20b\r\nfile:///tmp/c\r\n";
    static const char copied[] = "copy\nfile:///tmp/a%20b\nfile:///tmp/c";

    (void)state;
    stage_write("text/uri-list", list, sizeof list - 1, false);
    assert_true(holds("text/uri-list", list, sizeof list - 1));
    if (!stage.fake)
        assert_true(holds("x-special/gnome-copied-files", copied, sizeof copied - 1));
}

static void an_owner_that_never_answers_is_named(void **state)
{
    struct clip clip;
    pid_t owner;

    (void)state;
    owner = other_copies("silent", 6, "UTF8_STRING");
    assert_true(will_hold("text/plain", "silent", 6));
    if (stage.fake)
        fake_mute_clipboard(stage.fake, true);
    else
        kill(owner, SIGSTOP);
    assert_fails(
        stage.ops->clipboard->read(stage.desktop, stage_deadline(), NULL, 0, &clip, &stage.err),
        "clipboard_no_answer");
    stage_write("text/plain", "alive", 5, false);
    assert_true(holds("text/plain", "alive", 5));
}

static size_t history_count(struct clip_list *list)
{
    assert_ok(stage.ops->clipboard->history(stage.desktop, stage_deadline(), list, &stage.err));
    return list->count;
}

static void history_is_kept_only_when_asked_and_bounded(void **state)
{
    struct clip_list list;
    char text[32];

    (void)state;
    stage_write("text/plain", "before", 6, false);
    assert_int_equal(history_count(&list), 0);
    clip_list_free(&list);
    assert_ok(
        stage.ops->clipboard->keep_history(stage.desktop, stage_deadline(), 3, 100, &stage.err));
    for (int i = 0; i < 5; i++) {
        snprintf(text, sizeof text, "entry %d", i);
        stage_write("text/plain", text, strlen(text), false);
    }
    assert_int_equal(history_count(&list), 3);
    assert_string_equal(list.items[0].parts[0].data, "entry 4");
    assert_string_equal(list.items[2].parts[0].data, "entry 2");
    assert_true(list.items[0].when > 1600000000000u);
    clip_list_free(&list);
    other_copies("from elsewhere", 14, "UTF8_STRING");
    for (struct deadline deadline = deadline_of(STAGE_MS);;) {
        bool there =
            history_count(&list) && strcmp(list.items[0].parts[0].data, "from elsewhere") == 0;

        clip_list_free(&list);
        if (there)
            break;
        assert_true(deadline_wait(&deadline, -1, deadline_now() + 5, &stage.err));
    }
    assert_ok(
        stage.ops->clipboard->keep_history(stage.desktop, stage_deadline(), 0, 0, &stage.err));
    assert_int_equal(history_count(&list), 0);
    clip_list_free(&list);
}

static void history_never_holds_a_secret(void **state)
{
    static const char long_text[] = "longer than an entry of this history may be";
    struct clip_list list;

    (void)state;
    assert_ok(
        stage.ops->clipboard->keep_history(stage.desktop, stage_deadline(), 5, 20, &stage.err));
    stage_write("text/plain", "open", 4, false);
    stage_write("text/plain", "password", 8, true);
    stage_write("text/plain", long_text, sizeof long_text - 1, false);
    assert_int_equal(history_count(&list), 1);
    assert_string_equal(list.items[0].parts[0].data, "open");
    clip_list_free(&list);
}

/* 20 entries of 1 MB: the oldest go before there are so many. */
static void history_is_bounded_in_bytes(void **state)
{
    enum { ENTRY = 1 << 20 };
    struct clip_list list;
    char *text = malloc(ENTRY);

    (void)state;
    memset(text, 'x', ENTRY);
    assert_ok(
        stage.ops->clipboard->keep_history(stage.desktop, stage_deadline(), 50, ENTRY, &stage.err));
    for (char i = 0; i < 20; i++) {
        text[0] = (char)('a' + i);
        stage_write("text/plain", text, ENTRY, false);
    }
    assert_int_equal(history_count(&list), CLIP_HISTORY_BYTES / ENTRY);
    assert_int_equal(list.items[0].parts[0].data[0], 'a' + 19);
    clip_list_free(&list);
    free(text);
}

/* Its HTML would be short enough, but is not kept without its text. */
static void history_leaves_out_what_another_copies_too_long(void **state)
{
    static const char text[] = "longer than an entry of this history may be";
    struct desktop *other;
    struct clip clip = { 0 };
    struct clip_list list;

    (void)state;
    assert_ok(
        stage.ops->clipboard->keep_history(stage.desktop, stage_deadline(), 5, 20, &stage.err));
    stage_write("text/plain", "short", 5, false);
    other = stage.ops->open(stage.shared, &stage.err);
    assert_non_null(other);
    clip_add(&clip, "text/plain", text, sizeof text - 1);
    clip_add(&clip, "text/html", "<b>longer</b>", 13);
    clip_add(&clip, "image/png", "\x89PNG", 4);
    assert_ok(stage.ops->clipboard->write(other, stage_deadline(), &clip, &stage.err));
    clip_free(&clip);
    serve_other(other);
    assert_true(will_hold("text/plain", text, sizeof text - 1));
    assert_int_equal(history_count(&list), 1);
    assert_string_equal(list.items[0].parts[0].data, "short");
    clip_list_free(&list);
    stop_serving();
    stage.ops->close(other);
}

/* A password manager is another client; it marks its copies. */
static void history_skips_what_a_password_manager_offers(void **state)
{
    struct desktop *manager;
    struct clip clip = { .secret = true }, seen;
    struct clip_list list;

    (void)state;
    assert_ok(
        stage.ops->clipboard->keep_history(stage.desktop, stage_deadline(), 5, 99, &stage.err));
    other_copies("in the open", 11, "UTF8_STRING");
    assert_true(will_hold("text/plain", "in the open", 11));
    assert_int_equal(history_count(&list), 1);
    clip_list_free(&list);
    manager = stage.ops->open(stage.shared, &stage.err);
    assert_non_null(manager);
    clip_add(&clip, "text/plain", "hunter2", 7);
    assert_ok(stage.ops->clipboard->write(manager, stage_deadline(), &clip, &stage.err));
    clip_free(&clip);
    assert_ok(stage.ops->clipboard->read(manager, stage_deadline(), NULL, 0, &seen, &stage.err));
    assert_true(seen.secret);
    clip_free(&seen);
    serve_other(manager);
    assert_int_equal(history_count(&list), 1);
    assert_string_equal(list.items[0].parts[0].data, "in the open");
    clip_list_free(&list);
    stop_serving();
    stage.ops->close(manager);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_start, stage_end)
#define REAL(name)                                                                                 \
    cmocka_unit_test_prestate_setup_teardown(name, stage_start, stage_end, on_real_desktops)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(text_is_written_and_read),
        CASE(several_types_are_kept_together),
        CASE(clearing_leaves_nothing),
        CASE(what_another_program_copied_is_read),
        CASE(many_megabytes_come_in_pieces),
        REAL(others_get_what_we_wrote),
        CASE(files_are_offered_as_file_managers_want_them),
        CASE(an_owner_that_never_answers_is_named),
        CASE(history_is_kept_only_when_asked_and_bounded),
        CASE(history_is_bounded_in_bytes),
        CASE(history_never_holds_a_secret),
        CASE(history_leaves_out_what_another_copies_too_long),
        CASE(history_skips_what_a_password_manager_offers),
    };

    return stage_run_tests(tests, countof(tests));
}
