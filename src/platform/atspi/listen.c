#include "platform/atspi/listen.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/wake_pipe.h"
#include "platform/atspi/bus/ids.h"
#include "platform/atspi/bus/tree_cache.h"
#include "platform/element_log.h"

enum { OWNERS_MAX = 256, ANSWER_MS = 300, MARKS_MAX = 16 };

/* --- the record of events --------------------------------------------------------------- */

/* Its lock is for all that is shared here. */
static struct element_log recorded = { .lock = PTHREAD_MUTEX_INITIALIZER };
static bool listening;  /* the thread runs, and has registered */
static bool registered; /* the registry has told the applications that we listen */

/* The number of what an event is about; 0: it was never listed. What gets the focus has one always:
 * the editor of a cell is in no list. */
static uint64_t number_of(const char *bus, const char *path, int pid, bool always)
{
    return always || atomic_load(&recorded.hearers) ? ids_of(bus, path, pid, 0, 0)
                                                    : ids_find(bus, path);
}

/* --- marks ---------------------------------------------------------------------------------- */

/* A mark is a call to an application on the listener's own connection: events that the application
 * sent before its answer have come before the answer. */
enum mark_state { MARK_FREE, MARK_WANTED, MARK_SENT, MARK_PASSED };

struct mark {
    enum mark_state state;
    char bus[32];
    dbus_uint32_t serial;
};

static struct mark marks[MARKS_MAX];
static int wake_pipe[2] = { -1, -1 }; /* read by the thread; for the life of the process */

/* Called with the lock held. NULL: there are too many marks. */
static struct mark *new_mark(const char *bus)
{
    for (size_t i = 0; i < MARKS_MAX; i++) {
        if (marks[i].state != MARK_FREE)
            continue;
        marks[i].state = MARK_WANTED;
        snprintf(marks[i].bus, sizeof marks[i].bus, "%s", bus);
        return &marks[i];
    }
    return NULL;
}

static void send_marks(DBusConnection *connection)
{
    pthread_mutex_lock(&recorded.lock);
    for (size_t i = 0; i < MARKS_MAX; i++) {
        DBusMessage *call;

        if (marks[i].state != MARK_WANTED)
            continue;
        call = talk_get(marks[i].bus, ATSPI_ROOT, ATSPI_IFACE("Accessible"), "ChildCount");
        dbus_connection_send(connection, call, &marks[i].serial);
        dbus_message_unref(call);
        marks[i].state = MARK_SENT;
    }
    pthread_mutex_unlock(&recorded.lock);
    dbus_connection_flush(connection);
}

/* Takes any answer, even an error. */
static void on_answer(DBusMessage *message)
{
    dbus_uint32_t serial = dbus_message_get_reply_serial(message);

    pthread_mutex_lock(&recorded.lock);
    for (size_t i = 0; i < MARKS_MAX; i++) {
        if (marks[i].state == MARK_SENT && marks[i].serial == serial)
            marks[i].state = MARK_PASSED;
    }
    element_log_wake(&recorded);
    pthread_mutex_unlock(&recorded.lock);
}

/* --- the application of an object -------------------------------------------------------- */

struct owner {
    char bus[32];
    int pid;
};

struct listener {
    struct bus bus;
    DBusPendingCall *registered; /* the last answer that the registry owes; NULL: it has come */
    struct owner owners[OWNERS_MAX];
    size_t owner_count;
};

static int ask_pid(struct listener *listener, const char *bus)
{
    DBusMessage *call = dbus_message_new_method_call(
        DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS, "GetConnectionUnixProcessID");
    DBusMessage *answer;
    dbus_uint32_t pid = 0;

    dbus_message_append_args(call, DBUS_TYPE_STRING, &bus, DBUS_TYPE_INVALID);
    answer =
        dbus_connection_send_with_reply_and_block(listener->bus.connection, call, ANSWER_MS, NULL);
    dbus_message_unref(call);
    talk_value(answer, DBUS_TYPE_UINT32, &pid);
    if (answer)
        dbus_message_unref(answer);
    return (int)pid;
}

static int pid_of(struct listener *listener, const char *bus)
{
    struct owner *owner;

    for (size_t i = 0; i < listener->owner_count; i++) {
        if (strcmp(listener->owners[i].bus, bus) == 0)
            return listener->owners[i].pid;
    }
    if (listener->owner_count == OWNERS_MAX)
        listener->owner_count = 0; /* all are asked for again */
    owner = &listener->owners[listener->owner_count++];
    snprintf(owner->bus, sizeof owner->bus, "%s", bus);
    owner->pid = ask_pid(listener, bus);
    return owner->pid;
}

