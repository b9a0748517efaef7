/* sys.ocr -- words out of the picture of a window or of a part of the desktop. The picture is taken
 * and read on a thread of the elements' queue, which is for what takes its time: screenshots do not
 * wait behind it. */
#include <lauxlib.h>
#include <stdlib.h>
#include <uv.h>

#include "image/recognize.h"
#include "script/bind.h"
#include "sys/shared/desktop_values.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

enum {
    BUDGET_S = 3,
    BUDGET_MAX_S = 60,
    THREADS = 2 /* more would slow the machine down for its user */
};

struct ocr_call {
    struct thread_call call;

    struct capture what;
    uint64_t budget_ms;
    char *language;
    const struct text_recognizer *recognizer;

    struct picture picture; /* its pixels are freed before it is pushed */
    struct reading reading;
};

/* --- on the thread ---------------------------------------------------------------- */

static bool is_unwanted(void *arg)
{
    return !deadline_ok(arg, NULL);
}

static bool ocr_run(struct thread_call *call, struct error *err)
{
    struct ocr_call *self = container_of(call, struct ocr_call, call);
    struct picture *picture = &self->picture;
    struct read_options options = { .language = self->language,
                                    .threads = THREADS,
                                    .until = uv_hrtime() / 1000000 + self->budget_ms,
                                    .stop = is_unwanted,
                                    .arg = call->deadline };

    if (!call->ops->capture->take(call->desktop, call->deadline, &self->what, picture, err) ||
        (self->what.part && !picture_cut(picture, self->what.region, err)))
        return false;
    options.scale = picture->scale;
    if (!self->recognizer->read(&picture->image, &options, &self->reading, err)) {
        deadline_ok(call->deadline, err); /* says best why the reading stopped */
        return false;
    }
    image_free(&picture->image);
    return true;
}

/* --- on the loop ------------------------------------------------------------------ */

static void push_ocr_word(lua_State *L, const struct ocr_call *self, const struct read_word *word)
{
    const struct picture *picture = &self->picture;
    struct point at = picture_point(picture, word->x, word->y);

    lua_createtable(L, 0, 7); /* word */
    lua_pushlstring(L, self->reading.text.data + word->text, word->size);
    lua_setfield(L, -2, "text");
    desktop_set_number(L, "x", at.x);
    desktop_set_number(L, "y", at.y);
    desktop_set_number(L, "width", word->width / picture->scale);
    desktop_set_number(L, "height", word->height / picture->scale);
    desktop_set_number(L, "confidence", (double)word->confidence);
    desktop_set_integer(L, "label", (uint64_t)word->label + 1);
}

static int ocr_push(lua_State *L, struct thread_call *call)
{
    struct ocr_call *self = container_of(call, struct ocr_call, call);
    const struct reading *reading = &self->reading;

    lua_createtable(L, 0, 6);                   /* result */
    lua_createtable(L, (int)reading->count, 0); /* result, words */
    for (size_t i = 0; i < reading->count; i++) {
        push_ocr_word(L, self, &reading->words[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "words");
    desktop_set_integer(L, "labels", (uint64_t)reading->labels);
    desktop_set_integer(L, "recognized", (uint64_t)reading->recognized);
    desktop_set_flag(L, "cut", reading->cut);
    desktop_set_number(L, "scale", self->picture.scale);
    desktop_set_text(L, "route", self->picture.route);
    return 1;
}

static void ocr_clear(struct thread_call *call)
{
    struct ocr_call *self = container_of(call, struct ocr_call, call);

    picture_free(&self->picture);
    reading_free(&self->reading);
    free(self->language);
}

static bool push_ocr_field(lua_State *L, const char *name)
{
    lua_pushstring(L, name);
    return lua_rawget(L, 1) != LUA_TNIL;
}

/* Reads what to recognize: a window, a part of it, or a part of the desktop. */
static void read_ocr_capture(lua_State *L, struct ocr_call *self)
{
    struct capture *what = &self->what;
    bool window = push_ocr_field(L, "window");

    if (window) {
        what->kind = CAPTURE_WINDOW;
        what->window = desktop_check_window(L, lua_gettop(L));
    }
    if (push_ocr_field(L, "region")) {
        what->region = desktop_check_rect(L, lua_gettop(L));
        what->part = window;
        what->kind = window ? CAPTURE_WINDOW : CAPTURE_REGION;
    } else {
        luaL_argcheck(L, window, 1, "pass window, region or both");
    }
    lua_settop(L, 2);
}

static int ocr_read(lua_State *L)
{
    static const char *const names[] = { "budget",  "language", "popups", "region",
                                         "timeout", "window",   NULL };
    double budget;
    struct ocr_call *self;
    const char *language;
    struct error err;

    desktop_check_options(L, 1, names);
    lua_settop(L, 1);
    budget = bind_number(L, 1, "budget", BUDGET_S, 0, BUDGET_MAX_S);
    self = thread_call_new(L, sizeof *self, ocr_clear); /* options, call */
    self->call.queue = QUEUE_ELEMENTS;
    self->call.run = ocr_run;
    self->call.push = ocr_push;
    self->budget_ms = (uint64_t)(budget * 1000);
    self->what.popups = bind_flag(L, 1, "popups");
    self->what.lend = true; /* the picture is read before the next operation */
    read_ocr_capture(L, self);
    language = bind_text(L, 1, "language", NULL);
    if (language && !read_language_ok(language))
        bind_field_error(L, 1, "language",
                         "names of languages expected, as \"eng\" or \"deu+eng\"");
    self->language = mem_strdup(language ? language : "eng");
    self->recognizer = recognizer_get(&err);
    return self->recognizer ? thread_call_on_desktop(L, &self->call, 1, budget + DESKTOP_TIMEOUT_S)
                            : bind_error(L, &err);
}

static void push_lines(lua_State *L, const struct buf *lines)
{
    lua_Integer count = 0;

    lua_newtable(L); /* list */
    for (size_t at = 0, end = 0; end < lines->len; end++) {
        if (lines->data[end] != '\n')
            continue;
        lua_pushlstring(L, lines->data + at, end - at);
        lua_rawseti(L, -2, ++count);
        at = end + 1;
    }
}

static int ocr_installed(lua_State *L)
{
    struct buf *names, *version;
    const struct text_recognizer *recognizer;
    struct error err;

    lua_settop(L, 0);
    names = bind_buffer(L);
    version = bind_buffer(L);
    recognizer = recognizer_get(&err);
    if (!recognizer || !recognizer->languages(names, version, &err))
        return bind_error(L, &err);
    lua_createtable(L, 0, 2); /* result */
    push_lines(L, names);
    lua_setfield(L, -2, "languages");
    lua_pushlstring(L, version->data ? version->data : "", version->len);
    lua_setfield(L, -2, "version");
    return 1;
}

static const luaL_Reg ocr_funcs[] = {
    { "installed", ocr_installed },
    { "read", ocr_read },
    { NULL, NULL },
};

int luaopen_sys_ocr(lua_State *L)
{
    luaL_newlib(L, ocr_funcs);
    return 1;
}
