/* Opening modules: dlopen once, remembered by name for ever.
 *
 * Symbols are bound at once (RTLD_NOW), so that a missing library is an error
 * with a name here and not a crash later, and kept local, so that two modules
 * cannot meet by accident. A module calls back into the program (mem_alloc,
 * error_set, ...), which therefore is linked with -rdynamic. */
#include "base/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

struct module {
    struct module *next;
    void *handle;
    char name[];
};

static struct module *modules;
static bool sealed;

/* The packages to install when a module's own library is missing. */
static const struct hint {
    const char *module, *library, *debian, *brew;
} hints[] = {
    { "pcre2", "PCRE2", "libpcre2-8-0", "pcre2" },
    { "curl", "libcurl", "libcurl4", "curl" },
    { "microhttpd", "libmicrohttpd", "libmicrohttpd12", "libmicrohttpd" },
    { "nettle", "nettle", "libnettle8", "nettle" },
    { "hogweed", "hogweed and GMP", "libhogweed6 libgmp10", "nettle gmp" },
    { "utf8proc", "utf8proc", "libutf8proc2", "utf8proc" },
    { "libedit", "libedit", "libedit2", "libedit" },
    { "leptonica", "leptonica", "liblept5", "leptonica" }, /* Debian 13: libleptonica6 */
    { "gtk", "GTK 3", "libgtk-3-0", "gtk+3" },
    { "gmime", "GMime", "libgmime-3.0-0", "gmime" },
    { "tesseract", "tesseract", "libtesseract5", "tesseract" },
#if defined(__linux__) && defined(__x86_64__)
    { "encoders", "ISA-L and libjpeg-turbo", "libisal2 libturbojpeg0", "isa-l jpeg-turbo" },
#else
    { "encoders", "libdeflate and libjpeg-turbo", "libdeflate0 libturbojpeg0",
      "libdeflate jpeg-turbo" },
#endif
};

const char *module_executable(void)
{
    static char *known;
    char raw[PATH_MAX];
    size_t size = sizeof raw;

    if (known)
        return known;
    if (uv_exepath(raw, &size) == 0)
        known = realpath(raw, NULL);
    if (!known)
        known = mem_strdup("");
    return known;
}

/* The candidates for a module's file, in order; the caller frees each. */
static size_t module_places(const char *name, char *paths[4])
{
    static const char *const below[] = { "modules", "../lib/perigee/modules", "../../modules",
                                         "../PlugIns" /* in a Mac's bundle */ };
    const char *chosen = getenv("PERIGEE_MODULES");
    const char *program = module_executable();
    const char *slash = strrchr(program, '/');
    int folder = slash ? (int)(slash - program) : 0;

    if (chosen && *chosen) {
        paths[0] = mem_printf("%s/%s.so", chosen, name);
        return 1;
    }
    for (size_t i = 0; i < countof(below); i++)
        paths[i] = mem_printf("%.*s/%s/%s.so", folder, program, below[i], name);
    return countof(below);
}

static const struct hint *module_hint(const char *name)
{
    for (size_t i = 0; i < countof(hints); i++) {
        if (strcmp(hints[i].module, name) == 0)
            return &hints[i];
    }
    return NULL;
}

static void report_missing(const char *name, char *paths[], size_t count, struct error *err)
{
    char tried[300] = "";
    size_t used = 0;

    for (size_t i = 0; i < count && used < sizeof tried; i++)
        used +=
            (size_t)snprintf(tried + used, sizeof tried - used, "%s%s", i ? ", " : "", paths[i]);
    error_set(err, "module_missing",
              "module \"%s\" was not found (tried %s). Run make, or set PERIGEE_MODULES to its "
              "directory",
              name, tried);
}

static void report_broken(const char *name, struct error *err)
{
    const struct hint *hint = module_hint(name);
    const char *why = dlerror();

    if (!why)
        why = "unknown reason";
    if (!hint) {
        error_set(err, "module_broken", "module \"%s\" cannot be loaded: %s", name, why);
        return;
    }
    error_set(err, "module_broken",
              "module \"%s\" cannot be loaded: %.250s. Install %s (Debian: %s, Homebrew: %s)", name,
              why, hint->library, hint->debian, hint->brew);
}

char *module_path(const char *name)
{
    char *paths[4], *found = NULL;
    size_t count = module_places(name, paths);

    for (size_t i = 0; i < count; i++) {
        if (!found && access(paths[i], R_OK) == 0)
            found = realpath(paths[i], NULL);
        free(paths[i]);
    }
    return found;
}

static void *module_open(const char *name, struct error *err)
{
    char *paths[4];
    size_t count = module_places(name, paths);
    void *handle = NULL;
    size_t i;

    for (i = 0; i < count && access(paths[i], R_OK) != 0; i++)
        ;
    if (i == count)
        report_missing(name, paths, count, err);
    else if (!(handle = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL)))
        report_broken(name, err);
    for (i = 0; i < count; i++)
        free(paths[i]);
    return handle;
}

static struct module *module_find(const char *name, struct error *err)
{
    struct module *module;
    void *handle;

    for (module = modules; module; module = module->next) {
        if (strcmp(module->name, name) == 0)
            return module;
    }
    if (sealed)
        error_set(err, "module_missing", "module \"%s\" cannot be loaded in a jail", name);
    handle = sealed ? NULL : module_open(name, err);
    if (!handle)
        return NULL;
    module = mem_alloc(sizeof *module + strlen(name) + 1);
    memcpy(module->name, name, strlen(name) + 1);
    module->handle = handle;
    module->next = modules;
    modules = module;
    return module;
}

void module_seal(void)
{
    sealed = true;
}

void *module_symbol(const char *name, const char *symbol, struct error *err)
{
    struct module *module = name ? module_find(name, err) : NULL;
    void *address;

    if (name && !module)
        return NULL;
    address = dlsym(module ? module->handle : RTLD_DEFAULT, symbol);
    if (!address)
        error_set(err, "module_symbol",
                  "module \"%s\" has no symbol \"%s\": it is from another build. Run make, or "
                  "install the program again",
                  name ? name : "program", symbol);
    return address;
}
