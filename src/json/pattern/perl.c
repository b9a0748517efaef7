/* The way to the module. */
#include "json/pattern/perl.h"

#include "base/module.h"

static const struct perl_ops *ops; /* NULL until it is open, which perl_compile() sees to */

bool perl_ready(struct error *err)
{
    if (!ops)
        ops = module_symbol("pcre2", "perigee_perl", err);
    return ops != NULL;
}

struct perl_pattern *perl_compile(struct str pattern, unsigned options, struct error *err)
{
    return perl_ready(err) ? ops->compile(pattern, options, err) : NULL;
}

void perl_free(struct perl_pattern *pattern)
{
    if (pattern)
        ops->free(pattern);
}

unsigned perl_groups(const struct perl_pattern *pattern)
{
    return ops->groups(pattern);
}

bool perl_name(const struct perl_pattern *pattern, unsigned index, struct perl_name *name)
{
    return ops->name(pattern, index, name);
}

enum perl_result perl_search(const struct perl_pattern *pattern, struct perl_search *search,
                             struct error *err)
{
    return ops->search(pattern, search, err);
}
