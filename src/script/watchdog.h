/* Reports Lua code that holds the loop for over a second inside one function of C, or one
 * instruction, which no hook interrupts: a warning with its file and line, once for each hold, as
 * soon as they can be read.
 *
 * A thread of its own looks whether the loop's thread has got on. If it has not, though the process
 * worked, a signal (SIGURG) makes that thread note where its Lua code is. The thread sleeps while
 * no Lua code runs. */
#ifndef PERIGEE_SCRIPT_WATCHDOG_H
#define PERIGEE_SCRIPT_WATCHDOG_H

#include "script/vm.h"

struct watchdog;

/* Starts to watch this VM, from its loop's thread; at most one in a process. NULL: it is watched
 * by nobody. vm_free() ends it. */
struct watchdog *watchdog_new(struct vm *vm);
void watchdog_free(struct watchdog *dog); /* NULL is fine */

/* Lua code begins, gets on, ends, on the loop's thread. NULL is fine. */
void watchdog_enter(struct watchdog *dog);
void watchdog_beat(struct watchdog *dog);
void watchdog_leave(struct watchdog *dog);

#endif
