/* By libdeflate at its level 1: level 6 takes three times that for a fifth. */
#include <libdeflate.h>

#include "image/encoders/pack.h"

const bool pack_plain_is_quick = true;

size_t pack_bound(size_t size)
{
    return libdeflate_zlib_compress_bound(NULL, size);
}

size_t pack(const void *bytes, size_t size, void *to)
{
    struct libdeflate_compressor *deflate = libdeflate_alloc_compressor(1);
    size_t len;

    if (!deflate)
        return 0;
    len = libdeflate_zlib_compress(deflate, bytes, size, to, pack_bound(size));
    libdeflate_free_compressor(deflate);
    return len;
}

uint32_t pack_crc32(const void *bytes, size_t size)
{
    return libdeflate_crc32(0, bytes, size);
}
