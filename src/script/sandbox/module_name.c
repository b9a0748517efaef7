/* Names that files require. */
#include "script/sandbox/module_name.h"

#include <string.h>

#include "base/util.h"

bool module_name_ok(const char *name)
{
    size_t len = strlen(name);

    return len > 0 && len < 128 && name[0] != '.' && name[len - 1] != '.' && !strstr(name, "..") &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == len;
}

bool module_name_taken(const char *name)
{
    return strcmp(name, "tools") == 0 || strcmp(name, "perigee") == 0 ||
           strncmp(name, "sys.", 4) == 0;
}

bool module_has_rest(const char *name)
{
    static const char *const names[] = { "sys.app",     "sys.clipboard", "sys.db",     "sys.dbus",
                                         "sys.display", "sys.element",   "sys.events", "sys.fs",
                                         "sys.mcp",     "sys.regex",     "sys.text",   "sys.time",
                                         "sys.webhook", "sys.window",    "sys.xml" };

    for (size_t i = 0; i < countof(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}
