/* A number of an object for tables: FNV-1a of its bus and path. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_HASH_H
#define PERIGEE_PLATFORM_ATSPI_BUS_HASH_H

#include <stdint.h>

#define HASH_FIRST 0xcbf29ce484222325u

/* Adds a string, its NUL included, which keeps it apart from the next one. */
static inline uint64_t hash_text(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    while (*text++);
    return hash;
}

static inline uint64_t hash_object(const char *bus, const char *path)
{
    return hash_text(hash_text(HASH_FIRST, bus), path);
}

#endif
