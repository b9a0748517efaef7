/* Files of variables: lines NAME=value, with quotes and `export` allowed. A variable that is set
 * already wins, so the environment comes first, then the user's file, then that of the working
 * directory.
 *
 * The working directory may be a repository of somebody else's. Its file can therefore set a few
 * names only, none of which names a host or a program, and only if it is the user's own. */
#ifndef PERIGEE_FILES_DOTENV_H
#define PERIGEE_FILES_DOTENV_H

#include <stdbool.h>

/* Reads USER_HOME/.env and then .env of the working directory. Values of the first, and keys of the
 * second, become secrets of the log. Before any thread. */
void dotenv_load(void);

/* The file of the working directory. */
struct dotenv {
    const char *path;    /* absolute; NULL: there is none, or it is the user's own file */
    const char *taken;   /* names that it has set, "A, B"; NULL: none */
    const char *ignored; /* names of settings that it may not set; NULL: none */
    const char *refused; /* why it was not read; NULL: it was */
};

struct dotenv dotenv_here(void);

/* Did such a file set this variable, that of this program or of the Perigee that started it? */
bool dotenv_of_directory(const char *name);

#endif
