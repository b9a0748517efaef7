/* zlib streams (RFC 1950) of whole buffers, by the library that is quickest here: ISA-L on
 * x86-64, for whose vectors it is written, libdeflate elsewhere (make PACK=libdeflate). */
#ifndef PERIGEE_IMAGE_ENCODERS_PACK_H
#define PERIGEE_IMAGE_ENCODERS_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PACK_MOST = INT32_MAX }; /* bytes; a PNG chunk holds no more (PNG 5.3) */

/* Whether rows of one colour pack quicker as they are than as the difference to the row above. */
extern const bool pack_plain_is_quick;

/* Room that the stream of `size` bytes may need, itself at most PACK_MOST. */
size_t pack_bound(size_t size);

/* The stream's length in `to`, which has pack_bound(size) bytes; 0 when there is no memory. */
size_t pack(const void *bytes, size_t size, void *to);

/* CRC-32 of PNG chunks (ISO 3309). */
uint32_t pack_crc32(const void *bytes, size_t size);

#endif
