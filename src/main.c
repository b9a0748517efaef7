/* argv, signals, exit code. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/logging.h"
#include "cli/output.h"
#include "files/dotenv.h"
#include "json/document.h"
#include "platform/worker/fatal.h"
#include "process/identity.h"

/* A program may be started with 0, 1 or 2 closed; the next file it opens would then be its stdin or
 * stdout. A stdout that was closed stays one that cannot be written: its output was not printed. */
static void hold_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null",
                        fd == 2 ? O_WRONLY : O_RDONLY); /* gets the lowest free number: fd */
}

static int print_list(int status)
{
    command_print_list();
    return output_finish("help", status);
}

/* `perigee --json image x`: the command's name comes first, as in `perigee image --json x`. */
static void name_first(int argc, char **argv)
{
    int count = options_leading(argc, argv);
    char *name = count > 0 && count + 1 < argc ? argv[count + 1] : NULL;

    if (!name || *name == '-')
        return;
    memmove(argv + 2, argv + 1, (size_t)count * sizeof *argv);
    argv[1] = name;
}

int main(int argc, char **argv)
{
    const struct command *native;
    const char *name;
    int code;

    hold_standard_descriptors();
    identity_enter_bundle(argv);
    signal(SIGPIPE, SIG_IGN); /* a reader that goes away is an error of that write */
    if (argc < 2 || strcmp(argv[1], "--python-server") != 0)
        name_first(argc, argv);
    name = argc > 1 ? argv[1] : "";
    if (argc < 2)
        return print_list(EXIT_USAGE);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
        (strcmp(name, "help") == 0 && argc == 2))
        return print_list(EXIT_OK); /* it needs none of what follows */
    identity_init(argv);
    fatal_signals_install();
    json_init();
    if (helper_main(name, argv + 2, &code))
        return code; /* it gets what it may know from the one that started it */
    dotenv_load();
    logging_level();
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        name = "version";
    native = command_native(name);
    return native ? native->run(argc - 1, argv + 1) : command_run_file(argc - 1, argv + 1);
}
