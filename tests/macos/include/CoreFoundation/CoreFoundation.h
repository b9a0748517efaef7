/* Own declarations of what Perigee calls of Core Foundation, written from
 * developer.apple.com/documentation/corefoundation. The page is named at each: a function's is its
 * name in small letters, then one "_:" for each parameter in brackets, as in
 * corefoundation/cfstringgetmaximumsizeforencoding(_:_:). Not Apple's header: it serves the checks
 * that run where there is no Mac. */
#ifndef CHECK_CORE_FOUNDATION_H
#define CHECK_CORE_FOUNDATION_H

#include "AssertMacros.h"
#include <MacTypes.h>
#include <stdbool.h>
#include <stdint.h>

/* Annotations of what may be NULL. Apple's headers do not all have them, and ours follow them. */
#ifdef __clang__
#define CF_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define CF_ASSUME_NONNULL_END   _Pragma("clang assume_nonnull end")
#else
#define CF_ASSUME_NONNULL_BEGIN
#define CF_ASSUME_NONNULL_END
#define _Nullable
#define _Nonnull
#endif

typedef const void *CFTypeRef;
typedef const struct __CFAllocator *CFAllocatorRef;
typedef const struct __CFString *CFStringRef;
typedef const struct __CFArray *CFArrayRef;
typedef const struct __CFDictionary *CFDictionaryRef;
typedef struct __CFDictionary *CFMutableDictionaryRef;
typedef const struct __CFNumber *CFNumberRef;
typedef const struct __CFBoolean *CFBooleanRef;
typedef const struct __CFData *CFDataRef;
typedef const struct __CFURL *CFURLRef;
typedef struct __CFError *CFErrorRef;
typedef struct __CFBundle *CFBundleRef;
typedef struct __CFMachPort *CFMachPortRef;
typedef struct __CFRunLoop *CFRunLoopRef;
typedef struct __CFRunLoopSource *CFRunLoopSourceRef;
typedef CFStringRef CFRunLoopMode;
typedef signed long CFIndex;
typedef unsigned long CFTypeID, CFHashCode, CFOptionFlags;
typedef UInt32 CFStringEncoding;
typedef double CFTimeInterval;
typedef struct {
    CFIndex location, length;
} CFRange;

/* cfstr (a macro there, too) */
#ifdef __APPLE__
#define CFSTR(text) ((CFStringRef)__builtin___CFStringMakeConstantString("" text ""))
#else
CFStringRef
sim_constant_string(const char *text); /* tests/macos/sim: gcc makes no such constants */
#define CFSTR(text) sim_constant_string("" text "")
#endif

/* cfrelease, cfretain, cfequal, cfhash, cfgettypeid */
extern void CFRelease(CFTypeRef ref);
extern CFTypeRef CFRetain(CFTypeRef ref);
extern Boolean CFEqual(CFTypeRef one, CFTypeRef two);
extern CFHashCode CFHash(CFTypeRef ref);
extern CFTypeID CFGetTypeID(CFTypeRef ref);

/* cfstring: cfstringgetlength, cfstringgetmaximumsizeforencoding, cfstringgetbytes,
 * cfstringcreatewithbytes, cfstringgetcharacters,
 * cfstringgetrangeofcomposedcharactersatindex, cfstringgettypeid; cfstringbuiltinencodings */
enum { kCFStringEncodingUTF8 = 0x08000100 };
extern CFIndex CFStringGetLength(CFStringRef string);
extern CFIndex CFStringGetMaximumSizeForEncoding(CFIndex length, CFStringEncoding encoding);
extern CFIndex CFStringGetBytes(CFStringRef string, CFRange range, CFStringEncoding encoding,
                                UInt8 loss, Boolean external, UInt8 *buffer, CFIndex size,
                                CFIndex *used);
extern CFStringRef CFStringCreateWithBytes(CFAllocatorRef allocator, const UInt8 *bytes,
                                           CFIndex count, CFStringEncoding encoding,
                                           Boolean external);
extern void CFStringGetCharacters(CFStringRef string, CFRange range, UInt16 *buffer);
extern CFRange CFStringGetRangeOfComposedCharactersAtIndex(CFStringRef string, CFIndex index);
extern CFTypeID CFStringGetTypeID(void);

/* cfarray: cfarraycreate, cfarraygetcount, cfarraygetvalueatindex, cfarraygettypeid */
typedef struct {
    CFIndex version; /* and functions, which nobody here calls */
} CFArrayCallBacks;
extern const CFArrayCallBacks kCFTypeArrayCallBacks;
extern CFArrayRef CFArrayCreate(CFAllocatorRef allocator, const void **values, CFIndex count,
                                const CFArrayCallBacks *callbacks);
