/* The fake's input: text goes to the focused window, all input is written down. */
#include <stdio.h>

#include "json/utf8.h"
#include "platform/fake/clipboard.h"
#include "platform/fake/elements.h"
#include "platform/fake/mirror.h"

static bool on_display(struct fake *fake, struct point at)
{
    list_each (link, &fake->displays) {
        if (rect_has(&container_of(link, struct fake_display, link)->bounds, at))
            return true;
    }
    return false;
}

static bool check_point(struct fake *fake, struct point at, struct error *err)
{
    if (on_display(fake, at))
        return true;
    return error_set(err, "bad_point",
                     "%.0f, %.0f is outside all displays. Call list_displays to get their bounds",
                     at.x, at.y);
}

static const char *button_name(enum input_button button)
{
    static const char *const names[] = { "left", "middle", "right", "back", "forward" };

    return names[button];
}

/* The frontmost window at this point; or NULL. */
static struct fake_window *window_at(struct fake *fake, struct point at)
{
    list_each (link, &fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        if (rect_has(&window->frame, at) && !(window->state & (WINDOW_MINIMIZED | WINDOW_HIDDEN)))
            return window;
    }
    return NULL;
}

/* Clicks as on a real desktop: the window there gets the focus, its element the press. */
static void click_at(struct fake *fake, const struct input *input)
{
    struct fake_window *window = window_at(fake, fake->pointer);

    fake_close_menu(fake);
    if (!window)
        return;
    fake_raise(fake, window);
    if (input->button == BUTTON_RIGHT)
        fake_open_menu(fake, fake->pointer);
    else if (input->button == BUTTON_LEFT)
        fake_click_at(fake, window, fake->pointer);
}

static void scroll_at(struct fake *fake, const struct input *input)
{
    struct fake_window *window = window_at(fake, fake->pointer);

    if (window)
        fake_scroll_at(fake, window, fake->pointer, input->lines.y);
}

static struct fake_window *focused_window(struct fake *fake)
{
    list_each (link, &fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        if (window->ref.id == fake->focus)
            return window;
    }
    return NULL;
}

/* Writes text in place of the selection. */
static void write_text(struct fake *fake, struct fake_window *window, const char *text, size_t len)
{
    struct buf *typed = fake_typed_text(fake, window);

    if (window->selected)
        typed->len = 0;
    if (window->selected || typed == &window->text || !fake->mirror)
        buf_add(typed, text, len);
    else
        fake_insert_text(window->keys, (struct str){ text, len });
    window->selected = false;
    if (window->keys && !fake->mirror)
        window->keys->caret = (int)utf8_length(typed->data, typed->len);
    if (window->keys)
        fake_tell(fake, ELEMENT_EVENT_VALUE, window->keys, "insert");
}

static struct fake_window *open_menu(struct fake *fake)
{
    list_each (link, &fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        if (window->menu_of)
            return window;
    }
    return NULL;
}

/* An open menu makes no text of keys, as real ones. */
static bool give_menu(struct fake *fake, const struct fake_window *menu, const struct input *input,
                      struct input_outcome *out, struct error *err)
{
    snprintf(out->open, sizeof out->open, "a menu of %s", menu->app);
    if (input->kind == INPUT_PASTE)
        return error_set(
            err, "paste_not_taken",
            "%s is open and took the key to paste, so no application read the text. Close it "
            "with escape first, then paste again",
            out->open);
    fake_note(fake, "type into %s", out->open);
    out->settled = false;
    out->still_open = true;
    out->characters = utf8_length(input->text.ptr, input->text.len);
    out->sent = out->characters * 2;
    return true;
}

/* Gives text to the focused window, which gets it typed or pasted. */
static bool give_text(struct fake *fake, const struct input *input, struct input_outcome *out,
                      struct error *err)
{
    bool paste = input->kind == INPUT_PASTE;
    struct fake_window *window = focused_window(fake), *menu = open_menu(fake);

