/* Reading and printing doubles. The C library does the hard part; the locale's
 * decimal point is put in and taken out around it, because a library that was
 * loaded later may have called setlocale(). */
#include "json/number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double number_read(const char *text, size_t len)
{
    char small[128];
    char *copy = len < sizeof small ? small : mem_alloc(len + 1);
    char *point;
    double value;

    memcpy(copy, text, len);
    copy[len] = '\0';
    point = memchr(copy, '.', len);
    if (point)
        *point = *localeconv()->decimal_point;
    value = strtod(copy, NULL);
    if (copy != small)
        free(copy);
    return value;
}

size_t integer_text(char out[NUMBER_TEXT_MAX], int64_t value)
{
    char digits[24];
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    size_t start = sizeof digits;

    do {
        digits[--start] = (char)('0' + rest % 10);
    } while (rest /= 10);
    if (value < 0)
        digits[--start] = '-';
    memcpy(out, digits + start, sizeof digits - start);
    return sizeof digits - start;
}

/* Most fractions met in practice have few decimals. value * 10^6 rounded to an
 * integer n, both exact, divided again gives the double nearest to n / 10^6:
 * when that is the value, its digits are those of n. */
static size_t short_fraction(char *out, double value)
{
    double scaled = nearbyint(value * 1e6);
    uint64_t n;
    size_t len = 0;

    if (fabs(scaled) > 1e15 || scaled / 1e6 != value)
        return 0;
    n = (uint64_t)fabs(scaled);
    if (value < 0)
        out[len++] = '-';
    len += integer_text(out + len, (int64_t)(n / 1000000));
    out[len] = '.';
    n %= 1000000;
    for (size_t i = 6; i > 0; i--, n /= 10)
        out[len + i] = (char)('0' + n % 10);
    len += 7;
    while (out[len - 1] == '0')
        len--;
    return len;
}

static size_t print_shortest(char *out, double value)
{
    char point = *localeconv()->decimal_point;
    int len = 0;

    for (int precision = 15; precision <= 17; precision++) {
        len = snprintf(out, NUMBER_TEXT_MAX, "%.*g", precision, value);
        if (strtod(out, NULL) == value)
            break;
    }
    if (point != '.') {
        char *found = memchr(out, point, (size_t)len);

        if (found)
            *found = '.';
    }
    return (size_t)len;
}

size_t number_text(char out[NUMBER_TEXT_MAX], double value)
{
    size_t len;

    if (fabs(value) <= EXACT_INTEGERS && value == (double)(int64_t)value) {
        if (value == 0 && signbit(value)) {
            out[0] = '-';
            out[1] = '0';
            return 2;
        }
        return integer_text(out, (int64_t)value);
    }
    len = short_fraction(out, value);
    return len ? len : print_shortest(out, value);
}
