/* The way to the module. */
#include "base/unicode.h"

#include "base/module.h"

static const struct unicode_ops *unicode_ops_get(struct error *err)
{
    static const struct unicode_ops *ops;

    if (!ops)
        ops = module_symbol("utf8proc", "perigee_unicode", err);
    return ops;
}

bool unicode_ready(struct error *err)
{
    return unicode_ops_get(err) != NULL;
}

bool unicode_convert(struct buf *out, struct str text, enum unicode_form form, struct error *err)
{
    const struct unicode_ops *ops = unicode_ops_get(err);

    if (ops)
        ops->convert(out, text, form);
    return ops != NULL;
}

bool unicode_walk(struct str text, const struct unicode_extent *most, struct unicode_extent *walked,
                  struct error *err)
{
    const struct unicode_ops *ops = unicode_ops_get(err);

    if (ops)
        ops->walk(text, most, walked);
    return ops != NULL;
}
