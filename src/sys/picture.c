/* sys.picture -- files of images: their kinds, images made to fit a limit, and the words in them.
 * Work that takes time runs on other threads. Calls that act for a client's code read only files
 * that the user granted. */
#include <lauxlib.h>
#include <stdlib.h>
#include <uv.h>

#include "files/granted.h"
#include "files/picture_file.h"
#include "image/fit.h"
#include "image/recognize.h"
#include "script/bind.h"
#include "sys/shared/desktop_values.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

enum { BUDGET_S = 10, BUDGET_MAX_S = 60, THREADS = 2, LEAST_BYTES = 2000 };

struct picture_job {
    struct thread_call call;
    char *path;       /* the file to read; owned. NULL: the bytes came along */
    struct buf bytes; /* the file's bytes */
    struct picture_head head;
    bool confined; /* only files that the user granted are read */
    struct fs_grants grants;

    const struct image_decoder *decoder;
    const struct image_encoder *encoder;
    struct fit_wanted wanted;
    struct fitted fitted;

    const struct text_recognizer *recognizer;
    char *language; /* owned */
    uint64_t budget_ms;
    struct reading reading;
};

static struct picture_job *job_of(struct thread_call *call)
{
    return container_of(call, struct picture_job, call);
}

static void job_clear(struct thread_call *call)
{
    struct picture_job *job = job_of(call);

    free(job->path);
    free(job->language);
    buf_free(&job->bytes);
    buf_free(&job->fitted.bytes);
    fs_grants_free(&job->grants);
    reading_free(&job->reading);
}

static struct picture_job *job_new(lua_State *L, bool (*run)(struct thread_call *, struct error *),
                                   int (*push)(lua_State *L, struct thread_call *call))
{
    struct picture_job *job = thread_call_new(L, sizeof *job, job_clear);

    job->call.run = run;
    job->call.push = push;
    return job;
}

static void set_head(lua_State *L, const struct picture_head *head)
{
    lua_pushstring(L, picture_mime(head->kind));
    lua_setfield(L, -2, "mime_type");
    desktop_set_integer(L, "width", (uint64_t)head->width);
    desktop_set_integer(L, "height", (uint64_t)head->height);
}

static struct str check_bytes(lua_State *L, int arg)
{
    struct str bytes;

    bytes.ptr = luaL_checklstring(L, arg, &bytes.len);
    return bytes;
}

/* --- the kind of an image -------------------------------------------------------------------- */

/* sys.picture.look(bytes) -> {mime_type, width, height} | nil, text, code */
static int picture_look(lua_State *L)
{
    struct picture_head head;
    struct error err;

    if (!picture_head_read(check_bytes(L, 1), &head, &err))
        return bind_error(L, &err);
    lua_createtable(L, 0, 3);
    set_head(L, &head);
    return 1;
}

/* --- out of a file --------------------------------------------------------------------------- */

/* Puts the path before the text of the error. */
static bool name_file(struct picture_job *job, struct error *err)
{
    struct error why = *err;

    return error_set(err, why.code, "%s: %s", job->path, why.text);
}

static bool run_read(struct thread_call *call, struct error *err)
{
    struct picture_job *job = job_of(call);
    char *path = path_absolute(job->path, err);

    if (!path)
        return false;
    free(job->path);
    job->path = path;
    if (!job->confined && !fs_grants_add(&job->grants, "/", false, err))
        return false;
    /* Uses a grant even for any file: fs_read() reads files only, and never waits for a pipe. */
    if (!fs_read(&job->grants, str_from(path), PICTURE_BYTES_MAX, &job->bytes, err))
        return false;
    return picture_head_read(buf_str(&job->bytes), &job->head, err) || name_file(job, err);
}

static int push_read(lua_State *L, struct thread_call *call)
{
    struct picture_job *job = job_of(call);

    lua_createtable(L, 0, 5);
    lua_pushlstring(L, job->bytes.data, job->bytes.len);
    lua_setfield(L, -2, "bytes");
    lua_pushstring(L, job->path);
    lua_setfield(L, -2, "path");
    set_head(L, &job->head);
    return 1;
}

