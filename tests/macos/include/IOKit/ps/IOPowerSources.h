/* Own declarations of what Perigee calls of IOKit's power sources, written from
 * developer.apple.com/documentation/iokit/iopowersources_h and iopskeys_h. Not Apple's header. */
#ifndef CHECK_IO_POWER_SOURCES_H
#define CHECK_IO_POWER_SOURCES_H

#include <CoreFoundation/CoreFoundation.h>

typedef void (*IOPowerSourceCallbackType)(void *context);
/* iopscopypowersourcesinfo, iopscopypowersourceslist, iopsgetpowersourcedescription,
 * iopsgetprovidingpowersourcetype, iopsnotificationcreaterunloopsource */
extern CFTypeRef IOPSCopyPowerSourcesInfo(void);
extern CFArrayRef IOPSCopyPowerSourcesList(CFTypeRef info);
extern CFDictionaryRef IOPSGetPowerSourceDescription(CFTypeRef info, CFTypeRef source);
extern CFStringRef IOPSGetProvidingPowerSourceType(CFTypeRef info);
extern CFRunLoopSourceRef IOPSNotificationCreateRunLoopSource(IOPowerSourceCallbackType callback,
                                                              void *context);

#endif
