/* The displays' part of platform.h, whose rules hold here, too; and where the pointer is. */
#ifndef PERIGEE_PLATFORM_DISPLAYS_H
#define PERIGEE_PLATFORM_DISPLAYS_H

#include "base/error.h"
#include "platform/deadline.h"
#include "platform/geometry.h"

struct desktop;

struct display_info {
    uint64_t id;
    char *name;         /* "HDMI-1"; never NULL */
    struct rect bounds; /* points */
    struct rect work;   /* without panels and docks */
    double scale;       /* pixels a point */
    double rotation;    /* degrees clockwise by which the picture is turned */
    bool main;          /* its corner is 0, 0 */
};

struct display_list {
    struct display_info *items; /* the main one first */
    size_t count;
};

/* Permission: none. */
struct display_ops {
    bool (*list)(struct desktop *desktop, struct deadline *deadline, struct display_list *out,
                 struct error *err);
    bool (*cursor)(struct desktop *desktop, struct deadline *deadline, struct point *out,
                   struct error *err);
};

void display_list_free(struct display_list *list);

#endif
