/* The way to the module. */
#include "base/fold.h"

#include "base/module.h"

bool fold_text(struct buf *out, struct str text)
{
    static const struct fold_ops *ops;
    static bool looked;
    struct error err;

    if (!looked) {
        ops = module_symbol("utf8proc", "perigee_fold", &err);
        looked = true;
    }
    return ops && ops->fold(out, text);
}
