/* sys.screen -- pictures of the desktop. A job on a thread of the capture queue takes, scales,
 * encodes and writes them. The loop only hands the bytes to Lua. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "base/dry_run.h"
#include "files/file.h"
#include "files/grants.h"
#include "files/picture_file.h"
#include "image/annotate.h"
#include "image/changes.h"
#include "image/encode.h"
#include "script/bind.h"
#include "sys/shared/desktop_values.h"
#include "sys/shared/thread_call.h"
#include "sys/sys.h"

enum { QUALITY = 80, DRAWN_WAIT_MAX_S = 60, DRAWN_BOXES = 500 };

/* A box that is drawn onto the picture, in points. */
struct drawn_box {
    struct rect rect;
    char label[ANNOTATE_LABEL + 1];
};

struct screen_call {
    struct thread_call call;

    struct capture what;
    int longest, quality;
    enum image_format format;
    const struct image_encoder *encoder;
    char *path; /* NULL: not written */
    bool keep;  /* the bytes are kept for Lua */

    struct drawn_box *drawn; /* drawn_count boxes; owned */
    int drawn_count;

    bool marks;             /* Lua gets the marks */
    struct buf since, made; /* marks of an earlier picture, or empty; marks of this one */
    int parts;              /* the number of changed parts; -1: the whole is encoded */
    struct image_box boxes[CHANGE_BOXES];
    struct buf files[CHANGE_BOXES];

    struct picture picture; /* its pixels are freed before it is pushed */
    int width, height;
    struct buf file;
    size_t size;
};

/* --- on the thread ---------------------------------------------------------------- */

/* Refuses to replace a file that is no image: a file of any other kind, even if it is called .png,
 * may be the only copy of something. */
static bool replaces_only_images(const char *path, struct error *why)
{
    return path_look(path) != PATH_OTHER ||
           error_set(why, "exists", "\"%s\" exists and is not an image. Choose another path", path);
}

/* Makes parent folders and writes the file. Every failure has the same code, so that nobody takes a
 * fault of the file for one of the desktop. */
static bool write_image_file(const char *path, const struct buf *file, struct error *err)
{
    size_t folder = (size_t)(strrchr(path, '/') - path);
    char *parent = mem_strndup(path, folder ? folder : 1);
    struct error why;
    bool ok = replaces_only_images(path, &why) && folder_make(parent, &why) &&
              file_write_atomic(path, file->data, file->len, 0, &why);

    free(parent);
    return ok || error_set(err, "file_io_error", "the image cannot be written: %s", why.text);
}

static bool encode_image(struct screen_call *self, const struct image *image, struct buf *file,
                         struct error *err)
{
    return image_encode(self->encoder, image, self->format, self->quality, file, err);
}

static bool encode_picture_part(struct screen_call *self, int part, struct error *err)
{
    struct image_box box = self->boxes[part];
    struct image cut;
    bool ok;

    if (!image_crop(&self->picture.image, box.x, box.y, box.width, box.height, &cut, err))
        return false;
    ok = encode_image(self, &cut, &self->files[part], err);
    image_free(&cut);
    self->size += self->files[part].len;
    return ok;
}

/* True if most of the picture changed: then one image is smaller, and easier to read, than its
 * parts. */
static bool changed_most(const struct screen_call *self)
{
    int64_t changed = 0;

    for (int i = 0; i < self->parts; i++)
        changed += (int64_t)self->boxes[i].width * self->boxes[i].height;
    return changed * 5 > (int64_t)self->width * self->height * 3;
}

/* Encodes the whole picture, or the parts of it that changed. */
static bool encode_picture(struct screen_call *self, struct error *err)
{
    const struct image *image = &self->picture.image;

    self->parts = -1;
    if (self->marks)
        image_marks(image, &self->made);
    if (self->since.len)
        self->parts = image_changes(buf_str(&self->since), buf_str(&self->made), self->boxes);
    if (changed_most(self))
        self->parts = -1;
    if (self->parts < 0) {
        if (!encode_image(self, image, &self->file, err))
            return false;
        self->size = self->file.len;
    }
    for (int i = 0; i < self->parts; i++)
        if (!encode_picture_part(self, i, err))
            return false;
    return true;
}

static struct image_box pixels_of(const struct picture *picture, struct rect rect)
{
    double scale = picture->scale;

