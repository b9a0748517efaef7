/* Core Foundation's objects, counted. An object that is released too often ends the test. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "files/file.h"
#include "json/utf8.h"
#include "sim.h"

static _Atomic long live; /* references are counted on any thread */

long sim_live(void)
{
    return live;
}

struct sim_object *sim_object(enum sim_type type)
{
    struct sim_object *object = mem_zero(sizeof *object);

    object->type = type;
    object->refs = 1;
    live++;
    return object;
}

static void object_free(struct sim_object *object)
{
    if (object->type == SIM_OBSERVER)
        sim_observer_end(object);
    for (size_t i = 0; i < object->count; i++) {
        if (object->pairs[i].key)
            CFRelease(object->pairs[i].key);
        CFRelease(object->pairs[i].value);
    }
    free(object->pairs);
    buf_free(&object->bytes);
    buf_free(&object->event.text);
    image_free(&object->image);
    object->refs = 0;
    live--;
    free(object);
}

void CFRelease(CFTypeRef ref)
{
    struct sim_object *object = sim_of(ref);

    if (!object || object->refs == 0) {
        fprintf(stderr, "sim: CFRelease of what is no object any more\n");
        abort();
    }
    if (object->refs > 0 && __atomic_sub_fetch(&object->refs, 1, __ATOMIC_ACQ_REL) == 0)
        object_free(object);
}

CFTypeRef CFRetain(CFTypeRef ref)
{
    if (sim_of(ref)->refs > 0)
        __atomic_add_fetch(&sim_of(ref)->refs, 1, __ATOMIC_RELAXED);
    return ref;
}

CFTypeID CFGetTypeID(CFTypeRef ref)
{
    return sim_of(ref)->type;
}

Boolean CFEqual(CFTypeRef one, CFTypeRef two)
{
    const struct sim_object *a = sim_of(one), *b = sim_of(two);

    if (a == b)
        return true;
    if (a->type != b->type)
        return false;
    if (a->type == SIM_ELEMENT)
        return a->pid == b->pid && a->window == b->window && a->close_button == b->close_button &&
               a->node == b->node && a->menu == b->menu;
    if (a->type == SIM_NUMBER)
        return a->number == b->number && a->values[0] == b->values[0];
    return a->type == SIM_STRING && str_same(buf_str(&a->bytes), buf_str(&b->bytes));
}

CFHashCode CFHash(CFTypeRef ref)
{
    const struct sim_object *object = sim_of(ref);

    if (object->type != SIM_ELEMENT)
        abort(); /* no other type is hashed */
    return (CFHashCode)object->pid * 31 + object->window * 7 + object->node * 2 + object->menu;
}

/* --- strings -------------------------------------------------------------------------- */

CFStringRef sim_string(const char *text)
{
    struct sim_object *object = sim_object(SIM_STRING);

    buf_adds(&object->bytes, text);
    return (CFStringRef)(void *)object;
}

/* A constant lives as long as the program, each text once. */
CFStringRef sim_constant_string(const char *text)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct sim_object constants[256];
    static size_t count;
    size_t at = 0;

    pthread_mutex_lock(&lock);
    while (at < count && !str_same(buf_str(&constants[at].bytes), str_from(text)))
        at++;
    if (at == countof(constants))
        abort();
    if (at == count) {
        constants[at] = (struct sim_object){ .type = SIM_STRING, .refs = -1 };
        constants[at].bytes = (struct buf){ .data = (char *)(uintptr_t)text, .len = strlen(text) };
        count++;
    }
    pthread_mutex_unlock(&lock);
    return (CFStringRef)(void *)&constants[at];
}

CFIndex CFStringGetLength(CFStringRef string)
{
    const char *at = sim_of(string)->bytes.data, *end = at + sim_of(string)->bytes.len;
    CFIndex units = 0;

    while (at < end) {
        int size = utf8_sequence(at, end);

        units += size == 4 ? 2 : 1;
        at += size < 0 ? -size : size;
    }
    return units;
}

CFIndex CFStringGetMaximumSizeForEncoding(CFIndex length, CFStringEncoding encoding)
{
    (void)encoding;
    return length * 3;
}

