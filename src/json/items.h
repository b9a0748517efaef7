/* The source texts of an array's items, one after another, without a tree: for a
 * batch, whose parts become documents of their own. */
#ifndef PERIGEE_JSON_ITEMS_H
#define PERIGEE_JSON_ITEMS_H

#include "base/util.h"

struct json_items {
    const char *at, *end;
};

/* Text whose root is an array, and which json_scan() or json_parse() has accepted. Borrows it. */
struct json_items json_items(const char *text, size_t len);

/* The next item's text, without white space around it; false at the end. Borrows from the text. */
bool json_items_next(struct json_items *items, struct str *item);

#endif
