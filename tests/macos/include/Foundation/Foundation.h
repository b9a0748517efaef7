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

typedef struct {
    unsigned long state;
    id __unsafe_unretained *itemsPtr;
    unsigned long *mutationsPtr;
    unsigned long extra[5];
} NSFastEnumerationState;

@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(id __unsafe_unretained[])buffer
                                    count:(NSUInteger)count;
@end

@interface NSString : NSObject
+ (instancetype)stringWithUTF8String:(const char *)text;
@property(readonly) const char *UTF8String;
@end

@interface NSNumber : NSObject
@property(readonly) unsigned int unsignedIntValue;
@end

@interface NSError : NSObject
@property(readonly, copy) NSString *localizedDescription;
@end

@interface NSURL : NSObject
+ (instancetype)URLWithString:(NSString *)string;
+ (NSURL *)fileURLWithPath:(NSString *)path;
@property(readonly, copy) NSString *path, *scheme;
@end

@interface NSArray<__covariant ObjectType> : NSObject <NSFastEnumeration>
+ (instancetype)array;
@property(readonly) NSUInteger count;
- (ObjectType)objectAtIndexedSubscript:(NSUInteger)index;
@end

@interface NSMutableArray<ObjectType> : NSArray <ObjectType>
- (void)addObject:(ObjectType)object;
@end

@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject
- (ObjectType)objectForKeyedSubscript:(KeyType)key;
@end

#endif