CFIndex CFStringGetBytes(CFStringRef string, CFRange range, CFStringEncoding encoding, UInt8 loss,
                         Boolean external, UInt8 *buffer, CFIndex size, CFIndex *used)
{
    const struct buf *bytes = &sim_of(string)->bytes;

    (void)encoding;
    (void)loss;
    (void)external;
    if ((CFIndex)bytes->len > size)
        abort();
    memcpy(buffer, bytes->data ? bytes->data : "", bytes->len);
    *used = (CFIndex)bytes->len;
    return range.length;
}

CFStringRef CFStringCreateWithBytes(CFAllocatorRef allocator, const UInt8 *bytes, CFIndex count,
                                    CFStringEncoding encoding, Boolean external)
{
    struct sim_object *object;

    (void)allocator;
    (void)encoding;
    (void)external;
    if (!utf8_valid((const char *)bytes, (size_t)count, NULL))
        return NULL;
    object = sim_object(SIM_STRING);
    buf_add(&object->bytes, bytes ? (const char *)bytes : "", (size_t)count);
    return (CFStringRef)(void *)object;
}

/* The units of a text, each with the code point that it belongs to. */
static size_t units_of(CFStringRef string, UInt16 **units, uint32_t **points)
{
    const char *at = sim_of(string)->bytes.data, *end = at + sim_of(string)->bytes.len;
    size_t count = 0;

    *units = mem_zero(sizeof **units * (sim_of(string)->bytes.len + 1));
    *points = mem_zero(sizeof **points * (sim_of(string)->bytes.len + 1));
    while (at < end) {
        int size = utf8_sequence(at, end);
        uint32_t point = utf8_decode(at, size);

        if (point >= 0x10000) {
            (*points)[count] = point;
            (*units)[count++] = (UInt16)(0xd800 + ((point - 0x10000) >> 10));
        }
        (*points)[count] = point;
        (*units)[count++] =
            (UInt16)(point >= 0x10000 ? 0xdc00 + ((point - 0x10000) & 0x3ff) : point);
        at += size;
    }
    return count;
}

void CFStringGetCharacters(CFStringRef string, CFRange range, UInt16 *buffer)
{
    UInt16 *units;
    uint32_t *points;
    size_t count = units_of(string, &units, &points);

    if (range.location < 0 || (size_t)(range.location + range.length) > count)
        abort();
    memcpy(buffer, units + range.location, (size_t)range.length * sizeof *units);
    free(units);
    free(points);
}

/* Implements those of Unicode's rules that the tests meet. */
bool sim_continues(uint32_t before, uint32_t point)
{
    return (point >= 0x300 && point <= 0x36f) || (point >= 0xfe00 && point <= 0xfe0f) ||
           (point >= 0x1f3fb && point <= 0x1f3ff) || point == 0x200d || before == 0x200d;
}

CFRange CFStringGetRangeOfComposedCharactersAtIndex(CFStringRef string, CFIndex index)
{
    UInt16 *units;
    uint32_t *points;
    CFIndex count = (CFIndex)units_of(string, &units, &points), from = index, to;

    while (from > 0 &&
           ((units[from] & 0xfc00) == 0xdc00 || sim_continues(points[from - 1], points[from])))
        from--;
    for (to = from + 1; to < count && ((units[to] & 0xfc00) == 0xdc00 ||
                                       sim_continues(points[to - 1], points[to]));)
        to++;
    free(units);
    free(points);
    return (CFRange){ from, to - from };
}

CFTypeID CFStringGetTypeID(void)
{
    return SIM_STRING;
}

/* --- numbers, data, urls ---------------------------------------------------------------- */

CFTypeRef sim_number(long long number)
{
    struct sim_object *object = sim_object(SIM_NUMBER);

    object->number = number;
    return object;
}

static struct sim_object truth = { .type = SIM_BOOLEAN, .refs = -1, .number = 1 };
static struct sim_object falsehood = { .type = SIM_BOOLEAN, .refs = -1 };
const CFBooleanRef kCFBooleanTrue = (CFBooleanRef)(const void *)&truth;
const CFBooleanRef kCFBooleanFalse = (CFBooleanRef)(const void *)&falsehood;

CFTypeRef sim_real(double number)
{
    struct sim_object *object = sim_object(SIM_NUMBER);

    object->real = true;
    object->values[0] = number;
    return object;
}

