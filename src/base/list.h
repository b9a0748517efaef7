/* An intrusive, circular, doubly linked list: the link sits in the element. */
#ifndef PERIGEE_BASE_LIST_H
#define PERIGEE_BASE_LIST_H

#include "base/util.h"

struct link {
    struct link *prev, *next;
};

/* Also makes a single element safe to list_remove(). */
static inline void list_init(struct link *head)
{
    head->prev = head->next = head;
}

static inline bool list_empty(const struct link *head)
{
    return head->next == head;
}

static inline void list_push(struct link *head, struct link *item)
{
    item->prev = head->prev;
    item->next = head;
    head->prev->next = item;
    head->prev = item;
}

/* Twice is harmless. */
static inline void list_remove(struct link *item)
{
    item->prev->next = item->next;
    item->next->prev = item->prev;
    list_init(item);
}

/* The first element, taken off; NULL when empty. */
static inline struct link *list_pop(struct link *head)
{
    struct link *item = head->next;

    if (item == head)
        return NULL;
    list_remove(item);
    return item;
}

/* The loop body may remove the current element, but no other. `item` is a name, so
 * it cannot stand in parentheses. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */
#define list_each(item, head)                                                                      \
    for (struct link *item = (head)->next, *item##_next = item->next; item != (head);              \
         item = item##_next, item##_next = item->next)
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