    return (struct image_box){ (int)lround((rect.x - picture->origin.x) * scale),
                               (int)lround((rect.y - picture->origin.y) * scale),
                               (int)lround(rect.width * scale), (int)lround(rect.height * scale) };
}

static void draw_boxes(struct screen_call *self)
{
    struct picture *picture = &self->picture;
    const struct drawn_box *drawn = self->drawn;

    for (int i = 0; i < self->drawn_count; i++)
        annotate_frame(&picture->image, pixels_of(picture, drawn[i].rect), i);
    for (int i = 0; i < self->drawn_count; i++)
        annotate_label(&picture->image, pixels_of(picture, drawn[i].rect), drawn[i].label, i);
}

static bool screen_run(struct thread_call *call, struct error *err)
{
    struct screen_call *self = container_of(call, struct screen_call, call);
    struct picture *picture = &self->picture;

    if (!call->ops->capture->take(call->desktop, call->deadline, &self->what, picture, err) ||
        (self->what.part && !picture_cut(picture, self->what.region, err)) ||
        !deadline_ok(call->deadline, err))
        return false;
    picture_fit(picture, self->longest);
    draw_boxes(self);
    self->width = picture->image.width;
    self->height = picture->image.height;
    if (!encode_picture(self, err))
        return false;
    image_free(&picture->image);
    if (self->path && !dry_run() &&
        (!deadline_ok(call->deadline, err) || !write_image_file(self->path, &self->file, err)))
        return false;
    if (!self->keep) {
        buf_free(&self->file);
        for (int i = 0; i < self->parts; i++)
            buf_free(&self->files[i]);
    }
    return true;
}

/* --- on the loop ------------------------------------------------------------------ */

static void set_bytes(lua_State *L, const char *name, const struct buf *bytes)
{
    lua_pushlstring(L, bytes->len ? bytes->data : "", bytes->len);
    lua_setfield(L, -2, name);
}