CFNumberRef CFNumberCreate(CFAllocatorRef allocator, CFNumberType type, const void *value)
{
    (void)allocator;
    return type == kCFNumberDoubleType ? sim_real(*(const double *)value) : NULL;
}

Boolean CFNumberGetValue(CFNumberRef number, CFNumberType type, void *value)
{
    const struct sim_object *object = sim_of(number);

    if (type == kCFNumberDoubleType)
        *(double *)value = object->real ? object->values[0] : (double)object->number;
    else if (type == kCFNumberLongLongType)
        *(long long *)value = object->real ? (long long)object->values[0] : object->number;
    else
        return false;
    return true;
}

CFTypeID CFNumberGetTypeID(void)
{
    return SIM_NUMBER;
}

Boolean CFBooleanGetValue(CFBooleanRef boolean)
{
    return (Boolean)sim_of(boolean)->number;
}

CFTypeID CFBooleanGetTypeID(void)
{
    return SIM_BOOLEAN;
}

CFTypeRef sim_data(const void *bytes, size_t len)
{
    struct sim_object *object = sim_object(SIM_DATA);

    buf_add(&object->bytes, bytes ? bytes : "", len);
    return object;
}

CFDataRef CFDataCreate(CFAllocatorRef allocator, const UInt8 *bytes, CFIndex length)
{
    (void)allocator;
    return sim_data(bytes, (size_t)length);
}

CFIndex CFDataGetLength(CFDataRef data)
{
    return (CFIndex)sim_of(data)->bytes.len;
}

const UInt8 *CFDataGetBytePtr(CFDataRef data)
{
    return (const UInt8 *)sim_of(data)->bytes.data;
}

CFURLRef CFURLCreateFromFileSystemRepresentation(CFAllocatorRef allocator, const UInt8 *path,
                                                 CFIndex length, Boolean folder)
{
    struct sim_object *object = sim_object(SIM_URL);

    (void)allocator;
    (void)folder;
    buf_add(&object->bytes, path, (size_t)length);
    return (CFURLRef)(void *)object;
}

CFURLRef CFURLCreateWithBytes(CFAllocatorRef allocator, const UInt8 *bytes, CFIndex length,
                              CFStringEncoding encoding, CFURLRef base)
{
    (void)encoding;
    (void)base;
    return CFURLCreateFromFileSystemRepresentation(allocator, bytes, length, false);
}

/* File number N is /sim/N. */
CFURLRef CFURLCreateFilePathURL(CFAllocatorRef allocator, CFURLRef url, CFErrorRef *error)
{
    static const char reference[] = "file:///.file/id=";
    struct sim_object *object = sim_object(SIM_URL);
    const char *text = buf_text(&sim_of(url)->bytes);
    bool numbered = strncmp(text, reference, sizeof reference - 1) == 0;

    (void)allocator;
    (void)error;
    if (numbered)
        buf_addf(&object->bytes, "file:///sim/%s", text + sizeof reference - 1);
    else
        buf_adds(&object->bytes, text);
    sim_append((CFArrayRef)(void *)object, sim_string(buf_text(&object->bytes)));
    return (CFURLRef)(void *)object;
}

CFStringRef CFURLGetString(CFURLRef url)
{
    return sim_of(url)->pairs[0].value;
}

Boolean CFURLGetFileSystemRepresentation(CFURLRef url, Boolean absolute, UInt8 *path, CFIndex size)
{
    const struct buf *bytes = &sim_of(url)->bytes;

    (void)absolute;
    if (bytes->len >= (size_t)size)
        return false;
    memcpy(path, bytes->data, bytes->len);
    path[bytes->len] = '\0';
    return true;
}

const CFStringRef kCFURLLocalizedNameKey = NULL;

/* The name in the bundle's file "localized", for a user who wants to see endings. */
Boolean CFURLCopyResourcePropertyForKey(CFURLRef url, CFStringRef key, void *value,
                                        CFErrorRef *error)
{
    const char *path = buf_text(&sim_of(url)->bytes), *slash = strrchr(path, '/');
    char *file = mem_printf("%s/localized", path);
    struct buf name = { 0 };

    (void)key;
    (void)error;
    if (file_read_all(file, 256, &name, NULL))
        buf_adds(&name, ".app");
    else
        buf_adds(&name, slash ? slash + 1 : path);
    *(CFTypeRef *)value = sim_string(buf_text(&name));
    buf_free(&name);
    free(file);
    return true;
}

