/* Own declarations of what Perigee calls of CoreServices (Apple events, Unicode utilities), written
 * from developer.apple.com/documentation/coreservices. Not Apple's header; see CoreFoundation.h. */
#ifndef CHECK_CORE_SERVICES_H
#define CHECK_CORE_SERVICES_H

#include <CoreFoundation/CoreFoundation.h>
#include <os/availability.h>

/* apple_events: AECreateDesc, AEDisposeDesc, AEDeterminePermissionToAutomateTarget (macOS 10.14);
 * aedesc */
typedef FourCharCode DescType, AEEventClass, AEEventID;
#pragma pack(push, 2) /* as every record of the Carbon days: 12 bytes, the handle at 4 */
typedef struct AEDesc {
    DescType descriptorType;
    struct OpaqueAEDataStorageType **dataHandle;
} AEDesc;
#pragma pack(pop)
typedef AEDesc AEAddressDesc;
enum {
    typeApplicationBundleID = 0x62756e64, /* 'bund' */
    typeWildCard = 0x2a2a2a2a,            /* '****' */
};
extern OSErr AECreateDesc(DescType type, const void *data, Size size, AEDesc *out);
extern OSErr AEDisposeDesc(AEDesc *desc);
extern OSStatus AEDeterminePermissionToAutomateTarget(const AEAddressDesc *target,
                                                      AEEventClass class, AEEventID event,
                                                      Boolean ask) API_AVAILABLE(macos(10.14));

/* 1390584-uckeytranslate */
typedef struct UCKeyboardLayout UCKeyboardLayout;
enum { kUCKeyActionDown = 0, kUCKeyTranslateNoDeadKeysMask = 1 };
extern OSStatus UCKeyTranslate(const UCKeyboardLayout *layout, UInt16 code, UInt16 action,
                               UInt32 modifiers, UInt32 keyboard, OptionBits options, UInt32 *dead,
                               UniCharCount max, UniCharCount *count, UniChar *text);

#endif
