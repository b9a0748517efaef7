/* Functions that every backend shares: those that free the structs. */
#include "platform/platform.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "json/utf8.h"

const char *window_verb_name(enum window_verb verb)
{
    static const char *const names[] = { "focus",   "move",     "resize",     "place", "minimize",
                                         "restore", "maximize", "fullscreen", "close" };

    return names[verb];
}

const char *window_event_name(enum window_event what)
{
    static const char *const names[] = { "opened",  "closed",  "titled", "moved",
                                         "changed", "focused", "shifted" };

    return names[what];
}

void window_info_free(struct window_info *info)
{
    free(info->title);
    free(info->app);
    free(info->instance);
    *info = (struct window_info){ 0 };
}

void window_list_free(struct window_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        window_info_free(&list->items[i]);
    free(list->items);
    *list = (struct window_list){ 0 };
}

struct window_info *window_list_find(const struct window_list *list, uint64_t id)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].ref.id == id)
            return &list->items[i];
    return NULL;
}

struct window_info *window_list_focused(const struct window_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].focused)
            return &list->items[i];
    return NULL;
}

void app_info_free(struct app_info *info)
{
    free(info->name);
    free(info->id);
    free(info->path);
    free(info->icon);
    free(info->text);
    *info = (struct app_info){ 0 };
}

void app_list_free(struct app_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        app_info_free(&list->items[i]);
    free(list->items);
    *list = (struct app_list){ 0 };
}

static int by_activity_and_name(const void *a, const void *b)
{
    const struct app_info *one = a, *two = b;

    if (one->active != two->active)
        return one->active ? -1 : 1;
    int order = strcasecmp(one->name, two->name);
    return order ? order : one->pid - two->pid;
}

void app_list_sort(struct app_list *list)
{
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, by_activity_and_name);
}

void app_opened_free(struct app_opened *opened)
{
    app_info_free(&opened->app);
    *opened = (struct app_opened){ 0 };
}

void display_list_free(struct display_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].name);
    free(list->items);
    *list = (struct display_list){ 0 };
}

void picture_free(struct picture *picture)
{
    image_free(&picture->image);
    *picture = (struct picture){ 0 };
}

void picture_fit(struct picture *picture, int longest)
{
    struct image fitted;

    picture->scale *= image_fit(&picture->image, longest, &fitted);
    picture->image = fitted;
}

struct point picture_point(const struct picture *picture, double x, double y)
{
    return (struct point){ picture->origin.x + x / picture->scale,
                           picture->origin.y + y / picture->scale };
}

bool picture_cut(struct picture *picture, struct rect region, struct error *err)
{
    double left = floor((region.x - picture->origin.x) * picture->scale);
    double top = floor((region.y - picture->origin.y) * picture->scale);
    double right = ceil((region.x + region.width - picture->origin.x) * picture->scale);
    double bottom = ceil((region.y + region.height - picture->origin.y) * picture->scale);
    struct image cut;

    if (right <= 0 || bottom <= 0 || left >= picture->image.width || top >= picture->image.height)
        return error_set(
            err, "outside",
            "the region of %.0f x %.0f at %.0f, %.0f is outside the window, which shows %.0f x "
            "%.0f at %.0f, %.0f",
            region.width, region.height, region.x, region.y, picture->image.width / picture->scale,
            picture->image.height / picture->scale, picture->origin.x, picture->origin.y);
    left = fmax(left, 0);
    top = fmax(top, 0);
    if (!image_crop(&picture->image, (int)left, (int)top,
                    (int)(fmin(right, picture->image.width) - left),
                    (int)(fmin(bottom, picture->image.height) - top), &cut, err))
        return false;
    image_free(&picture->image);
    picture->image = cut;
    picture->origin = picture_point(picture, left, top);
    return true;
}

bool input_text_ok(struct str text, struct error *err)
{
    size_t bad;

    if (text.len > INPUT_TEXT_MAX)
        return error_set(err, "bad_text",
                         "the text has %zu bytes, more than the limit of %d. Write it to the "
                         "clipboard and paste it",
                         text.len, INPUT_TEXT_MAX);
    if (!utf8_valid(text.ptr, text.len, &bad))
        return error_set(err, "bad_text", "the text is not valid UTF-8 at byte %zu", bad);
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];

        if ((c < ' ' && c != '\n' && c != '\t' && c != '\r') || c == 127)
            return error_set(err, "bad_text",
                             "the text has a control character (0x%02x) at byte %zu. Send keys "
                             "such as Backspace as keys, not as text",
                             c, i);
    }
    return true;
}
