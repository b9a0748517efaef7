/* The reactions of the fake's elements to presses, selection, scrolling and typing. */
#include <stdio.h>
#include <stdlib.h>

#include "platform/fake/elements.h"

void fake_tell(struct fake *fake, enum element_event_kind kind, const struct fake_element *element,
               const char *detail)
{
    struct element_event event = {
        .kind = kind, .id = element->id, .pid = element->window->ref.pid, .at = deadline_now()
    };

    snprintf(event.detail, sizeof event.detail, "%s", detail);
    element_log_add(&fake->events, &event);
    pthread_cond_broadcast(&fake->changed);
}

/* --- states ------------------------------------------------------------------------ */

static void set_state(struct fake *fake, struct fake_element *element, unsigned state, bool on,
                      const char *name)
{
    char detail[48];

    if (((element->states & state) != 0) == on)
        return;
    element->states ^= state;
    snprintf(detail, sizeof detail, "%s %s", name, on ? "on" : "off");
    fake_tell(fake, ELEMENT_EVENT_STATE, element, detail);
}

/* Sets the state of this element, and clears it for its siblings. */
static void set_alone(struct fake *fake, struct fake_element *element, unsigned state,
                      const char *name)
{
    if (!element->parent)
        return;
    list_each (link, &element->parent->children) {
        struct fake_element *each = container_of(link, struct fake_element, link);

        if (state == ELEMENT_SELECTED || each->role == element->role)
            set_state(fake, each, state, each == element, name);
    }
}

void fake_select_element(struct fake *fake, struct fake_element *element)
{
    set_alone(fake, element, ELEMENT_SELECTED, "selected");
}

void fake_focus_element(struct fake *fake, struct fake_element *element)
{
    if (element->window->keys == element)
        return;
    element->window->keys = element;
    fake_tell(fake, ELEMENT_EVENT_FOCUS, element, "focused on");
}

static void pop_up(struct fake *fake, struct fake_element *element, bool open)
{
    if (((element->states & ELEMENT_EXPANDED) != 0) == open)
        return;
    list_each (link, &element->children) {
        struct fake_element *child = container_of(link, struct fake_element, link);

        child->states ^= ELEMENT_SHOWN;
        if (element->role == ELEMENT_COMBO) { /* it may have its options in a menu or list */
            list_each (inner, &child->children)
                container_of(inner, struct fake_element, link)->states ^= ELEMENT_SHOWN;
        }
    }
    set_state(fake, element, ELEMENT_EXPANDED, open, "expanded");
}

/* --- windows ----------------------------------------------------------------------- */

/* The status bar's label; NULL: it has none. */
static struct fake_element *status_of(struct fake *fake, struct fake_window *window)
{
    struct fake_element *top = fake_top(fake, window);

    for (struct fake_element *at = top; at; at = fake_next_element(top, at)) {
        if (at->parent && at->parent->role == ELEMENT_STATUS_BAR)
            return at;
    }
    return NULL;
}

static void rename_element(struct fake *fake, struct fake_element *element, const char *name)
{
    free(element->name);
    element->name = mem_strdup(name);
    fake_tell(fake, ELEMENT_EVENT_NAME, element, "");
}

static void show_status(struct fake *fake, struct fake_window *window, const char *what)
{
    struct fake_element *label = status_of(fake, window);

    if (label)
        rename_element(fake, label, what);
}

static struct fake_window *window_of(struct fake *fake, uint64_t id)
{
    struct window_ref ref = { .id = id };
    struct error err;

    return id ? fake_find_window(fake, &ref, &err) : NULL;
}

static void open_dialog(struct fake *fake, struct fake_window *window, const char *title)
{
    struct fake_app *app = fake_find_app(fake, window->ref.pid, 0);
    bool large = strcmp(title, "Preferences") == 0;
    struct rect frame = { 300, 300, large ? 640 : 300, large ? 480 : 120 };
    struct fake_window *dialog = fake_new_window(fake, app, title, frame);

    dialog->parent = window->ref.id;
    fake_tell(fake, ELEMENT_EVENT_WINDOW, fake_top(fake, dialog), "create");
}

