#include "platform/macos/system/ax_windows.h"

#include <dlfcn.h>
#include <stdlib.h>

typedef AXError (*number_function)(AXUIElementRef element, CGWindowID *number);

uint32_t ax_number(AXUIElementRef element)
{
    void *symbol = dlsym(RTLD_DEFAULT, "_AXUIElementGetWindow");
    number_function ask;
    CGWindowID number = 0;

    memcpy(&ask, &symbol, sizeof ask);
    return ask && ask(element, &number) == kAXErrorSuccess ? number : 0;
}

/* --- one bulk read an element ------------------------------------------------------------ */

enum attribute { POSITION, SIZE, TITLE, MINIMIZED, FULL_SCREEN, MODAL };

static bool flag_of(CFTypeRef value)
{
    return CFGetTypeID(value) == CFBooleanGetTypeID() && CFBooleanGetValue(value);
}

static bool read_ax_value(CFTypeRef value, AXValueType type, void *out)
{
    return CFGetTypeID(value) == AXValueGetTypeID() &&
           AXValueGetValue((AXValueRef)value, type, out);
}

void ax_window_attributes(CFStringRef names[AX_WINDOW_ATTRIBUTES])
{
    names[POSITION] = kAXPositionAttribute;
    names[SIZE] = kAXSizeAttribute;
    names[TITLE] = kAXTitleAttribute;
    names[MINIMIZED] = kAXMinimizedAttribute;
    names[FULL_SCREEN] = AX_FULL_SCREEN;
    names[MODAL] = kAXModalAttribute;
}

void ax_window_fill(struct ax_window *out, AXUIElementRef element, const CFTypeRef *values)
{
    *out = (struct ax_window){ .element = (AXUIElementRef)CFRetain(element),
                               .number = ax_number(element) };
    if (!values) {
        out->title = mem_strdup("");
        return;
    }
    if (!read_ax_value(values[POSITION], kAXValueTypeCGPoint, &out->frame.origin) ||
        !read_ax_value(values[SIZE], kAXValueTypeCGSize, &out->frame.size))
        out->frame = CGRectMake(0, 0, 0, 0);
    out->title = cf_text(values[TITLE], WINDOW_TITLE_MAX, &out->title_cut);
    out->minimized = flag_of(values[MINIMIZED]);
    out->full_screen = flag_of(values[FULL_SCREEN]);
    out->modal = flag_of(values[MODAL]);
}

static void read_ax_window(AXUIElementRef element, struct ax_window *out)
{
    CFStringRef names[AX_WINDOW_ATTRIBUTES];
    CFTypeRef values[AX_WINDOW_ATTRIBUTES];
    CFArrayRef read;

    ax_window_attributes(names);
    read = ax_copy_all(element, names, values, AX_WINDOW_ATTRIBUTES, NULL);
    ax_window_fill(out, element, read ? values : NULL);
    cf_release(read);
}

static bool read_app_windows(AXUIElementRef app, struct ax_windows *out, struct error *err)
{
    const CFStringRef names[] = { kAXWindowsAttribute, kAXFocusedWindowAttribute };
    CFTypeRef values[2];
    CFArrayRef read = ax_copy_all(app, names, values, 2, err);
    CFIndex count;

    if (!read)
        return false;
    if (CFGetTypeID(values[0]) != CFArrayGetTypeID()) {
        cf_release(read);
        return error_set(err, "ax_error", "the application returned an invalid list of windows");
    }
    count = CFArrayGetCount((CFArrayRef)values[0]);
    out->items = mem_zero(sizeof *out->items * ((size_t)count + 1));
    for (CFIndex i = 0; i < count; i++) {
        AXUIElementRef element = CFArrayGetValueAtIndex((CFArrayRef)values[0], i);
        struct ax_window *window = &out->items[out->count++];

        read_ax_window(element, window);
        window->focused =
            CFGetTypeID(values[1]) == AXUIElementGetTypeID() && CFEqual(values[1], element);
    }
    cf_release(read);
    return true;
}

bool ax_windows_read(int pid, struct ax_windows *out, struct error *err)
{
    AXUIElementRef app = ax_app(pid);
    bool ok;

    *out = (struct ax_windows){ NULL, 0 };
    ok = app ? read_app_windows(app, out, err)
             : error_set(err, "window_not_found",
                         "process %d of the window has exited. List the windows again", pid);
    cf_release(app);
    return ok;
}

void ax_windows_free(struct ax_windows *windows)
{
    for (size_t i = 0; i < windows->count; i++) {
        cf_release(windows->items[i].element);
        free(windows->items[i].title);
    }
    free(windows->items);
    *windows = (struct ax_windows){ NULL, 0 };
}

/* --- matching -------------------------------------------------------------------------------- */

/* Rates how well an element fits that does not report its number; 0: it does not. Titles are
 * missing without the permission for the screen, and an application may add to them. */
static int window_fit(const struct ax_window *is, const struct window_info *window)
{
    const struct rect *frame = &window->frame;

    if (!near(is->frame.origin.x, frame->x) || !near(is->frame.origin.y, frame->y) ||
        !near(is->frame.size.width, frame->width) || !near(is->frame.size.height, frame->height))
        return 0;
    if (strcmp(is->title, window->title) == 0)
        return 3;
    return strncmp(is->title, window->title, strlen(window->title)) == 0 ? 2 : 1;
}

struct ax_window *ax_windows_match(const struct ax_windows *windows,
                                   const struct window_info *window, struct error *err)
{
    struct ax_window *best = NULL;
    int most = 0, alike = 0;

    for (size_t i = 0; i < windows->count; i++) {
        struct ax_window *one = &windows->items[i];
        int rank = one->number ? 0 : window_fit(one, window);

        if (one->number && one->number == window->ref.id)
            return one;
        if (rank > most)
            best = one, most = rank, alike = 0;
        alike += rank && rank == most;
    }
    if (alike > 1) {
        error_set(err, "window_ambiguous",
                  "\"%.100s\" cannot be told from %d other windows of its application, which have "
                  "the same place, size and title. Move one of them, then try again",
                  window->title, alike - 1);
        return NULL;
    }
    if (!best)
        error_set(err, "window_not_found",
                  "\"%.100s\" is listed by the window server but not by its application: it is in "
                  "another Space, or is not a window for users. Switch to its Space first",
                  window->title);
    return best;
}
