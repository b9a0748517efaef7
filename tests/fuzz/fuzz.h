/* The parts that fuzz targets share. Each target is one file with LLVMFuzzerTestOneInput();
 * libFuzzer calls it (`make fuzz`), or replay.c with the files of cases/ (an ordinary test, without
 * clang). */
#ifndef PERIGEE_TESTS_FUZZ_H
#define PERIGEE_TESTS_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Called first (world.c): the engine starts this program once more for the scripts of clients,
 * which libFuzzer would take for another fuzzer, without a limit of time. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Aborts, and names the condition, unless it holds: it must for any input. */
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* The bytes as a text that ends exactly where the input does, so that reading past it shows. */
static inline char *fuzz_copy(const uint8_t *data, size_t size)
{
    char *copy = mem_alloc(size ? size : 1);

    if (size)
        memcpy(copy, data, size);
    return copy;
}

/* The next piece, up to the separator or the end; false, and an empty one, when nothing is left. */
static inline bool fuzz_piece(struct str *rest, char separator, struct str *piece)
{
    const char *at;

    *piece = STR("");
    if (!rest->ptr)
        return false;
    at = rest->len ? memchr(rest->ptr, separator, rest->len) : NULL;
    *piece = (struct str){ rest->ptr, at ? (size_t)(at - rest->ptr) : rest->len };
    rest->len -= piece->len + (at ? 1 : 0);
    rest->ptr = at ? at + 1 : NULL;
    return true;
}

#endif
