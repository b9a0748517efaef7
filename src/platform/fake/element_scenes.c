/* The elements of the fake's windows, as tables. */
#include "json/utf8.h"
#include "platform/fake/elements.h"

/* One element. Its parent is the nearest row above with a smaller depth. */
struct row {
    int depth;
    enum element_role role;
    const char *name;
    struct rect place;
    enum fake_reaction reaction;
    unsigned set;     /* states besides those of its role */
    const char *text; /* its value; the argument of its reaction when that needs one */
    double number, least, most, step;
    int rows;
    bool off, closed, shared;
};

#define IS(depth_, role_, name_, ...)                                                              \
    .depth = (depth_), .role = ELEMENT_##role_, .name = (name_), .place = { __VA_ARGS__ }

#define TEXT_EDITOR "org.perigee.TextEditor"

static const struct row editor[] = {
    { IS(1, MENU_BAR, "", 0, 0, 640, 24) },
    { IS(2, MENU, "File", 0, 0, 50, 24), .reaction = REACT_POP_UP },
    { IS(3, MENU_ITEM, "New", 0, 24, 160, 24), .reaction = REACT_CLEAR, .closed = true },
    { IS(3, MENU_ITEM, "Open...", 0, 48, 160, 24), .reaction = REACT_DIALOG, .text = "Open",
      .closed = true },
    { IS(3, MENU_ITEM, "Save", 0, 72, 160, 24), .reaction = REACT_SAVE, .text = "Saved",
      .closed = true },
    { IS(3, MENU_ITEM, "Save As...", 0, 96, 160, 24), .reaction = REACT_DIALOG, .text = "Save As",
      .closed = true },
    { IS(3, SEPARATOR, "", 0, 120, 160, 4), .closed = true },
    { IS(3, MENU_ITEM, "Quit", 0, 124, 160, 24), .reaction = REACT_CLOSE, .closed = true },
    { IS(2, MENU, "Edit", 50, 0, 50, 24), .reaction = REACT_POP_UP },
    { IS(3, MENU_ITEM, "Undo", 50, 24, 160, 24), .off = true, .closed = true },
    { IS(3, MENU_ITEM, "Select All", 50, 48, 160, 24), .reaction = REACT_SELECT_ALL,
      .closed = true },
    { IS(3, MENU_ITEM, "Preferences...", 50, 72, 160, 24), .reaction = REACT_DIALOG,
      .text = "Preferences", .closed = true },
    { IS(2, MENU, "View", 100, 0, 50, 24), .reaction = REACT_POP_UP },
    { IS(3, CHECK_ITEM, "Toolbar", 100, 24, 160, 24), .reaction = REACT_TOGGLE,
      .set = ELEMENT_CHECKED, .closed = true },
    { IS(3, MENU, "Zoom", 100, 48, 160, 24), .reaction = REACT_POP_UP, .closed = true },
    { IS(4, MENU_ITEM, "Zoom In", 260, 48, 160, 24), .reaction = REACT_SAY, .text = "110 %",
      .closed = true },
    { IS(4, MENU_ITEM, "Zoom Out", 260, 72, 160, 24), .reaction = REACT_SAY, .text = "90 %",
      .closed = true },
    { IS(1, TOOL_BAR, "", 0, 24, 640, 36) },
    { IS(2, BUTTON, "New", 4, 28, 60, 28), .reaction = REACT_CLEAR },
    { IS(2, BUTTON, "Open", 68, 28, 60, 28), .reaction = REACT_DIALOG, .text = "Open" },
    { IS(2, BUTTON, "Save", 132, 28, 60, 28), .reaction = REACT_SAVE, .text = "Saved" },
    { IS(2, BUTTON, "Undo", 196, 28, 60, 28), .off = true },
    { IS(1, SCROLL_AREA, "", 0, 60, 640, 376) },
    { IS(2, TEXT, "", 0, 60, 640, 376), .shared = true },
    { IS(1, STATUS_BAR, "", 0, 436, 640, 24) },
    { IS(2, LABEL, "Ready", 4, 438, 400, 20) },
};

