/* The interpreter that Python guests run in, and the files that it needs.
 *
 * Nothing is asked of the interpreter: the files of a virtual environment would run outside of the
 * jail (.pth files are code). Its prefix is found as it finds it: pyvenv.cfg beside the program,
 * and lib/python3.N/os.py above it. */
#ifndef PERIGEE_GUEST_PYTHON_FIND_H
#define PERIGEE_GUEST_PYTHON_FIND_H

#include "base/error.h"

enum { PYTHON_PATHS_MAX = 48 };

struct python {
    char *program;                 /* absolute */
    char *paths[PYTHON_PATHS_MAX]; /* paths that guests may read; some may be missing */
    size_t count;
    char note[300]; /* packages that cannot be imported, and why; or "" */
};

/* Finds the interpreter with this path, or this name on PATH. A script that starts one, such as
 * pyenv's, is none. False and err: "no_interpreter". python_free() in both cases. */
bool python_find(const char *interpreter, struct python *out, struct error *err);
void python_free(struct python *python);

#endif
