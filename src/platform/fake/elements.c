/* The fake's operations on elements. */
#include "platform/fake/elements.h"

#include <stdio.h>
#include <stdlib.h>

#include "json/utf8.h"
#include "platform/fake/field.h"
#include "platform/fake/mirror.h"

static bool gone(uint64_t id, struct error *err)
{
    return error_set(err, "element_gone", "element %llu no longer exists. Read the elements again",
                     (unsigned long long)id);
}

/* --- one element, as callers see it ------------------------------------------------ */

/* Copies text, as much as `max` bytes allow. */
static char *copy_text(struct str text, size_t max, bool *cut)
{
    struct buf clean = { 0 };
    char *copy;

    utf8_clean(&clean, text.ptr, text.len);
    *cut = clean.len > max;
    copy = mem_strndup(clean.data ? clean.data : "",
                       *cut ? utf8_cut(clean.data, clean.len, max) : clean.len);
    buf_free(&clean);
    return copy;
}

static int place_in_parent(const struct fake_element *element)
{
    int index = 0;

    if (!element->parent)
        return -1;
    list_each (link, &element->parent->children) {
        if (link == &element->link)
            break;
        index++;
    }
    return index + element->parent->first;
}

static int count_children(const struct fake_element *element)
{
    int count = 0;

    if (element->rows)
        return element->rows;
    list_each (link, &element->children)
        count++;
    return count;
}

static void describe_element(struct fake *fake, struct fake_element *element,
                             const struct element_query *query, struct element_info *out)
{
    struct str value = fake_element_text(element);

    if (!query->values || element->role == ELEMENT_PASSWORD)
        value = STR("");
    *out = (struct element_info){
        .id = element->id,
        .pid = element->window->ref.pid,
        .parent = element->parent ? element->parent->id : 0,
        .window = element->window->ref.id,
        .role = element->role,
        .states = fake_element_states(fake, element),
        .abilities = element->abilities,
        .index = place_in_parent(element),
        .children = count_children(element),
        .number = element->number,
        .least = element->least,
        .most = element->most,
        .step = element->step,
        .description = mem_strdup(element->description ? element->description : ""),
        .native = mem_strdup(element->native ? element->native : fake_native_role(element->role)),
        .actions = query->actions ? mem_strdup(fake_actions(element)) : NULL,
    };
    out->placed = query->bounds && (out->states & ELEMENT_SHOWN) && !element->unplaced;
    if (out->placed)
        out->bounds = fake_element_bounds(element);
    out->name = copy_text(
        str_from(element->parent || fake->mirror ? element->name : element->window->title),
        ELEMENT_NAME_MAX, &out->name_cut);
    out->value = copy_text(value, ELEMENT_VALUE_MAX, &out->value_cut);
}

static struct element_info *add_info(struct element_tree *tree)
{
    tree->items = mem_resize(tree->items, sizeof *tree->items * (tree->count + 1));
    tree->items[tree->count] = (struct element_info){ 0 };
    return &tree->items[tree->count++];
}

/* --- a tree --------------------------------------------------------------------------------- */

struct walk {
    struct fake *fake;
    struct element_query query;
    struct element_tree *tree;
};

/* Walks elements that are at most `depth` levels deep: the trees here are shallow. */
static void walk(struct walk *self, struct fake_element *element, int depth)
{
    size_t at = self->tree->count;
    int listed = 0;

    if (!self->query.hidden && !fake_element_shown(self->fake, element))
        return;
    describe_element(self->fake, element, &self->query, add_info(self->tree));
    self->tree->items[at].depth = depth;
    list_each (link, &element->children) {
        size_t before = self->tree->count;

        if (before >= self->query.nodes || depth + 1 > self->query.depth ||
            listed >= self->query.children) {
            self->tree->cut = true;
            break;
        }
        walk(self, container_of(link, struct fake_element, link),
             depth + 1); /* NOLINT(misc-no-recursion) */
        listed += self->tree->count > before;
    }
    self->tree->items[at].listed = listed;
}