/* --- the meaning of a signal ---------------------------------------------------------- */

/* True for states whose changes matter; the rest, most of a storm, is left out. */
static bool state_matters(const char *state)
{
    static const char *const names[] = { "active",  "checked",       "enabled",      "expanded",
                                         "focused", "pressed",       "selected",     "showing",
                                         "busy",    "invalid-entry", "indeterminate" };

    for (size_t i = 0; i < countof(names); i++) {
        if (strcmp(state, names[i]) == 0)
            return true;
    }
    return false;
}

/* Reads (siiva{sv}), in older events (siiv(so)): the detail and the first number. */
static bool read_detail(DBusMessage *message, const char **detail, int *first)
{
    DBusMessageIter at;
    dbus_int32_t number = 0;

    if (!dbus_message_iter_init(message, &at) ||
        dbus_message_iter_get_arg_type(&at) != DBUS_TYPE_STRING)
        return false;
    dbus_message_iter_get_basic(&at, detail);
    if (dbus_message_iter_next(&at) && dbus_message_iter_get_arg_type(&at) == DBUS_TYPE_INT32)
        dbus_message_iter_get_basic(&at, &number);
    *first = number;
    return true;
}

/* The kind of an event of this name; ELEMENT_EVENT_KINDS: an event that is not reported. */
static enum element_event_kind kind_of(const char *member, const char *detail)
{
    if (strcmp(member, "ChildrenChanged") == 0)
        return ELEMENT_EVENT_CHILDREN;
    if (strcmp(member, "StateChanged") == 0 && strcmp(detail, "focused") == 0)
        return ELEMENT_EVENT_FOCUS;
    if (strcmp(member, "StateChanged") == 0)
        return state_matters(detail) ? ELEMENT_EVENT_STATE : ELEMENT_EVENT_KINDS;
    if (strcmp(member, "PropertyChange") == 0)
        return strcmp(detail, "accessible-name") == 0    ? ELEMENT_EVENT_NAME
               : strcmp(detail, "accessible-value") == 0 ? ELEMENT_EVENT_VALUE
                                                         : ELEMENT_EVENT_KINDS;
    if (strcmp(member, "TextChanged") == 0 || strcmp(member, "SelectionChanged") == 0 ||
        strcmp(member, "TextSelectionChanged") == 0)
        return ELEMENT_EVENT_VALUE;
    return ELEMENT_EVENT_KINDS;
}

/* True if a kept tree has to be read again for the event: states of shown elements are read at each
 * look anyway. */
static bool changes_tree(const char *member, const char *detail)
{
    if (strcmp(member, "StateChanged") == 0)
        return strcmp(detail, "showing") == 0 || strcmp(detail, "visible") == 0;
    return strcmp(member, "ChildrenChanged") == 0 ||
           (strcmp(member, "PropertyChange") == 0 && strcmp(detail, "accessible-value") != 0);
}

static void on_object(struct listener *listener, DBusMessage *message)
{
    const char *member = dbus_message_get_member(message), *detail = "";
    const char *bus = dbus_message_get_sender(message);
    struct element_event event = { .at = deadline_now() };
    int first = 0;

    if (!bus || !read_detail(message, &detail, &first))
        return;
    if (changes_tree(member, detail))
        tree_cache_named(bus, dbus_message_get_path(message));
    event.kind = kind_of(member, detail);
    if (event.kind == ELEMENT_EVENT_KINDS)
        return;
    event.pid = pid_of(listener, bus);
    event.id = number_of(bus, dbus_message_get_path(message), event.pid,
                         event.kind == ELEMENT_EVENT_FOCUS);
    if (strcmp(member, "StateChanged") == 0)
        snprintf(event.detail, sizeof event.detail, "%s %s", detail, first ? "on" : "off");
    else
        snprintf(event.detail, sizeof event.detail, "%.*s", (int)strcspn(detail, "/:"), detail);
    element_log_add(&recorded, &event);
}

