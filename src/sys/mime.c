/* sys.mime -- mail messages, written and read on other threads. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "mail/message.h"
#include "script/bind.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

struct mime_work {
    struct thread_call call;
    const struct mime_codec *codec;
    struct mail_message message;
    struct mail_read_options options;
    struct buf bytes; /* the message that is read, or built */
};

static struct mime_work *mime_work_of(struct thread_call *call)
{
    return container_of(call, struct mime_work, call);
}

static void mime_work_clear(struct thread_call *call)
{
    struct mime_work *work = mime_work_of(call);

    mail_message_free(&work->message);
    buf_free(&work->bytes);
}

/* --- a table into a message ----------------------------------------------------------------- */

/* Pushes the field of the table on top. False, and pushes nothing, if there is none. */
static bool push_mail_field(lua_State *L, const char *name)
{
    lua_pushstring(L, name);
    if (lua_rawget(L, -2) != LUA_TNIL)
        return true;
    lua_pop(L, 1);
    return false;
}

static void bad_mail_field(lua_State *L, const char *name, const char *wanted)
{
    bind_field_error(L, 1, name, wanted);
}

/* Copies a text with a control character for each NUL: mail_message_check() refuses both. */
static char *copy_word(lua_State *L)
{
    size_t len;
    const char *text = lua_tolstring(L, -1, &len);
    char *copy = mem_strndup(text, len);

    for (size_t i = 0; i < len; i++)
        if (!copy[i])
            copy[i] = '\x01';
    return copy;
}

/* Copies a field of the table on top. NULL: it has none. */
static char *take_word(lua_State *L, const char *name)
{
    char *copy;

    if (!push_mail_field(L, name))
        return NULL;
    if (lua_type(L, -1) != LUA_TSTRING)
        bad_mail_field(L, name, "string expected");
    copy = copy_word(L);
    lua_pop(L, 1);
    return copy;
}

static bool take_bytes(lua_State *L, const char *name, struct buf *to)
{
    size_t len;
    const char *bytes;

    if (!push_mail_field(L, name))
        return false;
    if (lua_type(L, -1) != LUA_TSTRING)
        bad_mail_field(L, name, "string expected");
    bytes = lua_tolstring(L, -1, &len);
    if (len > MAIL_BYTES_MAX)
        bad_mail_field(L, name, "more than 67108864 bytes");
    buf_add(to, bytes, len);
    lua_pop(L, 1);
    return true;
}

/* Pushes each item of a list and calls take(). */
static void each_item(lua_State *L, const char *name, lua_Unsigned most, int kind,
                      void (*take)(lua_State *L, const char *name, void *arg), void *arg)
{
    lua_Unsigned count;

    if (!push_mail_field(L, name))
        return;
    if (!lua_istable(L, -1))
        bad_mail_field(L, name, "list expected");
    count = lua_rawlen(L, -1);
    if (count > most)
        bad_mail_field(L, name, "too many");
    for (lua_Unsigned i = 1; i <= count; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i) != kind)
            bad_mail_field(L, name, "it holds something else");
        take(L, name, arg);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void take_address(lua_State *L, const char *name, void *arg)
{
    static const char *const names[] = { "address", "name", NULL };
    struct mail_address *one;

    bind_check_inner(L, 1, name, names);
    one = mail_addresses_add(arg);
    one->name = take_word(L, "name");
    one->address = take_word(L, "address");
    if (!one->address)
        bad_mail_field(L, name, "an address is missing");
}

static void take_file(lua_State *L, const char *name, void *arg)
{
    static const char *const names[] = { "bytes", "name", "type", NULL };
    struct mail_file *file;

    bind_check_inner(L, 1, name, names);
    file = mail_message_add_file(arg);
    file->name = take_word(L, "name");
    file->type = take_word(L, "type");
    if (!file->type)
        file->type = mem_strdup("application/octet-stream");
    if (!take_bytes(L, "bytes", &file->bytes))
        bad_mail_field(L, name, "bytes are missing");
    file->size = file->bytes.len;
}

