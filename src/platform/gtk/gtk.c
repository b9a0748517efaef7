/* perigee --ui with GTK 3: lists, questions and alerts of scripts (lua/lib/sys/ui.lua).
 *
 * A process of its own, because GTK has its own loop, and because GDK ends the process when the
 * display breaks. The list is a tree view with rows of one height, which costs the same for ten
 * rows and for ten thousand. */
#include <glib-unix.h>
#include <gtk/gtk.h>
#ifdef GDK_WINDOWING_X11
#include <gdk/gdkx.h>
#endif
#include <signal.h>
#include <unistd.h>

#include "base/buf.h"
#include "platform/helper_program.h"
#include "platform/ui.h"

enum { CHUNK = 65536, WIDTH = 640, ROWS_SHOWN = 9, ALERT_STEP = 84, LINE_CHARS = 52 };

struct gui {
    struct ui ui;
    struct buf input;
    bool alert, filling; /* filling: the engine changes rows or selection, not the user */
    GtkWidget *window, *entry, *hint, *list, *first;
    GtkListStore *store; /* places in `rows` */
    const cJSON *const *rows;
};

static const char css[] =
    ".perigee-choose { border: 1px solid @borders; }"
    ".perigee-choose entry { font-size: 130%; padding: 10px 14px; border-radius: 0; border: none;"
    "  border-bottom: 1px solid @borders; box-shadow: none; }"
    ".perigee-choose treeview { font-size: 108%; }"
    ".perigee-choose .hint { font-size: 130%; opacity: 0.5; }"
    ".perigee-alert { background-color: rgba(28, 28, 30, 0.92); }"
    ".perigee-alert.round { border-radius: 14px; }"
    ".perigee-alert label { color: white; font-size: 160%; }"
    ".perigee-ask .strong { font-weight: bold; font-size: 110%; }";

/* A label whose long lines wrap. One that may become narrower than its text is never small: GTK
 * asks for the height of the smallest width. */
static GtkWidget *label_of(const char *text, const char *class)
{
    GtkWidget *label = gtk_label_new(text);
    bool wraps = false;

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        wraps |= strcspn(line, "\n") > LINE_CHARS;
    }
    g_object_set(label, "xalign", 0.0, "wrap", wraps, "wrap-mode", PANGO_WRAP_WORD_CHAR,
                 "width-chars", wraps ? LINE_CHARS : -1, "max-width-chars", LINE_CHARS, NULL);
    gtk_style_context_add_class(gtk_widget_get_style_context(label), class);
    return label;
}

/* --- the list ------------------------------------------------------------------------------- */

static void show_cell(GtkTreeViewColumn *column, GtkCellRenderer *cell, GtkTreeModel *model,
                      GtkTreeIter *iter, gpointer arg)
{
    struct gui *gui = arg;
    const char *text, *below;
    char *markup;
    int at;

    (void)column;
    gtk_tree_model_get(model, iter, 0, &at, -1);
    text = gui->rows[at]->child->valuestring;
    below = gui->rows[at]->child->next->valuestring;
    markup = g_markup_printf_escaped(
        *below ? "%s\n<span size='small' alpha='65%%'>%s</span>" : "%s%s", text, below);
    g_object_set(cell, "markup", markup, NULL);
    g_free(markup);
}

static void show_rows(void *arg, const cJSON *const *rows, int count)
{
    struct gui *gui = arg;

    gui->filling = true;
    gtk_tree_view_set_model(GTK_TREE_VIEW(gui->list), NULL);
    gtk_list_store_clear(gui->store);
    gui->rows = rows;
    for (int i = 0; i < count; i++)
        gtk_list_store_insert_with_values(gui->store, NULL, -1, 0, i, -1);
    gtk_tree_view_set_model(GTK_TREE_VIEW(gui->list), GTK_TREE_MODEL(gui->store));
    gui->filling = false;
}

static void select_row(void *arg, int row)
{
    struct gui *gui = arg;
    GtkTreePath *path = gtk_tree_path_new_from_indices(row, -1);

    gui->filling = true;
    gtk_tree_view_set_cursor(GTK_TREE_VIEW(gui->list), path, NULL, FALSE);
    gui->filling = false;
    gtk_tree_path_free(path);
}

/* Reports a row that the user selects: by the pointer, or by a screen reader. */
static void on_selected(GtkTreeSelection *selection, gpointer arg)
{
    struct gui *gui = arg;
    GtkTreeModel *model;
    GtkTreeIter iter;
    int at;

    if (gui->filling || !gtk_tree_selection_get_selected(selection, &model, &iter))
        return;
    gtk_tree_model_get(model, &iter, 0, &at, -1);
    ui_say("selected", ui_row_id(gui->rows[at]), "");
}