/* Handles "Create", "Destroy", "Activate", ...: GTK 4 and Qt write the first letter small. */
static void on_window(struct listener *listener, DBusMessage *message)
{
    const char *bus = dbus_message_get_sender(message);
    struct element_event event = { .kind = ELEMENT_EVENT_WINDOW, .at = deadline_now() };

    if (!bus)
        return;
    tree_cache_named(bus, ATSPI_ROOT);
    event.pid = pid_of(listener, bus);
    event.id = number_of(bus, dbus_message_get_path(message), event.pid, false);
    snprintf(event.detail, sizeof event.detail, "%s", dbus_message_get_member(message));
    if (event.detail[0] >= 'A' && event.detail[0] <= 'Z')
        event.detail[0] += 'a' - 'A';
    element_log_add(&recorded, &event);
}

static void on_owner(struct listener *listener, DBusMessage *message)
{
    const char *name = "", *old = "", *new = "";
    struct element_event event = { .kind = ELEMENT_EVENT_GONE, .at = deadline_now() };

    if (!dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &old,
                               DBUS_TYPE_STRING, &new, DBUS_TYPE_INVALID) ||
        *new)
        return;
    tree_cache_gone(name);
    for (size_t i = 0; i < listener->owner_count; i++) {
        if (strcmp(listener->owners[i].bus, name) != 0)
            continue;
        event.pid = listener->owners[i].pid;
        listener->owners[i] = listener->owners[--listener->owner_count];
        element_log_add(&recorded, &event);
        return;
    }
}

static DBusHandlerResult on_message(DBusConnection *connection, DBusMessage *message, void *arg)
{
    struct listener *listener = arg;

    (void)connection;
    if (dbus_message_has_interface(message, ATSPI_IFACE("Event.Object")))
        on_object(listener, message);
    else if (dbus_message_has_interface(message, ATSPI_IFACE("Event.Window")))
        on_window(listener, message);
    else if (dbus_message_is_signal(message, DBUS_INTERFACE_DBUS, "NameOwnerChanged"))
        on_owner(listener, message);
    else if (dbus_message_get_reply_serial(message))
        on_answer(message);
    return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
}

/* --- the thread --------------------------------------------------------------------------- */

static void hear(DBusConnection *connection)
{
    wake_pipe_drain(wake_pipe);
    if (!dbus_connection_read_write(connection, 0))
        return;
    while (dbus_connection_dispatch(connection) == DBUS_DISPATCH_DATA_REMAINS)
        ;
}

/* True once the applications know that we listen: marks mean nothing before. */
static bool is_registered(struct listener *listener)
{
    if (listener->registered && dbus_pending_call_get_completed(listener->registered)) {
        dbus_pending_call_unref(listener->registered);
        listener->registered = NULL;
        pthread_mutex_lock(&recorded.lock);
        registered = true;
        element_log_wake(&recorded);
        pthread_mutex_unlock(&recorded.lock);
    }
    return !listener->registered;
}

static void stop_listening(struct listener *listener)
{
    tree_cache_listening(false);
    pthread_mutex_lock(&recorded.lock);
    listening = registered = false; /* the bus is gone: the next question begins anew */
    element_log_wake(&recorded);
    pthread_mutex_unlock(&recorded.lock);
    if (listener->registered)
        dbus_pending_call_unref(listener->registered);
    bus_disconnect(&listener->bus);
    free(listener->bus.address);
    free(listener);
}

static void *listener_run(void *arg)
{
    struct listener *listener = arg;
    DBusConnection *connection = listener->bus.connection;
    struct pollfd fds[2] = { { .events = POLLIN }, { .fd = wake_pipe[0], .events = POLLIN } };

    dbus_connection_get_unix_fd(connection, &fds[0].fd);
    hear(connection);
    while (dbus_connection_get_is_connected(connection)) {
        if (is_registered(listener))
            send_marks(connection);
        poll(fds, 2, tree_cache_expire());
        hear(connection);
    }
    stop_listening(listener);
    return NULL;
}

static bool ask_for_events(struct listener *listener)
{
    static const char *const events[] = { "object:children-changed",  "object:state-changed",
                                          "object:property-change",   "object:text-changed",
                                          "object:selection-changed", "window" };
    static const char *const rules[] = { "type='signal',interface='org.a11y.atspi.Event.Object'",
                                         "type='signal',interface='org.a11y.atspi.Event.Window'",
                                         "type='signal',sender='org.freedesktop.DBus',"
                                         "member='NameOwnerChanged'" };
    DBusConnection *connection = listener->bus.connection;

    for (size_t i = 0; i < countof(rules); i++)
        dbus_bus_add_match(connection, rules[i], NULL);
    for (size_t i = 0; i < countof(events); i++) {
        DBusMessage *call = dbus_message_new_method_call(ATSPI_REGISTRY, "/org/a11y/atspi/registry",
                                                         ATSPI_IFACE("Registry"), "RegisterEvent");

        dbus_message_append_args(call, DBUS_TYPE_STRING, &events[i], DBUS_TYPE_INVALID);
        if (i + 1 < countof(events))
            dbus_connection_send(connection, call, NULL);
        else
            dbus_connection_send_with_reply(connection, call, &listener->registered,
                                            DBUS_TIMEOUT_INFINITE);
        dbus_message_unref(call);
    }
    dbus_connection_flush(connection);
    return dbus_connection_add_filter(connection, on_message, listener, NULL);
}

