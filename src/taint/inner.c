/* Labels are also those that dashes part: a label has no dots. */
#include "taint/inner.h"

#include "json/hex.h"
#include "taint/host.h"

enum { LABELS_MIN = 4, LABELS_MAX = 128 }; /* labels of a host that is looked into */

/* Gives each row of labels. */
static void give_rows(struct str name, void (*fn)(void *context, struct str inner), void *context)
{
    size_t from[LABELS_MAX + 1] = { 0 }, count = 1;

    for (size_t i = 0; i < name.len && count < LABELS_MAX; i++)
        if (name.ptr[i] == '.')
            from[count++] = i + 1;
    if (count < LABELS_MIN)
        return;
    from[count] = name.len + 1;
    for (size_t first = 0; first < count; first++)
        for (size_t end = first + 2; end <= count && end - first < count; end++)
            fn(context, (struct str){ name.ptr + from[first], from[end] - 1 - from[first] });
}

/* Gives each address that eight hexadecimal digits are. */
static void give_hexadecimal(struct str host, void (*fn)(void *context, struct str inner),
                             void *context)
{
    struct buf spelled = { 0 };
    char number[] = "0x00000000";
    size_t digits = 0;

    for (size_t i = 0; i <= host.len; i++) {
        if (i < host.len && hex_value(host.ptr[i]) >= 0) {
            digits++;
            continue;
        }
        spelled.len = 0;
        if (digits == 8 && (i == host.len || host.ptr[i] == '.' || host.ptr[i] == '-')) {
            memcpy(number + 2, host.ptr + i - digits, digits);
            if (host_spell(&spelled, str_from(number)) != HOST_NONE)
                fn(context, buf_str(&spelled));
        }
        digits = 0;
    }
    buf_free(&spelled);
}

/* Is it an address in its one spelling, or nothing? */
static bool is_address(struct str host)
{
    size_t i = 0;

    while (i < host.len && (host.ptr[i] == '.' || (host.ptr[i] >= '0' && host.ptr[i] <= '9')))
        i++;
    return i == host.len || memchr(host.ptr, ':', host.len);
}

void taint_inner_hosts(struct str host, void (*fn)(void *context, struct str inner), void *context)
{
    struct buf name = { 0 };

    if (is_address(host))
        return;
    give_rows(host, fn, context);
    for (size_t i = 0; i < host.len; i++)
        buf_addc(&name, (char)(host.ptr[i] == '-' ? '.' : host.ptr[i]));
    if (memchr(host.ptr, '-', host.len))
        give_rows(buf_str(&name), fn, context);
    give_hexadecimal(host, fn, context);
    buf_free(&name);
}
