/* The module "utf8proc". */
#include "base/fold.h"
#include "base/utf8proc/characters.h"
#include "base/utf8proc/forms.h"

extern const struct fold_ops perigee_fold;
extern const struct unicode_ops perigee_unicode;

static bool fold_str(struct buf *out, struct str text)
{
    return forms_map(out, text, UNICODE_FOLD);
}

const struct fold_ops perigee_fold = { .fold = fold_str };
const struct unicode_ops perigee_unicode = { .convert = forms_convert, .walk = characters_walk };
