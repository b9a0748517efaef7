/* `perigee run --watch`: the script in a process of its own, which ends and begins again when a
 * file that it consists of is saved. */
#ifndef PERIGEE_CLI_COMMANDS_RERUN_H
#define PERIGEE_CLI_COMMANDS_RERUN_H

/* Runs `perigee` with these words (argv[0] is "run", the word --watch left out; NULL-terminated)
 * until a signal ends it. file: the script. Returns the exit code. */
int rerun(char **argv, const char *file);

/* In that process: sends the supervisor what the script looked for beside itself, with its state.
 * NULL: there is no supervisor. `arg` is not used. */
typedef void rerun_looked(void *arg, const char *path);
rerun_looked *rerun_report(void);

#endif