static void walk_windows(struct walk *self)
{
    list_each (link, &self->fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);
        struct fake_element *top;

        if (window->ref.pid != self->query.pid ||
            (self->query.window && window->ref.id != self->query.window))
            continue;
        top = fake_top(self->fake, window);
        if (top && self->tree->count < self->query.nodes)
            walk(self, top, 0);
        else if (top)
            self->tree->cut = true;
    }
}

/* False with the error that an application without elements returns. */
static bool check_app(struct fake *fake, const struct element_query *query, struct error *err)
{
    struct fake_app *app = fake_find_app(fake, query->pid, query->started);

    if (!app)
        return error_set(err, "app_not_found",
                         "process %d has exited or is not an application. List the applications "
                         "again",
                         query->pid);
    if (fake->mirror) {
        fake_mirror_elements(fake, app);
        return !*app->untold.code || error_set(err, app->untold.code, "%s", app->untold.text);
    }
    if (strcmp(app->id, "org.perigee.Calculator") == 0)
        return error_set(err, "no_tree",
                         "%s tells nothing of its interface. Take a screenshot and click by pixel",
                         app->name);
    return true;
}

static bool read_tree(struct fake *fake, struct walk *self, struct error *err)
{
    struct fake_element *root;

    if (!self->query.root) {
        if (!check_app(fake, &self->query, err))
            return false;
        walk_windows(self);
        return true;
    }
    root = fake_find_element(fake, self->query.root);
    if (!root)
        return gone(self->query.root, err);
    walk(self, root, 0);
    return true;
}

static bool elements_tree(struct desktop *handle, struct deadline *deadline,
                          const struct element_query *query, struct element_tree *out,
                          struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct walk self = { desktop->fake, *query, out };
    bool ok;

    *out = (struct element_tree){ .route = "fake" };
    self.query.nodes = query->nodes ? query->nodes : ELEMENT_NODES;
    self.query.depth = query->depth ? query->depth : ELEMENT_DEPTH;
    self.query.children = query->children ? query->children : ELEMENT_CHILDREN;
    if (!fake_enter(desktop, deadline, err))
        return false;
    ok = read_tree(desktop->fake, &self, err);
    if (ok && !out->count)
        snprintf(out->note, sizeof out->note, "no window of it is shown");
    fake_leave(desktop);
    return ok;
}

static bool elements_get(struct desktop *handle, struct deadline *deadline, const uint64_t *ids,
                         size_t count, struct element_tree *out, struct error *err)
{
    static const struct element_query all = { .bounds = true, .values = true, .actions = true };
    struct fake_desktop *desktop = fake_of(handle);

    *out = (struct element_tree){ .route = "fake" };
    if (!fake_enter(desktop, deadline, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct fake_element *element = fake_find_element(desktop->fake, ids[i]);
        struct element_info *info = add_info(out);

        if (element)
            describe_element(desktop->fake, element, &all, info);
        else
            *info = (struct element_info){ .id = ids[i], .gone = true };
    }
    fake_leave(desktop);
    return true;
}

/* --- acting ------------------------------------------------------------------------ */

static bool has_action(const struct fake_element *element, const char *name)
{
    size_t len = strlen(name);

    for (const char *at = fake_actions(element); at && *at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, name, len) == 0 && (at[len] == '\n' || !at[len]))
            return true;
    }
    return false;
}

static bool do_action(struct fake *fake, struct fake_element *element, const char *name,
                      struct error *err)
{
    if (!name || !has_action(element, name))
        return error_set(err, "not_supported", "the element has no action \"%.100s\"",
                         name ? name : "");
    if (strcmp(name, "text.clear") == 0)
        fake_set_element_text(element, STR(""));
    else
        fake_press_element(fake, element, false);
    return true;
}

/* Opens or closes an element by an action that is a toggle, as toolkits have it. */
static bool open_or_close(struct fake *fake, struct fake_element *element, bool open,
                          struct error *err)
{
    char *action;

