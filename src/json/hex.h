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

#endif