/* sys.picture.read(path) -> {bytes, path, mime_type, width, height} | nil, text, code */
static int picture_read(lua_State *L)
{
    const struct fs_grants *grants = vm_service(L, &sys_grants_key);
    struct str path = check_bytes(L, 1);
    struct picture_job *job;

    luaL_argcheck(L, strlen(path.ptr) == path.len, 1, "it contains a NUL byte");
    lua_settop(L, 1);
    job = job_new(L, run_read, push_read);
    job->path = mem_strdup(path.ptr);
    job->confined = task_confined(task_current(L));
    if (job->confined && grants)
        fs_grants_copy(&job->grants, grants);
    return thread_call_in_pool(L, &job->call);
}

/* --- made to fit ----------------------------------------------------------------------------- */

static bool run_fit(struct thread_call *call, struct error *err)
{
    struct picture_job *job = job_of(call);

    return fit_picture(job->decoder, job->encoder, buf_str(&job->bytes), &job->head, &job->wanted,
                       &job->fitted, err);
}

static int push_fit(lua_State *L, struct thread_call *call)
{
    struct picture_job *job = job_of(call);

    lua_createtable(L, 0, 5);
    lua_pushlstring(L, job->fitted.bytes.data, job->fitted.bytes.len);
    lua_setfield(L, -2, "bytes");
    desktop_set_number(L, "factor", job->fitted.factor);
    set_head(L, &job->fitted.head);
    return 1;
}

static int push_as_it_is(lua_State *L, const struct picture_head *head)
{
    lua_createtable(L, 0, 5);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "bytes");
    desktop_set_number(L, "factor", 1);
    set_head(L, head);
    return 1;
}

/* The list of media types in the field `types`; absent: all. */
static void read_kinds(lua_State *L, struct fit_wanted *wanted)
{
    lua_pushstring(L, "types");
    if (lua_rawget(L, 2) == LUA_TNIL) {
        wanted->kinds[PICTURE_PNG] = wanted->kinds[PICTURE_JPEG] = wanted->kinds[PICTURE_WEBP] =
            true;
        lua_pop(L, 1);
        return;
    }
    if (!lua_istable(L, -1))
        bind_field_error(L, 2, "types", "list of media types expected");
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++) {
        bool known = false;

        for (enum picture_kind kind = PICTURE_PNG; kind <= PICTURE_WEBP; kind++)
            if (strcmp(lua_tostring(L, -1), picture_mime(kind)) == 0)
                wanted->kinds[kind] = known = true;
        if (!known)
            bind_field_error(L, 2, "types", "image/png, image/jpeg and image/webp expected");
        lua_pop(L, 1);
    }
    lua_pop(L, 2);
    if (!wanted->kinds[PICTURE_PNG] && !wanted->kinds[PICTURE_JPEG])
        bind_field_error(L, 2, "types", "image/png or image/jpeg must be among them");
}

/* sys.picture.fit(bytes, options) -> {bytes, mime_type, width, height, factor} | nil, text, code */
static int picture_fit_(lua_State *L)
{
    static const char *const names[] = { "longest", "most", "types", NULL };
    struct str bytes = check_bytes(L, 1);
    struct fit_wanted wanted = { 0 };
    const struct image_decoder *decoder;
    const struct image_encoder *encoder;
    struct picture_head head;
    struct picture_job *job;
    struct error err;

    luaL_checktype(L, 2, LUA_TTABLE);
    bind_check_fields(L, 2, names);
    lua_settop(L, 2);
    wanted.longest = (int)bind_number(L, 2, "longest", 0, 0, IMAGE_SIDE_MAX);
    wanted.most = (size_t)bind_number(L, 2, "most", 0, LEAST_BYTES, PICTURE_BYTES_MAX);
    read_kinds(L, &wanted);
    if (!picture_head_read(bytes, &head, &err))
        return bind_error(L, &err);
    if (fit_is_fine(bytes, &head, &wanted))
        return push_as_it_is(L, &head);
    if (!(decoder = decoder_get(&err)) || !(encoder = encoder_get(&err)))
        return bind_error(L, &err);
    job = job_new(L, run_fit, push_fit);
    job->decoder = decoder;
    job->encoder = encoder;
    job->head = head;
    job->wanted = wanted;
    buf_add(&job->bytes, bytes.ptr, bytes.len);
    return thread_call_in_pool(L, &job->call);
}

