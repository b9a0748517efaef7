/* Own declarations of what Perigee calls of the Pasteboard Manager, written from
 * developer.apple.com/documentation/applicationservices. Not Apple's header; see CoreFoundation.h.
 * A file of its own, because Apple does not say there what may be NULL. */
#ifndef CHECK_PASTEBOARD_H
#define CHECK_PASTEBOARD_H

#include <CoreFoundation/CoreFoundation.h>

/* pasteboard: PasteboardCreate, PasteboardSynchronize, PasteboardClear, PasteboardPutItemFlavor,
 * PasteboardGetItemCount, PasteboardGetItemIdentifier, PasteboardCopyItemFlavors,
 * PasteboardCopyItemFlavorData; pasteboarditemid, pasteboardsyncflags */
typedef struct OpaquePasteboardRef *PasteboardRef;
typedef void *PasteboardItemID;
typedef UInt32 PasteboardSyncFlags, PasteboardFlavorFlags;
enum { kPasteboardModified = 1 << 0, kPasteboardClientIsOwner = 1 << 1 };
enum { kPasteboardFlavorSystemTranslated = 1 << 8 };
#define kPasteboardClipboard CFSTR("com.apple.pasteboard.clipboard")
extern OSStatus PasteboardCreate(CFStringRef name, PasteboardRef *out);
extern PasteboardSyncFlags PasteboardSynchronize(PasteboardRef board);
extern OSStatus PasteboardClear(PasteboardRef board);
extern OSStatus PasteboardGetItemCount(PasteboardRef board, ItemCount *count);
extern OSStatus PasteboardGetItemIdentifier(PasteboardRef board, CFIndex index,
                                            PasteboardItemID *item);
extern OSStatus PasteboardCopyItemFlavors(PasteboardRef board, PasteboardItemID item,
                                          CFArrayRef *flavors);
extern OSStatus PasteboardCopyItemFlavorData(PasteboardRef board, PasteboardItemID item,
                                             CFStringRef flavor, CFDataRef *data);
extern OSStatus PasteboardGetItemFlavorFlags(PasteboardRef board, PasteboardItemID item,
                                             CFStringRef flavor, PasteboardFlavorFlags *flags);
extern OSStatus PasteboardPutItemFlavor(PasteboardRef board, PasteboardItemID item,
                                        CFStringRef flavor, CFDataRef data,
                                        PasteboardFlavorFlags flags);

#endif
