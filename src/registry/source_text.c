#include "registry/source_text.h"

#include "base/crypto.h"
#include "files/file.h"
#include "files/trust.h"

static bool check_sum(const struct source *source, struct str text, struct error *err)
{
    unsigned char sum[CRYPTO_SHA256];

    if (!crypto_sha256(text, sum, err))
        return false;
    return memcmp(sum, source->sum, sizeof sum) == 0 ||
           error_set(err, "changed",
                     "%s: it was changed after you approved its pack. Run `perigee pack list`",
                     source->label);
}

bool source_text(const struct source *source, size_t max, struct buf *text, struct error *err)
{
    size_t before = text->len;

    if (!(source->bound ? file_read_all(source->path, max, text, err)
                        : trust_read(source->path, TRUST_RULES, max, text, err)))
        return false;
    if (!source->bound ||
        check_sum(source, (struct str){ text->data + before, text->len - before }, err))
        return true;
    text->len = before;
    return false;
}
