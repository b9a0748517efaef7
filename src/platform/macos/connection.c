/* On a Mac there is no connection to open; permissions are needed instead. */
#include "platform/macos/connection.h"

#include "platform/macos/system/cf.h"

bool macos_has_session(void)
{
    CFDictionaryRef session = CGSessionCopyCurrentDictionary();
    bool there = session != NULL;

    cf_release(session);
    return there;
}

bool macos_begin(struct macos_desktop *desktop, struct deadline *deadline, struct error *err)
{
    if (desktop->dead)
        return error_set(err, "display_lost",
                         "an earlier call on this connection hung. Try again: the next call opens "
                         "another");
    return deadline_ok(deadline, err);
}
