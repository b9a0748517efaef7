#include "process/libdbus/input_method.h"

#include <dbus/dbus.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "process/libdbus/connections.h"
#include "process/libdbus/signals.h"

enum { ANSWER_MS = 200, PATH_SIZE = 512, FCITX_ACTIVE = 2 };

/* NULL: no answer, or a failure; *absent (if not NULL) tells that nobody has the name. */
static DBusMessage *ask_whether(struct bus *bus, DBusMessage *message, bool *absent)
{
    DBusError why = DBUS_ERROR_INIT;
    DBusMessage *answer;

    dbus_message_set_auto_start(message, FALSE);
    answer = dbus_connection_send_with_reply_and_block(bus->connection, message, ANSWER_MS, &why);
    dbus_message_unref(message);
    if (absent)
        *absent = dbus_error_has_name(&why, DBUS_ERROR_NAME_HAS_NO_OWNER) ||
                  dbus_error_has_name(&why, DBUS_ERROR_SERVICE_UNKNOWN);
    dbus_error_free(&why);
    return answer;
}

static DBusMessage *ask_input_method(struct bus *bus, DBusMessage *message)
{
    return ask_whether(bus, message, NULL);
}

/* Goes into the variants and structs at the iterator, to the n-th value (from 0) of the first
 * struct; a value that is in none is the 0th. */
static bool go_to_value(DBusMessageIter *at, int n)
{
    DBusMessageIter inside;
    bool in_struct = false;
    int type;

    while ((type = dbus_message_iter_get_arg_type(at)) == DBUS_TYPE_VARIANT ||
           (type == DBUS_TYPE_STRUCT && !in_struct)) {
        in_struct = in_struct || type == DBUS_TYPE_STRUCT;
        dbus_message_iter_recurse(at, &inside);
        *at = inside;
    }
    for (; n > 0; n--) {
        if (!dbus_message_iter_next(at))
            return false;
    }
    return true;
}

static void read_answer_text(DBusMessage *answer, int n, char *out, size_t size)
{
    DBusMessageIter at;
    const char *text;

    if (!answer)
        return;
    if (dbus_message_iter_init(answer, &at) && go_to_value(&at, n) &&
        dbus_message_iter_get_arg_type(&at) == DBUS_TYPE_STRING) {
        dbus_message_iter_get_basic(&at, &text);
        snprintf(out, size, "%s", text);
    }
    dbus_message_unref(answer);
}

/* "4" of ":4.0". */
static bool display_number(char *out, size_t size)
{
    const char *display = getenv("DISPLAY"), *colon = display ? strrchr(display, ':') : NULL;
    size_t digits = colon ? strspn(colon + 1, "0123456789") : 0;

    if (digits)
        snprintf(out, size, "%.*s", (int)digits, colon + 1);
    return digits > 0;
}

/* --- IBus -------------------------------------------------------------------------------- */

static bool read_line(FILE *file, const char *key, char *out, size_t size)
{
    char line[PATH_SIZE];
    size_t len = strlen(key);

    rewind(file);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, key, len) != 0)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(out, size, "%s", line + len);
        return true;
    }
    return false;
}

/* Where ibus-daemon says that it listens for this display (ibusshare.c: ibus_get_socket_path());
 * the file of one that has ended stays. */
static bool ibus_address(char *out, size_t size)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME"),
               *host = getenv("DISPLAY");
    static char *machine; /* only the thread that sends input uses it */
    char path[PATH_SIZE], number[16], pid[16];
    FILE *file;
    long daemon;
    bool there;

    if (!host || !display_number(number, sizeof number) || (!config && !home))
        return false;
    host = *host == ':' ? "unix:" : host;
    if (!machine)
        machine = dbus_get_local_machine_id(); /* a file that does not change */
    snprintf(path, sizeof path, "%s%s/ibus/bus/%s-%.*s-%s", config && *config ? config : home,
             config && *config ? "" : "/.config", machine ? machine : "", (int)strcspn(host, ":"),
             host, number);
    file = fopen(path, "re");
    if (!file)
        return false;
    there = read_line(file, "IBUS_DAEMON_PID=", pid, sizeof pid) &&
            (daemon = strtol(pid, NULL, 10)) > 0 && kill((pid_t)daemon, 0) == 0 &&
            read_line(file, "IBUS_ADDRESS=", out, size);
    fclose(file);
    return there;
}