    if (((element->states & ELEMENT_EXPANDED) != 0) == open)
        return true;
    action = element_best_opener(fake_actions(element), open, element->role, element->states);
    if (!action)
        return error_set(err, "not_supported", "the element has no action that %s it",
                         open ? "opens" : "closes");
    free(action);
    fake_press_element(fake, element, false);
    return true;
}

static bool element_lacks(const struct fake_element *element, unsigned ability, struct error *err)
{
    if (element->abilities & ability)
        return false;
    error_set(err, "not_supported", "a %s has no such thing", element_role_name(element->role));
    return true;
}

/* Sets a value. Elements that are off agree as well. */
static bool set_value(struct fake *fake, struct fake_element *element,
                      const struct element_change *change, struct error *err)
{
    char digits[32];
    bool number = change->verb == ELEMENT_SET_NUMBER;

    if (element_lacks(element, number ? ELEMENT_CAN_COUNT : ELEMENT_CAN_WRITE, err))
        return false;
    if (!(element->states & ELEMENT_ENABLED))
        return true;
    snprintf(digits, sizeof digits, "%.17g", change->number);
    fake_set_element_text(element, number ? str_from(digits) : change->text);
    fake_tell(fake, ELEMENT_EVENT_VALUE, element, "insert");
    return true;
}

static bool set_caret(struct fake_element *element, const struct element_change *change,
                      struct error *err)
{
    if (element_lacks(element, ELEMENT_CAN_READ, err))
        return false;
    element->caret = change->to < 0 ? change->from : change->to;
    element->selected_from = change->to < 0 ? -1 : change->from;
    element->selected_to = change->to;
    return true;
}

static bool perform_change(struct fake *fake, struct fake_element *element,
                           const struct element_change *change, struct error *err)
{
    switch (change->verb) {
    case ELEMENT_DO:
        return do_action(fake, element, change->name, err);
    case ELEMENT_SET_TEXT:
    case ELEMENT_SET_NUMBER:
        return set_value(fake, element, change, err);
    case ELEMENT_FOCUS:
        if (element_lacks(element, ELEMENT_CAN_FOCUS, err))
            return false;
        fake_focus_element(fake, element);
        return true;
    case ELEMENT_SELECT:
        if (!element->parent || element_lacks(element->parent, ELEMENT_CAN_SELECT, err))
            return false;
        fake_select_element(fake, element);
        return true;
    case ELEMENT_EXPAND:
    case ELEMENT_COLLAPSE:
        return open_or_close(fake, element, change->verb == ELEMENT_EXPAND, err);
    case ELEMENT_SHOW: /* no element here is scrolled out: lists make only those that they show */
        return true;
    default:
        return set_caret(element, change, err);
    }
}

static const char *const verbs[] = { "do",     "set_text", "set_number", "focus", "select",
                                     "expand", "collapse", "show",       "caret" };

