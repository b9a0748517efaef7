/* A screenshot by ScreenCaptureKit, as C. sckit.m has the real thing. */
#ifndef PERIGEE_PLATFORM_MACOS_SYSTEM_SCKIT_H
#define PERIGEE_PLATFORM_MACOS_SYSTEM_SCKIT_H

#include <CoreGraphics/CoreGraphics.h>

#include "base/error.h"

struct sckit_request {
    CGDirectDisplayID display; /* 0: a window */
    CGWindowID window;
    CGRect part;  /* part of the display, in points from its own corner; zero size: all of it */
    double scale; /* pixels a point */
    bool cursor;
};

/* True if this system has ScreenCaptureKit's screenshots (macOS 14). */
bool sckit_there(void);

/* Asks for the shareable content and drops the answer, so that the pane of Screen Recording lists
 * this program: CGRequestScreenCaptureAccess() alone is reported not to enter it. Waits at most
 * ms. */
void sckit_enroll(uint64_t ms);

/* Takes the image; owned by the caller. NULL: "timeout" (it is known to hang at times),
 * "capture_failed", "window_not_found", "display_not_found". Waits at most ms. */
CGImageRef sckit_copy_image(const struct sckit_request *request, uint64_t ms, struct error *err);

#endif
