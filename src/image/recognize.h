/* Text out of pictures. The work is in the module `tesseract`, opened on first use.
 *
 * recognizer_get() is for the main thread; what it gives works on any thread, also on several at
 * once. */
#ifndef PERIGEE_IMAGE_RECOGNIZE_H
#define PERIGEE_IMAGE_RECOGNIZE_H

#include "image/image.h"

/* In pixels of the picture. */
struct read_word {
    int x, y, width, height;
    float confidence;  /* 0 to 1, what the recognizer says of itself */
    int label;         /* words that belong together have one number, counted from 0 */
    size_t text, size; /* bytes of reading.text, UTF-8 */
};

/* Zeroed memory is an empty one. */
struct reading {
    struct read_word *words; /* owned */
    size_t count, room;
    struct buf text;
    int labels;     /* places that look like text */
    int recognized; /* labels that were read for the first time; the others were remembered */
    bool cut;       /* not all of them were read: the time was over */
};

struct read_options {
    const char *language; /* "eng", "deu+eng"; borrowed */
    double scale;         /* pixels a point */
    int threads;          /* at most, the caller's among them; below 1: one */
    uint64_t until;       /* uv_hrtime() / 1e6, milliseconds: then it stops and says so; 0: never */
    /* From any of the threads, often: whether to give up at once. NULL: never. */
    bool (*stop)(void *arg);
    void *arg;
};

/* The operations that the module exports as `perigee_text`. On failure the reading is empty:
 * "no_language" (naming the package), "too_large", "cancelled", "recognition_failed". */
struct text_recognizer {
    bool (*read)(const struct image *image, const struct read_options *options,
                 struct reading *reading, struct error *err);

    /* Adds the languages whose data is installed, each followed by a newline, and the library's
     * version to the other. Reads a directory. */
    bool (*languages)(struct buf *names, struct buf *version, struct error *err);
};

/* NULL with the error of module_symbol(), or "not_built". Borrowed for the life of the process. */
const struct text_recognizer *recognizer_get(struct error *err);

void reading_free(struct reading *reading); /* leaves an empty one */

/* "eng", "chi_sim+eng": names of languages only, never a path. */
bool read_language_ok(const char *language);

#endif