static void close_window(struct fake *fake, struct fake_window *window)
{
    fake_tell(fake, ELEMENT_EVENT_WINDOW, fake_top(fake, window), "destroy");
    fake_close_window(fake, window);
}

static void rename_parent(struct fake *fake, struct fake_window *dialog)
{
    struct fake_window *window = window_of(fake, dialog->parent);

    if (!window)
        return;
    free(window->title);
    window->title = mem_strndup(dialog->text.data, dialog->text.len);
    fake_tell(fake, ELEMENT_EVENT_NAME, fake_top(fake, window), "");
    show_status(fake, window, "Saved");
    close_window(fake, dialog);
}

static bool is_taken(struct fake *fake, const struct fake_window *dialog)
{
    list_each (link, &fake->windows) {
        const struct fake_window *each = container_of(link, struct fake_window, link);

        if (each->ref.pid == dialog->ref.pid && each->ref.id != dialog->parent &&
            strlen(each->title) == dialog->text.len &&
            memcmp(each->title, dialog->text.data, dialog->text.len) == 0)
            return true;
    }
    return false;
}

/* A file without a name cannot be saved: the dialog stays. */
static void save_as(struct fake *fake, struct fake_window *dialog)
{
    if (!dialog->text.len)
        return;
    if (is_taken(fake, dialog))
        open_dialog(fake, dialog, "Replace file?");
    else
        rename_parent(fake, dialog);
}

static void replace_file(struct fake *fake, struct fake_window *question)
{
    struct fake_window *dialog = window_of(fake, question->parent);

    close_window(fake, question);
    if (dialog)
        rename_parent(fake, dialog);
}

static void close_both(struct fake *fake, struct fake_window *dialog)
{
    struct fake_window *window = window_of(fake, dialog->parent);

    close_window(fake, dialog);
    if (!window)
        return;
    free(window->stays);
    window->stays = NULL;
    close_window(fake, window);
}

/* --- texts ------------------------------------------------------------------------- */

static void clear_text(struct fake *fake, struct fake_window *window)
{
    struct fake_element *top = fake_top(fake, window);

    window->text.len = 0;
    window->selected = false;
    for (struct fake_element *at = top; at; at = fake_next_element(top, at)) {
        if (at->shared)
            fake_tell(fake, ELEMENT_EVENT_VALUE, at, "delete");
    }
}

struct buf *fake_typed_text(struct fake *fake, struct fake_window *window)
{
    struct fake_element *keys = fake_top(fake, window) ? window->keys : NULL;

    if (!keys || keys->shared || !(keys->abilities & ELEMENT_CAN_WRITE) ||
        (keys->abilities & ELEMENT_CAN_COUNT))
        return &window->text;
    return &keys->text;
}

/* --- presses ----------------------------------------------------------------------- */

static void choose_option(struct fake *fake, struct fake_element *option)
{
    struct fake_element *combo = option->parent;

    while (combo && combo->role != ELEMENT_COMBO)
        combo = combo->parent;
    if (!combo)
        return;
    fake_select_element(fake, option);
    combo->text.len = 0;
    buf_adds(&combo->text, option->name);
    pop_up(fake, combo, false);
    fake_tell(fake, ELEMENT_EVENT_VALUE, combo, "");
}

/* Reactions that change the element and elements in it. */
static void react_inside(struct fake *fake, struct fake_element *element, bool pointer)
{
    switch (element->reaction) {
    case REACT_TOGGLE:
        set_state(fake, element, ELEMENT_CHECKED, !(element->states & ELEMENT_CHECKED), "checked");
        break;
    case REACT_CHOOSE_RADIO:
        set_alone(fake, element, ELEMENT_CHECKED, "checked");
        break;
    case REACT_POP_UP:
        pop_up(fake, element, !(element->states & ELEMENT_EXPANDED));
        break;
    case REACT_CHOOSE_OPTION:
        choose_option(fake, element);
        break;
    case REACT_SELECT:
        fake_select_element(fake, element);
        break;
    case REACT_SAY:
    case REACT_SAVE:
        show_status(fake, element->window, element->argument);
        break;
    case REACT_POINTER:
        if (pointer)
            show_status(fake, element->window, element->argument);
        break;
    default:
        break;
    }
}

