/* The scanner at work: shared by scan.c and scan_error.c only. */
#ifndef PERIGEE_JSON_SCAN_IMPL_H
#define PERIGEE_JSON_SCAN_IMPL_H

#include "json/scan.h"

struct scanner {
    const char *text, *at, *end;
    struct json_scan *found;
    struct error *err;
    const char *id; /* where the value of the root's "id" starts, while it is being read */
    unsigned depth, depth_max;
    size_t nodes_max;
    bool id_next;              /* the member name just read, of the root, was "id" */
    char open[JSON_DEPTH_MAX]; /* '{' or '[' */
};

/* Fails at `at`, where `what` should be. */
bool scan_expected(const struct scanner *s, const char *what);

/* Fails at `at` with this code. */
bool scan_fail(const struct scanner *s, const char *code, const char *what);

#endif