static void on_row_activated(GtkTreeView *list, GtkTreePath *path, GtkTreeViewColumn *column,
                             gpointer arg)
{
    struct gui *gui = arg;

    (void)list, (void)column;
    ui_say("clicked", ui_row_id(gui->rows[gtk_tree_path_get_indices(path)[0]]), "");
}

static void on_changed(GtkEditable *entry, gpointer arg)
{
    struct gui *gui = arg;
    const char *text = gtk_entry_get_text(GTK_ENTRY(entry));

    gtk_widget_set_visible(gui->hint, !*text);
    ui_say("typed", 0, text);
}

/* Reports keys that move and choose. An input method that is composing gets them first. */
static gboolean on_list_key(GtkWidget *widget, GdkEventKey *event, gpointer arg)
{
    static const struct {
        guint key, keypad;
        int rows;
    } keys[] = { { GDK_KEY_Up, GDK_KEY_KP_Up, -1 },
                 { GDK_KEY_Down, GDK_KEY_KP_Down, 1 },
                 { GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, 1 - ROWS_SHOWN },
                 { GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, ROWS_SHOWN - 1 },
                 { GDK_KEY_Return, GDK_KEY_KP_Enter, 0 } };
    struct gui *gui = arg;

    (void)widget;
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        if (keys[i].key != event->keyval && keys[i].keypad != event->keyval)
            continue;
        if (!gtk_entry_im_context_filter_keypress(GTK_ENTRY(gui->entry), event))
            ui_say(keys[i].rows ? "moved" : "entered", keys[i].rows, "");
        return TRUE;
    }
    return event->keyval == GDK_KEY_Tab || event->keyval == GDK_KEY_ISO_Left_Tab; /* ends here */
}

static GtkWidget *list_of(struct gui *gui, const cJSON *window)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *scrolled = gtk_scrolled_window_new(NULL, NULL);
    GtkWidget *field = gtk_overlay_new(); /* GTK hides the hint of an entry that has the keyboard */
    GtkCellRenderer *cell = gtk_cell_renderer_text_new();
    GtkTreeViewColumn *column = gtk_tree_view_column_new();
    int height = cJSON_IsTrue(json_get(window, "tall")) ? 50 : 36;

    gui->entry = gtk_search_entry_new();
    gui->hint = label_of(ui_text(window, "hint"), "hint");
    g_object_set(gui->hint, "margin-start", 38, "ellipsize", PANGO_ELLIPSIZE_END, NULL);
    atk_object_set_name(gtk_widget_get_accessible(gui->entry), ui_text(window, "hint"));
    gtk_container_add(GTK_CONTAINER(field), gui->entry);
    gtk_overlay_add_overlay(GTK_OVERLAY(field), gui->hint);
    gtk_overlay_set_overlay_pass_through(GTK_OVERLAY(field), gui->hint, TRUE);
    gui->store = gtk_list_store_new(1, G_TYPE_INT);
    gui->list = gtk_tree_view_new();
    g_object_set(gui->list, "headers-visible", FALSE, "enable-search", FALSE, "can-focus", FALSE,
                 "activate-on-single-click", TRUE, NULL);
    g_object_set(cell, "xpad", 14, "ellipsize", PANGO_ELLIPSIZE_END, "height", height, NULL);
    gtk_tree_view_column_set_sizing(column, GTK_TREE_VIEW_COLUMN_FIXED);
    gtk_tree_view_column_pack_start(column, cell, TRUE);
    gtk_tree_view_column_set_cell_data_func(column, cell, show_cell, gui, NULL);
    gtk_tree_view_append_column(GTK_TREE_VIEW(gui->list), column);
    gtk_tree_view_set_fixed_height_mode(GTK_TREE_VIEW(gui->list), TRUE);
    g_object_set(scrolled, "hscrollbar-policy", GTK_POLICY_NEVER, "child", gui->list, NULL);
    gtk_box_pack_start(GTK_BOX(box), field, FALSE, FALSE, 0);
    gtk_box_pack_start(GTK_BOX(box), scrolled, TRUE, TRUE, 0);
    gtk_widget_set_size_request(box, WIDTH, (ROWS_SHOWN + 1) * height + 16);
    gtk_window_set_decorated(GTK_WINDOW(gui->window), FALSE);
    g_signal_connect(gtk_tree_view_get_selection(GTK_TREE_VIEW(gui->list)), "changed",
                     G_CALLBACK(on_selected), gui);
    g_signal_connect(gui->list, "row-activated", G_CALLBACK(on_row_activated), gui);
    g_signal_connect(gui->entry, "changed", G_CALLBACK(on_changed), gui);
    g_signal_connect(gui->window, "key-press-event", G_CALLBACK(on_list_key), gui);
    return box;
}

/* --- questions ------------------------------------------------------------------------------ */