    if (!input_text_ok(input->text, err))
        return false;
    if (!window)
        return error_set(err, "no_focus",
                         "no window has keyboard focus, so the text would be lost. Focus a "
                         "window, or click into it");
    if (menu)
        return give_menu(fake, menu, input, out, err);
    write_text(fake, window, input->text.ptr, input->text.len);
    fake_note(fake, "%s \"%.*s\"", paste ? "paste" : "type",
              (int)utf8_cut(input->text.ptr, input->text.len, 400), input->text.ptr);
    if (paste) {
        snprintf(out->route, sizeof out->route, "paste");
        out->clipboard = fake->clip.count ? CLIP_RESTORED : CLIP_WAS_EMPTY;
    }
    out->characters = utf8_length(input->text.ptr, input->text.len);
    out->sent = out->characters * 2;
    return true;
}

static void copy_text(struct fake *fake, struct fake_window *window)
{
    const struct buf *typed = fake_typed_text(fake, window);
    struct clip clip = { 0 };

    if (!window->selected)
        return;
    clip_add(&clip, "text/plain", typed->data ? typed->data : "", typed->len);
    fake_put_clip(fake, &clip);
}

/* Does the few shortcuts that every editor has. */
static void use_shortcut(struct fake *fake, struct fake_window *window, uint32_t letter)
{
    const struct clip_part *text = clip_part(&fake->clip, "text/plain");

    if (letter == 'a')
        window->selected = true;
    else if (letter == 'c')
        copy_text(fake, window);
    else if (letter == 'v' && text)
        write_text(fake, window, text->data, text->len);
}

/* Return submits and Tab leaves a field of one line, which is not reenacted. */
static bool takes_lines(const struct fake *fake, const struct fake_window *window)
{
    return window->keys ? (window->keys->states & ELEMENT_MULTILINE) != 0 : !fake->mirror;
}

static void press_key(struct fake *fake, struct fake_window *window, const struct chord *chord)
{
    char bytes[4];

    if (chord->modifiers == MOD_CTRL && chord->key == KEY_CHARACTER)
        use_shortcut(fake, window, chord->point);
    else if (chord->modifiers & ~(unsigned)MOD_SHIFT)
        return;
    else if (chord->key == KEY_CHARACTER)
        write_text(fake, window, bytes, utf8_encode(bytes, chord->point));
    else if (chord->key == KEY_RETURN || chord->key == KEY_TAB) {
        if (takes_lines(fake, window))
            write_text(fake, window, chord->key == KEY_TAB ? "\t" : "\n", 1);
    } else if (chord->key == KEY_DELETE && window->selected)
        write_text(fake, window, "", 0);
}

/* Escape closes a popup; without a popup, an element's menu or a dialog. */
static void press_escape(struct fake *fake, struct fake_window *window)
{
    if (!fake_close_menu(fake))
        fake_escape(fake, window);
}

static void press_keys(struct fake *fake, const struct input *input, int count)
{
    struct fake_window *window = focused_window(fake);
    char name[64];

    chord_print(&input->chord, name, sizeof name);
    fake_note(fake, "keys %s x%d", name, count);
    if (input->chord.key == KEY_ESCAPE) {
        press_escape(fake, window);
        return;
    }
    for (int i = 0; window && i < count; i++)
        press_key(fake, window, &input->chord);
}

static bool move_to(struct fake *fake, const struct input *input, struct error *err)
{
    if (input->here)
        return true;
    if (!check_point(fake, input->at, err))
        return false;
    fake->pointer = input->at;
    return true;
}

static bool drag_pointer(struct fake *fake, const struct input *input, struct error *err)
{
    struct point end;

    if (input->path_count < 2)
        return error_set(err, "bad_point", "a drag needs a path of at least two points");
    for (size_t i = 0; i < input->path_count; i++) {
        if (!check_point(fake, input->path[i], err))
            return false;
    }
    end = input->path[input->path_count - 1];
    fake_note(fake, "drag %s %.0f,%.0f to %.0f,%.0f", button_name(input->button), input->path[0].x,
              input->path[0].y, end.x, end.y);
    fake->pointer = end;
    return true;
}

