/* `perigee --python-server INTERPRETER PATHS [--heavy]`: starts the fork server of Python guests,
 * for the engine, with its control socket as CONTROL_FD. */
#ifndef PERIGEE_GUEST_PYTHON_SERVER_H
#define PERIGEE_GUEST_PYTHON_SERVER_H

/* Enters namespaces with a root that has only what the interpreter reads, if the system lets us,
 * and becomes the interpreter: it runs lua/scripts/python/runner.py, which makes the guests.
 * `words` are those behind the option, the last NULL. Returns an exit code if that failed, and says
 * why on stderr. */
int python_server_main(char *const *words);

#endif
