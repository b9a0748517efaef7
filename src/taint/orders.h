/* Words that are spread over several arguments, in any order of these: whoever copies them may call
 * the arguments whatever sorts them otherwise. */
#ifndef PERIGEE_TAINT_ORDERS_H
#define PERIGEE_TAINT_ORDERS_H

#include "base/buf.h"

struct order_piece {
    uint32_t from, len; /* place of the cleaned text of one argument */
    uint32_t words;
};

/* Zeroed memory has no pieces. */
struct orders {
    struct buf text;
    struct order_piece *items;
    size_t count, room;
    bool open; /* the last piece goes on with the next text */
};

void orders_free(struct orders *orders);

/* Adds text as a piece of its own, or to the last one, if that is open. */
void orders_add(struct orders *orders, struct str text);

/* The next texts are one piece, in their order; until orders_close(). */
void orders_open(struct orders *orders);
void orders_close(struct orders *orders);

/* Calls fn(context, row) for the rows of three words across two pieces or three, in each order of
 * them, until it returns false. `row` is borrowed for the call. */
void orders_rows(const struct orders *orders, bool (*fn)(void *context, struct str row),
                 void *context);

#endif