static void on_button(GtkButton *button, gpointer arg)
{
    struct gui *gui = arg;
    int number = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(button), "number"));

    ui_say("answered", number, gui->entry ? gtk_entry_get_text(GTK_ENTRY(gui->entry)) : "");
}

static GtkWidget *buttons_of(struct gui *gui, const cJSON *labels)
{
    GtkWidget *buttons = gtk_button_box_new(GTK_ORIENTATION_HORIZONTAL);
    const cJSON *label;
    int number = 0;

    g_object_set(buttons, "layout-style", GTK_BUTTONBOX_END, "spacing", 8, NULL);
    cJSON_ArrayForEach (label, labels) {
        GtkWidget *button = gtk_button_new_with_label(label->valuestring);

        g_object_set_data(G_OBJECT(button), "number", GINT_TO_POINTER(++number));
        g_signal_connect(button, "clicked", G_CALLBACK(on_button), gui);
        gtk_container_add(GTK_CONTAINER(buttons), button);
        if (number > 1)
            continue;
        gtk_widget_set_can_default(button, TRUE);
        gtk_style_context_add_class(gtk_widget_get_style_context(button), "suggested-action");
        gtk_window_set_default(GTK_WINDOW(gui->window), button);
        gui->first = gui->entry ? gui->entry : button;
    }
    return buttons;
}

static GtkWidget *question_of(struct gui *gui, const cJSON *window)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 14);

    gtk_container_add(GTK_CONTAINER(box), label_of(ui_text(window, "text"), "strong"));
    if (*ui_text(window, "hint"))
        gtk_container_add(GTK_CONTAINER(box), label_of(ui_text(window, "hint"), "plain"));
    if (cJSON_IsTrue(json_get(window, "field"))) {
        gui->entry = gtk_entry_new();
        g_object_set(gui->entry, "text", ui_text(window, "value"), "activates-default", TRUE,
                     "visibility", !cJSON_IsTrue(json_get(window, "secret")), NULL);
        atk_object_set_name(gtk_widget_get_accessible(gui->entry), ui_text(window, "text"));
        gtk_container_add(GTK_CONTAINER(box), gui->entry);
    }
    g_object_set(box, "border-width", 20, "width-request", 420, NULL);
    return box;
}

/* --- any window ----------------------------------------------------------------------------- */

static gboolean on_alert_over(gpointer arg)
{
    (void)arg;
    gtk_main_quit();
    return G_SOURCE_REMOVE;
}

static gboolean on_escape(GtkWidget *widget, GdkEventKey *event)
{
    (void)widget;
    if (event->keyval != GDK_KEY_Escape)
        return FALSE;
    ui_say("closed", 0, "");
    return TRUE;
}

static gboolean on_delete(void)
{
    ui_say("closed", 0, "");
    return TRUE; /* the engine ends the process */
}

static gboolean on_mapped(void)
{
    ui_say("shown", 0, "");
    return FALSE;
}

/* Centers it on the display with the pointer, in the upper part of what panels leave free. */
static void place_window(GtkWidget *window, int below)
{
    GdkDisplay *display = gtk_widget_get_display(window);
    GdkRectangle area;
    GtkRequisition size;
    int x, y;

    gdk_device_get_position(gdk_seat_get_pointer(gdk_display_get_default_seat(display)), NULL, &x,
                            &y);
    gdk_monitor_get_workarea(gdk_display_get_monitor_at_point(display, x, y), &area);
    gtk_widget_get_preferred_size(window, NULL, &size);
    gtk_window_move(GTK_WINDOW(window), area.x + MAX(area.width - size.width, 0) / 2,
                    area.y + MAX(area.height - size.height, 0) / 3 + below);
}

/* Shows an alert. Nothing can point at it, and keys never reach it: it is not managed. */
static void present_alert(struct gui *gui, double seconds)
{
    GdkVisual *visual = gdk_screen_get_rgba_visual(gtk_widget_get_screen(gui->window));
    cairo_region_t *nothing = cairo_region_create();

    if (visual && gdk_screen_is_composited(gtk_widget_get_screen(gui->window))) {
        gtk_widget_set_visual(gui->window, visual);
        gtk_style_context_add_class(gtk_widget_get_style_context(gui->window), "round");
    }
    g_object_set(gui->window, "accept-focus", FALSE, "focus-on-map", FALSE, "decorated", FALSE,
                 NULL);
    gtk_widget_input_shape_combine_region(gui->window, nothing);
    cairo_region_destroy(nothing);
    gtk_widget_show(gui->window);
    g_timeout_add((guint)(seconds * 1000), on_alert_over, NULL);
}

/* Shows a window with the time of this moment: window managers hold windows back that are older
 * than the last key or click. */
