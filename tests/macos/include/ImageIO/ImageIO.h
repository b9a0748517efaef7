/* Own declarations of what Perigee calls of ImageIO, written from
 * developer.apple.com/documentation/imageio/cgimagesource. Not Apple's header. */
#ifndef CHECK_IMAGE_IO_H
#define CHECK_IMAGE_IO_H

#include <CoreGraphics/CoreGraphics.h>

typedef struct CGImageSource *CGImageSourceRef;
extern CGImageSourceRef CGImageSourceCreateWithURL(CFURLRef url, CFDictionaryRef options);
extern CGImageRef CGImageSourceCreateImageAtIndex(CGImageSourceRef source, size_t index,
                                                  CFDictionaryRef options);

#endif
