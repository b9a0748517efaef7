/* The problems of files that the last look at them found. */
#ifndef PERIGEE_REGISTRY_PROBLEMS_H
#define PERIGEE_REGISTRY_PROBLEMS_H

#include "registry/source.h"

/* A file that could not be loaded. */
struct problem {
    char *path;         /* absolute */
    int line;           /* 0: unknown */
    char *text;         /* "label:line: what" */
    bool kept;          /* its last good version serves on */
    bool foreign;       /* the file is foreign: its text chose the words */
    bool between;       /* it claims what another file has: found when a generation is made */
    struct stamp stamp; /* the file's stamp */
    const void *libs;   /* it took too long on these, and is not tried again; NULL: it did not */
};

/* Zeroed memory is none. */
struct problems {
    struct problem *items; /* owned */
    size_t count;
};

/* The new one; borrowed until the next is added. `text` is copied. */
struct problem *problems_add(struct problems *problems, const char *path, const char *text,
                             bool kept);
bool problems_have(const struct problems *problems, const char *path, const char *text);

/* Writes it into the log: one line that names the file once. `perigee check` has the rest. */
void problem_log(const struct problem *problem);

/* Adds those between files: they last as long as the generation in which they were found. */
void problems_carry(struct problems *to, const struct problems *from);

void problems_free(struct problems *problems);

#endif
