/* The environment of programs that are not ours: what each program needs to run, and no secrets.
 * Ours has API keys and tokens, those of ~/.config/perigee/.env among them. */
#ifndef PERIGEE_PROCESS_ENVIRONMENT_H
#define PERIGEE_PROCESS_ENVIRONMENT_H

#include "base/util.h"

/* May a program of others have our variable of this name? The official MCP SDKs pass HOME, LOGNAME,
 * PATH, SHELL, TERM and USER; programs of a desktop also need its session, the language and the
 * folder for temporary files. */
bool environment_passes(const char *name);

/* The same of a whole variable, "NAME=value". */
bool environment_variable_passes(const char *variable);

/* The variables for this program: ours that pass, and `added` ("K=V", NULL-terminated, or NULL),
 * which wins. All of ours pass to ourselves (the agent's own server), which needs the settings and
 * reads the secrets from .env anyway. A complete list for struct process_spec; free it with
 * mem_strings_free(). */
char **environment_passed(const char *program, const char *const *added);

#endif
