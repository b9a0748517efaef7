/* perigee --menu: one item in the menu bar's status area, as lines of JSON say, until stdin ends.
 * For lua/lib/menu/macos.lua.
 *
 * Each line to it is the view from then on, a menu.View of lua/lib/menu/backend.lua, its png as
 * base64. Lines from it: {"what":"shown"} once, {"what":"chosen","id":3}, {"what":"activated"},
 * {"what":"opening"}. While a menu that is dynamic is about to open, it waits for a view. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "json/document.h"
#include "platform/deadline.h"
#include "platform/helper_program.h"
#include "platform/macos/system/appkit_menu.h"
#include "platform/macos/system/appkit_news.h"
#include "platform/macos/system/line_source.h"

enum { RENEWAL_MS = 500, DEPTH_MOST = 16 };

struct menu {
    bool shown, over;
    bool dynamic, renewed; /* renewed: a view has come since this was cleared */
};

static void end_menu(struct menu *menu)
{
    if (!menu->over)
        appkit_news_stop();
    menu->over = true;
}

static void say_menu_event(struct menu *menu, const char *format, long id)
{
    struct buf line = { 0 };

    buf_addf(&line, "{\"what\":\"%s\"", format);
    if (id)
        buf_addf(&line, ",\"id\":%ld", id);
    buf_adds(&line, "}\n");
    if (!menu->over && !line_write(STDOUT_FILENO, &line))
        end_menu(menu); /* the engine is gone */
    buf_free(&line);
}

/* --- the view ------------------------------------------------------------------------------- */

static const char *member_text(const cJSON *object, const char *key)
{
    const cJSON *value = json_given(object, key);

    return cJSON_IsString(value) ? value->valuestring : "";
}

static void free_entries(struct menu_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free_entries(entries[i].items, entries[i].count);
    free(entries);
}

/* Reads the entries; owned; their strings belong to the document. NULL: there is no list. */
static struct menu_entry *entries_of(const cJSON *list, size_t *count, int depth)
{
    struct menu_entry *entries;
    const cJSON *item;

    *count = 0;
    if (!cJSON_IsArray(list) || depth > DEPTH_MOST)
        return NULL;
    entries = mem_zero(((size_t)cJSON_GetArraySize(list) + 1) * sizeof *entries);
    cJSON_ArrayForEach (item, list) {
        struct menu_entry *entry = &entries[(*count)++];
        const cJSON *checked = json_given(item, "checked");
        int64_t id = 0;

        json_integer(json_get(item, "id"), &id);
        entry->id = (long)id;
        entry->separator = cJSON_IsTrue(json_get(item, "separator"));
        entry->label = member_text(item, "label");
        entry->enabled = !cJSON_IsFalse(json_get(item, "enabled"));
        entry->check = !checked                ? MENU_NO_CHECK
                       : cJSON_IsTrue(checked) ? MENU_CHECKED
                                               : MENU_UNCHECKED;
        entry->items = entries_of(json_get(item, "items"), &entry->count, depth + 1);
    }
    return entries;
}

static void show_menu(struct menu *menu, const cJSON *root)
{
    struct menu_view view = { .title = member_text(root, "title"),
                              .text = member_text(root, "text"),
                              .tooltip = member_text(root, "tooltip"),
                              .icon = member_text(root, "icon"),
                              .png = member_text(root, "png"),
                              .activates = cJSON_IsTrue(json_get(root, "activates")) };

    view.items = entries_of(json_get(root, "items"), &view.count, 0);
    menu->dynamic = cJSON_IsTrue(json_get(root, "dynamic"));
    appkit_menu_show(&view);
    free_entries(view.items, view.count);
    menu->renewed = true;
    if (!menu->shown)
        say_menu_event(menu, "shown", 0);
    menu->shown = true;
}

static void on_menu_line(void *arg, char *line)
{
    struct error err;
    struct json_doc *doc = json_parse(line, strlen(line), NULL, &err);

    if (doc)
        show_menu(arg, json_root(doc));
    json_doc_free(doc);
}

/* --- actions of the user ---------------------------------------------------------------------- */

static void on_chosen(void *arg, long id)
{
    say_menu_event(arg, "chosen", id);
}

static void on_activated(void *arg)
{
    say_menu_event(arg, "activated", 0);
}

/* Waits for a new view. If that takes long the menu opens with the present one. */
static void on_opening(void *arg)
{
    struct menu *menu = arg;
    uint64_t until = deadline_now() + RENEWAL_MS, now;

    if (!menu->dynamic)
        return;
    menu->renewed = false;
    say_menu_event(menu, "opening", 0);
    while (!menu->renewed && !menu->over && (now = deadline_now()) < until)
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, (double)(until - now) / 1000, true);
}

static void on_menu_input_ended(void *arg)
{
    end_menu(arg);
}

static int serve_menu(void)
{
    struct menu menu = { 0 };
    struct menu_told told = { on_chosen, on_activated, on_opening, &menu };
    struct line_source *lines =
        line_source_new(STDIN_FILENO, on_menu_line, on_menu_input_ended, &menu);

    signal(SIGPIPE, SIG_IGN);
    if (!lines)
        return 1;
    appkit_menu_begin(&told);
    appkit_news_run();
    line_source_free(lines);
    return 0;
}

extern const struct helper_program perigee_menu;
const struct helper_program perigee_menu = { serve_menu };
