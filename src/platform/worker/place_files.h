/* Facts about a whole desktop, for every process of the user that acts on it: files in folders that
 * all of these processes have in common, whatever their environment.
 *
 * The desktop in memory belongs to one process: its facts are in the first folder of the
 * environment alone, so that tests stay apart. The same is true for a process without a desktop: it
 * does not speak for all. */
#ifndef PERIGEE_PLATFORM_WORKER_PLACE_FILES_H
#define PERIGEE_PLATFORM_WORKER_PLACE_FILES_H

#include "process/runtime_folders.h"

#define PLACE_ALL  "-" /* each desktop */
#define PLACE_NONE "none"

struct place_files {
    char *place; /* platform_place(), or one of the above */
    char *folders[RUNTIME_FOLDERS_MAX];
    size_t count;
};

/* Reads the environment: for the main thread. Makes nothing. */
void place_files_init(struct place_files *files, const char *place);
void place_files_finish(struct place_files *files);

/* The path FOLDER/PLACE.KIND; the place is cut, and written so that it is one name. free() it. */
char *place_file(const char *folder, const char *place, const char *kind);

#endif
