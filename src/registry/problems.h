/* What is wrong with files, as the last look at them found. */
#ifndef PERIGEE_REGISTRY_PROBLEMS_H
#define PERIGEE_REGISTRY_PROBLEMS_H

#include "base/util.h"

/* A file that could not be loaded. */
struct problem {
    char *path; /* absolute */
    int line;   /* 0: unknown */
    char *text; /* "label:line: what" */
    bool kept;  /* its last good version serves on */
};

/* Zeroed memory is none. */
struct problems {
    struct problem *items; /* owned */
    size_t count;
};

void problems_add(struct problems *problems, const char *path, const char *text, bool kept);
bool problems_have(const struct problems *problems, const char *path, const char *text);
void problems_free(struct problems *problems);

#endif