/* The engine; one called "xkb:..." is a keyboard layout, which passes keys on. */
static void find_ibus(char *name, size_t size)
{
    enum { NAME_IN_DESCRIPTION = 2 };
    const char *interface = "org.freedesktop.IBus", *property = "GlobalEngine";
    char address[PATH_SIZE];
    struct bus *bus = ibus_address(address, sizeof address)
                          ? bus_take(address, bus_now() + ANSWER_MS, NULL)
                          : NULL;
    DBusMessage *message;

    if (!bus)
        return;
    message = dbus_message_new_method_call("org.freedesktop.IBus", "/org/freedesktop/IBus",
                                           DBUS_INTERFACE_PROPERTIES, "Get");
    dbus_message_append_args(message, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &property,
                             DBUS_TYPE_INVALID);
    read_answer_text(ask_input_method(bus, message), NAME_IN_DESCRIPTION, name, size);
    bus_give_back(bus);
    if (strncmp(name, "xkb:", 4) == 0)
        *name = 0;
}

/* --- Fcitx ------------------------------------------------------------------------------- */

static bool is_fcitx_active(DBusMessage *answer)
{
    dbus_int32_t state = 0;

    if (!answer)
        return false;
    if (!dbus_message_get_args(answer, NULL, DBUS_TYPE_INT32, &state, DBUS_TYPE_INVALID))
        state = 0;
    dbus_message_unref(answer);
    return state == FCITX_ACTIVE;
}

struct fcitx {
    const char *to, *path, *interface, *state, *current; /* NULL: it does not name the method */
};

static DBusMessage *fcitx_call(const struct fcitx *fcitx, const char *member)
{
    return dbus_message_new_method_call(fcitx->to, fcitx->path, fcitx->interface, member);
}

/* While nobody has the name, nobody is asked: the bus tells when somebody takes it. */
static uint64_t mark_fcitx_owner(struct bus *bus, const struct fcitx *fcitx)
{
    struct bus_signal taken = { .interface = DBUS_INTERFACE_DBUS,
                                .member = "NameOwnerChanged",
                                .arg0 = fcitx->to };

    return signals_mark(bus, &taken);
}

/* False: it is not active. `absent` is that of mark_fcitx_owner() when nobody had the name. */
static bool read_fcitx(struct bus *bus, const struct fcitx *fcitx, uint64_t *absent, char *name,
                       size_t size)
{
    uint64_t mark = mark_fcitx_owner(bus, fcitx);
    bool nobody;

    if (mark && mark == *absent)
        return false;
    if (!is_fcitx_active(ask_whether(bus, fcitx_call(fcitx, fcitx->state), &nobody))) {
        *absent = nobody ? mark : 0;
        return false;
    }
    snprintf(name, size, "Fcitx");
    if (fcitx->current)
        read_answer_text(ask_input_method(bus, fcitx_call(fcitx, fcitx->current)), 0, name, size);
    return true;
}

/* Version 5 has one name on the bus (fcitx5: dbusmodule.cpp), version 4 one for each display
 * (fcitx: ipc.h). */
static void find_fcitx(char *name, size_t size)
{
    static const struct fcitx five = { "org.fcitx.Fcitx5", "/controller",
                                       "org.fcitx.Fcitx.Controller1", "State",
                                       "CurrentInputMethod" };
    static uint64_t five_absent, four_absent; /* for the holder of the bus */
    char to[40], number[16], *address = bus_session_address(NULL);
    struct fcitx four = { to, "/inputmethod", "org.fcitx.Fcitx.InputMethod", "GetCurrentState",
                          NULL };
    struct bus *bus = address ? bus_take(address, bus_now() + ANSWER_MS, NULL) : NULL;

    free(address);
    if (!bus)
        return;
    if (!read_fcitx(bus, &five, &five_absent, name, size) &&
        display_number(number, sizeof number)) {
        snprintf(to, sizeof to, "org.fcitx.Fcitx-%s", number);
        read_fcitx(bus, &four, &four_absent, name, size);
    }
    bus_give_back(bus);
}

void bus_find_method(char *name, size_t size)
{
    *name = 0;
    find_ibus(name, size);
    if (!*name)
        find_fcitx(name, size);
}
