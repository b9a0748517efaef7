/* The desktops of this build, and the choice among them.
 *
 * To add one, for example Wayland:
 * 1. src/platform/wayland defines `const struct platform_ops perigee_wayland`. platform.h says what
 *    each operation promises; what Wayland shares with X11 is in src/platform/freedesktop, and
 *    atspi_place.h.
 * 2. The Makefile lists it in DESKTOPS with its libraries in PKGS_wayland. tests/layers.sh lists
 * its folder behind platform/freedesktop.
 * 3. The table below gets a row. Rows are tried in order, and a session with WAYLAND_DISPLAY often
 *    has DISPLAY as well (Xwayland), so the row belongs above the one of X11. */
#include "platform/backends.h"

#include <stdlib.h>

#include "base/module.h"

#ifdef __APPLE__
static bool always(void)
{
    return true;
}
#else
static bool has_x11(void)
{
    const char *display = getenv("DISPLAY");

    return display && *display;
}
#endif

static const struct backend {
    const char *name;     /* as PERIGEE_DESKTOP has it */
    const char *module;   /* NULL: it is in the program */
    const char *symbol;   /* its struct platform_ops */
    bool (*usable)(void); /* true if this session has it; NULL: it has to be named */
    const char *needs;    /* the libraries without which its module cannot be opened */
} backends[] = {
#ifdef __APPLE__
    { "macos", "macos", "perigee_macos", always,
      "Use macOS 13 or newer, and sign the module as the program (make sign)" },
#else
    { "x11", "x11", "perigee_x11", has_x11,
      "Install the X11 libraries (Debian: libx11-xcb1 libxcb-xinput0 libxcb-xtest0 libxcb-damage0 "
      "libxcb-record0 "
      "libxcb-res0 libxkbcommon0)" },
#endif
    { "fake", NULL, "perigee_fake", NULL, NULL },
};

static const struct platform_ops *backend_open(const struct backend *backend, struct error *err)
{
    struct error why;
    const struct platform_ops *ops = module_symbol(backend->module, backend->symbol, &why);

    if (ops)
        return ops;
    if (strcmp(why.code, "module_broken") == 0)
        error_set(err, why.code, "%s. %s", why.text, backend->needs);
    else
        error_set(err, why.code, "%s", why.text);
    return NULL;
}

const struct platform_ops *platform_named(const char *name, struct error *err)
{
    struct buf known = { 0 };

    for (size_t i = 0; i < countof(backends); i++) {
        if (strcmp(backends[i].name, name) == 0) {
            buf_free(&known);
            return backend_open(&backends[i], err);
        }
        buf_adds(&known, i ? ", " : "");
        buf_adds(&known, backends[i].name);
    }
    error_set(err, "bad_desktop",
              "this build has no desktop \"%.40s\". Set PERIGEE_DESKTOP to one of %s, or unset it",
              name, buf_text(&known));
    buf_free(&known);
    return NULL;
}

/* If the session has none of them, the open() of the last one reports what is missing. */
static const struct backend *usual_backend(void)
{
    const struct backend *usual = NULL;

    for (size_t i = 0; i < countof(backends); i++) {
        if (!backends[i].usable)
            continue;
        usual = &backends[i];
        if (usual->usable())
            break;
    }
    return usual;
}

const struct platform_ops *platform_native(struct error *err)
{
    const char *name = getenv("PERIGEE_DESKTOP");

    if (name && *name && strcmp(name, "native") != 0)
        return platform_named(name, err);
    return backend_open(usual_backend(), err);
}

/* The display in a name, without its screen: ":3" of ":3.0" and "unix:3". */
static char *display_of(const char *name)
{
    const char *colon = strrchr(name, ':');
    size_t host = colon ? (size_t)(colon - name) : 0;

    if (!colon)
        return mem_strdup(name);
    if (host == 4 && strncmp(name, "unix", 4) == 0)
        host = 0;
    return mem_printf("%.*s%.*s", (int)host, name, (int)strcspn(colon, "."), colon);
}

char *platform_place(void)
{
    const char *name = getenv("PERIGEE_DESKTOP"), *screen = getenv("DISPLAY");
    char *display, *place;

    if (!name || !*name || strcmp(name, "native") == 0)
        name = usual_backend()->name;
    if (strcmp(name, "x11") != 0)
        return mem_strdup(name);
    display = screen && *screen ? display_of(screen) : NULL;
    place = display ? mem_printf("%s%s", name, display) : mem_strdup("-");
    free(display);
    return place;
}

const char *platform_module(size_t at)
{
    for (size_t i = 0; i < countof(backends); i++) {
        if (backends[i].module && at-- == 0)
            return backends[i].module;
    }
    return NULL;
}

const void *platform_extra(const char *symbol, struct error *err)
{
    const char *module;

    for (size_t i = 0; (module = platform_module(i)); i++) {
        struct error why;
        const void *found = module_symbol(module, symbol, &why);

        if (found)
            return found;
        if (strcmp(why.code, "module_symbol") != 0) {
            error_set(err, why.code, "%s", why.text);
            return NULL;
        }
    }
    error_set(err, "not_supported", "no desktop of this system has %s", symbol);
    return NULL;
}