static const struct row save_as[] = {
    { IS(1, LABEL, "Name:", 12, 12, 60, 24) },
    { IS(1, ENTRY, "", 80, 12, 200, 24), .shared = true },
    { IS(1, BUTTON, "Cancel", 112, 60, 80, 28), .reaction = REACT_CLOSE },
    { IS(1, BUTTON, "Save", 200, 60, 80, 28), .reaction = REACT_RENAME, .set = ELEMENT_DEFAULT },
};

static const struct row replace_file[] = {
    { IS(1, LABEL, "A file with this name exists. Do you want to replace it?", 12, 12, 276, 24) },
    { IS(1, BUTTON, "Cancel", 112, 60, 80, 28), .reaction = REACT_CLOSE, .set = ELEMENT_DEFAULT },
    { IS(1, BUTTON, "Replace", 200, 60, 80, 28), .reaction = REACT_REPLACE },
};

static const struct row open_file[] = {
    { IS(1, LIST, "Files", 12, 8, 276, 40) },
    { IS(2, LIST_ITEM, "draft.txt", 12, 8, 276, 20), .reaction = REACT_SELECT },
    { IS(2, LIST_ITEM, "notes.txt", 12, 28, 276, 20), .reaction = REACT_SELECT },
    { IS(1, BUTTON, "Cancel", 112, 60, 80, 28), .reaction = REACT_CLOSE },
    { IS(1, BUTTON, "Open", 200, 60, 80, 28), .reaction = REACT_CLOSE },
};

static const struct row save_changes[] = {
    { IS(1, LABEL, "Your changes are lost if you do not save them.", 12, 12, 276, 24) },
    { IS(1, BUTTON, "Don't Save", 12, 60, 90, 28), .reaction = REACT_CLOSE_BOTH },
    { IS(1, BUTTON, "Cancel", 112, 60, 80, 28), .reaction = REACT_CLOSE },
    { IS(1, BUTTON, "Save", 200, 60, 80, 28), .reaction = REACT_CLOSE_BOTH,
      .set = ELEMENT_DEFAULT },
};

