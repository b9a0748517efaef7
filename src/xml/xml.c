/* The way to the module. */
#include "xml/xml.h"

#include "base/module.h"

const struct xml_ops *xml_get(struct error *err)
{
    return module_symbol("expat", "perigee_xml", err);
}
