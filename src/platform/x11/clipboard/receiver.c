/* Programs differ in how they paste. WM_CLASS identifies terminals; the libraries that a process
 * has loaded identify its toolkit. */
#include <strings.h>

#include "platform/freedesktop/proc.h"
#include "platform/x11/clipboard/receiver.h"
#include "platform/x11/windows/focus.h"
#include "platform/x11/wire/owner.h"
#include "platform/x11/wire/property.h"

static const struct way {
    const char *classes; /* either part of WM_CLASS, between spaces */
    const char *chord;
    enum selection from;
    bool terminal, relays;
    const char *asks;
} ways[] = {
    { " xterm uxterm koi8rxterm aterm eterm mlterm ", "shift+insert", SELECTION_PRIMARY, true,
      false, "" },
    { " rxvt urxvt ", "shift+insert", SELECTION_PRIMARY, true, false, "\n\r\t" },
    { " xfce4-terminal qterminal konsole yakuake ", "ctrl+shift+v", SELECTION_CLIPBOARD, true,
      false, "\n\r" },
    { " gnome-terminal gnome-terminal-server mate-terminal lxterminal tilix terminator terminology "
      "guake tilda sakura roxterm kitty alacritty st "
      "st-256color stterm org.wezfurlong.wezterm org.gnome.ptyxis org.gnome.console kgx "
      "com.mitchellh.ghostty ",
      "ctrl+shift+v", SELECTION_CLIPBOARD, true, false, "" },
    { " emacs ", "ctrl+y", SELECTION_CLIPBOARD, false, true, "" }, /* answers while Lisp runs */
};

static bool is_listed(const char *list, const char *name)
{
    size_t len = name ? strlen(name) : 0;

    for (const char *at = list; len && (at = strchr(at, ' ')) && at[1]; at++) {
        if (strncasecmp(at + 1, name, len) == 0 && at[1 + len] == ' ')
            return true;
    }
    return false;
}

/* Most programs paste by Ctrl+V; a terminal passes that to the program inside. */
static struct way way_of(const XClassHint *class)
{
    static const struct way usual = { "", "ctrl+v", SELECTION_CLIPBOARD, false, false, "" };
    static const struct way terminal = { "", "ctrl+shift+v", SELECTION_CLIPBOARD, true, false, "" };

    for (size_t i = 0; i < countof(ways); i++) {
        if (is_listed(ways[i].classes, class->res_class) ||
            is_listed(ways[i].classes, class->res_name))
            return ways[i];
    }
    return class->res_class && strcasestr(class->res_class, "terminal") ? terminal : usual;
}

static void know_way(struct x11_desktop *desktop, struct receiver *out)
{
    XClassHint class = { 0 };
    struct way way;

    if (out->window)
        XGetClassHint(desktop->display, out->window, &class);
    way = way_of(&class);
    if (class.res_name)
        XFree(class.res_name);
    if (class.res_class)
        XFree(class.res_class);
    out->chord = way.chord;
    out->from = way.from;
    out->terminal = way.terminal;
    out->asks = way.asks;
    out->relays = way.relays;
}

void x11_know_window(struct x11_desktop *desktop, struct receiver *receiver)
{
    receiver->window = x11_receiver(desktop);
    receiver->client = x11_client_of(desktop, receiver->window);
}

void x11_know_receiver(struct x11_desktop *desktop, struct receiver *out)
{
    static const char *const libraries[] = {
        "/libgtk-4.so",    "/libQt5Gui.so",           "/libQt6Gui.so", "/libvclplug_",
        "/libawt_xawt.so", "/chrome_100_percent.pak", "/libvte-2.91",  "/libxul.so",
        "/libwebkit2gtk-", "/libwebkitgtk-",
    };
    bool loaded[countof(libraries)] = { false };
    int pid;

    *out = (struct receiver){ 0 };
    x11_know_window(desktop, out);
    know_way(desktop, out);
    pid = out->window ? x11_owner(desktop, out->window) : 0;
    proc_has_loaded(pid, libraries, countof(libraries), loaded);
    out->gtk4 = loaded[0];
    out->far = loaded[5];
    out->high_lost = loaded[1] || loaded[2] || loaded[3] || loaded[4];
    out->vte = out->terminal && loaded[6];
    out->relays = out->relays || loaded[4] || out->far || loaded[7] || loaded[8] || loaded[9];
}
