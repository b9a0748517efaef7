/* Waits: nothing else runs that could go on meanwhile. */
#include "cli/read_input.h"

#include <errno.h>
#include <stdio.h>

#include "files/file.h"

bool read_input(const char *path, size_t max, struct buf *out, struct error *err)
{
    if (strcmp(path, "-") != 0)
        return file_read_all(path, max, out, err);
    while (!feof(stdin) && !ferror(stdin) && out->len <= max)
        out->len += fread(buf_reserve(out, 65536), 1, 65536, stdin);
    if (ferror(stdin))
        return error_errno(err, errno, "cannot read stdin");
    if (out->len > max)
        return error_set(err, "too_large", "stdin has more than %zu bytes", max);
    return true;
}
