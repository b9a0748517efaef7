/* Where a value stands in a text: for numbers that must go back as they came,
 * digit by digit, which a double cannot promise beyond 2^53.
 *
 * Everything here expects text that json_parse() accepted, and borrows it. */
#ifndef PERIGEE_JSON_SPAN_H
#define PERIGEE_JSON_SPAN_H

#include "base/util.h"

/* The text of a member's value, the last one of that name; empty if `object` is no
 * object or has none. The name is compared as it is written: escapes in it do not count. */
struct str json_span_member(struct str object, const char *name);

/* Walks an array: `rest` is its text at first. False after the last element. */
bool json_span_next(struct str *rest, struct str *item);

#endif
