/* Text that is pasted: in pieces, between the line ends and tabs, which are keys as they are in
 * typing: a terminal runs a line by Return, not by a pasted "\n". */
#ifndef PERIGEE_PLATFORM_PASTE_H
#define PERIGEE_PLATFORM_PASTE_H

#include "base/error.h"
#include "base/util.h"
#include "platform/chord.h"

/* The steps by which this desktop pastes; each fails with its own error. */
struct paste_steps {
    bool (*piece)(void *arg, struct str piece, struct error *err); /* text without such keys */
    bool (*press)(void *arg, struct chord keys, struct error *err);
};

/* Pastes the text. False at the first step that fails. *characters grows by those that were pasted
 * and pressed. */
bool paste_text(const struct paste_steps *steps, void *arg, struct str text, size_t *characters,
                struct error *err);
/* Turns "timeout" into "paste_unknown", for a paste whose key was pressed, so that no caller simply
 * tries again. */
void paste_timed_out(struct error *err);

#endif
