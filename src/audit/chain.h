/* A file of the audit log and the line that it ends with; lines that go on with its chain. */
#ifndef PERIGEE_AUDIT_CHAIN_H
#define PERIGEE_AUDIT_CHAIN_H

#include <sys/types.h>

#include "audit/tail.h"
#include "base/buf.h"

enum { CHAIN_UNKNOWN = -1 };

struct chain {
    int fd;    /* -1: not open */
    off_t end; /* its size behind that line; CHAIN_UNKNOWN: to be read */
    uint64_t seq;
    char last[AUDIT_HASH];
};

void chain_reset(struct chain *chain);
void chain_close(struct chain *chain);

/* Appends process `pid`'s next line to `lines`, which the caller writes. */
bool chain_add(struct chain *chain, pid_t pid, struct buf *lines, const char *kind,
               struct str members, struct error *err);

/* The chain and its file as they were; false. */
bool chain_cut_back(struct chain *chain, const struct chain *before);

#endif
