/* A keychain in memory: one class, items by service and account. */
#include <Security/Security.h>
#include <stdlib.h>

#include "sim.h"

enum { ITEMS = 16 };

static struct {
    char *name; /* NULL: free */
    struct buf data;
} items[ITEMS];
static bool locked;

#define CONSTANT(constant)                                                                         \
    static char constant##_text[] = #constant;                                                     \
    static struct sim_object constant##_object = {                                                 \
        .type = SIM_STRING,                                                                        \
        .refs = -1,                                                                                \
        .bytes = { .data = constant##_text, .len = sizeof #constant - 1 },                         \
    };                                                                                             \
    const CFStringRef constant = (CFStringRef)(const void *)&constant##_object
CONSTANT(kSecClass);
CONSTANT(kSecClassGenericPassword);
CONSTANT(kSecAttrService);
CONSTANT(kSecAttrAccount);
CONSTANT(kSecAttrLabel);
CONSTANT(kSecValueData);
CONSTANT(kSecReturnData);
CONSTANT(kSecCodeInfoFlags);

const CFDictionaryKeyCallBacks kCFTypeDictionaryKeyCallBacks;
const CFDictionaryValueCallBacks kCFTypeDictionaryValueCallBacks;

CFMutableDictionaryRef CFDictionaryCreateMutable(CFAllocatorRef allocator, CFIndex capacity,
                                                 const CFDictionaryKeyCallBacks *keys,
                                                 const CFDictionaryValueCallBacks *values)
{
    (void)allocator;
    (void)capacity;
    if (!keys || !values) /* otherwise nothing would be retained */
        abort();
    return (CFMutableDictionaryRef)(uintptr_t)sim_dictionary();
}

void CFDictionarySetValue(CFMutableDictionaryRef dictionary, const void *key, const void *value)
{
    sim_put((CFDictionaryRef)dictionary, key, CFRetain(value));
}

/* --- who asks ---------------------------------------------------------------------------- */

static bool interaction = true, ad_hoc;

void sim_sign_ad_hoc(bool on)
{
    ad_hoc = on;
}

OSStatus SecKeychainSetUserInteractionAllowed(Boolean allowed);
OSStatus SecKeychainSetUserInteractionAllowed(Boolean allowed)
{
    interaction = allowed;
    return errSecSuccess;
}

bool sim_keychain_may_ask(void)
{
    return interaction;
}

/* Ends the test if a dialog could come: nobody would answer it. */
static void check_quiet(void)
{
    if (interaction)
        abort();
}

OSStatus SecCodeCopySelf(SecCSFlags flags, SecCodeRef *self)
{
    (void)flags;
    *self = (SecCodeRef)sim_object(SIM_OTHER);
    return errSecSuccess;
}

OSStatus SecCodeCopySigningInformation(SecStaticCodeRef code, SecCSFlags flags,
                                       CFDictionaryRef *information)
{
    CFDictionaryRef found = sim_dictionary();

    (void)code;
    if (!(flags & kSecCSSigningInformation))
        abort();
    sim_put(found, kSecCodeInfoFlags, sim_number(ad_hoc ? 0x20002 : 0x10000));
    *information = found;
    return errSecSuccess;
}

void sim_lock_keychain(bool on)
{
    locked = on;
    for (size_t i = 0; i < ITEMS && !on; i++) {
        free(items[i].name);
        buf_free(&items[i].data);
        items[i].name = NULL;
    }
}

static char *name_of(CFDictionaryRef query)
{
    CFTypeRef service = CFDictionaryGetValue(query, kSecAttrService);
    CFTypeRef account = CFDictionaryGetValue(query, kSecAttrAccount);

    if (CFDictionaryGetValue(query, kSecClass) != (CFTypeRef)kSecClassGenericPassword)
        abort();
    return mem_printf("%.*s/%.*s", (int)sim_of(service)->bytes.len, sim_of(service)->bytes.data,
                      (int)sim_of(account)->bytes.len, sim_of(account)->bytes.data);
}

/* The item's index, or -1. */
static int find(CFDictionaryRef query)
{
    char *name = name_of(query);
    int found = -1;

    for (int i = 0; i < ITEMS; i++) {
        if (items[i].name && strcmp(items[i].name, name) == 0)
            found = i;
    }
    free(name);
    return found;
}

static void set_data(int at, CFDictionaryRef from)
{
    const struct buf *data = &sim_of(CFDictionaryGetValue(from, kSecValueData))->bytes;

    items[at].data.len = 0;
    buf_add(&items[at].data, data->data, data->len);
}

OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef *result)
{
    (void)result;
    check_quiet();
    if (locked)
        return errSecInteractionNotAllowed;
    for (int i = 0; i < ITEMS; i++) {
        if (items[i].name)
            continue;
        items[i].name = name_of(attributes);
        set_data(i, attributes);
        return errSecSuccess;
    }
    return errSecAuthFailed;
}

OSStatus SecItemUpdate(CFDictionaryRef query, CFDictionaryRef changes)
{
    int at = find(query);

    check_quiet();
    if (locked)
        return errSecInteractionNotAllowed;
    if (at < 0)
        return errSecItemNotFound;
    set_data(at, changes);
    return errSecSuccess;
}

OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef *result)
{
    int at = find(query);

    check_quiet();
    if (locked)
        return errSecInteractionNotAllowed;
    if (at < 0)
        return errSecItemNotFound;
    *result = sim_data(items[at].data.data, items[at].data.len);
    return errSecSuccess;
}

OSStatus SecItemDelete(CFDictionaryRef query)
{
    int at = find(query);

    check_quiet();
    if (locked)
        return errSecInteractionNotAllowed;
    if (at < 0)
        return errSecItemNotFound;
    free(items[at].name);
    items[at].name = NULL;
    buf_free(&items[at].data);
    return errSecSuccess;
}
