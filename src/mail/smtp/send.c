/* One easy handle of libcurl's: a message to a server. */
#include <ctype.h>
#include <curl/curl.h>
#include <stdlib.h>

#include "base/buf.h"
#include "mail/smtp.h"

enum {
    CONNECT_MS = 20000,
    SLOW_S = 60,    /* so long without a byte ends it */
    WORDS_MAX = 300 /* bytes of what the server says that are shown */
};

struct sending {
    const struct smtp_mail *mail;
    CURL *easy;
    size_t at;        /* bytes of the message that libcurl has */
    char words[1024]; /* the text of the server's last refusal, "" if there was none */
    char reason[CURL_ERROR_SIZE];
};

/* --- libcurl's callbacks ------------------------------------------------------------------------
 */

static bool is_all_given(const struct sending *self)
{
    return self->at == self->mail->message.len;
}

static size_t on_message_read(char *to, size_t size, size_t count, void *arg)
{
    struct sending *self = arg;
    size_t left = self->mail->message.len - self->at, len = size * count;

    len = len < left ? len : left;
    memcpy(to, self->mail->message.ptr + self->at, len);
    self->at += len;
    return len;
}

/* A line of an answer, "550 5.1.1 no such user". Refusals are kept: others may follow. */
static size_t on_smtp_line(char *line, size_t size, size_t count, void *arg)
{
    struct sending *self = arg;
    size_t len = size * count, kept = 0;

    if (len == 0 || (*line != '4' && *line != '5'))
        return len;
    for (size_t i = 0; i < len && kept + 1 < sizeof self->words; i++)
        if (line[i] != '\r' && line[i] != '\n')
            self->words[kept++] =
                (unsigned char)line[i] >= ' ' && (unsigned char)line[i] < 0x7F ? line[i] : '?';
    self->words[kept < WORDS_MAX ? kept : WORDS_MAX] = '\0';
    return len;
}

static size_t on_smtp_body(char *ptr, size_t size, size_t count, void *arg)
{
    (void)ptr;
    (void)arg;
    return size * count;
}

static int on_smtp_progress(void *arg, curl_off_t down_all, curl_off_t down, curl_off_t up_all,
                            curl_off_t up)
{
    const struct sending *self = arg;

    (void)down_all;
    (void)down;
    (void)up_all;
    (void)up;
    return atomic_load(self->mail->left) && !is_all_given(self);
}

/* --- options -------------------------------------------------------------------------------------
 */

static void set_login(CURL *easy, const struct smtp_mail *mail)
{
    if (!mail->user)
        return;
    curl_easy_setopt(easy, CURLOPT_USERNAME, mail->user);
    if (mail->token) {
        curl_easy_setopt(easy, CURLOPT_XOAUTH2_BEARER, mail->token);
        curl_easy_setopt(easy, CURLOPT_LOGIN_OPTIONS, "AUTH=XOAUTH2");
    } else {
        curl_easy_setopt(easy, CURLOPT_PASSWORD, mail->password ? mail->password : "");
    }
}

static void set_tls(CURL *easy, const struct smtp_mail *mail)
{
    const char *trusted = getenv("SSL_CERT_FILE");

    curl_easy_setopt(easy, CURLOPT_USE_SSL,
                     (long)(mail->tls == SMTP_PLAIN ? CURLUSESSL_TRY : CURLUSESSL_ALL));
    if (trusted && *trusted)
        curl_easy_setopt(easy, CURLOPT_CAINFO, trusted);
}

static struct curl_slist *recipients_of(const struct smtp_mail *mail)
{
    struct curl_slist *list = NULL;

    for (char *const *each = mail->recipients; *each; each++) {
        char *bracketed = mem_printf("<%s>", *each);
        struct curl_slist *longer = curl_slist_append(list, bracketed);

        free(bracketed);
        if (!longer) {
            curl_slist_free_all(list);
            return NULL;
        }
        list = longer;
    }
    return list;
}

