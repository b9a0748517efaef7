/* Own declarations of what Perigee calls of IOKit to hear of sleep, written from
 * developer.apple.com/documentation/iokit/iopmlib_h (ioregisterforsystempower, ioallowpowerchange),
 * ionotificationportgetrunloopsource, and technical Q&A QA1340, which has the messages. Not Apple's
 * header. */
#ifndef CHECK_IO_PM_LIB_H
#define CHECK_IO_PM_LIB_H

#include <CoreFoundation/CoreFoundation.h>

typedef uint32_t io_object_t, io_connect_t, io_service_t;
typedef struct IONotificationPort *IONotificationPortRef;
typedef void (*IOServiceInterestCallback)(void *arg, io_service_t service, uint32_t message,
                                          void *argument);
extern io_connect_t IORegisterForSystemPower(void *arg, IONotificationPortRef *port,
                                             IOServiceInterestCallback callback,
                                             io_object_t *notifier);
extern int IOAllowPowerChange(io_connect_t root, long notification);
extern CFRunLoopSourceRef IONotificationPortGetRunLoopSource(IONotificationPortRef port);

#define kIOMessageCanSystemSleep     0xe0000270u
#define kIOMessageSystemWillSleep    0xe0000280u
#define kIOMessageSystemHasPoweredOn 0xe0000300u

#endif