/* Every bundle has the identifier "sim.NAME" here, and the icon AppIcon; there is no Info.plist. */
CFBundleRef CFBundleCreate(CFAllocatorRef allocator, CFURLRef url)
{
    struct sim_object *bundle = sim_object(SIM_ARRAY);
    const char *path = buf_text(&sim_of(url)->bytes), *slash = strrchr(path, '/');
    char *id = mem_printf("sim.%s", slash ? slash + 1 : path);

    (void)allocator;
    sim_append((CFArrayRef)(void *)bundle, sim_string(id));
    sim_append((CFArrayRef)(void *)bundle, sim_string(path));
    free(id);
    return (CFBundleRef)bundle;
}

CFTypeRef CFBundleGetValueForInfoDictionaryKey(CFBundleRef bundle, CFStringRef key)
{
    (void)bundle;
    return CFEqual(key, CFSTR("CFBundleIconFile")) ? CFSTR("AppIcon") : NULL;
}

CFURLRef CFBundleCopyResourceURL(CFBundleRef bundle, CFStringRef name, CFStringRef type,
                                 CFStringRef folder)
{
    struct sim_object *url = sim_object(SIM_URL);

    (void)folder;
    buf_addf(&url->bytes, "%s/Contents/Resources/",
             buf_text(&sim_of(sim_of(bundle)->pairs[1].value)->bytes));
    buf_add(&url->bytes, sim_of(name)->bytes.data, sim_of(name)->bytes.len);
    if (type)
        buf_addf(&url->bytes, ".%.*s", (int)sim_of(type)->bytes.len, sim_of(type)->bytes.data);
    if (access(buf_text(&url->bytes), F_OK) == 0)
        return (CFURLRef)(void *)url;
    CFRelease(url);
    return NULL;
}

CFStringRef CFBundleGetIdentifier(CFBundleRef bundle)
{
    return sim_of(bundle)->pairs[0].value;
}

/* --- collections -------------------------------------------------------------------------- */

CFArrayRef sim_array(void)
{
    return (CFArrayRef)(void *)sim_object(SIM_ARRAY);
}

CFDictionaryRef sim_dictionary(void)
{
    return (CFDictionaryRef)(void *)sim_object(SIM_DICTIONARY);
}

static void add(struct sim_object *object, CFTypeRef key, CFTypeRef value)
{
    object->pairs = mem_resize(object->pairs, sizeof *object->pairs * (object->count + 1));
    object->pairs[object->count++] = (struct sim_pair){ key ? CFRetain(key) : NULL, value };
}

void sim_append(CFArrayRef array, CFTypeRef value)
{
    add(sim_of(array), NULL, value);
}

const CFArrayCallBacks kCFTypeArrayCallBacks = { 0 };

CFArrayRef CFArrayCreate(CFAllocatorRef allocator, const void **values, CFIndex count,
                         const CFArrayCallBacks *callbacks)
{
    CFArrayRef array = sim_array();

    (void)allocator;
    (void)callbacks;
    for (CFIndex i = 0; i < count; i++)
        sim_append(array, CFRetain(values[i]));
    return array;
}

void sim_put(CFDictionaryRef dictionary, CFStringRef key, CFTypeRef value)
{
    add(sim_of(dictionary), key, value);
}

CFIndex CFArrayGetCount(CFArrayRef array)
{
    return (CFIndex)sim_of(array)->count;
}

const void *CFArrayGetValueAtIndex(CFArrayRef array, CFIndex index)
{
    if (index < 0 || (size_t)index >= sim_of(array)->count)
        abort();
    return sim_of(array)->pairs[index].value;
}

CFTypeID CFArrayGetTypeID(void)
{
    return SIM_ARRAY;
}

const void *CFDictionaryGetValue(CFDictionaryRef dictionary, const void *key)
{
    const struct sim_object *object = sim_of(dictionary);

    for (size_t i = 0; i < object->count; i++) {
        if (CFEqual(object->pairs[i].key, key))
            return object->pairs[i].value;
    }
    return NULL;
}
