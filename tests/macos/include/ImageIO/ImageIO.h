/* Own declarations of what Perigee calls of ImageIO, written from
 * developer.apple.com/documentation/imageio/cgimagesource. Not Apple's header. */
#ifndef CHECK_IMAGE_IO_H
#define CHECK_IMAGE_IO_H

#include <CoreGraphics/CoreGraphics.h>

CF_ASSUME_NONNULL_BEGIN

typedef struct CGImageSource *CGImageSourceRef;
extern CGImageSourceRef _Nullable CGImageSourceCreateWithURL(CFURLRef url,
                                                             CFDictionaryRef _Nullable options);
extern CGImageRef _Nullable CGImageSourceCreateImageAtIndex(CGImageSourceRef source, size_t index,
                                                            CFDictionaryRef _Nullable options);

CF_ASSUME_NONNULL_END

#endif
