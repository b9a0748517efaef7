/* The basic types of macOS, for compiling its backend elsewhere. Own declarations, by
 * developer.apple.com/documentation/kernel/1_types_and_constants and its neighbours. */
#ifndef SIM_MAC_TYPES_H
#define SIM_MAC_TYPES_H

#include <stdint.h>

typedef uint8_t UInt8;
typedef uint16_t UInt16, UniChar;
typedef uint32_t UInt32, FourCharCode, OSType, OptionBits;
typedef int16_t OSErr;
typedef int32_t OSStatus;
typedef long Size;
typedef unsigned long UniCharCount, ItemCount;
typedef unsigned char Boolean;
enum { noErr = 0 };

#endif
