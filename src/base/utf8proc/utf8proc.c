/* The module "utf8proc". */
#include <utf8proc.h>

#include <stdlib.h>

#include "base/fold.h"

extern const struct fold_ops perigee_fold;

static bool fold(struct buf *out, struct str text)
{
    utf8proc_uint8_t *folded = NULL;
    utf8proc_ssize_t len = utf8proc_map(
        (const utf8proc_uint8_t *)text.ptr, (utf8proc_ssize_t)text.len, &folded,
        UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);

    if (len < 0)
        return false;
    buf_add(out, folded, (size_t)len);
    free(folded);
    return true;
}

const struct fold_ops perigee_fold = { .fold = fold };