static const struct row settings[] = {
    { IS(1, LABEL, "Name:", 12, 8, 80, 24) },
    { IS(1, ENTRY, "", 100, 8, 200, 24), .text = "Ada" },
    { IS(1, LABEL, "Password:", 12, 36, 80, 24) },
    { IS(1, PASSWORD, "", 100, 36, 200, 24), .text = "secret" },
    { IS(1, LABEL, "Font:", 12, 64, 80, 24) },
    { IS(1, COMBO, "", 100, 64, 200, 24), .reaction = REACT_POP_UP, .text = "Serif" },
    { IS(2, LIST_ITEM, "Serif", 100, 88, 200, 20), .reaction = REACT_CHOOSE_OPTION,
      .set = ELEMENT_SELECTED, .closed = true },
    { IS(2, LIST_ITEM, "Sans", 100, 108, 200, 20), .reaction = REACT_CHOOSE_OPTION,
      .closed = true },
    { IS(2, LIST_ITEM, "Monospace", 100, 128, 200, 20), .reaction = REACT_CHOOSE_OPTION,
      .closed = true },
    { IS(1, LABEL, "Size:", 12, 92, 80, 24) },
    { IS(1, SPIN, "", 100, 92, 100, 24), .number = 12, .least = 6, .most = 72, .step = 1 },
    { IS(1, LABEL, "Zoom:", 12, 120, 80, 24) },
    { IS(1, SLIDER, "", 100, 120, 200, 24), .number = 100, .least = 50, .most = 200, .step = 10 },
    { IS(1, CHECK, "Show line numbers", 12, 148, 200, 24), .reaction = REACT_TOGGLE,
      .set = ELEMENT_CHECKED },
    { IS(1, CHECK, "Wrap long lines", 12, 172, 200, 24), .reaction = REACT_TOGGLE },
    { IS(1, CHECK, "Keep backups", 12, 196, 200, 24), .reaction = REACT_TOGGLE, .off = true },
    { IS(1, GROUP, "", 12, 220, 300, 24) },
    { IS(2, RADIO, "Light", 12, 220, 100, 24), .reaction = REACT_CHOOSE_RADIO,
      .set = ELEMENT_CHECKED },
    { IS(2, RADIO, "Dark", 120, 220, 100, 24), .reaction = REACT_CHOOSE_RADIO },
    { IS(1, LABEL, "Backup folder:", 12, 248, 120, 24) },
    { IS(1, BUTTON, "Browse...", 140, 248, 100, 24), .reaction = REACT_SAY,
      .text = "Browsing for backups" },
    { IS(1, LABEL, "Export folder:", 12, 276, 120, 24) },
    { IS(1, BUTTON, "Browse...", 140, 276, 100, 24), .reaction = REACT_SAY,
      .text = "Browsing for exports" },
    { IS(1, BUTTON, "Swallow", 12, 304, 100, 24), .reaction = REACT_SWALLOW },
    { IS(1, BUTTON, "Pointer only", 120, 304, 120, 24), .reaction = REACT_POINTER,
      .text = "Pointed at" },
    { IS(1, PROGRESS, "Indexing", 12, 336, 288, 16), .number = 40, .most = 100 },
    { IS(1, LINK, "About these settings", 12, 364, 200, 20), .reaction = REACT_SAY,
      .text = "Visited" },
    { IS(1, BUTTON, "Apply", 12, 400, 80, 28), .reaction = REACT_SAY, .text = "Applied" },
    { IS(1, BUTTON, "Close", 100, 400, 80, 28), .reaction = REACT_CLOSE },
    { IS(1, TAB_LIST, "", 330, 8, 300, 24) },
    { IS(2, TAB, "General", 330, 8, 100, 24), .reaction = REACT_SELECT, .set = ELEMENT_SELECTED },
    { IS(2, TAB, "Colors", 430, 8, 100, 24), .reaction = REACT_SELECT },
    { IS(2, TAB, "Keys", 530, 8, 100, 24), .reaction = REACT_SELECT },
    { IS(1, LIST, "Languages", 330, 40, 300, 100) },
    { IS(2, LIST_ITEM, "English", 330, 40, 300, 20), .reaction = REACT_SELECT,
      .set = ELEMENT_SELECTED },
    { IS(2, LIST_ITEM, "Français", 330, 60, 300, 20), .reaction = REACT_SELECT },
    { IS(2, LIST_ITEM, "Deutsch", 330, 80, 300, 20), .reaction = REACT_SELECT },
    { IS(2, LIST_ITEM, "Español", 330, 100, 300, 20), .reaction = REACT_SELECT },
    { IS(2, LIST_ITEM, "日本語", 330, 120, 300, 20), .reaction = REACT_SELECT },
    { IS(1, LIST, "Snippets", 330, 150, 300, 240), .set = ELEMENT_VIRTUAL, .rows = 1000 },
    { IS(1, STATUS_BAR, "", 0, 436, 640, 24) },
    { IS(2, LABEL, "Ready", 4, 438, 400, 20) },
};

static const struct row files[] = {
    { IS(1, TREE, "Folders", 0, 0, 200, 560) },
    { IS(2, TREE_ITEM, "Home", 0, 0, 200, 20), .reaction = REACT_POP_UP },
    { IS(3, TREE_ITEM, "Documents", 10, 20, 190, 20), .reaction = REACT_SELECT, .closed = true },
    { IS(3, TREE_ITEM, "Pictures", 10, 40, 190, 20), .reaction = REACT_SELECT, .closed = true },
    { IS(1, STATUS_BAR, "", 0, 560, 800, 20) },
    { IS(2, LABEL, "2 items", 4, 560, 400, 20) },
};

