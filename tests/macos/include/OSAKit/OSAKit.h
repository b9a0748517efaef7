/* Own declarations of what Perigee sends to OSAKit's classes, written from
 * developer.apple.com/documentation/osakit (osascript, osalanguage; macOS 10.4, data with options
 * and the keys of errors 10.6). Not Apple's header. */
#ifndef CHECK_OSA_KIT_H
#define CHECK_OSA_KIT_H

#import <AppKit/AppKit.h>

#pragma clang assume_nonnull begin

typedef NS_OPTIONS(NSUInteger, OSAStorageOptions) { OSANull = 0 };

extern NSString *const OSAScriptErrorMessageKey;
extern NSString *const OSAScriptErrorNumberKey;
extern NSString *const OSAScriptErrorRangeKey;
extern NSString *const OSAStorageScriptType;

@interface OSALanguage : NSObject
+ (nullable OSALanguage *)languageForName:(NSString *)name;
@end

@interface OSAScript : NSObject
- (instancetype)initWithSource:(NSString *)source language:(nullable OSALanguage *)language;
- (nullable instancetype)initWithCompiledData:(NSData *)data
                                      fromURL:(nullable NSURL *)url
                          usingStorageOptions:(OSAStorageOptions)options
                                        error:(NSError *_Nullable *_Nullable)error;
- (BOOL)compileAndReturnError:(NSDictionary<NSString *, id> *_Nullable *_Nullable)info;
- (nullable NSData *)compiledDataForType:(NSString *)type
                     usingStorageOptions:(OSAStorageOptions)options
                                   error:(NSDictionary<NSString *, id> *_Nullable *_Nullable)info;
- (nullable NSAppleEventDescriptor *)
    executeAppleEvent:(NSAppleEventDescriptor *)event
                error:(NSDictionary<NSString *, id> *_Nullable *_Nullable)info;
- (nullable NSAttributedString *)richTextFromDescriptor:(NSAppleEventDescriptor *)descriptor;
@end

#pragma clang assume_nonnull end

#endif
