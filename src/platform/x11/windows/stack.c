/* How windows lie over each other, as the server has them: the lists that window managers keep are
 * late, in another order, or missing. */
#include "platform/x11/windows/stack.h"

#include <stdlib.h>

#include "platform/x11/windows/manager.h"
#include "platform/x11/wire/property.h"

enum { DEPTH_MAX = 16, FRAME_DEPTH_MAX = 3, FRAME_CHILDREN_MAX = 64 };

xcb_query_tree_cookie_t stack_ask(struct x11_desktop *desktop)
{
    return xcb_query_tree(desktop->xcb, (xcb_window_t)desktop->root);
}

static void take_children(const xcb_query_tree_reply_t *tree, struct stack *out)
{
    *out = (struct stack){ .count = tree ? (size_t)xcb_query_tree_children_length(tree) : 0 };
    if (out->count) {
        out->ids = mem_alloc(out->count * 4);
        memcpy(out->ids, xcb_query_tree_children(tree), out->count * 4);
    }
}

void stack_answer(struct x11_desktop *desktop, xcb_query_tree_cookie_t cookie, struct stack *out)
{
    xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desktop->xcb, cookie, NULL);

    take_children(tree, out);
    free(tree);
}

void stack_free(struct stack *stack)
{
    free(stack->ids);
    *stack = (struct stack){ 0 };
}

int stack_place(const struct stack *stack, Window window)
{
    for (size_t i = stack->count; i-- > 0;) {
        if (stack->ids[i] == window)
            return (int)i;
    }
    return -1;
}

/* --- the managed window around a window --------------------------------------------- */

static Window take_parent(struct x11_desktop *desktop, xcb_query_tree_cookie_t asked)
{
    xcb_query_tree_reply_t *tree = xcb_query_tree_reply(desktop->xcb, asked, NULL);
    Window parent = tree ? tree->parent : None;

    free(tree);
    return parent;
}

Window x11_parent(struct x11_desktop *desktop, Window window)
{
    return take_parent(desktop, xcb_query_tree(desktop->xcb, (xcb_window_t)window));
}

Window x11_outermost(struct x11_desktop *desktop, Window window)
{
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
        Window parent = x11_parent(desktop, window);

        if (parent == None || parent == desktop->root)
            break;
        window = parent;
    }
    return window;
}

/* True if WM_STATE is there and does not say "withdrawn". */
static bool take_mark(struct x11_desktop *desktop, xcb_get_property_cookie_t asked)
{
    uint32_t state[2] = { WithdrawnState };

    return x11_answer_longs(desktop, asked, state, 2) && state[0] != WithdrawnState;
}

struct around_question x11_around_ask(struct x11_desktop *desktop, Window window)
{
    struct around_question question = { .window = window };

    if (window) {
        question.mark = x11_ask(desktop, window, A(WM_STATE), 2);
        question.tree = xcb_query_tree(desktop->xcb, (xcb_window_t)window);
    }
    return question;
}

Window x11_around_answer(struct x11_desktop *desktop, struct around_question question,
                         Window managed, bool *marked)
{
    *marked = false;
    for (int depth = 1;; depth++) {
        Window parent = take_parent(desktop, question.tree);

        *marked = take_mark(desktop, question.mark);
        if (*marked || parent == None || parent == desktop->root)
            return question.window;
        *marked = managed && parent == managed;
        if (*marked || depth == DEPTH_MAX)
            return parent;
        question = x11_around_ask(desktop, parent);
    }
}

void x11_around_drop(struct x11_desktop *desktop, struct around_question question)
{
    if (!question.window)
        return;
    xcb_discard_reply(desktop->xcb, question.mark.sequence);
    xcb_discard_reply(desktop->xcb, question.tree.sequence);
}

Window x11_client_around(struct x11_desktop *desktop, Window window, Window managed, bool *marked)
{
    return x11_around_answer(desktop, x11_around_ask(desktop, window), managed, marked);
}

/* --- finding the applications' windows ------------------------------------------------ */

/* The one of these windows that is marked; None. All are asked at once. */
static Window marked_one(struct x11_desktop *desktop, const struct stack *among)
{
    xcb_get_property_cookie_t asked[FRAME_CHILDREN_MAX];
    size_t count = among->count < FRAME_CHILDREN_MAX ? among->count : FRAME_CHILDREN_MAX;
    Window found = None;

    for (size_t i = 0; i < count; i++)
        asked[i] = x11_ask(desktop, among->ids[i], A(WM_STATE), 2);
    for (size_t i = 0; i < count; i++) {
        if (take_mark(desktop, asked[i]) && !found)
            found = among->ids[i];
    }
    return found;
}

/* The application's window in a frame. The levels are searched one after the other for a mark,
 * because a mark further down belongs to a window within a window. */
static Window client_within(struct x11_desktop *desktop, Window frame, int depth)
{
    struct stack below;
    Window found;

    stack_answer(desktop, xcb_query_tree(desktop->xcb, (xcb_window_t)frame), &below);
    found = marked_one(desktop, &below);
    for (size_t i = below.count; i-- > 0 && !found && depth > 1;)
        found = client_within(desktop, below.ids[i], depth - 1);
    stack_free(&below);
    return found;
}

static bool is_mapped(struct x11_desktop *desktop, xcb_get_window_attributes_cookie_t asked)
{
    xcb_get_window_attributes_reply_t *reply =
        xcb_get_window_attributes_reply(desktop->xcb, asked, NULL);
    bool mapped = reply && reply->map_state == XCB_MAP_STATE_VIEWABLE;

    free(reply);
    return mapped;
}

uint32_t *stack_clients(struct x11_desktop *desktop, const struct stack *stack, size_t *count)
{
    bool managed = x11_is_managed(desktop);
    uint32_t *out = mem_alloc((stack->count + 1) * sizeof *out);
    xcb_get_window_attributes_cookie_t *asked = mem_alloc((stack->count + 1) * sizeof *asked);
    xcb_get_property_cookie_t *marks = mem_alloc((stack->count + 1) * sizeof *marks);

    *count = 0;
    for (size_t i = 0; i < stack->count; i++) {
        asked[i] = xcb_get_window_attributes(desktop->xcb, stack->ids[i]);
        marks[i] = x11_ask(desktop, stack->ids[i], A(WM_STATE), 2);
    }
    for (size_t i = 0; i < stack->count; i++) {
        bool mapped = is_mapped(desktop, asked[i]);
        bool marked = take_mark(desktop, marks[i]);
        Window client = None;

        if (marked || (!managed && mapped))
            client = stack->ids[i];
        else if (managed)
            client = client_within(desktop, stack->ids[i], FRAME_DEPTH_MAX);
        if (client)
            out[(*count)++] = (uint32_t)client;
    }
    free(asked);
    free(marks);
    return out;
}
