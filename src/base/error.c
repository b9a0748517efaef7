/* Fixed-size errors: always printable, nothing to free. */
#include "base/error.h"

#include <errno.h>
#include <stdio.h>

/* vsnprintf cuts at a byte; step back so that no UTF-8 sequence is split. */
static void trim_utf8(char *text, size_t size)
{
    size_t len = strlen(text);
    size_t start = len;

    if (len + 1 < size)
        return;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (len - (start - 1) < want)
        text[start - 1] = '\0';
}

bool error_vset(struct error *err, const char *code, const char *fmt, va_list args)
{
    if (!err)
        return false;
    snprintf(err->code, sizeof err->code, "%s", code);
    vsnprintf(err->text, sizeof err->text, fmt, args);
    trim_utf8(err->text, sizeof err->text);
    return false;
}

bool error_set(struct error *err, const char *code, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    error_vset(err, code, fmt, args);
    va_end(args);
    return false;
}

static const char *code_of_errno(int number)
{
    switch (number) {
    case ENOENT:
        return "not_found";
    case EACCES:
    case EPERM:
        return "permission_denied";
    case EEXIST:
        return "exists";
    case ENOTDIR:
        return "not_a_folder";
    case EISDIR:
        return "is_a_folder";
    case ENOTEMPTY:
        return "not_empty";
    case ENOSPC:
    case EDQUOT:
        return "no_space";
    case ETIMEDOUT:
        return "timeout";
    case EROFS:
        return "read_only";
    case ENAMETOOLONG:
        return "name_too_long";
    case ELOOP:
        return "too_many_links";
    case EMFILE:
    case ENFILE:
        return "too_many_files";
    case ECONNREFUSED:
        return "connection_refused";
    default:
        return "io_error";
    }
}

bool error_errno(struct error *err, int number, const char *fmt, ...)
{
    char what[400];
    va_list args;

    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    return error_set(err, code_of_errno(number), "%s: %s", what, strerror(number));
}
