/* The sizes of pictures, out of the first bytes of their files. */
#include "image/picture_head.h"

#include "image/image.h"

static bool bytes_begin(struct str bytes, size_t at, const char *with, size_t len)
{
    return bytes.len >= at + len && memcmp(bytes.ptr + at, with, len) == 0;
}

#define BEGINS(bytes, at, literal) bytes_begin(bytes, at, literal, sizeof(literal) - 1)

/* Bytes beyond the end are 0: no size that counts is. */
static unsigned byte_at(struct str bytes, size_t at)
{
    return at < bytes.len ? (unsigned char)bytes.ptr[at] : 0;
}

static unsigned read_big16(struct str bytes, size_t at)
{
    return byte_at(bytes, at) << 8 | byte_at(bytes, at + 1);
}

static unsigned read_little16(struct str bytes, size_t at)
{
    return byte_at(bytes, at + 1) << 8 | byte_at(bytes, at);
}

static unsigned read_little24(struct str bytes, size_t at)
{
    return byte_at(bytes, at + 2) << 16 | read_little16(bytes, at);
}

struct size {
    uint32_t width, height;
};

static struct size size_of_png(struct str bytes)
{
    if (!BEGINS(bytes, 8, "\0\0\0\15IHDR"))
        return (struct size){ 0, 0 };
    return (struct size){ read_big16(bytes, 16) << 16 | read_big16(bytes, 18),
                          read_big16(bytes, 20) << 16 | read_big16(bytes, 22) };
}

/* A start of frame: all of C0 to CF but those for tables and extensions. */
static bool is_frame(unsigned marker)
{
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

/* From segment to segment up to the frame. */
static struct size size_of_jpeg(struct str bytes)
{
    size_t at = 2;

    while (at + 4 <= bytes.len && byte_at(bytes, at) == 0xff) {
        unsigned marker = byte_at(bytes, at + 1), len = read_big16(bytes, at + 2);

        if (marker == 0xff) {
            at++; /* fill */
            continue;
        }
        if (is_frame(marker))
            return (struct size){ read_big16(bytes, at + 7), read_big16(bytes, at + 5) };
        if (marker == 0xda || marker == 0xd9 || len < 2)
            break; /* the picture, or its end, without a frame */
        at += 2 + len;
    }
    return (struct size){ 0, 0 };
}

/* Sizes of VP8L and VP8X are stored less one. */
static struct size size_of_webp(struct str bytes)
{
    if (BEGINS(bytes, 12, "VP8 ") && BEGINS(bytes, 23, "\x9d\x01\x2a"))
        return (struct size){ read_little16(bytes, 26) & 0x3fff,
                              read_little16(bytes, 28) & 0x3fff };
    if (BEGINS(bytes, 12, "VP8L") && BEGINS(bytes, 20, "\x2f") && bytes.len >= 25)
        return (struct size){ (read_little16(bytes, 21) & 0x3fff) + 1,
                              (read_little24(bytes, 22) >> 6 & 0x3fff) + 1 };
    if (BEGINS(bytes, 12, "VP8X") && bytes.len >= 30)
        return (struct size){ read_little24(bytes, 24) + 1, read_little24(bytes, 27) + 1 };
    return (struct size){ 0, 0 };
}

/* Tests the second bit of the flags of the extended form. */
static bool is_animated(struct str bytes)
{
    return BEGINS(bytes, 12, "VP8X") && byte_at(bytes, 20) & 2;
}

static bool read_picture_kind(struct str bytes, enum picture_kind *kind)
{
    if (BEGINS(bytes, 0, "\x89PNG\r\n\x1a\n"))
        *kind = PICTURE_PNG;
    else if (BEGINS(bytes, 0, "\xff\xd8\xff"))
        *kind = PICTURE_JPEG;
    else if (BEGINS(bytes, 0, "RIFF") && BEGINS(bytes, 8, "WEBP"))
        *kind = PICTURE_WEBP;
    else
        return false;
    return true;
}

bool picture_head_read(struct str bytes, struct picture_head *head, struct error *err)
{
    struct size size;
    uint64_t pixels;

    if (!read_picture_kind(bytes, &head->kind))
        return error_set(err, "not_an_image", "it is not a PNG, JPEG or WebP image");
    if (bytes.len > PICTURE_BYTES_MAX)
        return error_set(err, "too_large",
                         "the image file has %zu bytes. Use one of at most %d MiB", bytes.len,
                         PICTURE_BYTES_MAX >> 20);
    if (head->kind == PICTURE_WEBP && is_animated(bytes))
        return error_set(err, "animated", "the WebP image is animated. Use a single frame of it");
    size = head->kind == PICTURE_PNG    ? size_of_png(bytes)
           : head->kind == PICTURE_JPEG ? size_of_jpeg(bytes)
                                        : size_of_webp(bytes);
    if (!size.width || !size.height)
        return error_set(err, "damaged", "the image is damaged: its beginning has no size");
    pixels = (uint64_t)size.width * size.height;
    if (pixels > PICTURE_PIXELS_MAX || size.width > IMAGE_SIDE_MAX || size.height > IMAGE_SIDE_MAX)
        return error_set(
            err, "too_large",
            "the image has %u x %u pixels. Use at most %d million, and %d for each side",
            (unsigned)size.width, (unsigned)size.height, PICTURE_PIXELS_MAX / 1000000,
            IMAGE_SIDE_MAX);
    head->width = (int)size.width;
    head->height = (int)size.height;
    return true;
}

const char *picture_mime(enum picture_kind kind)
{
    static const char *const names[] = { "image/png", "image/jpeg", "image/webp" };

    return names[kind];
}