static bool elements_act(struct desktop *handle, struct deadline *deadline, uint64_t id,
                         const struct element_change *change, struct element_outcome *out,
                         struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake *fake = desktop->fake;
    struct fake_element *element;

    *out = (struct element_outcome){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    element = fake_find_element(fake, id);
    if (element)
        fake_note(fake, "element.%s %s \"%s\"%s%s", verbs[change->verb],
                  element_role_name(element->role), element->name, change->name ? " " : "",
                  change->name ? change->name : "");
    out->agreed = element ? perform_change(fake, element, change, err) : gone(id, err);
    snprintf(out->route, sizeof out->route, "fake %s%s%s", verbs[change->verb],
             change->name ? " " : "", change->name ? change->name : "");
    fake_leave(desktop);
    return out->agreed;
}

/* --- a text ------------------------------------------------------------------------ */

/* The place of the character, in bytes; that of the end if there are not so many. */
static size_t offset_of(struct str text, int characters)
{
    const char *at = text.ptr, *end = text.ptr + text.len;

    while (characters-- > 0 && at < end) {
        int size = utf8_sequence(at, end);

        at += size < 0 ? -size : size;
    }
    return (size_t)(at - text.ptr);
}

void fake_insert_text(struct fake_element *element, struct str text)
{
    struct str old = fake_element_text(element);
    bool selected = element->selected_from >= 0;
    int from = selected ? element->selected_from : element->caret;
    size_t first = offset_of(old, from);
    size_t last = selected ? offset_of(old, element->selected_to) : first;
    struct buf whole = { 0 };

    buf_add(&whole, old.ptr, first);
    buf_add(&whole, text.ptr, text.len);
    buf_add(&whole, old.ptr + last, old.len - last);
    fake_set_element_text(element, buf_str(&whole));
    element->caret = from + (int)utf8_length(text.ptr, text.len);
    buf_free(&whole);
}

static void set_selection(const struct fake_element *element, struct element_text *out)
{
    bool all = element->shared && element->window->selected;

    out->caret = (element->states & ELEMENT_EDITABLE) ? element->caret : -1;
    out->selected_from = all ? 0 : element->selected_from;
    out->selected_to = all ? out->length : element->selected_to;
}

static void copy_part(struct fake_element *element, int from, int to, struct element_text *out)
{
    struct str text = fake_element_text(element);
    size_t first, last;
    bool cut;

    if (element->role == ELEMENT_LABEL)
        text = str_from(element->name);
    out->length = (int)utf8_length(text.ptr, text.len);
    out->from = from < out->length ? from : out->length;
    out->to = to < 0 || to > out->length ? out->length : to;
    out->to = out->to < out->from ? out->from : out->to;
    first = offset_of(text, out->from);
    last = offset_of(text, out->to);
    out->text = copy_text((struct str){ text.ptr + first, last - first }, ELEMENT_TEXT_MAX, &cut);
    if (cut)
        out->to = out->from + (int)utf8_length(out->text, strlen(out->text));
    set_selection(element, out);
}

static bool elements_text(struct desktop *handle, struct deadline *deadline, uint64_t id, int from,
                          int to, struct element_text *out, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake_element *element;
    bool ok;

    *out = (struct element_text){ 0 };
    if (!fake_enter(desktop, deadline, err))
        return false;
    element = fake_find_element(desktop->fake, id);
    ok = element ? !element_lacks(element, ELEMENT_CAN_READ, err) : gone(id, err);
    if (element && ok)
        copy_part(element, from, to, out);
    fake_leave(desktop);
    return ok;
}

/* --- the element at a point, and events ----------------------------------------- */

static bool elements_at(struct desktop *handle, struct deadline *deadline, int pid,
                        struct point point, uint64_t *id, struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct fake *fake = desktop->fake;
    struct fake_element *found = NULL;
    struct element_query query = { .pid = pid };
    bool ok;

    *id = 0;
    if (!fake_enter(desktop, deadline, err))
        return false;
    ok = check_app(fake, &query, err);
    list_each (link, &fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        if (ok && !found && window->ref.pid == pid)
            found = fake_element_at(fake, window, point);
    }
    *id = found ? found->id : 0;
    fake_leave(desktop);
    return ok;
}

static bool elements_events(struct desktop *handle, struct deadline *deadline, int pid,
                            uint64_t since, uint64_t until, struct element_events *out,
                            struct error *err)
{
    struct fake_desktop *desktop = fake_of(handle);
    struct element_log *log = &desktop->fake->events;
    bool ok, over;

    *out = (struct element_events){ 0 };
    do {
        if (!fake_enter(desktop, deadline, err))
            return false;
        fake_leave(desktop);
        pthread_mutex_lock(&log->lock);
        since = since ? since : element_log_next(log);
        element_log_copy(log, pid, since, out);
        over = out->count || deadline_now() >= until;
        ok = over || element_log_wait(log, deadline, until, err);
        pthread_mutex_unlock(&log->lock);
    } while (ok && !over);
    return ok;
}

const struct element_ops fake_element_ops = {
    .tree = elements_tree,
    .get = elements_get,
    .act = elements_act,
    .text = elements_text,
    .field = fake_field,
    .at = elements_at,
    .events = elements_events,
};
