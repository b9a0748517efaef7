/* The kind of an application, which decides how it is read. */
#include "platform/atspi/walk/about.h"

#include <strings.h>

#include "platform/atspi/bus/apps.h"
#include "platform/atspi/bus/extents.h"

enum {
    CACHE_MAX = 400, /* elements, at most, of an application whose cache is read */
    CACHE_RIGHT = 8 /* minor version of GTK 4 up to which the cache is right; that of 4.18 is not */
};

/* True for applications that claim to be GTK 3 and are not: they report fewer events, and
 * LibreOffice's cache lacks elements that came after its start. */
static bool is_foreign(const char *name)
{
    static const char *const begins[] = { "soffice", "libreoffice", "openoffice", "eclipse",
                                          "java" };

    for (size_t i = 0; i < countof(begins); i++) {
        if (strncasecmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    }
    return false;
}

/* Asks for the toolkit. GTK 4 does not report what is shown. GTK 3 reports events. */
static bool ask_toolkit(struct walk *walk, const char *bus, struct tree_about *about,
                        struct error *err)
{
    struct toolkit toolkit;
    bool gtk;

    if (!apps_toolkit(walk->atspi, walk->deadline, bus, &toolkit, err))
        return false;
    gtk = strcasecmp(toolkit.name, "gtk") == 0;
    about->within = gtk && toolkit.version >= 4;
    about->trusted = !about->within;
    about->stale = about->within && (toolkit.version > 4 || toolkit.minor > CACHE_RIGHT);
    about->uncached = is_foreign(toolkit.application);
    about->tells = gtk && toolkit.version == 3 && !about->uncached;
    about->lasting = strcasecmp(toolkit.name, "qt") == 0;
    about->known = true;
    return true;
}

bool about_ask(struct walk *walk, const char *bus, struct tree_about *about, struct error *err)
{
    if (!about->known && !ask_toolkit(walk, bus, about, err))
        return false;
    if (about->within)
        extents_set_within(bus);
    return true;
}

/* An application answers for its whole cache or not at all, and GTK 3 fills it as soon as a client
 * listens: with a large one it would hang. */
bool about_judge_size(struct walk *walk, const char *bus, struct tree_about *about,
                      struct error *err)
{
    size_t size = 0;
    bool ok;

    if (about->sized || about->uncached || about->stale)
        return true;
    walk->root = nodes_add(&walk->nodes, bus, ATSPI_ROOT);
    ok = walk->root < 0 || walk_sample(walk, &size, err);
    nodes_free(&walk->nodes);
    if (!ok || walk->root < 0)
        return ok;
    about->sized = true;
    about->uncached = size > CACHE_MAX;
    about->tells = about->tells && !about->uncached;
    return true;
}
