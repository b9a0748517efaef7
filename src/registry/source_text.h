/* The text of a file that a walk through the roots found. */
#ifndef PERIGEE_REGISTRY_SOURCE_TEXT_H
#define PERIGEE_REGISTRY_SOURCE_TEXT_H

#include "registry/source.h"

/* Appends the file's text, of at most max bytes; "changed" if it is not the one that the user
 * approved. */
bool source_text(const struct source *source, size_t max, struct buf *text, struct error *err);

#endif
