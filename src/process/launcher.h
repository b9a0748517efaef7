/* The program that started this one as its MCP server, by the name that it gives itself
 * (clientInfo). One that only connects, over HTTP, is none. Main thread only. */
#ifndef PERIGEE_PROCESS_LAUNCHER_H
#define PERIGEE_PROCESS_LAUNCHER_H

void launcher_set(const char *name); /* cut at 60 bytes */

const char *launcher_name(void); /* "": it has not said, or there is none */

#endif
