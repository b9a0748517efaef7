/* Own declarations of what Perigee sends to OSAKit's classes, written from
 * developer.apple.com/documentation/osakit (osascript, osalanguage; macOS 10.4, data with options
 * and the keys of errors 10.6). Not Apple's header. */
#ifndef CHECK_OSA_KIT_H
#define CHECK_OSA_KIT_H

#import <AppKit/AppKit.h>

typedef NS_OPTIONS(NSUInteger, OSAStorageOptions) { OSANull = 0 };

extern NSString *const OSAScriptErrorMessageKey;
extern NSString *const OSAScriptErrorNumberKey;
extern NSString *const OSAScriptErrorRangeKey;
extern NSString *const OSAStorageScriptType;

@interface OSALanguage : NSObject
+ (OSALanguage *)languageForName:(NSString *)name;
@end

@interface OSAScript : NSObject
- (instancetype)initWithSource:(NSString *)source language:(OSALanguage *)language;
- (instancetype)initWithCompiledData:(NSData *)data
                             fromURL:(NSURL *)url
                 usingStorageOptions:(OSAStorageOptions)options
                               error:(NSError **)error;
- (BOOL)compileAndReturnError:(NSDictionary<NSString *, id> **)info;
- (NSData *)compiledDataForType:(NSString *)type
            usingStorageOptions:(OSAStorageOptions)options
                          error:(NSDictionary<NSString *, id> **)info;
- (NSAppleEventDescriptor *)executeAppleEvent:(NSAppleEventDescriptor *)event
                                        error:(NSDictionary<NSString *, id> **)info;
- (NSAttributedString *)richTextFromDescriptor:(NSAppleEventDescriptor *)descriptor;
@end

#endif
