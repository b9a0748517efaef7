/* The address is the application's word: it is used only if it names a socket whose other end is
 * that process. libdbus would also start programs by an address. */
#include "platform/atspi/bus/direct.h"

#include <sys/socket.h>

enum { TRY_MS = 300 }; /* an application that is starting up is asked again later */

static bool is_socket(const char *address)
{
    return strncmp(address, "unix:path=/", 11) == 0 && !strpbrk(address, ",;%");
}

static bool is_process(DBusConnection *connection, int pid)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    int fd;

    return dbus_connection_get_socket(connection, &fd) &&
           getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid == pid;
}

static DBusConnection *connect_to(const char *address, int pid)
{
    DBusConnection *connection =
        is_socket(address) ? dbus_connection_open_private(address, NULL) : NULL;

    if (!connection)
        return NULL;
    dbus_connection_set_exit_on_disconnect(connection, FALSE);
    if (is_process(connection, pid))
        return connection;
    direct_close(connection);
    return NULL;
}

/* Asks one question, by the way that atspi->direct says; the answer is the caller's, NULL: an
 * error. False: no answer came soon. */
static bool ask_once(struct atspi *atspi, struct deadline *deadline, DBusMessage *call,
                     DBusMessage **answer)
{
    uint64_t until = atspi->until, most = deadline_now() + TRY_MS;
    struct error err;
    bool ok;

    if (!until || most < until)
        atspi->until = most;
    ok = talk_ask(atspi, deadline, &call, 1, answer, &err);
    atspi->until = until;
    return ok;
}

static bool connection_answers(struct atspi *atspi, struct deadline *deadline,
                               DBusConnection *connection, const char *bus)
{
    DBusMessage *call = talk_get(bus, ATSPI_ROOT, ATSPI_IFACE("Accessible"), "ChildCount");
    DBusMessage *answer = NULL;
    bool ok;

    atspi->direct = connection;
    atspi->direct_to = bus;
    ok = ask_once(atspi, deadline, call, &answer) && answer != NULL;
    atspi->direct = NULL;
    talk_unref(&answer, 1);
    return ok;
}

DBusConnection *direct_open(struct atspi *atspi, struct deadline *deadline, const char *bus,
                            int pid, bool *offered)
{
    DBusMessage *call =
        talk_call(bus, ATSPI_ROOT, ATSPI_IFACE("Application"), "GetApplicationBusAddress");
    DBusMessage *told = NULL;
    DBusConnection *connection = NULL;
    const char *address;

    *offered = !ask_once(atspi, deadline, call, &told);
    if (talk_value(told, DBUS_TYPE_STRING, &address))
        connection = connect_to(address, pid);
    talk_unref(&told, 1);
    if (!connection || connection_answers(atspi, deadline, connection, bus))
        return connection;
    *offered = true;
    direct_close(connection);
    return NULL;
}

void direct_close(DBusConnection *connection)
{
    if (!connection)
        return;
    dbus_connection_close(connection);
    dbus_connection_unref(connection);
}
