#include "platform/macos/ax/children.h"

#include <stdlib.h>

#include "platform/macos/ax/roles.h"

void children_free(struct children *children)
{
    cf_release(children->list);
    cf_release(children->header);
    *children = (struct children){ 0 };
}

static enum answer list_children(const struct ask *ask, AXUIElementRef element,
                                 CFStringRef attribute, CFIndex most, struct children *out,
                                 struct error *err)
{
    enum answer answer = ask_list(ask, element, attribute, most + 1, &out->list, err);

    if (answer != ANSWER_GIVEN)
        return answer;
    out->total = CFArrayGetCount(out->list);
    if (out->total > most)
        answer = ask_count(ask, element, attribute, &out->total, err);
    return answer == ANSWER_FAILED ? answer : ANSWER_GIVEN;
}

/* Lists the shown children, and counts all. An empty list is no answer: some have the attribute and
 * never fill it. */
static enum answer list_some_children(const struct ask *ask, AXUIElementRef element,
                                      CFStringRef shown, CFStringRef all, CFIndex most,
                                      struct children *out, struct error *err)
{
    enum answer answer = ask_list(ask, element, shown, most + 1, &out->list, err);

    if (answer == ANSWER_GIVEN && CFArrayGetCount(out->list) == 0) {
        CFRelease(out->list);
        out->list = NULL;
        return ANSWER_NONE;
    }
    if (answer != ANSWER_GIVEN)
        return answer;
    answer = ask_count(ask, element, all, &out->total, err);
    out->some = out->total > CFArrayGetCount(out->list);
    return answer == ANSWER_FAILED ? answer : ANSWER_GIVEN;
}

static bool is_none(enum answer answer)
{
    return answer == ANSWER_NONE || answer == ANSWER_REFUSED;
}

/* Lists the rows of a table, whose children are its columns as well as its rows: each cell would be
 * listed twice. */
static enum answer list_rows(const struct ask *ask, AXUIElementRef element, CFIndex most,
                             struct children *out, struct error *err)
{
    CFTypeRef header = NULL;
    enum answer answer =
        list_some_children(ask, element, kAXVisibleRowsAttribute, kAXRowsAttribute, most, out, err);

    if (is_none(answer))
        answer = list_children(ask, element, kAXRowsAttribute, most, out, err);
    if (answer == ANSWER_GIVEN &&
        ask_one(ask, element, kAXHeaderAttribute, &header, NULL) == ANSWER_GIVEN &&
        CFGetTypeID(header) == AXUIElementGetTypeID())
        out->header = CFArrayCreate(NULL, &header, 1, &kCFTypeArrayCallBacks);
    cf_release(header);
    return answer;
}

enum answer children_read(const struct ask *ask, AXUIElementRef element, const struct node *node,
                          CFIndex most, struct children *out, struct error *err)
{
    enum element_role role = node->info.role;
    enum answer answer = ANSWER_NONE;

    *out = (struct children){ .total = -1 };
    if (ax_role_is_leaf(node->role))
        return ANSWER_NONE;
    if (role == ELEMENT_TABLE || role == ELEMENT_TREE)
        answer = list_rows(ask, element, most, out, err);
    else if (role == ELEMENT_LIST)
        answer = list_some_children(ask, element, kAXVisibleChildrenAttribute, kAXChildrenAttribute,
                                    most, out, err);
    return is_none(answer) ? list_children(ask, element, kAXChildrenAttribute, most, out, err)
                           : answer;
}

/* --- the name of a row ---------------------------------------------------------------------- */

enum { LEVELS = 2, FIRST = 4 }; /* levels below a row; the first elements of each */

bool children_give_name(enum element_role role)
{
    return role == ELEMENT_ROW || role == ELEMENT_TREE_ITEM || role == ELEMENT_LIST_ITEM;
}

static const char *info_text(const struct element_info *info)
{
    if (info->role == ELEMENT_ENTRY)
        return info->value;
    return info->role == ELEMENT_LABEL || info->role == ELEMENT_LINK ? info->name : "";
}

char *children_name(const struct element_tree *tree, size_t at)
{
    int depth = tree->items[at].depth;

    for (size_t i = at + 1; i < tree->count && tree->items[i].depth > depth; i++) {
        const struct element_info *info = &tree->items[i];

        if (info->depth <= depth + LEVELS && info->index < FIRST && *info_text(info))
            return mem_strdup(info_text(info));
    }
    return NULL;
}

/* NOLINTBEGIN(misc-no-recursion): LEVELS deep */
static char *first_text(const struct ask *ask, AXUIElementRef element, int level)
{
    struct node_wish wish = { .values = true };
    CFArrayRef list;
    char *text = NULL;

    if (ask_list(ask, element, kAXChildrenAttribute, FIRST, &list, NULL) != ANSWER_GIVEN)
        return NULL;
    for (CFIndex i = 0; i < CFArrayGetCount(list) && !text; i++) {
        AXUIElementRef each = CFArrayGetValueAtIndex(list, i);
        struct node node;

        if (node_read(ask, each, &wish, &node, NULL) != ANSWER_GIVEN)
            continue;
        if (*info_text(&node.info))
            text = mem_strdup(info_text(&node.info));
        else if (level < LEVELS && !ax_role_is_leaf(node.role))
            text = first_text(ask, each, level + 1);
        node_free(&node);
    }
    CFRelease(list);
    return text;
}
/* NOLINTEND(misc-no-recursion) */

char *children_ask_name(const struct ask *ask, AXUIElementRef element)
{
    return first_text(ask, element, 1);
}