static void set_smtp_options(struct sending *self, const char *url, const char *from,
                             struct curl_slist *recipients)
{
    const struct smtp_mail *mail = self->mail;
    CURL *easy = self->easy;

    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "*"); /* proxies of the environment are for HTTP */
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)mail->timeout_ms);
    curl_easy_setopt(easy, CURLOPT_SERVER_RESPONSE_TIMEOUT, (long)SLOW_S);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, (long)SLOW_S);
    curl_easy_setopt(easy, CURLOPT_MAIL_FROM, from);
    curl_easy_setopt(easy, CURLOPT_MAIL_RCPT, recipients);
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)mail->message.len);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, on_message_read);
    curl_easy_setopt(easy, CURLOPT_READDATA, self);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_smtp_line);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, self);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_smtp_body);
    curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_smtp_progress);
    curl_easy_setopt(easy, CURLOPT_XFERINFODATA, self);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, self->reason);
    set_tls(easy, mail);
    set_login(easy, mail);
}

/* --- what came of it
 * ------------------------------------------------------------------------------ */

/* The server answered with a refusal. */
static bool explain_refusal(const struct sending *self, long status, CURLcode code,
                            struct error *err)
{
    const char *host = self->mail->host;

    if (code == CURLE_LOGIN_DENIED || status == 535 || status == 534 || status == 530)
        return error_set(err, "login_failed",
                         "%s refused the login of %s: %s. Check the user and the "
                         "password",
                         host, self->mail->user ? self->mail->user : "nobody", self->words);
    if (status < 500)
        return error_set(err, "unavailable",
                         "%s does not take the message now: %s. Try again later", host,
                         self->words);
    return error_set(err, "refused", "%s refused the message: %s", host, self->words);
}

static bool sending_explain(const struct sending *self, CURLcode code, long status,
                            struct error *err)
{
    const char *host = self->mail->host;
    const char *why = *self->reason ? self->reason : curl_easy_strerror(code);

    if (code == CURLE_ABORTED_BY_CALLBACK)
        return error_set(err, "cancelled", "sending was cancelled before the message was out");
    if (status >= 400 || code == CURLE_LOGIN_DENIED)
        return explain_refusal(self, status, code, err);
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
        return error_set(err, "dns", "the name %s cannot be resolved. Check it", host);
    case CURLE_COULDNT_CONNECT:
        return error_set(err, "connection_refused",
                         "%s accepts no connection on port %u. Check the host and the port", host,
                         self->mail->port);
    case CURLE_OPERATION_TIMEDOUT:
        return error_set(err, "timeout", "%s did not answer in time (%s)", host, why);
    case CURLE_USE_SSL_FAILED:
        return error_set(err, "tls",
                         "%s offers no STARTTLS, so nothing was sent. Use smtps://, or "
                         "another port",
                         host);
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
        return error_set(err, "tls", "no secure connection to %s: %s", host, why);
    default:
        return error_set(err, "cut_off", "the connection to %s broke: %s", host, why);
    }
}

static bool sending_perform(struct sending *self, bool *unknown, struct error *err)
{
    CURLcode code = curl_easy_perform(self->easy);
    long status = 0;

    if (code == CURLE_OK)
        return true;
    curl_easy_getinfo(self->easy, CURLINFO_RESPONSE_CODE, &status);
    *unknown = is_all_given(self) && status < 400;
    return sending_explain(self, code, status, err);
}

/* --- the interface
 * -------------------------------------------------------------------------------- */

static bool smtp_ready(struct error *err)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ||
           error_set(err, "module_broken",
                     "libcurl %s cannot be initialized. Check its installation", curl_version());
}

static bool smtp_send(const struct smtp_mail *mail, bool *unknown, struct error *err)
{
    struct sending self = { .mail = mail, .easy = curl_easy_init() };
    struct curl_slist *recipients = recipients_of(mail);
    /* The path is the name in EHLO: that of this machine is nobody's business. */
    char *url = mem_printf("%s://%s:%u/localhost", mail->tls == SMTP_TLS ? "smtps" : "smtp",
                           mail->host, mail->port);
    char *from = mem_printf("<%s>", mail->from);
    bool ok;

    *unknown = false;
    if (self.easy && recipients) {
        set_smtp_options(&self, url, from, recipients);
        ok = sending_perform(&self, unknown, err);
    } else {
        ok = error_set(err, "module_broken",
                       "libcurl cannot create a request. Free some memory and "
                       "try again");
    }
    curl_easy_cleanup(self.easy);
    curl_slist_free_all(recipients);
    free(url);
    free(from);
    return ok;
}

const struct smtp_api perigee_smtp = { smtp_ready, smtp_send };
