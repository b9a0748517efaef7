/* Text of a selection in the encodings that ICCCM and MIME types name, as UTF-8. */
#ifndef PERIGEE_X11_CLIP_TEXT_H
#define PERIGEE_X11_CLIP_TEXT_H

#include "platform/clip.h"
#include "platform/x11/wire/x11.h"

/* Adds the data, which came as the type `came_as`, to the clip as UTF-8 of the type `type`. */
void clip_text_add(struct x11_desktop *desktop, struct clip *out, const char *type, Atom came_as,
                   struct str data);

#endif
