/* Backoff and Retry-After. Dates are read by hand: strptime() depends on the
 * locale, and timegm() is in no standard. */
#include "http/retry.h"

#include <stdio.h>
#include <strings.h>

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

/* Days from 1970-01-01 in the Gregorian calendar; month is 1 to 12. Counting
 * years from March puts the leap day at their end. */
static int64_t days_of(int64_t year, int month, int day)
{
    int64_t y = month > 2 ? year : year - 1;
    int64_t m = month > 2 ? month - 3 : month + 9;

    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

static int month_of(const char *name)
{
    static const char names[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

    for (int i = 0; i < 12; i++) {
        if (strcasecmp(name, names[i]) == 0)
            return i + 1;
    }
    return 0;
}

struct date {
    char month[4];
    int year, day, hour, minute, second;
};

static bool scan(const char *text, struct date *d)
{
    int end = 0;

    /* Sun, 06 Nov 1994 08:49:37 GMT */
    if (sscanf(text, "%*3[A-Za-z], %2d %3[A-Za-z] %4d %2d:%2d:%2d GMT%n", &d->day, d->month,
               &d->year, &d->hour, &d->minute, &d->second, &end) == 6 &&
        end > 0)
        return text[end] == '\0';
    /* Sunday, 06-Nov-94 08:49:37 GMT; two digits mean this century here */
    if (sscanf(text, "%*9[A-Za-z], %2d-%3[A-Za-z]-%2d %2d:%2d:%2d GMT%n", &d->day, d->month,
               &d->year, &d->hour, &d->minute, &d->second, &end) == 6 &&
        end > 0) {
        d->year += 2000;
        return text[end] == '\0';
    }
    /* Sun Nov  6 08:49:37 1994 */
    return sscanf(text, "%*3[A-Za-z] %3[A-Za-z] %2d %2d:%2d:%2d %4d%n", d->month, &d->day, &d->hour,
                  &d->minute, &d->second, &d->year, &end) == 6 &&
           end > 0 && text[end] == '\0';
}

static bool parse_date(const char *text, int64_t *seconds)
{
    struct date d;
    int month;

    if (!scan(text, &d))
        return false;
    month = month_of(d.month);
    if (!month || d.year < 1970 || d.day < 1 || d.day > 31 || d.hour < 0 || d.hour > 23 ||
        d.minute < 0 || d.minute > 59 || d.second < 0 || d.second > 60)
        return false;
    *seconds = days_of(d.year, month, d.day) * 86400 + d.hour * INT64_C(3600) +
               d.minute * INT64_C(60) + d.second;
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
