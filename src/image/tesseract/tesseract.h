/* The inside of the module `tesseract`. */
#ifndef PERIGEE_IMAGE_TESSERACT_TESSERACT_H
#define PERIGEE_IMAGE_TESSERACT_TESSERACT_H

#include <tesseract/capi.h>

#include "image/changes.h"
#include "image/recognize.h"
#include "image/text_lines.h"

/* --- one label, made ready for reading ------------------------------------------------------ */

struct line {
    struct gray pixels;  /* black on white and large enough; gray_free() */
    struct image_box at; /* its part of the picture: the label and its surroundings */
    double zoom;         /* a pixel of the picture is as many of the line */
    int left, top;       /* pixels of the line: where `at` begins in it */
    bool is_loose;       /* has white around, and the text is looked for in it */
};

struct line line_cut(const struct gray *picture, const struct image_box *labels, size_t count,
                     size_t which, double scale);

/* --- engines: handles of the library, kept for the next picture ----------------------------- */

/* One that no other thread uses, for this language. NULL: "no_language", "recognition_failed". */
struct engine *engine_take(const char *language, struct error *err);
void engine_give_back(struct engine *engine);

/* The installed languages: see struct text_recognizer. */
bool engine_languages(struct buf *names, struct buf *version, struct error *err);

/* The words of a line; their places are pixels of `line`. False: it was stopped, or failed. */
bool engine_read(struct engine *engine, const struct line *line, const struct read_options *options,
                 struct reading *words);

/* --- what was read before ------------------------------------------------------------------- */

struct line_sum {
    uint64_t low, high;
};

struct line_sum line_sum(const struct line *line, const char *language);

/* Whether it is known; then its words are added. */
bool known_find(struct line_sum sum, struct reading *words);
void known_add(struct line_sum sum, const struct reading *words);

extern const struct text_recognizer perigee_text;

#endif
