/* sys.smtp -- a message to an SMTP server, on another thread. */
#include "mail/smtp.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "base/crypto.h"
#include "base/dry_run.h"
#include "script/bind.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

enum {
    BYTES_MAX = 64 << 20,
    RECIPIENTS_MAX = 500,
    PORT_MAX = 65535,
    TIMEOUT_S = 240,
    TIMEOUT_MAX_S = 3600,
};

struct smtp_work {
    struct thread_call call;
    const struct smtp_api *api;
    struct smtp_mail mail; /* points at the members below */
    char *host, *user, *password, *token, *from;
    char **recipients;
    size_t count;
    struct buf message;
    bool unknown;
};

static struct smtp_work *smtp_work_of(struct thread_call *call)
{
    return container_of(call, struct smtp_work, call);
}

static void free_secret(char *text)
{
    if (text)
        crypto_wipe(text, strlen(text));
    free(text);
}

static void smtp_work_clear(struct thread_call *call)
{
    struct smtp_work *work = smtp_work_of(call);

    free(work->host);
    free(work->user);
    free_secret(work->password);
    free_secret(work->token);
    free(work->from);
    mem_strings_free(work->recipients);
    buf_free(&work->message);
}

static bool smtp_work_send(struct thread_call *call, struct error *err)
{
    struct smtp_work *work = smtp_work_of(call);

    return work->api->send(&work->mail, &work->unknown, err);
}

/* Pushes nil, text, code, and whether it is certain that nothing was sent. */
static int push_smtp_failure(lua_State *L, struct thread_call *call)
{
    int count = bind_error(L, &call->err);

    lua_pushboolean(L, !smtp_work_of(call)->unknown);
    return count + 1;
}

/* --- a table into a mail --------------------------------------------------------------------- */

/* Copies a field of visible ASCII: nothing in it can end a line of the protocol. NULL: absent. */
static char *take_smtp_word(lua_State *L, const char *name, bool needed)
{
    const char *text = bind_text(L, 1, name, NULL);

    if (!text && needed)
        bind_field_error(L, 1, name, "string expected");
    for (const char *c = text; c && *c; c++)
        if (*c <= ' ' || *c > '~')
            bind_field_error(L, 1, name, "visible ASCII expected");
    return text ? mem_strdup(text) : NULL;
}

/* Copies a secret of the login: any text without line breaks, which libcurl encodes. */
static char *take_secret(lua_State *L, const char *name)
{
    const char *text = bind_text(L, 1, name, NULL);

    if (text && strpbrk(text, "\r\n"))
        bind_field_error(L, 1, name, "it contains a line break");
    return text ? mem_strdup(text) : NULL;
}

/* A server may take signs between addresses for those between several. A quoted name may have any.
 */
static bool is_one_address(const char *text, size_t len)
{
    for (size_t at = 0; at < len; at++)
        if (text[at] <= ' ' || text[at] > '~' || text[at] == '<' || text[at] == '>' ||
            (*text != '"' && (text[at] == ',' || text[at] == ';')))
            return false;
    return true;
}

