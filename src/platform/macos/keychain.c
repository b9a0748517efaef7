/* Generic passwords in the user's keychain (developer.apple.com/documentation/security/
 * keychain_services). It never asks: an access that would need the user's consent fails.
 *
 * An item of the login keychain is for the program that made it, which is known by its signature.
 * An ad-hoc signature differs with each build: the next build's first look at an item would raise a
 * dialog, and wait for it. So interaction is off around every call, and a program that is signed ad
 * hoc or not at all has no keychain (usable()). */
#include "files/keychain.h"

#include <Security/Security.h>
#include <dlfcn.h>
#include <pthread.h>

#include "platform/macos/system/cf.h"

#define SERVICE CFSTR("io.perigee.perigee")

static bool fail_keychain(OSStatus status, const char *what, struct error *err)
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

/* --- without a dialog ------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the switch is one for the process */

/* Switches dialogs on or off. The function is deprecated with the rest of that interface, and the
 * only switch that the login keychain has. */
static void allow_interaction(Boolean allowed)
{
    OSStatus (*set)(Boolean);
    void *symbol = dlsym(RTLD_DEFAULT, "SecKeychainSetUserInteractionAllowed");

    if (!symbol)
        return;
    memcpy(&set, &symbol, sizeof set);
    set(allowed);
}

static void begin_keychain(void)
{
    pthread_mutex_lock(&lock);
    allow_interaction(false);
}

static void end_keychain(void)
{
    allow_interaction(true);
    pthread_mutex_unlock(&lock);
}

/* True if the program is signed, but not ad hoc. An unsigned program has no flags to read,
 * either. */
static bool keychain_usable(void)
{
    SecCodeRef code = NULL;
    CFDictionaryRef information = NULL;
    bool usable = false;

    if (SecCodeCopySelf(kSecCSDefaultFlags, &code) == errSecSuccess &&
        SecCodeCopySigningInformation((SecStaticCodeRef)code, kSecCSSigningInformation,
                                      &information) == errSecSuccess)
        usable = !(cf_number(information, kSecCodeInfoFlags, kSecCodeSignatureAdhoc) &
                   kSecCodeSignatureAdhoc);
    cf_release(information);
    cf_release(code);
    return usable;
}

/* --- items -------------------------------------------------------------------------------- */

static CFMutableDictionaryRef new_dictionary(void) GIVES_REF;
static CFMutableDictionaryRef new_dictionary(void)
{
    return CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks,
                                     &kCFTypeDictionaryValueCallBacks);
}

/* The query for the item of an account. */
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
    begin_keychain();
    status = SecItemCopyMatching(query, &data);
    end_keychain();
    cf_release(query);
    if (status == errSecSuccess && data)
        buf_add(out, CFDataGetBytePtr(data), (size_t)CFDataGetLength(data));
    cf_release(data);
    return status == errSecSuccess || fail_keychain(status, "read", err);
}

static OSStatus put_secret(const char *account, CFDataRef data)
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
        begin_keychain();
        status = remove_item(account);
        end_keychain();
        return status == errSecSuccess || fail_keychain(status, "removed", err);
    }
    CFDataRef data = CFDataCreate(NULL, (const UInt8 *)bytes.ptr, (CFIndex)bytes.len);

    begin_keychain();
    status = put_secret(account, data);
    end_keychain();
    cf_release(data);
    return status == errSecSuccess || fail_keychain(status, "stored", err);
}

extern const struct keychain perigee_keychain;
const struct keychain perigee_keychain = { keychain_usable, keychain_read, keychain_write };
