/* Explains libcurl's failures to the caller. libcurl's own sentences name hosts and reasons, not
 * URLs or header values, and are quoted where they help. */
#include <errno.h>
#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif
#include <stdlib.h>

#include "http/client/curl/multi.h"

bool net_was_sent(CURLcode code)
{
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT: /* the only limit libcurl has is that on connecting */
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
        return false;
    default:
        return true;
    }
}

static void explain_connect(const struct net_exchange *x, struct error *err)
{
    const char *host = x->request.host;
    long number = 0;

    curl_easy_getinfo(x->easy, CURLINFO_OS_ERRNO, &number);
    if (x->request.socket) /* libcurl does not always say why */
        error_set(err, "connection_refused",
                  "no server accepts connections at %s%s%s. Check that it is running and that you "
                  "own the socket",
                  host, number ? ": " : "", number ? strerror((int)number) : "");
    else if (number == ECONNREFUSED)
        error_set(
            err, "connection_refused",
            "%s refused the connection. Check that the server is running and the port is right",
            host);
    else
        error_set(err, "connection_failed", "cannot connect to %s: %s. Check the network", host,
                  number ? strerror((int)number) : x->reason);
}

/* True if a server of plain HTTP answered the handshake: with an answer that is not TLS, or with an
 * end. */
static bool handshake_broke_off(const char *reason)
{
    static const char *const signs[] = { "wrong version number", "unexpected TLS packet",
                                         "SSL_ERROR_SYSCALL", "unexpected eof",
                                         "terminated" /* GnuTLS */ };

    for (size_t i = 0; i < countof(signs); i++)
        if (strstr(reason, signs[i]))
            return true;
    return false;
}

/* The chain is trusted and the handshake went well, and still it is not the peer: it has another
 * name. libcurl's words for it change from version to version. */
static bool has_other_name(const struct net_exchange *x, CURLcode code)
{
    long chain = -1;

    return code == CURLE_PEER_FAILED_VERIFICATION &&
           curl_easy_getinfo(x->easy, CURLINFO_SSL_VERIFYRESULT, &chain) == CURLE_OK &&
           (chain == 0 || chain == 1) && !strstr(x->reason, "certificate problem");
}

static void explain_tls(const struct net_exchange *x, CURLcode code, struct error *err)
{
    const char *host = x->request.host;
    const char *reason = *x->reason ? x->reason : "the handshake failed";

    if (code == CURLE_SSL_CACERT_BADFILE)
        error_set(err, "tls",
                  "no secure connection to %s: the certificate file cannot be read (%s). Check "
                  "that it is a PEM file",
                  host, reason);
    else if (has_other_name(x, code))
        error_set(err, "tls",
                  "no secure connection to %s: its certificate is for another name (%s). Use the "
                  "name in the certificate",
                  host, reason);
    else if (handshake_broke_off(reason))
        error_set(err, "tls",
                  "%s does not use TLS on this port, or closed the connection (%s). Check the "
                  "port, or use http://",
                  host, reason);
    else
        error_set(err, "tls",
                  "no secure connection to %s: %s. If the server has a private certificate, pass "
                  "its file (ca_file, --ca-file or SSL_CERT_FILE)",
                  host, reason);
}