struct ids {
    char ***list;
    size_t count;
};

static void take_id(lua_State *L, const char *name, void *arg)
{
    struct ids *ids = arg;

    (void)name;
    *ids->list = mem_resize(*ids->list, (ids->count + 2) * sizeof **ids->list);
    (*ids->list)[ids->count++] = copy_word(L);
    (*ids->list)[ids->count] = NULL;
}

static void take_addresses(lua_State *L, struct mail_message *message)
{
    static const char *const names[] = { "from", "to", "cc", "bcc", "reply_to" };
    struct mail_addresses *const lists[] = { &message->from, &message->to, &message->cc,
                                             &message->bcc, &message->reply_to };

    for (size_t i = 0; i < countof(names); i++)
        each_item(L, names[i], MAIL_ADDRESSES_MAX, LUA_TTABLE, take_address, lists[i]);
}

/* Reads the table on top. */
static void take_mail_message(lua_State *L, struct mail_message *message)
{
    struct ids ids = { &message->references, 0 };
    double date = bind_number(L, 1, "date", -1, 0, 253402300799.0 /* the end of 9999 */);

    take_addresses(L, message);
    message->has_date = date >= 0;
    message->date = message->has_date ? (int64_t)floor(date) : 0;
    message->subject = take_word(L, "subject");
    message->id = take_word(L, "id");
    message->in_reply_to = take_word(L, "in_reply_to");
    each_item(L, "references", MAIL_REFERENCES_MAX, LUA_TSTRING, take_id, &ids);
    message->flowed = bind_flag(L, 1, "flowed");
    message->has_text = take_bytes(L, "text", &message->text);
    message->has_html = take_bytes(L, "html", &message->html);
    each_item(L, "attachments", MAIL_ATTACHMENTS_MAX, LUA_TTABLE, take_file, message);
}

/* --- building ------------------------------------------------------------------------------- */

static bool mime_work_build(struct thread_call *call, struct error *err)
{
    struct mime_work *work = mime_work_of(call);

    return mail_message_check(&work->message, err) &&
           work->codec->build(&work->message, &work->bytes, err);
}

static int push_bytes(lua_State *L, struct thread_call *call)
{
    struct mime_work *work = mime_work_of(call);

    lua_pushlstring(L, work->bytes.len ? work->bytes.data : "", work->bytes.len);
    return 1;
}

static struct mime_work *push_mime_work(lua_State *L,
                                        bool (*run)(struct thread_call *, struct error *))
{
    struct mime_work *work = thread_call_new(L, sizeof *work, mime_work_clear);

    work->call.run = run;
    return work;
}

/* sys.mime.build(message) -> bytes | nil, text, code */
static int mime_build(lua_State *L)
{
    static const char *const names[] = { "attachments", "bcc",        "cc",       "date",
                                         "flowed",      "from",       "html",     "id",
                                         "in_reply_to", "references", "reply_to", "subject",
                                         "text",        "to",         NULL };
    struct mime_work *work;
    struct error err;

    luaL_checktype(L, 1, LUA_TTABLE);
    bind_check_fields(L, 1, names);
    lua_settop(L, 1);
    work = push_mime_work(L, mime_work_build); /* message, work */
    work->call.push = push_bytes;
    lua_pushvalue(L, 1);
    take_mail_message(L, &work->message);
    lua_pop(L, 1);
    work->codec = mime_codec_get(&err);
    return work->codec ? thread_call_in_pool(L, &work->call) : bind_error(L, &err);
}

/* --- a message into a table ----------------------------------------------------------------- */

static void set_text(lua_State *L, const char *name, const char *text)
{
    if (!text)
        return;
    lua_pushstring(L, text);
    lua_setfield(L, -2, name);
}

static void set_bytes(lua_State *L, const char *name, const struct buf *bytes)
{
    lua_pushlstring(L, bytes->len ? bytes->data : "", bytes->len);
    lua_setfield(L, -2, name);
}

