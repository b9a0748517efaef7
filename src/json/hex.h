/* Hexadecimal digits, as escapes of JSON and of URIs have them. */
#ifndef PERIGEE_JSON_HEX_H
#define PERIGEE_JSON_HEX_H

/* The value of a digit, of either case; -1: it is not one. */
static inline int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The code unit of the "\uXXXX" that begins at `at`; -1: there is none before `end`. */
static inline int hex_escape(const char *at, const char *end)
{
    int unit = 0;

    if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return -1;
    for (int i = 2; i < 6; i++) {
        int digit = hex_value(at[i]);

        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

#endif
