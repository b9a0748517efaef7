/* An outcome as the wire's ReadResourceResult. */
#ifndef PERIGEE_REGISTRY_CALL_CONTENTS_H
#define PERIGEE_REGISTRY_CALL_CONTENTS_H

#include "base/buf.h"
#include "registry/call/call.h"

/* Appends `"contents":[...]`: what read() of the resource returned for this URI. False: it failed,
 * or returned what is no content; err says so (code "not_found" when the file says that there is no
 * such resource), and `out` holds a part that is to be cut back. */
bool contents_write(const struct outcome *outcome, struct str uri, struct buf *out,
                    struct error *err);

#endif
