/* Chooses the desktop that a run acts on. All functions are for the main thread. */
#ifndef PERIGEE_PLATFORM_BACKENDS_H
#define PERIGEE_PLATFORM_BACKENDS_H

#include "platform/platform.h"

/* The desktop that PERIGEE_DESKTOP names. If it is unset, empty or "native": the first one that
 * this session has. NULL and the errors of platform_named(). */
const struct platform_ops *platform_native(struct error *err);

/* The desktop of this name: "x11", "macos", "fake". NULL: "bad_desktop" (listing those of this
 * build) or an error of module_symbol(). */
const struct platform_ops *platform_named(const char *name, struct error *err);

/* The desktop in one word: "x11:3" (display :3, any of its screens), "macos", "fake"; "-" if the
 * session has none. free() it. Opens nothing. */
char *platform_place(void);

/* The name of a desktop that is a module, by its place among them; NULL behind the last. */
const char *platform_module(size_t at);

/* Another symbol that the module of a desktop exports: "perigee_osa", "perigee_guard". NULL:
 * "not_supported" (no desktop of this build has it) or an error of module_symbol(). */
const void *platform_extra(const char *symbol, struct error *err);

#endif
