/* The reader over Expat: what it reports becomes events. */
#include <expat.h>
#include <stdlib.h>

#include "base/packed_tags.h"
#include "xml/xml.h"

enum { BETWEEN = '\n' }; /* namespace and name: it is in neither */

/* A line before the text. It says that the text needs no other file: otherwise Expat takes an
 * unknown entity for one of the document type, and leaves it out of attributes without a word. */
static const char alone[] = "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n";

extern const struct xml_ops perigee_xml;

struct xml {
    XML_Parser parser;
    struct buf *events; /* events of the part that is read; NULL between parts */
    unsigned depth;
    const char *refused; /* the code, if it was refused here and not by Expat */
    const char *why;
};

/* Expat may still report the end of the element: events of refused text are not used. */
static void xml_refuse(struct xml *xml, const char *code, const char *why)
{
    xml->refused = code;
    xml->why = why;
    XML_StopParser(xml->parser, XML_FALSE);
}

/* Splits "NAMESPACE\nNAME". Returns the local name; *len is the length of the namespace. */
static const char *local_name(const char *name, size_t *len)
{
    const char *between = strrchr(name, BETWEEN);

    *len = between ? (size_t)(between - name) : 0;
    return between ? between + 1 : name;
}

static void add_attribute(struct buf *events, const char *name, const char *value)
{
    size_t len;
    const char *local = local_name(name, &len);

    buf_addc(events, TAG_STRING);
    bytes_u32(events, (uint32_t)(strlen(local) + (len ? len + 2 : 0)));
    if (len)
        buf_addf(events, "{%.*s}", (int)len, name);
    buf_adds(events, local);
    packed_add_text(events, str_from(value));
}

static void on_open(void *arg, const char *name, const char **attributes)
{
    struct xml *xml = arg;
    uint32_t count = 0;
    size_t len;
    const char *local = local_name(name, &len);

    if (++xml->depth > XML_DEPTH_MAX) {
        xml_refuse(xml, "too_deep", "too many elements are inside one another");
        return;
    }
    while (attributes[count])
        count += 2;
    if (count / 2 > XML_ATTRIBUTES_MAX) {
        xml_refuse(xml, "too_large", "an element has more than 100000 attributes");
        return;
    }
    packed_add_text(xml->events, str_from(local));
    packed_add_text(xml->events, (struct str){ name, len });
    if (count)
        packed_begin_table(xml->events, count / 2);
    else
        buf_addc(xml->events, TAG_FALSE);
    for (uint32_t i = 0; i < count; i += 2)
        add_attribute(xml->events, attributes[i], attributes[i + 1]);
}

static void on_close(void *arg, const char *name)
{
    static const char event[] = { TAG_FALSE, TAG_FALSE, TAG_FALSE };
    struct xml *xml = arg;

    (void)name;
    xml->depth--;
    buf_add(xml->events, event, sizeof event);
}

static void on_text(void *arg, const char *text, int len)
{
    struct buf *events = ((struct xml *)arg)->events;

    buf_addc(events, TAG_TRUE);
    packed_add_text(events, (struct str){ text, (size_t)len });
    buf_addc(events, TAG_FALSE);
}

/* An entity's declaration, a parameter's as well. */
static void on_entity(void *arg, const char *name, int is_parameter, const char *value, int len,
                      const char *base, const char *system, const char *public,
                      const char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)len;
    (void)base, (void)system, (void)public, (void)notation;
    xml_refuse(arg, "entity", "it declares an entity of its own");
}

static struct xml *expat_new(bool texts, struct error *err)
{
    struct xml *xml = mem_zero(sizeof *xml);

    xml->parser = XML_ParserCreateNS("UTF-8", BETWEEN);
    if (!xml->parser) {
        free(xml);
        error_set(err, "no_memory", "there is no memory for a reader of XML");
        return NULL;
    }
    XML_SetUserData(xml->parser, xml);
    XML_SetElementHandler(xml->parser, on_open, on_close);
    XML_SetEntityDeclHandler(xml->parser, on_entity);
    if (texts)
        XML_SetCharacterDataHandler(xml->parser, on_text);
    XML_Parse(xml->parser, alone, sizeof alone - 1, XML_FALSE);
    return xml;
}

static void expat_free(struct xml *xml)
{
    XML_ParserFree(xml->parser);
    free(xml);
}

/* Expat 2.9 has these for numbers of 64 bits, and warns of the others. */
#ifdef XML_ATTR_DEPRECATED
#define XML_LINE   XML_GetCurrentLineNumber64
#define XML_COLUMN XML_GetCurrentColumnNumber64
#else
#define XML_LINE   XML_GetCurrentLineNumber
#define XML_COLUMN XML_GetCurrentColumnNumber
#endif

static bool expat_failed(struct xml *xml, struct error *err)
{
    enum XML_Error number = XML_GetErrorCode(xml->parser);
    const char *code = number == XML_ERROR_UNDEFINED_ENTITY ? "entity" : "malformed";

    return error_set(err, xml->refused ? xml->refused : code, "line %lu, column %lu: %s",
                     (unsigned long)XML_LINE(xml->parser) - 1,
                     (unsigned long)XML_COLUMN(xml->parser) + 1,
                     xml->refused ? xml->why : XML_ErrorString(number));
}

static bool expat_feed(struct xml *xml, struct str part, bool last, struct buf *events,
                       struct error *err)
{
    enum XML_Status status;

    if (xml->refused)
        return expat_failed(xml, err);
    xml->events = events;
    status = XML_Parse(xml->parser, part.ptr, (int)part.len, last);
    xml->events = NULL;
    return status == XML_STATUS_OK || expat_failed(xml, err);
}

const struct xml_ops perigee_xml = { expat_new, expat_free, expat_feed };
