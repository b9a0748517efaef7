/* Numbers as JSON spells them, whatever the locale's decimal point is. */
#ifndef PERIGEE_JSON_NUMBER_H
#define PERIGEE_JSON_NUMBER_H

#include "base/util.h"

/* 2^53: up to it, a double holds every integer exactly. */
#define EXACT_INTEGERS 9007199254740992.0

/* The value of a number in JSON's grammar (the caller has checked it);
 * infinite when it is beyond the range of a double. */
double number_read(const char *text, size_t len);

enum { NUMBER_TEXT_MAX = 32 };

/* A text of at most 17 digits that reads back as exactly this value: integers up to 2^53
 * in plain digits. Returns its length (no NUL is added); value is finite. */
size_t number_text(char out[NUMBER_TEXT_MAX], double value);

size_t integer_text(char out[NUMBER_TEXT_MAX], int64_t value);

#endif
