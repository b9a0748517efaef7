/* Generic passwords in the user's keychain (developer.apple.com/documentation/security/
 * keychain_services). Never asks: what would need the user's consent beyond what macOS itself asks
 * for is a failure. */
#include "files/keychain.h"

#include <Security/Security.h>

#include "platform/macos/system/cf.h"

#define SERVICE CFSTR("io.perigee.perigee")

static bool fail(OSStatus status, const char *what, struct error *err)
{
    if (status == errSecItemNotFound)
        return error_set(err, "not_found", "the keychain has no item of that name");
    if (status == errSecUserCanceled || status == errSecAuthFailed ||
        status == errSecInteractionNotAllowed)
        return error_set(err, "keychain_locked",
                         "a secret could not be %s (error %d): the keychain is locked, or "
                         "permission was denied. Unlock it in Keychain Access, or set "
                         "PERIGEE_KEYCHAIN=0 to store secrets in private files",
                         what, (int)status);
    return error_set(err, "keychain_failed", "a secret could not be %s in the keychain (error %d)",
                     what, (int)status);
}

static CFMutableDictionaryRef new_dictionary(void) GIVES_REF;
static CFMutableDictionaryRef new_dictionary(void)
{
    return CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks,
                                     &kCFTypeDictionaryValueCallBacks);
}

/* Which item is meant. */
static CFMutableDictionaryRef query_of(const char *account) GIVES_REF;
static CFMutableDictionaryRef query_of(const char *account)
{
    CFMutableDictionaryRef query = new_dictionary();
    CFStringRef name = cf_string(account);

    CFDictionarySetValue(query, kSecClass, kSecClassGenericPassword);
    CFDictionarySetValue(query, kSecAttrService, SERVICE);
    CFDictionarySetValue(query, kSecAttrAccount, name);
    cf_release(name);
    return query;
}

static bool keychain_read(const char *account, struct buf *out, struct error *err)
{
    CFMutableDictionaryRef query = query_of(account);
    CFTypeRef data = NULL;
    OSStatus status;

    CFDictionarySetValue(query, kSecReturnData, kCFBooleanTrue);
    status = SecItemCopyMatching(query, &data);
    cf_release(query);
    if (status == errSecSuccess && data)
        buf_add(out, CFDataGetBytePtr(data), (size_t)CFDataGetLength(data));
    cf_release(data);
    return status == errSecSuccess || fail(status, "read", err);
}

static OSStatus put(const char *account, CFDataRef data)
{
    CFMutableDictionaryRef query = query_of(account), change = new_dictionary();
    OSStatus status;

    CFDictionarySetValue(change, kSecValueData, data);
    status = SecItemUpdate(query, change);
    if (status == errSecItemNotFound) {
        CFDictionarySetValue(query, kSecValueData, data);
        CFDictionarySetValue(query, kSecAttrLabel, CFSTR("Perigee"));
        status = SecItemAdd(query, NULL);
    }
    cf_release(change);
    cf_release(query);
    return status;
}

static OSStatus remove_item(const char *account)
{
    CFMutableDictionaryRef query = query_of(account);
    OSStatus status = SecItemDelete(query);

    cf_release(query);
    return status == errSecItemNotFound ? errSecSuccess : status;
}

static bool keychain_write(const char *account, struct str bytes, struct error *err)
{
    OSStatus status;

    if (bytes.len == 0) {
        status = remove_item(account);
        return status == errSecSuccess || fail(status, "removed", err);
    }
    CFDataRef data = CFDataCreate(NULL, (const UInt8 *)bytes.ptr, (CFIndex)bytes.len);

    status = put(account, data);
    cf_release(data);
    return status == errSecSuccess || fail(status, "stored", err);
}

extern const struct keychain perigee_keychain;
const struct keychain perigee_keychain = { keychain_read, keychain_write };
