/* Converts Core Foundation's values to ours, and back. */
#include <stdlib.h>

#include "json/utf8.h"
#include "platform/macos/system/cf.h"

void cf_release(CFTypeRef ref)
{
    if (ref)
        CFRelease(ref);
}

/* Copies a string as UTF-8. Unpaired surrogates have none: CFStringGetBytes() puts its loss byte in
 * their place. */
static char *copy_utf8(CFStringRef string, size_t *len)
{
    CFRange all = { 0, CFStringGetLength(string) };
    CFIndex size = CFStringGetMaximumSizeForEncoding(all.length, kCFStringEncodingUTF8), used = 0;
    char *text = mem_alloc((size_t)size + 1);

    CFStringGetBytes(string, all, kCFStringEncodingUTF8, '?', false, (UInt8 *)text, size, &used);
    text[used] = '\0';
    *len = (size_t)used;
    return text;
}

char *cf_text(CFTypeRef ref, size_t max, bool *cut)
{
    size_t len;
    char *text;

    if (cut)
        *cut = false;
    if (!ref || CFGetTypeID(ref) != CFStringGetTypeID())
        return mem_strdup("");
    text = copy_utf8(ref, &len);
    if (max && len > max) {
        text[utf8_cut(text, len, max)] = '\0';
        if (cut)
            *cut = true;
    }
    return text;
}

CFStringRef cf_string(const char *text)
{
    struct buf clean = { 0 };
    CFStringRef string;

    utf8_clean(&clean, text, strlen(text));
    string = CFStringCreateWithBytes(NULL, (const UInt8 *)clean.data, (CFIndex)clean.len,
                                     kCFStringEncodingUTF8, false);
    buf_free(&clean);
    return string;
}

long long cf_number(CFDictionaryRef dictionary, CFStringRef key, long long absent)
{
    CFTypeRef value = CFDictionaryGetValue(dictionary, key);
    long long number;

    if (!value)
        return absent;
    if (CFGetTypeID(value) == CFBooleanGetTypeID())
        return CFBooleanGetValue(value);
    if (CFGetTypeID(value) != CFNumberGetTypeID() ||
        !CFNumberGetValue(value, kCFNumberLongLongType, &number))
        return absent;
    return number;
}