static void set_addresses(lua_State *L, const char *name, const struct mail_addresses *list)
{
    lua_createtable(L, (int)list->count, 0); /* list */
    for (size_t i = 0; i < list->count; i++) {
        lua_createtable(L, 0, 2); /* list, address */
        set_text(L, "name", list->items[i].name);
        set_text(L, "address", list->items[i].address);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, name);
}

static void set_references(lua_State *L, char **ids)
{
    lua_newtable(L); /* list */
    for (lua_Integer i = 0; ids && ids[i]; i++) {
        lua_pushstring(L, ids[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "references");
}

static void set_files(lua_State *L, const struct mime_work *work)
{
    const struct mail_message *message = &work->message;

    lua_createtable(L, (int)message->file_count, 0); /* list */
    for (size_t i = 0; i < message->file_count; i++) {
        const struct mail_file *file = &message->files[i];

        lua_createtable(L, 0, 4); /* list, file */
        set_text(L, "name", file->name);
        set_text(L, "type", file->type);
        lua_pushinteger(L, (lua_Integer)file->size);
        lua_setfield(L, -2, "size");
        if (work->options.with_bytes)
            set_bytes(L, "bytes", &file->bytes);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "attachments");
}

static int push_mail_message(lua_State *L, struct thread_call *call)
{
    const struct mime_work *work = mime_work_of(call);
    const struct mail_message *message = &work->message;

    lua_createtable(L, 0, 16); /* message */
    set_addresses(L, "from", &message->from);
    set_addresses(L, "to", &message->to);
    set_addresses(L, "cc", &message->cc);
    set_addresses(L, "bcc", &message->bcc);
    set_addresses(L, "reply_to", &message->reply_to);
    set_text(L, "subject", message->subject);
    set_text(L, "id", message->id);
    set_text(L, "in_reply_to", message->in_reply_to);
    set_references(L, message->references);
    if (message->has_date) {
        lua_pushinteger(L, (lua_Integer)message->date);
        lua_setfield(L, -2, "date");
    }
    if (message->has_text)
        set_bytes(L, "text", &message->text);
    if (message->has_html)
        set_bytes(L, "html", &message->html);
    lua_pushboolean(L, message->flowed);
    lua_setfield(L, -2, "flowed");
    if (message->delsp) {
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, "delsp");
    }
    set_files(L, work);
    lua_pushboolean(L, message->cut);
    lua_setfield(L, -2, "cut");
    return 1;
}

/* --- reading -------------------------------------------------------------------------------- */

static bool mime_work_read(struct thread_call *call, struct error *err)
{
    struct mime_work *work = mime_work_of(call);

    return work->codec->read(buf_str(&work->bytes), &work->options, &work->message, err);
}

/* sys.mime.read(bytes [, options]) -> message | nil, text, code */
static int mime_read(lua_State *L)
{
    static const char *const names[] = { "bytes", NULL };
    size_t len;
    const char *bytes = luaL_checklstring(L, 1, &len);
    struct mime_work *work;
    struct error err;

    luaL_argcheck(L, len <= MAIL_BYTES_MAX, 1, "more than 67108864 bytes");
    bind_check_options(L, 2, names);
    lua_settop(L, 2);
    work = push_mime_work(L, mime_work_read);
    work->call.push = push_mail_message;
    work->options.with_bytes = lua_istable(L, 2) && bind_flag(L, 2, "bytes");
    buf_add(&work->bytes, bytes, len);
    work->codec = mime_codec_get(&err);
    return work->codec ? thread_call_in_pool(L, &work->call) : bind_error(L, &err);
}

static const luaL_Reg mime_funcs[] = {
    { "build", mime_build },
    { "read", mime_read },
    { NULL, NULL },
};

int luaopen_sys_mime(lua_State *L)
{
    luaL_newlib(L, mime_funcs);
    return 1;
}
