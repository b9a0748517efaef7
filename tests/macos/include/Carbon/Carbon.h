/* Own declarations of what Perigee calls of Carbon's HIToolbox: keyboard layouts, virtual key
 * codes, secure input. Text Input Sources and Events have no current web pages; the names are those
 * of
 * developer.apple.com/library/archive/documentation/TextFonts/Reference/TextInputSourcesReference
 * and of technical note TN2150 (secure input). Not Apple's header; see CoreFoundation.h. */
#ifndef CHECK_CARBON_H
#define CHECK_CARBON_H

#include <ApplicationServices/ApplicationServices.h>

typedef struct __TISInputSource *TISInputSourceRef;
extern const CFStringRef kTISPropertyUnicodeKeyLayoutData;
extern TISInputSourceRef TISCopyCurrentKeyboardLayoutInputSource(void);
extern TISInputSourceRef TISCopyCurrentASCIICapableKeyboardLayoutInputSource(void);
extern void *TISGetInputSourceProperty(TISInputSourceRef source, CFStringRef key);
extern UInt8 LMGetKbdType(void);
extern Boolean IsSecureEventInputEnabled(void);
enum { cmdKey = 1 << 8, shiftKey = 1 << 9, optionKey = 1 << 11, controlKey = 1 << 12 };

/* CarbonEvents.h and CarbonEventsCore.h, which have no web pages any more (developer.apple.com/
 * library/archive/documentation/Carbon/Reference/Carbon_Event_Manager_Ref had them): event handlers
 * and hot keys. */
typedef struct OpaqueEventRef *EventRef;
typedef struct OpaqueEventHandlerRef *EventHandlerRef;
typedef struct OpaqueEventHandlerCallRef *EventHandlerCallRef;
typedef struct OpaqueEventTargetRef *EventTargetRef;
typedef struct EventHotKeyRefOpaque *EventHotKeyRef;
typedef OSStatus (*EventHandlerUPP)(EventHandlerCallRef next, EventRef event, void *arg);
typedef struct {
    OSType eventClass;
    UInt32 eventKind;
} EventTypeSpec;
typedef struct {
    OSType signature;
    UInt32 id;
} EventHotKeyID;
enum {
    eventNotHandledErr = -9874,
    eventHotKeyExistsErr = -9878,
    kEventClassKeyboard = 0x6b657962, /* 'keyb' */
    kEventHotKeyPressed = 5,
    kEventHotKeyReleased = 6,
    kEventHotKeyExclusive = 1 << 0,
    kEventParamDirectObject = 0x2d2d2d2d, /* '----' */
    typeEventHotKeyID = 0x686b6964,       /* 'hkid' */
};
extern EventTargetRef GetEventDispatcherTarget(void);
extern OSStatus InstallEventHandler(EventTargetRef target, EventHandlerUPP handler, UInt32 count,
                                    const EventTypeSpec *kinds, void *arg, EventHandlerRef *out);
extern OSStatus RemoveEventHandler(EventHandlerRef handler);
extern UInt32 GetEventKind(EventRef event);
extern OSStatus GetEventParameter(EventRef event, OSType name, OSType type, OSType *actual,
                                  UInt32 size, UInt32 *used, void *out);
extern OSStatus RegisterEventHotKey(UInt32 code, UInt32 modifiers, EventHotKeyID id,
                                    EventTargetRef target, OptionBits options, EventHotKeyRef *out);
extern OSStatus UnregisterEventHotKey(EventHotKeyRef key);
/* Dictionaries with the keys below. */
extern OSStatus CopySymbolicHotKeys(CFArrayRef *out);
#define kHISymbolicHotKeyCode      CFSTR("kHISymbolicHotKeyCode")
#define kHISymbolicHotKeyModifiers CFSTR("kHISymbolicHotKeyModifiers")
#define kHISymbolicHotKeyEnabled   CFSTR("kHISymbolicHotKeyEnabled")

enum { /* Events.h: positions of an ANSI keyboard */
       kVK_Return = 0x24,
       kVK_Tab = 0x30,
       kVK_Delete = 0x33,
       kVK_Escape = 0x35,
       kVK_Command = 0x37,
       kVK_Shift = 0x38,
       kVK_CapsLock = 0x39,
       kVK_Option = 0x3A,
       kVK_Control = 0x3B,
       kVK_Function = 0x3F,
       kVK_F17 = 0x40,
       kVK_ANSI_KeypadClear = 0x47,
       kVK_VolumeUp = 0x48,
       kVK_VolumeDown = 0x49,
       kVK_Mute = 0x4A,
       kVK_ANSI_KeypadEnter = 0x4C,
       kVK_F18 = 0x4F,
       kVK_F19 = 0x50,
       kVK_F20 = 0x5A,
       kVK_F5 = 0x60,
       kVK_F6 = 0x61,
       kVK_F7 = 0x62,
       kVK_F3 = 0x63,
       kVK_F8 = 0x64,
       kVK_F9 = 0x65,
       kVK_F11 = 0x67,
       kVK_F13 = 0x69,
       kVK_F16 = 0x6A,
       kVK_F14 = 0x6B,
       kVK_F10 = 0x6D,
       kVK_F12 = 0x6F,
       kVK_F15 = 0x71,
       kVK_Help = 0x72,
       kVK_Home = 0x73,
       kVK_PageUp = 0x74,
       kVK_ForwardDelete = 0x75,
       kVK_F4 = 0x76,
       kVK_End = 0x77,
       kVK_F2 = 0x78,
       kVK_PageDown = 0x79,
       kVK_F1 = 0x7A,
       kVK_LeftArrow = 0x7B,
       kVK_RightArrow = 0x7C,
       kVK_DownArrow = 0x7D,
       kVK_UpArrow = 0x7E,
};

#endif
