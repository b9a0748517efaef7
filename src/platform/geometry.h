/* Places on the desktop, in points. */
#ifndef PERIGEE_PLATFORM_GEOMETRY_H
#define PERIGEE_PLATFORM_GEOMETRY_H

#include <stdbool.h>

struct point {
    double x, y;
};

struct rect {
    double x, y, width, height;
};

static inline bool rect_same(struct rect a, struct rect b)
{
    return a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height;
}

#endif
