/* Paragraphs of a document of which each has an element of its own, as LibreOffice makes them. */
#ifndef PERIGEE_PLATFORM_ATSPI_PARAGRAPHS_H
#define PERIGEE_PLATFORM_ATSPI_PARAGRAPHS_H

#include "base/buf.h"
#include "platform/atspi/bus/talk.h"

/* Appends the texts of the `count` paragraphs right above one, each with a line end. *told is false
 * if there are fewer, or one does not report its text. False: as talk_ask(). */
bool paragraphs_above(struct atspi *atspi, struct deadline *deadline, const char *bus,
                      const char *path, int count, struct buf *out, bool *told, struct error *err);

#endif
