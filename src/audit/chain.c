/* Lines are composed by appends: printf takes longer than all of this. */
#include "audit/chain.h"

#include <unistd.h>

#include "audit/log_files.h"

void chain_reset(struct chain *chain)
{
    *chain = (struct chain){ .fd = -1, .end = CHAIN_UNKNOWN };
    memset(chain->last, '0', AUDIT_HASH - 1);
}

void chain_close(struct chain *chain)
{
    if (chain->fd >= 0)
        close(chain->fd);
    chain->fd = -1;
    chain->end = CHAIN_UNKNOWN;
}

bool chain_add(struct chain *chain, pid_t pid, struct buf *lines, const char *kind,
               struct str members, struct error *err)
{
    size_t start = lines->len;

    buf_lit(lines, "{\"time\":\"");
    log_file_time(lines);
    buf_lit(lines, "\",\"seq\":");
    buf_addu(lines, chain->seq + 1);
    buf_lit(lines, ",\"pid\":");
    buf_addu(lines, (uint64_t)pid);
    buf_lit(lines, ",\"kind\":\"");
    buf_adds(lines, kind);
    buf_addc(lines, '"');
    if (members.len) {
        buf_addc(lines, ',');
        buf_add(lines, members.ptr, members.len);
    }
    buf_lit(lines, ",\"prev\":\"");
    buf_add(lines, chain->last, AUDIT_HASH - 1);
    buf_lit(lines, "\"}\n");
    if (!tail_hash((struct str){ lines->data + start, lines->len - start - 1 }, chain->last, err))
        return false;
    chain->seq++;
    return true;
}

bool chain_cut_back(struct chain *chain, const struct chain *before)
{
    bool cut = chain->end == before->end || ftruncate(chain->fd, before->end) == 0;

    *chain = *before;
    if (!cut)
        chain->end = CHAIN_UNKNOWN;
    return false;
}
