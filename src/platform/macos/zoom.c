/* Work areas, and the frames that windows had before they were maximized. */
#include "platform/macos/zoom.h"

#include <pthread.h>
#include <stdlib.h>

#include "platform/macos/system/appkit.h"

enum { ZOOMS_KEPT = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    uint64_t window;
    struct rect normal;
} remembered[ZOOMS_KEPT];
static size_t oldest;

CGRect zoom_area(const struct rect *frame)
{
    CGDirectDisplayID ids[32], best = CGMainDisplayID();
    CGRect window = CGRectMake(frame->x, frame->y, frame->width, frame->height), visible;
    uint32_t count = 0;
    double most = 0;
    char *name;

    CGGetActiveDisplayList(32, ids, &count);
    for (uint32_t i = 0; i < count; i++) {
        CGRect common = CGRectIntersection(window, CGDisplayBounds(ids[i]));
        double area = CGRectIsNull(common) ? 0 : common.size.width * common.size.height;

        if (area > most) {
            most = area;
            best = ids[i];
        }
    }
    if (!appkit_screen(best, &name, &visible))
        return CGDisplayBounds(best);
    free(name);
    return visible;
}

bool zoom_fills(const struct rect *frame)
{
    CGRect area = zoom_area(frame);

    return near(area.origin.x, frame->x) && near(area.origin.y, frame->y) &&
           near(area.size.width, frame->width) && near(area.size.height, frame->height);
}

void zoom_remember(uint64_t window, const struct rect *normal)
{
    pthread_mutex_lock(&lock);
    remembered[oldest].window = window;
    remembered[oldest].normal = *normal;
    oldest = (oldest + 1) % ZOOMS_KEPT;
    pthread_mutex_unlock(&lock);
}

bool zoom_recall(uint64_t window, struct rect *normal)
{
    bool found = false;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < ZOOMS_KEPT && !found; i++) {
        if (remembered[i].window != window)
            continue;
        *normal = remembered[i].normal;
        remembered[i].window = 0;
        found = true;
    }
    pthread_mutex_unlock(&lock);
    return found;
}