/* --- the words in it ------------------------------------------------------------------------- */

static bool run_words(struct thread_call *call, struct error *err)
{
    struct picture_job *job = job_of(call);
    struct read_options options = { .language = job->language,
                                    .scale = 1,
                                    .threads = THREADS,
                                    .until = uv_hrtime() / 1000000 + job->budget_ms };
    struct image image;
    bool ok;

    if (!job->decoder->decode(buf_str(&job->bytes), &job->head, 0, &image, err))
        return false;
    ok = job->recognizer->read(&image, &options, &job->reading, err);
    image_free(&image);
    return ok;
}

static void push_picture_word(lua_State *L, const struct reading *reading,
                              const struct read_word *word)
{
    lua_createtable(L, 0, 7);
    lua_pushlstring(L, reading->text.data + word->text, word->size);
    lua_setfield(L, -2, "text");
    desktop_set_integer(L, "x", (uint64_t)word->x);
    desktop_set_integer(L, "y", (uint64_t)word->y);
    desktop_set_integer(L, "width", (uint64_t)word->width);
    desktop_set_integer(L, "height", (uint64_t)word->height);
    desktop_set_number(L, "confidence", (double)word->confidence);
    desktop_set_integer(L, "label", (uint64_t)word->label + 1);
}

static int push_words(lua_State *L, struct thread_call *call)
{
    const struct reading *reading = &job_of(call)->reading;

    lua_createtable(L, 0, 2);
    lua_createtable(L, (int)reading->count, 0);
    for (size_t i = 0; i < reading->count; i++) {
        push_picture_word(L, reading, &reading->words[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "words");
    desktop_set_flag(L, "cut", reading->cut);
    return 1;
}

/* sys.picture.words(bytes, options?) -> {words, cut} | nil, text, code */
static int picture_words(lua_State *L)
{
    static const char *const names[] = { "budget", "language", NULL };
    struct str bytes = check_bytes(L, 1);
    const struct text_recognizer *recognizer;
    const struct image_decoder *decoder;
    const char *language = NULL;
    double budget = BUDGET_S;
    struct picture_head head;
    struct picture_job *job;
    struct error err;

    lua_settop(L, 2);
    if (!lua_isnil(L, 2)) {
        luaL_checktype(L, 2, LUA_TTABLE);
        bind_check_fields(L, 2, names);
        budget = bind_number(L, 2, "budget", BUDGET_S, 0, BUDGET_MAX_S);
        language = bind_text(L, 2, "language", NULL);
    }
    if (language && !read_language_ok(language))
        bind_field_error(L, 2, "language",
                         "names of languages expected, as \"eng\" or \"deu+eng\"");
    if (!picture_head_read(bytes, &head, &err) || !(recognizer = recognizer_get(&err)) ||
        !(decoder = decoder_get(&err)))
        return bind_error(L, &err);
    job = job_new(L, run_words, push_words);
    job->decoder = decoder;
    job->recognizer = recognizer;
    job->language = mem_strdup(language ? language : "eng");
    job->budget_ms = (uint64_t)(budget * 1000);
    job->head = head;
    buf_add(&job->bytes, bytes.ptr, bytes.len);
    return thread_call_in_pool(L, &job->call);
}

static const luaL_Reg picture_funcs[] = { { "fit", picture_fit_ },
                                          { "look", picture_look },
                                          { "read", picture_read },
                                          { "words", picture_words },
                                          { NULL, NULL } };

int luaopen_sys_picture(lua_State *L)
{
    luaL_newlib(L, picture_funcs);
    return 1;
}
