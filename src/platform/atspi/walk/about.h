/* The properties of an application: asked once. */
#ifndef PERIGEE_PLATFORM_ATSPI_WALK_ABOUT_H
#define PERIGEE_PLATFORM_ATSPI_WALK_ABOUT_H

#include "platform/atspi/bus/tree_cache.h"
#include "platform/atspi/walk/walk.h"

/* Asks for its toolkit, unless it is known. False: as talk_ask(). */
bool about_ask(struct walk *walk, const char *bus, struct tree_about *about, struct error *err);

/* Judges by a sample whether its cache may be read; the walk has no nodes before and after. */
bool about_judge_size(struct walk *walk, const char *bus, struct tree_about *about,
                      struct error *err);

#endif