/* Sets the list of changes of the table on top. */
static void set_changes(lua_State *L, const struct screen_call *self)
{
    lua_createtable(L, self->parts, 0); /* picture, changes */
    for (int i = 0; i < self->parts; i++) {
        const struct image_box *box = &self->boxes[i];

        lua_createtable(L, 0, 5);
        desktop_set_integer(L, "x", (uint64_t)box->x);
        desktop_set_integer(L, "y", (uint64_t)box->y);
        desktop_set_integer(L, "width", (uint64_t)box->width);
        desktop_set_integer(L, "height", (uint64_t)box->height);
        if (self->keep)
            set_bytes(L, "bytes", &self->files[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "changes");
}

static int screen_push(lua_State *L, struct thread_call *call)
{
    struct screen_call *self = container_of(call, struct screen_call, call);

    lua_createtable(L, 0, 10); /* picture */
    if (self->parts >= 0)
        set_changes(L, self);
    else if (self->keep)
        set_bytes(L, "bytes", &self->file);
    if (self->marks)
        set_bytes(L, "marks", &self->made);
    desktop_set_integer(L, "size", self->size);
    desktop_set_text(L, "mime_type", image_mime(self->format));
    desktop_set_integer(L, "width", (uint64_t)self->width);
    desktop_set_integer(L, "height", (uint64_t)self->height);
    lua_createtable(L, 0, 2); /* picture, origin */
    desktop_set_number(L, "x", self->picture.origin.x);
    desktop_set_number(L, "y", self->picture.origin.y);
    lua_setfield(L, -2, "origin");
    desktop_set_number(L, "scale", self->picture.scale);
    desktop_set_text(L, "route", self->picture.route);
    if (self->path)
        desktop_set_text(L, "path", self->path);
    return 1;
}

static void screen_clear(struct thread_call *call)
{
    struct screen_call *self = container_of(call, struct screen_call, call);

    picture_free(&self->picture);
    free(self->drawn);
    buf_free(&self->since);
    buf_free(&self->made);
    for (int i = 0; i < CHANGE_BOXES; i++)
        buf_free(&self->files[i]);
    buf_free(&self->file);
    free(self->path);
}

/* Pushes options[name]; false when it is nil. */
static bool push_screen_field(lua_State *L, const char *name)
{
    lua_pushstring(L, name);
    return lua_rawget(L, 1) != LUA_TNIL;
}

/* Reads what to capture: at most one of display, window, all, and region alone or of a window. */
static void read_screen_capture(lua_State *L, struct screen_call *self)
{
    struct capture *what = &self->what;
    int kinds = 0;

    what->kind = CAPTURE_DISPLAY;
    what->lend = true; /* the thread encodes the picture before it does anything else */
    what->content_only = bind_flag(L, 1, "content_only");
    what->popups = bind_flag(L, 1, "popups");
    what->cursor = bind_flag(L, 1, "cursor");
    if (push_screen_field(L, "display")) {
        if (!lua_isinteger(L, -1))
            bind_field_error(L, 1, "display", "whole number expected");
        what->display = (uint64_t)lua_tointeger(L, -1);
        kinds++;
    }
    if (bind_flag(L, 1, "all")) {
        what->kind = CAPTURE_ALL;
        kinds++;
    }
    if (push_screen_field(L, "window")) {
        what->kind = CAPTURE_WINDOW;
        what->window = desktop_check_window(L, lua_gettop(L));
        kinds++;
    }
    if (push_screen_field(L, "region")) {
        what->region = desktop_check_rect(L, lua_gettop(L));
        what->part = what->kind == CAPTURE_WINDOW;
        if (!what->part) {
            what->kind = CAPTURE_REGION;
            kinds++;
        }
    }
    luaL_argcheck(
        L, kinds <= 1, 1,
        "pass at most one of display, window, all and region (a region may be part of a window)");
    lua_settop(L, 2);
}

static void read_format(lua_State *L, struct screen_call *self)
{
    const char *format = bind_text(L, 1, "format", NULL);

    if (format && !image_format_named(format, &self->format))
        bind_field_error(L, 1, "format", "\"png\" or \"jpeg\" expected");
    self->quality = (int)bind_number(L, 1, "quality", QUALITY, 1, 100);
    self->longest = (int)bind_number(L, 1, "longest", 0, 0, IMAGE_SIDE_MAX);
    self->keep =
        push_screen_field(L, "bytes") ? lua_toboolean(L, -1) : !bind_text(L, 1, "path", NULL);
    lua_pop(L, 1);
}

static void read_since(lua_State *L, struct screen_call *self)
{
    size_t len = 0;
    const char *since = bind_text(L, 1, "since", &len);

    self->marks = bind_flag(L, 1, "marks") || since;
    if (since && push_screen_field(L, "path"))
        bind_field_error(L, 1, "since", "goes without path: parts of a picture have no file");
    lua_settop(L, 2);
    if (since)
        buf_add(&self->since, since, len);
}

/* Reads { {x =, y =, width =, height =, label =}, ... }. */
static void read_boxes(lua_State *L, struct screen_call *self)
{
    int count;

    if (push_screen_field(L, "boxes")) {
        if (!lua_istable(L, -1) || lua_rawlen(L, -1) > DRAWN_BOXES)
            bind_field_error(L, 1, "boxes", "a list of at most 500 expected");
        if (self->since.len)
            bind_field_error(L, 1, "boxes", "goes without since: they would be what changed");
        count = (int)lua_rawlen(L, -1);
        self->drawn = mem_zero(((size_t)count + 1) * sizeof *self->drawn);
        self->what.lend = false; /* the boxes are drawn on pixels of our own */
        for (; self->drawn_count < count; self->drawn_count++) {
            struct drawn_box *box = &self->drawn[self->drawn_count];

            lua_rawgeti(L, -1, self->drawn_count + 1);
            luaL_argcheck(L, lua_istable(L, -1), 1, "boxes: tables expected");
            box->rect = desktop_check_rect(L, lua_gettop(L));
            lua_getfield(L, -1, "label");
            snprintf(box->label, sizeof box->label, "%s",
                     lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "");
            lua_pop(L, 2);
        }
    }
    lua_settop(L, 2);
}

/* True if the path ends like this format. A script may write here in places that were not granted
 * to it, so the name has to say that the file is a picture. */
static bool path_fits(const char *path, enum image_format format)
{
    const char *dot = strrchr(path, '.');
    enum image_format named;

    return dot && !strchr(dot, '/') && image_format_named(dot + 1, &named) && named == format;
}

/* Returns the path: absolute, or relative to the first granted folder, as for sys.fs. Calls that
 * act for a client's code stay in the granted folders. The caller frees it. */
static char *image_path(lua_State *L, const char *path, enum image_format format, struct error *err)
{
    const struct fs_grants *grants = vm_service(L, &sys_grants_key);
    const struct fs_grant *first = grants ? fs_grants_first(grants) : NULL;
    unsigned how = FS_FOLLOW | FS_WRITE | FS_MAKE_PARENTS | FS_GIVEN;
    struct fs_place place;
    char *whole;

    if (dry_run())
        how &= ~(unsigned)FS_MAKE_PARENTS;
    if (!path_fits(path, format) || (*path != '/' && !first)) {
        error_set(err, "bad_path",
                  "cannot write to \"%.300s\". Use an absolute path that ends in %s", path,
                  format == IMAGE_PNG ? ".png" : ".jpg or .jpeg");
        return NULL;
    }
    if (!task_confined(task_current(L)))
        return fs_absolute(grants, path);
    if (!fs_locate(grants, str_from(path), how, &place, err))
        return NULL;
    whole = mem_strdup(place.path);
    fs_place_close(&place);
    return whole;
}

static int screen_capture(lua_State *L)
{
    static const char *const names[] = { "all",     "boxes",  "bytes",   "content_only", "cursor",
                                         "display", "format", "longest", "marks",        "named",
                                         "path",    "popups", "quality", "region",       "since",
                                         "timeout", "window", NULL };
    struct screen_call *self;
    struct error err;
    const char *path;

    desktop_check_options(L, 1, names);
    lua_settop(L, 1);
    self = thread_call_new(L, sizeof *self, screen_clear); /* options, call */
    self->call.queue = QUEUE_CAPTURE;
    self->call.run = screen_run;
    self->call.push = screen_push;
    read_screen_capture(L, self);
    read_format(L, self);
    read_since(L, self);
    read_boxes(L, self);
    path = bind_text(L, 1, "path", NULL);
    if (path && !(self->path = image_path(L, path, self->format, &err)))
        return bind_error(L, &err);
    self->encoder = encoder_get(&err);
    return self->encoder ? thread_call_on_desktop(L, &self->call, 1, DESKTOP_TIMEOUT_S)
                         : bind_error(L, &err);
}

/* --- drawing ---------------------------------------------------------------------- */

struct drawn_call {
    struct screen_call screen; /* only its `what` counts */
    uint64_t wait_ms;
    bool drawn;
};

static bool drawn_run(struct thread_call *call, struct error *err)
{
    struct drawn_call *self = container_of(call, struct drawn_call, screen.call);

    if (!call->ops->capture->await_drawing)
        return error_set(err, "not_supported", "this system does not report drawing");
    return call->ops->capture->await_drawing(call->desktop, call->deadline, &self->screen.what,
                                             deadline_now() + self->wait_ms, &self->drawn, err);
}

static int drawn_push(lua_State *L, struct thread_call *call)
{
    lua_pushboolean(L, container_of(call, struct drawn_call, screen.call)->drawn);
    return 1;
}

static int screen_drawn(lua_State *L)
{
    static const char *const names[] = { "all",  "display", "region", "timeout",
                                         "wait", "window",  NULL };
    struct drawn_call *self;
    double wait;

    desktop_check_options(L, 1, names);
    lua_settop(L, 1);
    wait = bind_number(L, 1, "wait", DESKTOP_TIMEOUT_S, 0, DRAWN_WAIT_MAX_S);
    self = thread_call_new(L, sizeof *self, NULL); /* options, call */
    self->screen.call.queue = QUEUE_WAIT;
    self->screen.call.run = drawn_run;
    self->screen.call.push = drawn_push;
    self->wait_ms = (uint64_t)(wait * 1000);
    read_screen_capture(L, &self->screen);
    return thread_call_on_desktop(L, &self->screen.call, 1, wait + DESKTOP_TIMEOUT_S);
}

static const luaL_Reg screen_funcs[] = { { "capture", screen_capture },
                                         { "drawn", screen_drawn },
                                         { NULL, NULL } };

int luaopen_sys_screen(lua_State *L)
{
    luaL_newlib(L, screen_funcs);
    return 1;
}
