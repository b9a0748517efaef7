/* The gate every JSON text passes before cJSON sees it: cJSON is lenient in
 * many small ways (raw control characters in strings, any byte up to 32 as
 * white space, leading zeros, "1.", a byte order mark, lone surrogates, bytes
 * that are not UTF-8). The scanner accepts exactly RFC 8259. */
#ifndef PERIGEE_JSON_SCAN_H
#define PERIGEE_JSON_SCAN_H

#include "base/error.h"

/* Nothing is parsed deeper than this, whatever the limits say: it is cJSON's
 * own bound on its recursion. */
enum { JSON_DEPTH_MAX = 1000 };

/* cJSON reads numbers through a buffer of 64 bytes and cuts longer ones. */
enum { JSON_NUMBER_MAX = 63 };

struct json_limits {
    size_t bytes;   /* length of the text */
    unsigned depth; /* levels of nesting; larger than JSON_DEPTH_MAX means JSON_DEPTH_MAX */
    unsigned nodes; /* values: scalars, arrays and objects */
};

/* 10 MiB, depth 128, 1,000,000 nodes. */
extern const struct json_limits json_limits_default;

/* Facts about a text that passed the scan. */
struct json_scan {
    struct str id;  /* source text of the root object's last "id" member; borrows from the text */
    size_t nodes;   /* values */
    size_t strings; /* string values and member names */
    bool rewrite;   /* has a \u0000, or a number too long for cJSON */
    bool nul;       /* has a \u0000 */
    bool digits;    /* has a number of DIGITS_LONG characters or more */
};

/* False with the place (line, column, byte) and what was expected there; codes:
 * "json_syntax", "json_utf8", "json_surrogate", "json_number" (beyond the range of a
 * double), "json_depth", "json_size", "json_nodes". limits: NULL for the default. */
bool json_scan(const char *text, size_t len, const struct json_limits *limits,
               struct json_scan *found, struct error *err);

/* Is this an error of json_scan() about a limit of ours, a number's range and half of a surrogate
 * pair among them? By its grammar the text may be JSON then. */
bool json_is_limit(const struct error *err);

#endif