static bool do_pointer(struct fake *fake, const struct input *input, int count, struct error *err)
{
    if (!move_to(fake, input, err))
        return false;
    switch (input->kind) {
    case INPUT_MOVE:
        fake_note(fake, "move %.0f,%.0f", fake->pointer.x, fake->pointer.y);
        break;
    case INPUT_CLICK:
        fake_note(fake, "click %s %d at %.0f,%.0f", button_name(input->button), count,
                  fake->pointer.x, fake->pointer.y);
        click_at(fake, input);
        break;
    case INPUT_PRESS:
    case INPUT_RELEASE:
        fake_note(fake, "%s %s", input->kind == INPUT_PRESS ? "press" : "release",
                  button_name(input->button));
        fake->held_buttons &= ~(1u << input->button);
        fake->held_buttons |= input->kind == INPUT_PRESS ? 1u << input->button : 0;
        break;
    case INPUT_DROP:
        fake_note(fake, "drop at %.0f,%.0f: %.*s", fake->pointer.x, fake->pointer.y,
                  (int)utf8_cut(input->text.ptr, input->text.len, 400), input->text.ptr);
        break;
    default:
        fake_note(fake, "scroll %g,%g%s at %.0f,%.0f", input->lines.x, input->lines.y,
                  input->pixels ? " pixels" : "", fake->pointer.x, fake->pointer.y);
        scroll_at(fake, input);
    }
    return true;
}

static bool perform_input(struct fake *fake, const struct input *input, struct input_outcome *out,
                          struct error *err)
{
    int count = input->count ? input->count : 1;

    switch (input->kind) {
    case INPUT_DRAG:
        return drag_pointer(fake, input, err);
    case INPUT_KEYS:
        if (!fake_press_hotkey(fake, &input->chord))
            press_keys(fake, input, count);
        return true;
    case INPUT_KEY_DOWN:
        fake->held_modifiers |= input->chord.modifiers;
        return true;
    case INPUT_KEY_UP:
        fake->held_modifiers &= ~input->chord.modifiers;
        return true;
    case INPUT_TEXT:
    case INPUT_PASTE:
        return give_text(fake, input, out, err);
    default:
        return do_pointer(fake, input, count, err);
    }
}

/* A long action takes its time, without the lock, so that it can be stopped. */
static bool send_input(struct desktop *handle, struct deadline *deadline, const struct input *input,
                       struct input_outcome *out, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    bool ok;

    *out = (struct input_outcome){ .settled = !desktop->fake->mirror, .route = "fake" };
    if (input->ms && !deadline_wait(deadline, -1, deadline_now() + input->ms, err))
        return false;
    if (!fake_enter(desktop, deadline, err))
        return false;
    out->sent = 1;
    desktop->fake->used = deadline_now();
    ok = perform_input(desktop->fake, input, out, err);
    out->pointer = desktop->fake->pointer;
    fake_leave(desktop);
    return ok;
}

static void release_all(struct desktop *handle)
{
    struct fake_desktop *desktop = fake_of(handle);

    pthread_mutex_lock(&desktop->fake->lock);
    desktop->fake->held_buttons = desktop->fake->held_modifiers = 0;
    pthread_mutex_unlock(&desktop->fake->lock);
}

static void release_in_signal(void)
{
}

static void on_panic(struct desktop *handle, void (*hit)(void *arg), void *arg)
{
    struct fake_desktop *desktop = fake_of(handle);

    pthread_mutex_lock(&desktop->fake->lock);
    desktop->panic = hit;
    desktop->panic_arg = arg;
    pthread_mutex_unlock(&desktop->fake->lock);
}

/* Input is taken at once. Of a copy that proves nothing. */
static bool settle_input(struct desktop *handle, struct deadline *deadline, uint64_t ms,
                         bool *settled, struct error *err)
{
    (void)ms;
    *settled = !fake_of(handle)->fake->mirror;
    return deadline_ok(deadline, err);
}

const struct input_ops fake_input_ops = { send_input, release_all, release_in_signal, on_panic,
                                          settle_input };
