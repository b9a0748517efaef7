/* Walks a value and its shape side by side. As deep as the scanner let the text be. */
#include "mcp/shape.h"

#include <stdio.h>

#include "json/document.h"

struct fitting {
    char path[160]; /* "result.tools[3].inputSchema", cut */
    size_t len;
    shape_report *report;
    void *arg;
    struct error *err;
};

static bool fit_node(struct fitting *f, const struct shape *shape, cJSON *node);

static unsigned node_type(const cJSON *node)
{
    switch (node->type & 0xFF) {
    case cJSON_NULL:
        return SHAPE_NULL;
    case cJSON_True:
    case cJSON_False:
        return SHAPE_TRUTH;
    case cJSON_Number:
        return SHAPE_NUMBER;
    case cJSON_String:
        return SHAPE_TEXT;
    case cJSON_Array:
        return SHAPE_LIST;
    default:
        return SHAPE_OBJECT;
    }
}

static const char *type_name(unsigned type)
{
    static const char *const names[] = { "null", "a boolean", "a number",
                                         "text", "a list",    "an object" };

    for (size_t i = 0; i < countof(names); i++) {
        if (type & 1u << i)
            return names[i];
    }
    return "a value";
}

/* --- the path ---------------------------------------------------------------------- */

static void fitting_add(struct fitting *f, const char *text, size_t len)
{
    size_t room = sizeof f->path - 1 - f->len;

    len = len < room ? len : room;
    memcpy(f->path + f->len, text, len);
    f->len += len;
    f->path[f->len] = '\0';
}

static void fitting_cut(struct fitting *f, size_t len)
{
    f->len = len;
    f->path[len] = '\0';
}

static void fitting_add_name(struct fitting *f, const char *name)
{
    fitting_add(f, ".", 1);
    fitting_add(f, name, strnlen(name, 40));
}

static void add_index(struct fitting *f, size_t index)
{
    char step[24];
    int len = snprintf(step, sizeof step, "[%zu]", index);

    fitting_add(f, step, (size_t)len);
}

static bool wrong_type(struct fitting *f, const struct shape *shape, unsigned type)
{
    unsigned lowest = shape->types & ~(unsigned)SHAPE_NULL;

    return error_set(f->err, "protocol", "%s must be %s, not %s", f->path, type_name(lowest),
                     type_name(type));
}

/* It is taken out, and f->err says why. */
static void fitting_report(struct fitting *f, const char *what)
{
    char text[sizeof f->err->text + 40];

    snprintf(text, sizeof text, "%s; %s", f->err->text, what);
    *f->err = (struct error){ 0 };
    if (f->report)
        f->report(f->arg, text);
}

/* --- objects and lists ----------------------------------------------------------------- */

static const struct shape_member *shape_find(const struct shape *shape, const char *name)
{
    const struct shape_member *member = shape->members;

    while (member && member->name && strcmp(member->name, name) != 0)
        member++;
    return member && member->name ? member : NULL;
}

/* False: the whole object is wrong. */
static bool fit_member(struct fitting *f, const struct shape *shape, cJSON *object, cJSON *node)
{
    const struct shape_member *member = shape_find(shape, node->string);
    const struct shape *inner = member ? member->shape : shape->values;
    size_t mark = f->len;

    if (!inner)
        return true;
    if (cJSON_IsNull(node) && !(inner->types & SHAPE_NULL)) {
        json_take_out(object, node);
        return true;
    }
    fitting_add_name(f, node->string);
    if (!fit_node(f, inner, node)) {
        if (member ? member->need != SHAPE_OPTIONAL : !shape->picky)
            return false;
        json_take_out(object, node);
        fitting_report(f, "it is ignored");
    }
    fitting_cut(f, mark);
    return true;
}

static bool fit_object(struct fitting *f, const struct shape *shape, cJSON *object)
{
    cJSON *next;

    for (cJSON *node = object->child; node; node = next) {
        next = node->next;
        if (!fit_member(f, shape, object, node))
            return false;
    }
    for (const struct shape_member *m = shape->members; m && m->name; m++) {
        if (m->need != SHAPE_REQUIRED || json_get(object, m->name))
            continue;
        fitting_add_name(f, m->name);
        return error_set(f->err, "protocol", "%s is missing", f->path);
    }
    return true;
}

static bool fit_list(struct fitting *f, const struct shape *shape, cJSON *list)
{
    size_t mark = f->len, index = 0;
    cJSON *next;

    for (cJSON *node = list->child; node; node = next, index++) {
        next = node->next;
        add_index(f, index);
        if (!fit_node(f, shape->items, node)) {
            if (!shape->picky)
                return false;
            json_take_out(list, node);
            fitting_report(f, "the item is omitted");
        }
        fitting_cut(f, mark);
    }
    return true;
}

static bool fit_node(struct fitting *f, const struct shape *shape, cJSON *node)
{
    unsigned type = node_type(node);

    if (shape->types && !(shape->types & type))
        return wrong_type(f, shape, type);
    if (type == SHAPE_OBJECT && (shape->members || shape->values) && !fit_object(f, shape, node))
        return false;
    if (type == SHAPE_LIST && shape->items && !fit_list(f, shape, node))
        return false;
    if (shape->more)
        shape = shape->more(node);
    else
        return true;
    return !shape || fit_node(f, shape, node);
}

bool shape_fit(const struct shape *shape, cJSON *value, const char *name, shape_report *report_to,
               void *arg, struct error *err)
{
    struct fitting f = { .report = report_to, .arg = arg, .err = err };

    fitting_add(&f, name, strlen(name));
    return fit_node(&f, shape, value);
}
