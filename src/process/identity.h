/* The program that is responsible for this one to macOS, and how this one becomes responsible
 * itself.
 *
 * macOS gives permissions to the responsible process: the terminal, editor or client that started a
 * program, and whatever that starts. Both functions behind this are private to Apple and used by
 * LLDB, Chromium and Qt Creator for the same ends (qt.io/blog/the-curious-case-of-the-responsible-
 * process), so they are looked up when they are wanted, and elsewhere are not there. */
#ifndef PERIGEE_PROCESS_IDENTITY_H
#define PERIGEE_PROCESS_IDENTITY_H

#include "base/error.h"

/* A page of System Settings > Privacy & Security. */
struct identity_pane {
    const char *name; /* "Automation", as the settings show it */
    const char *url;  /* for `open` */
};

extern const struct identity_pane identity_pane_accessibility, identity_pane_automation,
    identity_pane_screen;

/* The process that permissions are charged to; this one where nothing else is told. *path is its
 * executable's, "" when unknown; the caller frees it. */
int identity_responsible(char **path);

/* "Allow it in System Settings > Privacy & Security > PANE (open "URL") for PATH (process N), which
 * answers for this program, then restart that": at most 360 bytes. The caller frees. */
char *identity_advice(const struct identity_pane *pane);

/* Lends the arguments of main(), for identity_disown(). */
void identity_init(char **argv);

/* On a Mac a program without a bundle is reported to be left out of the list of Screen Recording.
 * Where this one is in a bundle (NAME.app/Contents/MacOS/) and was started by another path, the
 * link in bin, starts it by the bundle's: the same process id, descriptors and arguments. Returns
 * where there is nothing to do, or no way to do it. For the start of the program. */
void identity_enter_bundle(char **argv);

/* Starts this program again in its own place: the same process id, descriptors and arguments, but
 * answering for itself. Does not return then; in the program that was started again it returns
 * true. False: "not_supported" (not macOS, or one without the function), "not_disowned" (it was
 * started again, and another process answers still), or the system's reason. For the start of the
 * program: nothing was read, no thread runs. */
bool identity_disown(struct error *err);

#endif
