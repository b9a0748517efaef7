#include "platform/atspi/bus/apps.h"

#include <stdio.h>
#include <stdlib.h>

#include "platform/atspi/bus/wake.h"

enum {
    APPS_MAX = 1024,
    COME_MS = 1000, /* for applications to come to the registry after its start */
    AGAIN_MS = 25,
};

static char *pick(struct atspi *atspi, struct deadline *deadline, int pid,
                  const struct talk_object *apps, size_t count, bool *asked, struct error *err)
{
    DBusMessage **calls = mem_zero((count + 1) * sizeof *calls);
    DBusMessage **answers = mem_zero((count + 1) * sizeof *answers);
    char *found = NULL;

    for (size_t i = 0; i < count; i++) {
        calls[i] = talk_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS,
                             "GetConnectionUnixProcessID");
        dbus_message_append_args(calls[i], DBUS_TYPE_STRING, &apps[i].bus, DBUS_TYPE_INVALID);
    }
    *asked = talk_ask(atspi, deadline, calls, count, answers, err);
    for (size_t i = 0; *asked && !found && i < count; i++) {
        dbus_uint32_t owner;

        if (talk_value(answers[i], DBUS_TYPE_UINT32, &owner) && owner == (dbus_uint32_t)pid)
            found = mem_strdup(apps[i].bus);
    }
    talk_unref(answers, count);
    free(calls);
    free(answers);
    return found;
}

char *apps_ask(struct atspi *atspi, struct deadline *deadline, int pid, bool *asked,
               struct error *err)
{
    struct talk_object apps[APPS_MAX];
    size_t count;
    DBusMessage *answer = talk_ask_one(
        atspi, deadline,
        talk_call(ATSPI_REGISTRY, ATSPI_ROOT, ATSPI_IFACE("Accessible"), "GetChildren"), err);
    char *found;

    *asked = answer != NULL;
    if (!answer)
        return NULL;
    talk_objects(answer, apps, APPS_MAX, &count);
    found = pick(atspi, deadline, pid, apps, count, asked, err);
    dbus_message_unref(answer);
    return found;
}

char *apps_find(struct atspi *atspi, struct deadline *deadline, int pid, struct error *err)
{
    uint64_t until = deadline_now() + COME_MS;
    bool fresh = false, asked = wake_registry(atspi, deadline, &fresh, err);
    char *found = NULL;

    while (asked && !found) {
        found = apps_ask(atspi, deadline, pid, &asked, err);
        if (found || !fresh || deadline_now() >= until)
            break;
        asked = asked && deadline_wait(deadline, -1, deadline_now() + AGAIN_MS, err);
    }
    if (!found && asked)
        error_set(err, "no_tree",
                  "process %d tells nothing of its interface: it was started before accessibility "
                  "was on (close it and open it with open_application), or it never tells (xterm, "
                  "Tk, most games)",
                  pid);
    return found;
}

static void copy_text(DBusMessage *answer, char *out, size_t size)
{
    const char *text = "";

    talk_value(answer, DBUS_TYPE_STRING, &text);
    snprintf(out, size, "%s", text);
}

bool apps_toolkit(struct atspi *atspi, struct deadline *deadline, const char *bus,
                  struct toolkit *out, struct error *err)
{
    const char *application = ATSPI_IFACE("Application");
    DBusMessage *calls[3] = { talk_get(bus, ATSPI_ROOT, application, "ToolkitName"),
                              talk_get(bus, ATSPI_ROOT, application, "Version"),
                              talk_get(bus, ATSPI_ROOT, ATSPI_IFACE("Accessible"), "Name") };
    DBusMessage *answers[3] = { NULL };
    bool ok = talk_ask(atspi, deadline, calls, 3, answers, err);
    char version[16];

    copy_text(answers[0], out->name, sizeof out->name);
    copy_text(answers[1], version, sizeof version);
    copy_text(answers[2], out->application, sizeof out->application);
    out->version = atoi(version);
    out->minor = strchr(version, '.') ? atoi(strchr(version, '.') + 1) : 0;
    talk_unref(answers, 3);
    return ok;
}