void net_explain(struct net_exchange *x, CURLcode code, struct error *err)
{
    const char *host = x->request.host;

    if (x->got_size > NET_HEAD_MAX) {
        error_set(err, "too_large",
                  "%s sent more than %d bytes of headers. Check what the server sends", host,
                  NET_HEAD_MAX);
        return;
    }
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
        error_set(err, "dns", "no address found for %s. Check the name and the network", host);
        break;
    case CURLE_COULDNT_RESOLVE_PROXY:
        error_set(err, "dns", "no address found for the proxy. Check http_proxy and https_proxy");
        break;
    case CURLE_COULDNT_CONNECT:
        explain_connect(x, err);
        break;
    case CURLE_OPERATION_TIMEDOUT:
        error_set(err, "timeout",
                  "%s did not accept a connection within %llu ms. Check the network", host,
                  (unsigned long long)x->request.connect_timeout_ms);
        break;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
        explain_tls(x, code, err);
        break;
    case CURLE_GOT_NOTHING:
        error_set(err, "cut_off", "%s closed the connection without an answer. Try again later",
                  host);
        break;
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
        error_set(err, "cut_off", "the answer from %s ended early: %s. Try again", host,
                  *x->reason ? x->reason : curl_easy_strerror(code));
        break;
    default:
        error_set(err, "bad_response", "the request to %s failed: %s. Try again later", host,
                  *x->reason ? x->reason : curl_easy_strerror(code));
    }
}

/* --- addresses -------------------------------------------------------------------- */

static char *url_part(CURLU *parts, CURLUPart which, unsigned flags)
{
    char *text = NULL, *copy = NULL;

    if (curl_url_get(parts, which, &text, flags) == CURLUE_OK)
        copy = mem_strdup(text);
    curl_free(text);
    return copy;
}

static void lower_text(char *text)
{
    for (; *text; text++) {
        if (*text >= 'A' && *text <= 'Z')
            *text += 'a' - 'A';
    }
}

static void net_url_fill(struct net_url *parsed, const char *scheme, char *host, const char *port)
{
    bool usual = strcmp(port, strcmp(scheme, "https") == 0 ? "443" : "80") == 0;

    lower_text(host);
    parsed->origin = mem_printf("%s://%s:%s", scheme, host, port);
    parsed->host = mem_printf("%s%s%s", host, usual ? "" : ":", usual ? "" : port);
}

static bool take_url_parts(CURLU *parts, struct net_url *parsed, struct error *err)
{
    char *scheme = url_part(parts, CURLUPART_SCHEME, 0);
    char *host = url_part(parts, CURLUPART_HOST, 0);
    char *port = url_part(parts, CURLUPART_PORT, CURLU_DEFAULT_PORT);
    bool ok = true;

    if (!scheme || (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0))
        ok =
            error_set(err, "bad_url", "URLs of type \"%.40s\" are not supported. Use http or https",
                      scheme ? scheme : "");
    else if (!host || !*host || !port)
        ok = error_set(err, "bad_url", "the URL has no host. Add one, for example http://HOST/");
    else
        net_url_fill(parsed, scheme, host, port);
    free(scheme);
    free(host);
    free(port);
    return ok;
}

/* libidn2 takes names in the encoding of the locale, which no process here has set. */
bool net_ascii(struct buf *out, struct str name)
{
    bool ok = false;
#ifdef CURLU_PUNYCODE
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
    char *url = mem_printf("http://%.*s/", (int)name.len, name.ptr), *host = NULL;
    CURLU *parts = curl_url();

    ok = parts && curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
         curl_url_get(parts, CURLUPART_HOST, &host, CURLU_PUNYCODE) == CURLUE_OK;
    for (const char *c = host; ok && *c; c++)
        ok = (unsigned char)*c < 0x80;
    if (ok)
        buf_adds(out, host);
    curl_free(host);
    curl_url_cleanup(parts);
    free(url);
    if (utf8) {
        uselocale(before);
        freelocale(utf8);
    }
#else
    (void)out;
    (void)name;
#endif
    return ok;
}

bool net_parse(const char *url, struct net_url *parsed, struct error *err)
{
    CURLU *parts = curl_url();
    CURLUcode code = parts ? curl_url_set(parts, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME)
                           : CURLUE_OUT_OF_MEMORY;
    bool ok;

    if (code == CURLUE_OK)
        ok = take_url_parts(parts, parsed, err);
    else
        ok = error_set(
            err, "bad_url",
            "not a valid URL: %s. Start it with http:// or https://, and write spaces as %%20",
            curl_url_strerror(code));
    curl_url_cleanup(parts);
    return ok;
}