#define ROWS(table) table, countof(table)

/* A title of NULL fits every window that no scene before it fits. */
static const struct scene {
    const char *app, *title;
    const struct row *rows;
    size_t count;
} scenes[] = {
    { TEXT_EDITOR, "Save As", ROWS(save_as) },
    { TEXT_EDITOR, "Replace file?", ROWS(replace_file) },
    { TEXT_EDITOR, "Open", ROWS(open_file) },
    { TEXT_EDITOR, "Save changes?", ROWS(save_changes) },
    { TEXT_EDITOR, "Preferences", ROWS(settings) },
    { TEXT_EDITOR, NULL, ROWS(editor) },
    { "org.perigee.Settings", NULL, ROWS(settings) },
    { "org.perigee.Files", NULL, ROWS(files) },
};

static const struct scene *scene_of(const char *app, const struct fake_window *window)
{
    for (size_t i = 0; i < countof(scenes); i++) {
        if (strcmp(scenes[i].app, app) != 0)
            continue;
        if (scenes[i].title ? window->parent && strcmp(scenes[i].title, window->title) == 0
                            : !window->parent)
            return &scenes[i];
    }
    return NULL;
}

static void fill_element(struct fake *fake, struct fake_element *element, const struct row *row)
{
    struct str text;

    element->place = row->place;
    element->reaction = row->reaction;
    element->argument = row->text;
    element->shared = row->shared;
    element->states |= row->set;
    if (row->off)
        element->states &= ~(unsigned)ELEMENT_ENABLED;
    if (row->closed)
        element->states &= ~(unsigned)ELEMENT_SHOWN;
    if (row->reaction == REACT_CHOOSE_OPTION)
        element->abilities |= ELEMENT_CAN_ACT;
    element->number = row->number;
    element->least = row->least;
    element->most = row->most;
    element->step = row->step;
    element->rows = row->rows;
    if (row->text && (row->reaction == REACT_NOTHING || row->role == ELEMENT_COMBO))
        buf_adds(&element->text, row->text);
    text = fake_element_text(element);
    element->caret = (int)utf8_length(text.ptr, text.len);
    if (row->rows)
        fake_scroll_list(fake, element, 0);
}

/* Builds a scene. A tree item that is a folder shows that it can be opened; the items in it
 * cannot. */
static void build(struct fake *fake, struct fake_element *top, const struct scene *scene)
{
    struct fake_element *at[8] = { top };

    for (size_t i = 0; i < scene->count; i++) {
        const struct row *row = &scene->rows[i];

        at[row->depth] =
            fake_new_element(fake, top->window, at[row->depth - 1], row->role, row->name);
        fill_element(fake, at[row->depth], row);
        if (row->role == ELEMENT_TREE_ITEM && row->reaction != REACT_POP_UP)
            at[row->depth]->states &= ~(unsigned)ELEMENT_EXPANDABLE;
        if (!top->window->keys && (at[row->depth]->abilities & ELEMENT_CAN_WRITE))
            top->window->keys = at[row->depth];
    }
}

/* Calculators have no elements here, so that there is an application without a tree. */
struct fake_element *fake_build_scene(struct fake *fake, struct fake_window *window)
{
    const struct fake_app *app = fake_find_app(fake, window->ref.pid, 0);
    const struct scene *scene = app ? scene_of(app->id, window) : NULL;
    struct fake_element *top;

    if (!app || strcmp(app->id, "org.perigee.Calculator") == 0)
        return NULL;
    top = fake_new_element(fake, window, NULL, window->parent ? ELEMENT_DIALOG : ELEMENT_WINDOW,
                           window->title);
    if (scene)
        build(fake, top, scene);
    return top;
}