/* Called with the lock held. */
static bool begin_listening(struct atspi *atspi, struct deadline *deadline, struct error *err)
{
    struct listener *listener = mem_zero(sizeof *listener);
    pthread_attr_t detached;
    pthread_t thread;
    bool ok;

    listener->bus.address = mem_strdup(atspi->bus.address);
    ok = (wake_pipe[0] >= 0 || wake_pipe_open(wake_pipe) ||
          error_set(err, "no_accessibility", "no pipe can be had to listen to applications")) &&
         bus_connect(&listener->bus, talk_until(deadline), err) && ask_for_events(listener);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    if (ok)
        ok = pthread_create(&thread, &detached, listener_run, listener) == 0 ||
             error_set(err, "no_accessibility", "no thread can be had to listen to applications");
    pthread_attr_destroy(&detached);
    listening = ok;
    if (ok)
        tree_cache_listening(true);
    if (!ok) {
        bus_disconnect(&listener->bus);
        free(listener->bus.address);
        free(listener);
    }
    return ok;
}

/* --- asking ------------------------------------------------------------------------------- */

bool listen_events(struct atspi *atspi, struct deadline *deadline, int pid, uint64_t since,
                   uint64_t until, struct element_events *out, struct error *err)
{
    bool ok;

    *out = (struct element_events){ 0 };
    atspi->until = 0;
    if (!talk_begin(atspi, deadline, err))
        return false;
    pthread_mutex_lock(&recorded.lock);
    ok = listening || begin_listening(atspi, deadline, err);
    since = since ? since : element_log_next(&recorded);
    while (ok) {
        element_log_copy(&recorded, pid, since, out);
        if (out->count || !listening || deadline_now() >= until)
            break;
        ok = element_log_wait(&recorded, deadline, until, err);
    }
    pthread_mutex_unlock(&recorded.lock);
    return ok;
}

bool listen_hear(struct atspi *atspi, struct deadline *deadline, struct error *err)
{
    bool ok;

    atspi->until = 0;
    if (!talk_begin(atspi, deadline, err))
        return false;
    pthread_mutex_lock(&recorded.lock);
    ok = listening || begin_listening(atspi, deadline, err);
    while (ok && listening && !registered)
        ok = element_log_wait(&recorded, deadline, 0, err);
    pthread_mutex_unlock(&recorded.lock);
    if (ok)
        element_log_hear(&recorded, &atspi->hears, true);
    return ok;
}

void listen_no_more(struct atspi *atspi)
{
    element_log_hear(&recorded, &atspi->hears, false);
}

/* Called with the lock held. */
static bool wait_for_mark(struct atspi *atspi, struct deadline *deadline, const struct mark *mark,
                          struct error *err)
{
    while (mark->state != MARK_PASSED && listening) {
        if (atspi->until && deadline_now() >= atspi->until)
            return error_set(err, "late", "the application took too long to answer");
        if (!element_log_wait(&recorded, deadline, atspi->until, err))
            return false;
    }
    return true;
}

bool listen_until_now(struct atspi *atspi, struct deadline *deadline, const char *bus, bool *heard,
                      struct error *err)
{
    struct mark *mark = NULL;
    struct error why;
    bool ok = true;

    pthread_mutex_lock(&recorded.lock);
    if (strlen(bus) < sizeof mark->bus && (listening || begin_listening(atspi, deadline, &why)))
        mark = new_mark(bus);
    if (mark) {
        wake_pipe_wake(wake_pipe);
        ok = wait_for_mark(atspi, deadline, mark, err);
        *heard = mark->state == MARK_PASSED;
        mark->state = MARK_FREE;
    } else {
        *heard = false;
    }
    pthread_mutex_unlock(&recorded.lock);
    return ok;
}
