/* The way to the module. */
#include "xml/xml.h"

#include "base/module.h"

static const struct xml_ops *ops; /* NULL until it is open, which xml_new() sees to */

bool xml_ready(struct error *err)
{
    if (!ops)
        ops = module_symbol("expat", "perigee_xml", err);
    return ops != NULL;
}

struct xml *xml_new(bool texts, struct error *err)
{
    return xml_ready(err) ? ops->new (texts, err) : NULL;
}

void xml_free(struct xml *xml)
{
    if (xml)
        ops->free(xml);
}

bool xml_feed(struct xml *xml, struct str part, bool last, struct buf *events, struct error *err)
{
    return ops->feed(xml, part, last, events, err);
}
