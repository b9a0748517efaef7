/* Own declarations of what Perigee sends to Foundation's classes, written from
 * developer.apple.com/documentation/foundation. Not Apple's header. */
#ifndef CHECK_FOUNDATION_H
#define CHECK_FOUNDATION_H

#include <CoreFoundation/CoreFoundation.h>
#include <CoreGraphics/CoreGraphics.h>
#include <objc/NSObject.h>
#include <objc/objc.h>
#include <os/availability.h>

#ifndef NS_ENUM
#define NS_ENUM(type, name)                                                                        \
    enum name : type name;                                                                         \
    enum name : type
#define NS_OPTIONS(type, name)                                                                     \
    enum name : type name;                                                                         \
    enum name : type
#endif

@class NSString;

#pragma clang assume_nonnull begin

typedef struct {
    unsigned long state;
    id __unsafe_unretained _Nullable *_Nullable itemsPtr;
    unsigned long *_Nullable mutationsPtr;
    unsigned long extra[5];
} NSFastEnumerationState;

@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(id __unsafe_unretained _Nullable[_Nonnull])buffer
                                    count:(NSUInteger)count;
@end

enum { NSUTF8StringEncoding = 4 };

@interface NSString : NSObject
+ (nullable instancetype)stringWithUTF8String:(const char *)text;
- (nullable instancetype)initWithBytes:(const void *)bytes
                                length:(NSUInteger)length
                              encoding:(NSUInteger)encoding;
@property(readonly, nullable) const char *UTF8String;
- (BOOL)getCString:(char *)buffer maxLength:(NSUInteger)size encoding:(NSUInteger)encoding;
- (BOOL)isEqualToString:(NSString *)string;
- (BOOL)hasSuffix:(NSString *)suffix;
@property(readonly) int intValue;
@end

@interface NSAttributedString : NSObject
@property(readonly, copy) NSString *string;
@end

typedef struct {
    NSUInteger location, length;
} NSRange;

@interface NSValue : NSObject
@property(readonly) NSRange rangeValue;
@end

@interface NSNumber : NSValue
@property(readonly) unsigned int unsignedIntValue;
@property(readonly) int intValue;
@end

@interface NSData : NSObject
- (nullable instancetype)initWithBase64EncodedString:(NSString *)text options:(NSUInteger)options;
@end

@interface NSError : NSObject
@property(readonly, copy) NSString *localizedDescription;
@property(readonly) NSInteger code;
@end

@interface NSURL : NSObject
+ (nullable instancetype)URLWithString:(NSString *)string;
+ (NSURL *)fileURLWithPath:(NSString *)path;
@property(readonly, copy, nullable) NSString *path, *scheme;
@end

@interface NSArray<__covariant ObjectType> : NSObject <NSFastEnumeration>
+ (instancetype)array;
+ (instancetype)arrayWithObject:(ObjectType)object;
+ (instancetype)arrayWithObjects:(const ObjectType _Nonnull[_Nullable])objects
                           count:(NSUInteger)count;
@property(readonly) NSUInteger count;
- (ObjectType)objectAtIndexedSubscript:(NSUInteger)index;
- (NSString *)componentsJoinedByString:(NSString *)separator;
@end

@interface NSMutableArray<ObjectType> : NSArray <ObjectType>
- (void)addObject:(ObjectType)object;
- (void)insertObject:(ObjectType)object atIndex:(NSUInteger)index;
@end

@interface NSIndexSet : NSObject
+ (instancetype)indexSetWithIndex:(NSUInteger)index;
@end

/* nsobject: performselector(_:with:afterdelay:) */
@interface NSObject (NSDelayedPerforming)
- (void)performSelector:(SEL)selector withObject:(nullable id)object afterDelay:(double)delay;
@end

@interface NSSet<__covariant ObjectType> : NSObject <NSFastEnumeration>
+ (instancetype)setWithObject:(ObjectType)object;
@property(readonly) NSUInteger count;
- (NSSet<ObjectType> *)setByAddingObject:(ObjectType)object;
@end

@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject
- (nullable ObjectType)objectForKeyedSubscript:(KeyType)key;
@end

@interface NSBundle : NSObject
@property(class, readonly, strong) NSBundle *mainBundle;
@property(readonly, copy) NSString *bundlePath;
@property(readonly, copy, nullable) NSString *bundleIdentifier;
@end

typedef NSString *NSNotificationName;

@interface NSNotification : NSObject
@property(readonly, copy, nullable) NSDictionary *userInfo;
@end

@interface NSNotificationCenter : NSObject
@property(class, readonly, strong) NSNotificationCenter *defaultCenter;
- (void)addObserver:(id)observer
           selector:(SEL)selector
               name:(nullable NSNotificationName)name
             object:(nullable id)object;
@end

@interface NSDistributedNotificationCenter : NSNotificationCenter
+ (NSDistributedNotificationCenter *)defaultCenter;
@end

/* nsappleeventdescriptor; currentprocessdescriptor: macOS 10.11 */
@interface NSAppleEventDescriptor : NSObject
+ (NSAppleEventDescriptor *)currentProcessDescriptor;
+ (NSAppleEventDescriptor *)listDescriptor;
+ (NSAppleEventDescriptor *)descriptorWithString:(NSString *)string;
+ (NSAppleEventDescriptor *)appleEventWithEventClass:(FourCharCode)class
                                             eventID:(FourCharCode)event
                                    targetDescriptor:(nullable NSAppleEventDescriptor *)target
                                            returnID:(SInt16)id
                                       transactionID:(SInt32)transaction;
@property(readonly) FourCharCode descriptorType;
@property(readonly) FourCharCode typeCodeValue;
@property(readonly, copy, nullable) NSString *stringValue;
@property(readonly) NSInteger numberOfItems;
/* Indices begin at 1; inserting at 0 adds to the end. */
- (nullable NSAppleEventDescriptor *)descriptorAtIndex:(NSInteger)index;
- (void)insertDescriptor:(NSAppleEventDescriptor *)descriptor atIndex:(NSInteger)index;
- (void)setParamDescriptor:(NSAppleEventDescriptor *)descriptor forKeyword:(FourCharCode)keyword;
@end

#pragma clang assume_nonnull end

#endif
