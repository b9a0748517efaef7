/* An item of the status area: its content is written to the file SIM_MENU_SHOWN, and the user's
 * actions are the lines of SIM_MENU: "choose 3", "click", "open". */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/macos/system/appkit_menu.h"
#include "platform/macos/system/line_source.h"
#include "sim.h"

static const struct menu_told *told;
static struct line_source *user;

void appkit_menu_begin(const struct menu_told *who)
{
    sim_become_main(); /* the menu's thread is the main one of its process */
    told = who;
}

static void on_line(void *arg, char *line)
{
    long id;

    (void)arg;
    if (sscanf(line, "choose %ld", &id) == 1)
        told->chosen(told->arg, id);
    else if (strcmp(line, "click") == 0)
        told->activated(told->arg);
    else if (strcmp(line, "open") == 0)
        told->opening(told->arg);
}

static void on_ended(void *arg)
{
    (void)arg;
}

static void print(FILE *out, const struct menu_entry *entries, size_t count, int depth)
{
    for (size_t i = 0; i < count; i++) {
        const struct menu_entry *entry = &entries[i];

        if (entry->separator)
            fprintf(out, "%*s---\n", 2 * depth, "");
        else
            fprintf(out, "%*s%ld %s%s%s\n", 2 * depth, "", entry->id, entry->label,
                    entry->check == MENU_CHECKED     ? " [x]"
                    : entry->check == MENU_UNCHECKED ? " [ ]"
                                                     : "",
                    entry->enabled ? "" : " (off)");
        if (entry->items)
            print(out, entry->items, entry->count, depth + 1);
    }
}

void appkit_menu_show(const struct menu_view *view)
{
    const char *shown = getenv("SIM_MENU_SHOWN"), *does = getenv("SIM_MENU");
    FILE *out = fopen(shown ? shown : "/dev/null", "a");

    sim_main_only("menus");
    if (!out)
        abort();
    fprintf(out, "%s|%s|%s|%s|%s|%s\n", view->title, view->text, view->tooltip, view->icon,
            view->png, view->activates ? "activates" : "");
    print(out, view->items, view->count, 1);
    fclose(out);
    if (does && !user)
        user = line_source_new(open(does, O_RDONLY | O_CLOEXEC), on_line, on_ended, NULL);
}
