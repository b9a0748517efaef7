/* Whether another process runs a terminal: it, or a child of it, holds the upper end of one (a
 * pty), through which programs get what is typed. It holds for a terminal in an editor as well, and
 * does not depend on anything that the process tells about itself. */
#ifndef PERIGEE_PROCESS_TERMINAL_OF_H
#define PERIGEE_PROCESS_TERMINAL_OF_H

#include <stdbool.h>

/* False also where that cannot be read: another user's process. */
bool process_holds_terminal(int pid);

/* Fills `children` with at most so many process IDs, and returns their number. */
int process_children(int pid, int *children, int most);

#endif