static void present_window(GtkWidget *window)
{
    guint32 now = GDK_CURRENT_TIME;

    gtk_widget_add_events(window, GDK_PROPERTY_CHANGE_MASK);
    gtk_widget_realize(window);
#ifdef GDK_WINDOWING_X11
    if (GDK_IS_X11_WINDOW(gtk_widget_get_window(window))) {
        now = gdk_x11_get_server_time(gtk_widget_get_window(window));
        gdk_x11_window_set_user_time(gtk_widget_get_window(window), now);
    }
#endif
    gtk_window_present_with_time(GTK_WINDOW(window), now);
}

static void open_window(void *arg, const cJSON *window)
{
    struct gui *gui = arg;
    const char *kind = ui_text(window, "kind");
    bool ask = strcmp(kind, "ask") == 0;
    GtkCssProvider *style = gtk_css_provider_new();
    char *class = g_strconcat("perigee-", kind, NULL);
    GtkWidget *content;
    int64_t place = 0;

    gui->alert = strcmp(kind, "alert") == 0;
    gtk_css_provider_load_from_data(style, css, -1, NULL);
    gtk_style_context_add_provider_for_screen(gdk_screen_get_default(), GTK_STYLE_PROVIDER(style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
    gui->window = gtk_window_new(gui->alert && !getenv("WAYLAND_DISPLAY") ? GTK_WINDOW_POPUP
                                                                          : GTK_WINDOW_TOPLEVEL);
    g_object_set(
        gui->window, "title", ui_text(window, "title"), "skip-taskbar-hint", !ask, "type-hint",
        gui->alert ? GDK_WINDOW_TYPE_HINT_NOTIFICATION : GDK_WINDOW_TYPE_HINT_DIALOG, NULL);
    gtk_window_set_keep_above(GTK_WINDOW(gui->window), TRUE);
    gtk_style_context_add_class(gtk_widget_get_style_context(gui->window), class);
    g_signal_connect(gui->window, "map-event", G_CALLBACK(on_mapped), NULL);
    g_signal_connect(gui->window, "delete-event", G_CALLBACK(on_delete), NULL);
    g_signal_connect(gui->window, "key-press-event", G_CALLBACK(on_escape), NULL);
    content = gui->alert ? label_of(ui_text(window, "text"), "alert")
              : ask      ? question_of(gui, window)
                         : list_of(gui, window);
    gtk_container_add(GTK_CONTAINER(gui->window), content);
    if (ask)
        gtk_container_add(GTK_CONTAINER(content), buttons_of(gui, json_get(window, "buttons")));
    if (gui->alert)
        g_object_set(content, "margin", 18, "margin-start", 30, "margin-end", 30, "xalign", 0.5,
                     "justify", GTK_JUSTIFY_CENTER, NULL);
    gtk_widget_show_all(content);
    if (gui->first)
        gtk_widget_grab_focus(gui->first);
    json_integer(json_get(window, "place"), &place);
    place_window(gui->window, (int)place * ALERT_STEP);
    if (gui->alert)
        present_alert(gui, cJSON_GetNumberValue(json_get(window, "seconds")));
    else
        present_window(gui->window);
    g_free(class);
    g_object_unref(style);
}

/* Reads lines. At the end of the input a window goes; an alert stays for its time. */
static gboolean on_input(gint fd, GIOCondition condition, gpointer arg)
{
    struct gui *gui = arg;
    ssize_t got = read(fd, buf_reserve(&gui->input, CHUNK), CHUNK);
    char *end;

    (void)condition;
    if (got <= 0 && !gui->alert)
        gtk_main_quit();
    if (got <= 0)
        return G_SOURCE_REMOVE;
    gui->input.len += (size_t)got;
    while ((end = memchr(gui->input.data, '\n', gui->input.len))) {
        *end = '\0';
        ui_line(&gui->ui, gui->input.data);
        buf_drop(&gui->input, (size_t)(end + 1 - gui->input.data));
    }
    return G_SOURCE_CONTINUE;
}

static int serve_ui(void)
{
    struct gui gui = { .alert = false };
    struct ui_toolkit toolkit = { open_window, show_rows, select_row, &gui };

    signal(SIGPIPE, SIG_IGN);
    gui.ui.toolkit = &toolkit;
    g_set_prgname("perigee");
    if (!gtk_init_check(NULL, NULL)) {
        fputs("GTK cannot open the display. Start Perigee inside a graphical session, or set "
              "DISPLAY\n",
              stderr);
        return 1;
    }
    g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP, on_input, &gui);
    gtk_main();
    ui_finish(&gui.ui);
    buf_free(&gui.input);
    _exit(0); /* memory that GTK and fontconfig keep goes with the process */
}

extern const struct helper_program perigee_ui;
const struct helper_program perigee_ui = { serve_ui };
