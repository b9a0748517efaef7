/* How a file of the audit log ends: its last whole line, and what is behind it. */
#ifndef PERIGEE_AUDIT_TAIL_H
#define PERIGEE_AUDIT_TAIL_H

#include <sys/types.h>

#include "base/crypto.h"

enum {
    AUDIT_HASH = 2 * CRYPTO_SHA256 + 1, /* hex digits and a NUL */
    AUDIT_TAIL = 64 * 1024              /* no line is longer, and no rest is read beyond it */
};

struct tail {
    bool found;            /* a whole line, or no more than the beginning of a first one */
    uint64_t seq;          /* the number of the last whole line; 0: there is none */
    char last[AUDIT_HASH]; /* its hash; of no line: zeros */
    bool open;             /* only its newline is missing */
    size_t rest;           /* bytes behind it, without a newline at their end */
    bool newline;          /* there was one */
    char torn[AUDIT_HASH]; /* hash of the rest */
};

/* The hash of a line, in hex digits. */
bool tail_hash(struct str line, char hash[AUDIT_HASH], struct error *err);

/* Reads the tail of a file of `size` bytes. */
bool tail_read(int fd, off_t size, struct tail *tail, struct error *err);

#endif
