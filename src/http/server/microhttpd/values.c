/* Values of a request besides its method and path: its headers, one or all, and its query. */
#include <ctype.h>
#include <strings.h>

#include "http/server/microhttpd/exchange.h"

static struct MHD_Connection *mhd_of(struct httpd_exchange *x)
{
    const struct exchange *e = container_of(x, struct exchange, x);

    return e->connection ? e->connection->mhd : NULL;
}

struct search {
    const char *name, *value;
    unsigned count;
};

static enum MHD_Result match_header(void *arg, enum MHD_ValueKind kind, const char *key,
                                    const char *value)
{
    struct search *search = arg;

    (void)kind;
    if (strcasecmp(key, search->name) == 0 && search->count++ == 0)
        search->value = value ? value : "";
    return MHD_YES;
}

const char *exchange_header(struct httpd_exchange *x, const char *name, bool *again)
{
    struct search search = { .name = name };

    if (mhd_of(x))
        MHD_get_connection_values(mhd_of(x), MHD_HEADER_KIND, match_header, &search);
    if (again)
        *again = search.count > 1;
    return search.value;
}

static enum MHD_Result add_header_pair(void *arg, enum MHD_ValueKind kind, const char *key,
                                       const char *value)
{
    struct buf *out = arg;

    (void)kind;
    for (; *key; key++)
        buf_addc(out, (char)tolower((unsigned char)*key));
    buf_addc(out, '\0');
    buf_add(out, value ? value : "", value ? strlen(value) + 1 : 1);
    return MHD_YES;
}

void exchange_headers(struct httpd_exchange *x, struct buf *out)
{
    if (mhd_of(x))
        MHD_get_connection_values(mhd_of(x), MHD_HEADER_KIND, add_header_pair, out);
}

/* --- the query, which libmicrohttpd has taken apart and decoded ------------------------------- */

static void add_url_encoded(struct buf *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char c = text[i], lower = (char)(c | 0x20);

        if ((lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || (c && strchr("-._~", c)))
            buf_addc(out, c);
        else
            buf_addf(out, "%%%02X", (unsigned)(unsigned char)c);
    }
}

struct query {
    struct buf *out;
    bool begun;
};

static enum MHD_Result add_pair(void *arg, enum MHD_ValueKind kind, const char *key, size_t key_len,
                                const char *value, size_t value_len)
{
    struct query *query = arg;

    (void)kind;
    if (query->begun)
        buf_addc(query->out, '&');
    query->begun = true;
    add_url_encoded(query->out, key, key_len);
    if (value)
        buf_addc(query->out, '=');
    add_url_encoded(query->out, value, value ? value_len : 0);
    return MHD_YES;
}

void exchange_query(struct httpd_exchange *x, struct buf *out)
{
    struct query query = { out, false };

    if (mhd_of(x))
        MHD_get_connection_values_n(mhd_of(x), MHD_GET_ARGUMENT_KIND, add_pair, &query);
}