/* Reactions that change windows and their text; the element may be gone afterwards. */
static void react_outside(struct fake *fake, struct fake_element *element)
{
    struct fake_window *window = element->window;

    switch (element->reaction) {
    case REACT_CLEAR:
        clear_text(fake, window);
        break;
    case REACT_SELECT_ALL:
        window->selected = true;
        break;
    case REACT_RENAME:
        save_as(fake, window);
        break;
    case REACT_REPLACE:
        replace_file(fake, window);
        break;
    case REACT_DIALOG:
        open_dialog(fake, window, element->argument);
        break;
    case REACT_CLOSE:
        close_window(fake, window);
        break;
    case REACT_CLOSE_BOTH:
        close_both(fake, window);
        break;
    default:
        break;
    }
}

static bool is_item(const struct fake_element *element)
{
    return element->role == ELEMENT_MENU_ITEM || element->role == ELEMENT_CHECK_ITEM ||
           element->role == ELEMENT_RADIO_ITEM;
}

void fake_press_element(struct fake *fake, struct fake_element *element, bool pointer)
{
    struct fake_element *menu = is_item(element) ? element->parent : NULL;

    if (!(element->states & ELEMENT_ENABLED))
        return;
    for (; menu && menu->role == ELEMENT_MENU; menu = menu->parent)
        pop_up(fake, menu, false);
    react_inside(fake, element, pointer);
    react_outside(fake, element);
}

static bool pops_up(const struct fake_element *element)
{
    return (element->role == ELEMENT_MENU || element->role == ELEMENT_COMBO) &&
           (element->states & ELEMENT_EXPANDED);
}

/* The innermost open menu of this window; or NULL. */
static struct fake_element *open_menu(struct fake *fake, struct fake_window *window)
{
    struct fake_element *found = NULL;

    for (struct fake_element *at = window->top; at; at = fake_next_element(window->top, at)) {
        if (pops_up(at) && fake_element_shown(fake, at))
            found = at;
    }
    return found;
}

void fake_escape(struct fake *fake, struct fake_window *focused)
{
    list_each (link, &fake->windows) {
        struct fake_element *menu = open_menu(fake, container_of(link, struct fake_window, link));

        if (menu) {
            pop_up(fake, menu, false);
            return;
        }
    }
    if (focused && focused->parent && !fake->mirror && fake_top(fake, focused))
        close_window(fake, focused);
}

/* --- long lists -------------------------------------------------------------------- */

enum { ROW_HEIGHT = 20, NOTCH_ROWS = 3 };

void fake_scroll_list(struct fake *fake, struct fake_element *list, int first)
{
    int shown = (int)(list->place.height / ROW_HEIGHT);
    char name[32];

    if (first > list->rows - shown)
        first = list->rows - shown;
    list->first = first < 0 ? 0 : first;
    while (!list_empty(&list->children))
        fake_drop_element(container_of(list->children.next, struct fake_element, link));
    for (int i = 0; i < shown; i++) {
        struct fake_element *row;

        snprintf(name, sizeof name, "Snippet %d", list->first + i + 1);
        row = fake_new_element(fake, list->window, list, ELEMENT_LIST_ITEM, name);
        row->reaction = REACT_SELECT;
        row->place = (struct rect){ list->place.x, list->place.y + i * ROW_HEIGHT,
                                    list->place.width, ROW_HEIGHT };
    }
    fake_tell(fake, ELEMENT_EVENT_CHILDREN, list, "add");
}

/* --- the pointer ------------------------------------------------------------------- */

void fake_click_at(struct fake *fake, struct fake_window *window, struct point at)
{
    struct fake_element *element = fake_element_at(fake, window, at);

    if (!element || !(element->states & ELEMENT_ENABLED))
        return;
    if (element->states & ELEMENT_FOCUSABLE)
        fake_focus_element(fake, element);
    fake_press_element(fake, element, true);
}

void fake_scroll_at(struct fake *fake, struct fake_window *window, struct point at, double lines)
{
    struct fake_element *element = fake_element_at(fake, window, at);

    for (; element; element = element->parent) {
        if (!element->rows)
            continue;
        fake_scroll_list(fake, element, element->first + (int)(lines * NOTCH_ROWS));
        return;
    }
}
