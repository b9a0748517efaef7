/* Backoff and Retry-After. Dates are read by hand: strptime() depends on the locale. */
#include "http/retry.h"

#include <stdio.h>
#include <strings.h>
#include <time.h>

uint64_t retry_backoff_ms(const struct retry_policy *policy, unsigned failures, double chance)
{
    uint64_t limit = policy->base_ms;

    for (unsigned i = 1; i < failures && limit < policy->max_ms; i++)
        limit = limit > UINT64_MAX / 2 ? UINT64_MAX : limit * 2;
    if (limit > policy->max_ms)
        limit = policy->max_ms;
    return (uint64_t)((double)limit * chance);
}

uint64_t retry_asked_ms(const struct retry_policy *policy, uint64_t after_ms, double chance)
{
    uint64_t spread = (uint64_t)((double)policy->base_ms * chance);

    if (after_ms >= policy->max_ms || spread >= policy->max_ms - after_ms)
        return policy->max_ms;
    return after_ms + spread;
}

/* 0 for January; -1: not a month. */
static int month_of(const char *name)
{
    static const char names[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

    for (int i = 0; i < 12; i++) {
        if (strcasecmp(name, names[i]) == 0)
            return i;
    }
    return -1;
}

/* The year is a whole one, not yet counted from 1900. */
static bool scan_date(const char *text, struct tm *d, char month[4])
{
    int end = 0;

    /* Sun, 06 Nov 1994 08:49:37 GMT */
    if (sscanf(text, "%*3[A-Za-z], %2d %3[A-Za-z] %4d %2d:%2d:%2d GMT%n", &d->tm_mday, month,
               &d->tm_year, &d->tm_hour, &d->tm_min, &d->tm_sec, &end) == 6 &&
        end > 0)
        return text[end] == '\0';
    /* Sunday, 06-Nov-94 08:49:37 GMT; two digits mean this century here */
    if (sscanf(text, "%*9[A-Za-z], %2d-%3[A-Za-z]-%2d %2d:%2d:%2d GMT%n", &d->tm_mday, month,
               &d->tm_year, &d->tm_hour, &d->tm_min, &d->tm_sec, &end) == 6 &&
        end > 0) {
        d->tm_year += 2000;
        return text[end] == '\0';
    }
    /* Sun Nov  6 08:49:37 1994 */
    return sscanf(text, "%*3[A-Za-z] %3[A-Za-z] %2d %2d:%2d:%2d %4d%n", month, &d->tm_mday,
                  &d->tm_hour, &d->tm_min, &d->tm_sec, &d->tm_year, &end) == 6 &&
           end > 0 && text[end] == '\0';
}

static bool parse_date(const char *text, int64_t *seconds)
{
    struct tm d = { 0 };
    char month[4];

    if (!scan_date(text, &d, month))
        return false;
    d.tm_mon = month_of(month);
    if (d.tm_mon < 0 || d.tm_year < 1970 || d.tm_mday < 1 || d.tm_mday > 31 || d.tm_hour < 0 ||
        d.tm_hour > 23 || d.tm_min < 0 || d.tm_min > 59 || d.tm_sec < 0 || d.tm_sec > 60)
        return false;
    d.tm_year -= 1900;
    *seconds = timegm(&d);
    return true;
}

static bool parse_seconds(const char *text, uint64_t *ms)
{
    const uint64_t longest = UINT64_C(100) * 365 * 86400; /* a century */
    uint64_t seconds = 0;

    if (!*text)
        return false;
    for (; *text >= '0' && *text <= '9'; text++) {
        seconds = seconds * 10 + (uint64_t)(*text - '0');
        if (seconds > longest)
            seconds = longest;
    }
    *ms = seconds * 1000;
    return *text == '\0';
}

bool retry_after_parse(struct str value, int64_t now_s, uint64_t *after_ms)
{
    char text[64];
    int64_t when;

    while (value.len > 0 && (*value.ptr == ' ' || *value.ptr == '\t'))
        value.ptr++, value.len--;
    while (value.len > 0 && (value.ptr[value.len - 1] == ' ' || value.ptr[value.len - 1] == '\t'))
        value.len--;
    if (value.len >= sizeof text)
        return false;
    memcpy(text, value.ptr, value.len);
    text[value.len] = '\0';
    if (parse_seconds(text, after_ms))
        return true;
    if (!parse_date(text, &when))
        return false;
    *after_ms = when > now_s ? (uint64_t)(when - now_s) * 1000 : 0;
    return true;
}

bool retry_status(int status)
{
    switch (status) {
    case 429:
    case 500:
    case 502:
    case 503:
    case 504:
    case 529:
        return true;
    default:
        return false;
    }
}

bool retry_method(const char *method)
{
    static const char *const methods[] = { "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE" };

    for (size_t i = 0; i < countof(methods); i++) {
        if (strcmp(method, methods[i]) == 0)
            return true;
    }
    return false;
}