extern CFIndex CFArrayGetCount(CFArrayRef array);
extern const void *CFArrayGetValueAtIndex(CFArrayRef array, CFIndex index);
extern CFTypeID CFArrayGetTypeID(void);

/* cfdictionary: cfdictionarygetvalue */
extern const void *CFDictionaryGetValue(CFDictionaryRef dictionary, const void *key);
/* cfmutabledictionary: cfdictionarycreatemutable, cfdictionarysetvalue */
typedef struct {
    CFIndex version; /* and functions, which nobody here calls */
} CFDictionaryKeyCallBacks, CFDictionaryValueCallBacks;
extern const CFDictionaryKeyCallBacks kCFTypeDictionaryKeyCallBacks;
extern const CFDictionaryValueCallBacks kCFTypeDictionaryValueCallBacks;
extern CFMutableDictionaryRef CFDictionaryCreateMutable(CFAllocatorRef allocator, CFIndex capacity,
                                                        const CFDictionaryKeyCallBacks *keys,
                                                        const CFDictionaryValueCallBacks *values);
extern void CFDictionarySetValue(CFMutableDictionaryRef dictionary, const void *key,
                                 const void *value);

/* cfnumber: cfnumbercreate, cfnumbergetvalue, cfnumbergettypeid; cfnumbertype; cfboolean:
 * cfbooleangetvalue, cfbooleangettypeid */
typedef CFIndex CFNumberType; /* a whole word, not an int */
enum { kCFNumberLongLongType = 11, kCFNumberDoubleType = 13 };
extern CFNumberRef CFNumberCreate(CFAllocatorRef allocator, CFNumberType type, const void *value);
extern Boolean CFNumberGetValue(CFNumberRef number, CFNumberType type, void *value);
extern CFTypeID CFNumberGetTypeID(void);
extern const CFBooleanRef kCFBooleanTrue, kCFBooleanFalse;
extern Boolean CFBooleanGetValue(CFBooleanRef boolean);
extern CFTypeID CFBooleanGetTypeID(void);

/* cfdata: cfdatacreate, cfdatagetlength, cfdatagetbyteptr */
extern CFDataRef CFDataCreate(CFAllocatorRef allocator, const UInt8 *bytes, CFIndex length);
extern CFIndex CFDataGetLength(CFDataRef data);
extern const UInt8 *CFDataGetBytePtr(CFDataRef data);

/* cfurl: cfurlgetfilesystemrepresentation, cfurlcopyresourcepropertyforkey, kcfurllocalizednamekey,
 * cfurlcreatefromfilesystemrepresentation, cfurlcreatewithbytes, cfurlcreatefilepathurl (its
 * error is a CFErrorRef), cfurlgetstring; cfbundle: cfbundlecreate,
 * cfbundlegetidentifier, cfbundlegetvalueforinfodictionarykey, cfbundlecopyresourceurl */
extern CFURLRef CFURLCreateFromFileSystemRepresentation(CFAllocatorRef allocator, const UInt8 *path,
                                                        CFIndex length, Boolean folder);
extern CFURLRef CFURLCreateWithBytes(CFAllocatorRef allocator, const UInt8 *bytes, CFIndex length,
                                     CFStringEncoding encoding, CFURLRef base);
extern CFURLRef CFURLCreateFilePathURL(CFAllocatorRef allocator, CFURLRef url, CFErrorRef *error);
extern CFStringRef CFURLGetString(CFURLRef url);
extern CFBundleRef CFBundleCreate(CFAllocatorRef allocator, CFURLRef url);
extern CFStringRef CFBundleGetIdentifier(CFBundleRef bundle);
extern CFTypeRef CFBundleGetValueForInfoDictionaryKey(CFBundleRef bundle, CFStringRef key);
extern CFURLRef CFBundleCopyResourceURL(CFBundleRef bundle, CFStringRef name, CFStringRef type,
                                        CFStringRef folder);
extern Boolean CFURLGetFileSystemRepresentation(CFURLRef url, Boolean absolute, UInt8 *path,
                                                CFIndex size);
extern const CFStringRef kCFURLLocalizedNameKey;
extern Boolean CFURLCopyResourcePropertyForKey(CFURLRef url, CFStringRef key, void *value,
                                               CFErrorRef *error);

/* cfrunloop: cfrunloopruninmode, cfrunlooprun, cfrunloopstop,
 * cfrunloopgetcurrent, cfrunloopaddsource, cfrunloopwakeup,
 * cfrunloopsourcecreate, cfrunloopsourcesignal, cfrunloopsourceinvalidate */