static void take_recipients(lua_State *L, struct smtp_work *work)
{
    lua_Unsigned count;

    lua_pushstring(L, "recipients");
    if (lua_rawget(L, 1) != LUA_TTABLE || (count = lua_rawlen(L, -1)) == 0 ||
        count > RECIPIENTS_MAX)
        bind_field_error(L, 1, "recipients", "a list of 1 to 500 addresses expected");
    work->recipients = mem_zero((count + 1) * sizeof *work->recipients);
    for (lua_Unsigned i = 0; i < count; i++) {
        size_t len;
        const char *text;

        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TSTRING)
            bind_field_error(L, 1, "recipients", "it holds something else");
        text = lua_tolstring(L, -1, &len);
        if (!is_one_address(text, len))
            bind_field_error(L, 1, "recipients", "one address in ASCII expected in each place");
        work->recipients[i] = mem_strndup(text, len);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static enum smtp_tls take_tls(lua_State *L)
{
    static const char *const names[] = { "tls", "starttls", "plain" };
    const char *name = bind_text(L, 1, "tls", NULL);

    for (size_t i = 0; name && i < countof(names); i++)
        if (strcmp(name, names[i]) == 0)
            return (enum smtp_tls)i;
    bind_field_error(L, 1, "tls", "\"tls\", \"starttls\" or \"plain\" expected");
}

static void take_mail(lua_State *L, struct smtp_work *work)
{
    struct smtp_mail *mail = &work->mail;
    const char *bytes;
    size_t len;

    mail->tls = take_tls(L);
    mail->port = (unsigned)bind_number(L, 1, "port", 0, 1, PORT_MAX);
    mail->timeout_ms = (uint64_t)(bind_number(L, 1, "timeout", TIMEOUT_S, 1, TIMEOUT_MAX_S) * 1000);
    mail->host = work->host = take_smtp_word(L, "host", true);
    if (strspn(mail->host,
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]") !=
        strlen(mail->host))
        bind_field_error(L, 1, "host", "a host name or address expected");
    mail->user = work->user = take_secret(L, "user");
    mail->password = work->password = take_secret(L, "password");
    mail->token = work->token = take_smtp_word(L, "token", false);
    mail->from = work->from = take_smtp_word(L, "from", true);
    if (strpbrk(mail->from, "<>"))
        bind_field_error(L, 1, "from", "an address in ASCII expected");
    take_recipients(L, work);
    mail->recipients = work->recipients;
    bytes = bind_text(L, 1, "message", &len);
    if (!bytes || len == 0 || len > BYTES_MAX)
        bind_field_error(L, 1, "message", "1 to 67108864 bytes expected");
    buf_add(&work->message, bytes, len);
    mail->message = buf_str(&work->message);
}

/* On the stack: mail, the owner of the work, and what `begin` returned. */
static int send_begun(lua_State *L, int status, lua_KContext context)
{
    struct smtp_work *work = (struct smtp_work *)context;

    (void)status;
    if (!lua_toboolean(L, 3)) {
        lua_pushboolean(L, true); /* certainly not sent */
        return 4;
    }
    lua_settop(L, 2);
    return thread_call_in_pool(L, &work->call);
}

/* sys.smtp.send(mail) -> true | nil, text, code, certain */
static int smtp_send(lua_State *L)
{
    static const char *const names[] = { "attachments", "begin", "from",       "host",    "message",
                                         "password",    "port",  "recipients", "timeout", "tls",
                                         "token",       "user",  NULL };
    struct smtp_work *work;
    struct error err;

    luaL_checktype(L, 1, LUA_TTABLE);
    bind_check_fields(L, 1, names);
    lua_settop(L, 1);
    if (dry_run_refuses(&err, "send mail"))
        return bind_error(L, &err);
    work = thread_call_new(L, sizeof *work, smtp_work_clear); /* mail, work */
    work->call.run = smtp_work_send;
    work->call.fail = push_smtp_failure;
    take_mail(L, work);
    if (work->mail.port == 0)
        return bind_field_error(L, 1, "port", "number expected");
    work->mail.left = &work->call.left;
    work->api = smtp_get(&err);
    if (!work->api)
        return bind_error(L, &err);
    lua_pushstring(L, "begin");
    if (lua_rawget(L, 1) != LUA_TFUNCTION) {
        lua_settop(L, 2);
        return thread_call_in_pool(L, &work->call);
    }
    lua_callk(L, 0, 3, (lua_KContext)work, send_begun);
    return send_begun(L, LUA_OK, (lua_KContext)work);
}

static const luaL_Reg smtp_funcs[] = {
    { "send", smtp_send },
    { NULL, NULL },
};

int luaopen_sys_smtp(lua_State *L)
{
    luaL_newlib(L, smtp_funcs);
    return 1;
}
