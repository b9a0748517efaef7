/* The tools for single applications that the user chose to have in lists (docs/common-tools.md):
 *
 *     {"generateCommonTools": true, "includeApps": ["com.apple.finder"]}
 *
 * at the top of the file that also names servers. Other members are not looked at. */
#ifndef PERIGEE_REGISTRY_CHOICE_H
#define PERIGEE_REGISTRY_CHOICE_H

#include "files/stamp.h"
#include "json/document.h"

/* Only choice.c changes it. */
struct choice {
    char *path;           /* the absolute path of the file */
    struct stamp stamp;   /* zeros: there is no file */
    struct json_doc *doc; /* NULL: there is none, or it is not JSON */
    bool on;
    const cJSON *apps;    /* strings, the applications that it names; NULL: it takes all */
    struct error problem; /* why the file cannot be used; code "": it can, or there is none */
};

struct choice *choice_new(const char *path); /* absolute; copied. Owned by the caller */
void choice_free(struct choice *choice);     /* NULL is fine */

/* Reads the file if it has changed. True: what it says of tools is not what it said before. */
bool choice_look(struct choice *choice);

/* Does the user have the tools for this application in lists? */
bool choice_takes(const struct choice *choice, const char *app);

#endif
