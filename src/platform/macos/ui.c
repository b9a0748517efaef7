/* perigee --ui with AppKit, which needs the main thread: one window, as lines of JSON say
 * (platform/ui.h), until stdin ends. For lua/lib/ui/window.lua. */
#include <signal.h>
#include <unistd.h>

#include "platform/helper_program.h"
#include "platform/macos/system/appkit_news.h"
#include "platform/macos/system/appkit_ui.h"
#include "platform/macos/system/line_source.h"

struct panel {
    struct ui ui;
    bool alert;
};

static void open_panel(void *arg, const cJSON *window)
{
    struct panel *panel = arg;

    panel->alert = strcmp(ui_text(window, "kind"), "alert") == 0;
    appkit_ui_open(window);
}

static void show_panel_rows(void *arg, const cJSON *const *rows, int count)
{
    (void)arg;
    appkit_ui_rows(rows, count);
}

static void select_panel_row(void *arg, int row)
{
    (void)arg;
    appkit_ui_select(row);
}

static void on_panel_line(void *arg, char *line)
{
    struct panel *panel = arg;

    ui_line(&panel->ui, line);
}

/* An alert stays for its time. */
static void on_panel_input_ended(void *arg)
{
    struct panel *panel = arg;

    if (!panel->alert)
        appkit_news_stop();
}

static int serve_ui(void)
{
    struct panel panel = { .alert = false };
    struct ui_toolkit toolkit = { open_panel, show_panel_rows, select_panel_row, &panel };
    struct line_source *lines;

    signal(SIGPIPE, SIG_IGN);
    panel.ui.toolkit = &toolkit;
    appkit_ui_begin();
    lines = line_source_new(STDIN_FILENO, on_panel_line, on_panel_input_ended, &panel);
    if (!lines)
        return 1;
    appkit_news_run();
    line_source_free(lines);
    ui_finish(&panel.ui);
    return 0;
}

extern const struct helper_program perigee_ui;
const struct helper_program perigee_ui = { serve_ui };