typedef int32_t CFRunLoopRunResult;
enum {
    kCFRunLoopRunFinished = 1,
    kCFRunLoopRunStopped = 2,
    kCFRunLoopRunTimedOut = 3,
    kCFRunLoopRunHandledSource = 4,
};
extern const CFRunLoopMode kCFRunLoopDefaultMode;
typedef struct {
    CFIndex version;
    void *info;
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    CFStringRef (*copyDescription)(const void *info);
    Boolean (*equal)(const void *one, const void *two);
    CFHashCode (*hash)(const void *info);
    void (*schedule)(void *info, CFRunLoopRef loop, CFRunLoopMode mode);
    void (*cancel)(void *info, CFRunLoopRef loop, CFRunLoopMode mode);
    void (*perform)(void *info);
} CFRunLoopSourceContext;
extern CFRunLoopRunResult CFRunLoopRunInMode(CFRunLoopMode mode, CFTimeInterval seconds,
                                             Boolean one);
extern void CFRunLoopRun(void);
extern void CFRunLoopStop(CFRunLoopRef loop);
extern void CFRunLoopWakeUp(CFRunLoopRef loop);
extern CFRunLoopRef CFRunLoopGetCurrent(void);
extern void CFRunLoopAddSource(CFRunLoopRef loop, CFRunLoopSourceRef source, CFRunLoopMode mode);
extern CFRunLoopSourceRef CFRunLoopSourceCreate(CFAllocatorRef allocator, CFIndex order,
                                                CFRunLoopSourceContext *context);
extern void CFRunLoopSourceSignal(CFRunLoopSourceRef source);
extern void CFRunLoopSourceInvalidate(CFRunLoopSourceRef source);

/* cfrunlooptimer: cfrunlooptimercreate, cfrunloopaddtimer, cfrunlooptimerinvalidate,
 * cfabsolutetimegetcurrent */
typedef struct __CFRunLoopTimer *CFRunLoopTimerRef;
typedef double CFAbsoluteTime;
typedef void (*CFRunLoopTimerCallBack)(CFRunLoopTimerRef timer, void *info);
typedef struct {
    CFIndex version;
    void *info;
    const void *(*retain)(const void *info);
    void (*release)(const void *info);
    CFStringRef (*copyDescription)(const void *info);
} CFRunLoopTimerContext;
extern CFAbsoluteTime CFAbsoluteTimeGetCurrent(void);
extern CFRunLoopTimerRef CFRunLoopTimerCreate(CFAllocatorRef allocator, CFAbsoluteTime first,
                                              CFTimeInterval interval, CFOptionFlags flags,
                                              CFIndex order, CFRunLoopTimerCallBack callback,
                                              CFRunLoopTimerContext *context);
extern void CFRunLoopAddTimer(CFRunLoopRef loop, CFRunLoopTimerRef timer, CFRunLoopMode mode);
extern void CFRunLoopTimerInvalidate(CFRunLoopTimerRef timer);

/* cffiledescriptor: cffiledescriptorcreate, cffiledescriptorenablecallbacks,
 * cffiledescriptorcreaterunloopsource, cffiledescriptorinvalidate */
typedef struct __CFFileDescriptor *CFFileDescriptorRef;
typedef int CFFileDescriptorNativeDescriptor;
typedef void (*CFFileDescriptorCallBack)(CFFileDescriptorRef descriptor, CFOptionFlags kinds,
                                         void *info);
enum { kCFFileDescriptorReadCallBack = 1 << 0 };
typedef struct {
    CFIndex version;
    void *info;
    void *(*retain)(void *info);
    void (*release)(void *info);
    CFStringRef (*copyDescription)(void *info);
} CFFileDescriptorContext;
extern CFFileDescriptorRef CFFileDescriptorCreate(CFAllocatorRef allocator,
                                                  CFFileDescriptorNativeDescriptor fd,
                                                  Boolean close, CFFileDescriptorCallBack callback,
                                                  const CFFileDescriptorContext *context);
extern void CFFileDescriptorEnableCallBacks(CFFileDescriptorRef descriptor, CFOptionFlags kinds);
extern CFRunLoopSourceRef CFFileDescriptorCreateRunLoopSource(CFAllocatorRef allocator,
                                                              CFFileDescriptorRef descriptor,
                                                              CFIndex order);
extern void CFFileDescriptorInvalidate(CFFileDescriptorRef descriptor);

/* cfmachport: cfmachportcreaterunloopsource, cfmachportinvalidate */
extern CFRunLoopSourceRef CFMachPortCreateRunLoopSource(CFAllocatorRef allocator,
                                                        CFMachPortRef port, CFIndex order);
extern void CFMachPortInvalidate(CFMachPortRef port);

#endif
