/* A window of a script: its content is written to the file SIM_UI_SHOWN, and the user's actions are
 * the lines of SIM_UI, "typed TEXT", "moved N", "entered", "answered N TEXT", "closed". */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "json/writer.h"
#include "platform/macos/system/appkit_ui.h"
#include "platform/macos/system/line_source.h"
#include "sim.h"

static struct line_source *user;

static void note(const char *what, const cJSON *tree)
{
    const char *shown = getenv("SIM_UI_SHOWN");
    FILE *out = fopen(shown ? shown : "/dev/null", "a");
    struct buf text = { 0 };

    sim_main_only("windows of scripts");
    if (!out)
        abort();
    json_write(&text, tree);
    fprintf(out, "%s %s\n", what, buf_text(&text));
    fclose(out);
    buf_free(&text);
}

/* Does one action. */
static void on_line(void *arg, char *line)
{
    char what[16] = "";
    int at = 0;
    long n;

    (void)arg;
    sscanf(line, "%15s %n", what, &at);
    n = strtol(line + at, NULL, 10);
    ui_say(what, n, strcmp(what, "answered") == 0 ? "text" : line + at);
}

static void on_ended(void *arg)
{
    (void)arg;
}

void appkit_ui_begin(void)
{
    sim_become_main(); /* the window's thread is the main one of its process */
}

void appkit_ui_open(const cJSON *window)
{
    const char *does = getenv("SIM_UI");

    note("open", window);
    ui_say("shown", 0, "");
    if (does)
        user = line_source_new(open(does, O_RDONLY | O_CLOEXEC), on_line, on_ended, NULL);
}

void appkit_ui_rows(const cJSON *const *rows, int count)
{
    for (int i = 0; i < count; i++)
        note("row", rows[i]);
}

void appkit_ui_select(int row)
{
    cJSON *number = cJSON_CreateNumber(row);

    note("select", number);
    cJSON_Delete(number);
}
