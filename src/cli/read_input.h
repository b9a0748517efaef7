/* A file that the user named on the command line. */
#ifndef PERIGEE_CLI_READ_INPUT_H
#define PERIGEE_CLI_READ_INPUT_H

#include "base/buf.h"
#include "base/error.h"

/* Appends the file, of at most `max` bytes; "-" is stdin, up to its end. */
bool read_input(const char *path, size_t max, struct buf *out, struct error *err);

#endif
