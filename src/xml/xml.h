/* XML as events, by Expat, which is in the module "expat" and is opened with the first reader.
 *
 * Nothing outside the text is ever read: no document type, no entity, no included file. Text that
 * declares entities is refused, so that it never expands. Main thread only. */
#ifndef PERIGEE_XML_XML_H
#define PERIGEE_XML_XML_H

#include "base/buf.h"
#include "base/error.h"

enum { XML_DEPTH_MAX = 256, XML_ATTRIBUTES_MAX = 100000 };

struct xml;

/* The operations that the module exports as `perigee_xml`. */
struct xml_ops {
    /* NULL: "no_memory". `texts`: events also for text. */
    struct xml *(*new)(bool texts, struct error *err);
    void (*free)(struct xml *xml);

    /* Reads one more part of the text, UTF-8 and without an XML declaration, and appends its
     * events. Each is three values:
     *
     *     name, namespace ("": none), attributes or false    an element begins
     *     false, false, false                                it ends
     *     true, text, false                                  text; one may be several events
     *
     * The values are packed (base/packed_tags.h), attributes as a table. The name of one in a
     * namespace is "{NAMESPACE}NAME". False with "malformed", "entity" (it declares one, or names
     * one that XML does not have), "too_deep" or "too_large", and the place. */
    bool (*feed)(struct xml *xml, struct str part, bool last, struct buf *events,
                 struct error *err);
};

/* Opens the module, if it is not open. NULL: an error of module_symbol(). */
const struct xml_ops *xml_get(struct error *err);

#endif
