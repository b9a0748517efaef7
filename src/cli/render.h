/* A tool's result (CallToolResult) for people. */
#ifndef PERIGEE_CLI_RENDER_H
#define PERIGEE_CLI_RENDER_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "base/buf.h"

/* Writes the blocks, each on lines of its own: texts as they are, of pictures,
 * sounds and links what they are. On a terminal a structured result is
 * indented. */
void render_result(const cJSON *result, FILE *out);

/* Appends the texts, joined by line ends. */
void render_text(const cJSON *result, struct buf *out);

/* Appends the bytes of the first block that has any. *mime (borrowed, may be
 * NULL) is what they are. False: there is none. */
bool render_binary(const cJSON *result, struct buf *bytes, const char **mime);

#endif
