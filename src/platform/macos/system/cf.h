/* Shorthand for Core Foundation.
 *
 * Every reference that a function of Core Foundation's returns by a name with Copy or Create is
 * owned and ended with cf_release()
 * (developer.apple.com/library/archive/documentation/CoreFoundation/Conceptual/CFMemoryMgmt, "The
 * Create Rule"). */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_CF_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_CF_H

#include <ApplicationServices/ApplicationServices.h>

#include "platform/platform.h"

/* For clang's analyzer, which counts references: functions that give one, and arguments that end
 * one. */
#ifdef __clang__
#define GIVES_REF __attribute__((cf_returns_retained))
#define ENDS_REF  __attribute__((cf_consumed))
#else
#define GIVES_REF
#define ENDS_REF
#endif

/* NULL is fine. */
void cf_release(CFTypeRef ref ENDS_REF);

/* UTF-8 of a string, at most max bytes (0: all), valid; "" for NULL or a value that is not a
 * string. The caller frees. *cut (or NULL) says whether it was longer. */
char *cf_text(CFTypeRef ref, size_t max, bool *cut);

/* Makes a string; owned; never NULL: bytes that are not UTF-8 are cleaned first. */
CFStringRef cf_string(const char *text) GIVES_REF;

/* A number or boolean in a dictionary; `absent` if it is missing. Borrows. */
long long cf_number(CFDictionaryRef dictionary, CFStringRef key, long long absent);

static inline struct rect rect_of_cg(CGRect rect)
{
    return (struct rect){ rect.origin.x, rect.origin.y, rect.size.width, rect.size.height };
}

/* True if two coordinates are equal: places and sizes that applications report may be off by a
 * rounded point. */
static inline bool near(double a, double b)
{
    return a - b < 1.5 && b - a < 1.5;
}

#endif
