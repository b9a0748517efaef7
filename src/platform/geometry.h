/* Places on the desktop, in points. */
#ifndef PERIGEE_PLATFORM_GEOMETRY_H
#define PERIGEE_PLATFORM_GEOMETRY_H

#include <math.h>
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

static inline bool rect_has(const struct rect *rect, struct point at)
{
    return at.x >= rect->x && at.x < rect->x + rect->width && at.y >= rect->y &&
           at.y < rect->y + rect->height;
}

/* The common part of a and b; a if they have none. */
static inline struct rect rect_cut(struct rect a, struct rect b)
{
    double left = fmax(a.x, b.x), right = fmin(a.x + a.width, b.x + b.width);
    double top = fmax(a.y, b.y), bottom = fmin(a.y + a.height, b.y + b.height);

    if (right <= left || bottom <= top)
        return a;
    return (struct rect){ left, top, right - left, bottom - top };
}

#endif
