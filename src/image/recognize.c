/* The way to the recognizer, which links libraries that most runs never need, and that not every
 * build has. */
#include "image/recognize.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/module.h"

enum { LANGUAGE_MAX = 100 };

const struct text_recognizer *recognizer_get(struct error *err)
{
    struct error why;
    const struct text_recognizer *recognizer = module_symbol("tesseract", "perigee_text", &why);

    if (recognizer)
        return recognizer;
    if (strcmp(why.code, "module_missing") == 0)
        error_set(err, "not_built",
                  "this build has no text recognition. Install tesseract (Debian: libtesseract-dev "
                  "tesseract-ocr-eng, Homebrew: tesseract), then run make again");
    else
        error_set(err, why.code, "%s", why.text);
    return NULL;
}

void reading_free(struct reading *reading)
{
    free(reading->words);
    buf_free(&reading->text);
    *reading = (struct reading){ 0 };
}

bool read_language_ok(const char *language)
{
    size_t len = strlen(language);

    for (size_t i = 0; i < len; i++)
        if (!isalnum((unsigned char)language[i]) && !strchr("_+", language[i]))
            return false;
    return len > 0 && len <= LANGUAGE_MAX;
}
