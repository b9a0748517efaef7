/* Own declarations of what Perigee calls of Security, written from
 * developer.apple.com/documentation/security: keychain-items (secitemadd(_:_:),
 * secitemcopymatching(_:_:), secitemupdate(_:_:), secitemdelete(_:)) and
 * security-framework-result-codes. Not Apple's header; see CoreFoundation.h. */
#ifndef CHECK_SECURITY_H
#define CHECK_SECURITY_H

#include <CoreFoundation/CoreFoundation.h>

enum {
    errSecSuccess = 0,
    errSecUserCanceled = -128,
    errSecAuthFailed = -25293,
    errSecItemNotFound = -25300,
    errSecInteractionNotAllowed = -25308,
};
CF_ASSUME_NONNULL_BEGIN

extern const CFStringRef kSecClass, kSecClassGenericPassword, kSecAttrService, kSecAttrAccount,
    kSecAttrLabel, kSecValueData, kSecReturnData;
extern OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef _Nullable *_Nullable result);
extern OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef _Nullable *_Nullable result);
extern OSStatus SecItemUpdate(CFDictionaryRef query, CFDictionaryRef changes);
extern OSStatus SecItemDelete(CFDictionaryRef query);

/* seccode: SecCodeCopySelf, SecCodeCopySigningInformation; seccsflags, seccodesignatureflags */
typedef struct __SecCode *SecCodeRef;
typedef const struct __SecCode *SecStaticCodeRef;
typedef uint32_t SecCSFlags;
enum { kSecCSDefaultFlags = 0, kSecCSSigningInformation = 1 << 1 };
enum { kSecCodeSignatureAdhoc = 0x2 };
extern const CFStringRef kSecCodeInfoFlags;
extern OSStatus SecCodeCopySelf(SecCSFlags flags, SecCodeRef _Nullable *_Nonnull self);
extern OSStatus SecCodeCopySigningInformation(SecStaticCodeRef code, SecCSFlags flags,
                                              CFDictionaryRef _Nullable *_Nonnull information);

CF_ASSUME_NONNULL_END

#endif
