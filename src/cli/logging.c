/* The log by the environment. */
#include "cli/logging.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "files/dotenv.h"
#include "files/file.h"
#include "files/picture_file.h"

/* The first of these that is set to something; NULL: none. */
static const char *first_variable_set(const char *const *names)
{
    for (; *names; names++) {
        const char *value = getenv(*names);

        if (value && *value)
            return *names;
    }
    return NULL;
}

static const char *first_variable_value(const char *const *names)
{
    const char *name = first_variable_set(names);

    return name ? getenv(name) : NULL;
}

/* LOG_LEVEL is other programs', too, and may have words of theirs. */
static void tell_wrong_level(const char *name, const char *value)
{
    static bool told;

    if (!told && strcmp(name, "LOG_LEVEL") != 0)
        log_warn("%s is \"%.40s\", which is not a log level. Set it to debug, info, warning, error "
                 "or off",
                 name, value);
    told = true;
}

bool logging_level(void)
{
    static const char *const names[] = { "PERIGEE_LOG_LEVEL", "PEEKABOO_LOG_LEVEL", "LOG_LEVEL",
                                         NULL };
    const char *name = first_variable_set(names), *value = first_variable_value(names);
    enum log_level level;

    if (!name)
        return false;
    if (!log_level_named(value, &level)) {
        tell_wrong_level(name, value);
        return false;
    }
    log_set_level(level);
    return true;
}

static int open_file(const char *path, struct error *err)
{
    char *whole = path_absolute(path, err), *folder;
    int fd = -1;

    if (!whole)
        return -1;
    folder = mem_strndup(whole, (size_t)(path_name(whole) - whole));
    if (folder_make(folder, err)) {
        fd = open(whole, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
        if (fd >= 0)
            file_tighten(fd, 0600);
        else
            error_errno(err, errno, "cannot open the log file \"%s\"", whole);
    }
    free(folder);
    free(whole);
    return fd;
}

void logging_file(void)
{
    static const char *const files[] = { "PERIGEE_LOG_FILE", "PEEKABOO_LOG_FILE", NULL };
    static const char *const consoles[] = { "PERIGEE_CONSOLE_LOGGING", "PEEKABOO_CONSOLE_LOGGING",
                                            "PEEKABOO_MCP_CONSOLE_LOGGING", NULL };
    const char *path = first_variable_value(files), *console = first_variable_value(consoles);
    struct error err;
    int fd;

    if (!path)
        return;
    fd = open_file(path, &err);
    if (fd < 0) {
        log_error("%s; log lines stay on stderr", err.text);
        return;
    }
    log_set_fd(fd); /* open until the process ends */
    log_also_stderr(console && strcasecmp(console, "true") == 0);
}

void logging_settings(void)
{
    const struct dotenv *here = &dotenv_here;
    enum log_level level = log_get_level();

    /* A file that sets the level must not keep from being told. */
    if (here->taken && strstr(here->taken, "LOG_LEVEL") && level > LOG_WARNING)
        log_set_level(LOG_WARNING);
    if (here->taken)
        log_warn("%s sets %s", here->path, here->taken);
    if (here->refused)
        log_warn("%s", here->refused);
    log_set_level(level);
}
