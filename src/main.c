/* argv, signals, exit code. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "cli/cli.h"
#include "cli/logging.h"
#include "files/paths.h"
#include "platform/worker/fatal.h"
#include "process/identity.h"
#include "json/document.h"

/* A program may be started with 0, 1 or 2 closed; the next file it opens would then
 * be its stdin or stdout. */
static void hold_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null",
                        fd ? O_WRONLY : O_RDONLY); /* gets the lowest free number: fd */
}

int main(int argc, char **argv)
{
    const struct command *command;
    int code;

    hold_standard_descriptors();
    identity_init(argv);
    fatal_signals_install();
    signal(SIGPIPE, SIG_IGN); /* a reader that goes away is an error of that write */
    json_init();
    path_load_dotenv();
    logging_level();
    if (argc < 2) {
        command_help.run(1, argv);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return command_help.run(1, argv);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        return command_version.run(1, argv);
    if (helper_main(argv[1], &code))
        return code;
    command = command_find(argv[1]);
    if (!command)
        return command_unknown(argv[1]);
    return command->run(argc - 1, argv + 1);
}
