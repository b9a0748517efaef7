/* Files of variables: lines NAME=value, with quotes and `export` allowed. A variable that is set
 * already wins, so the environment comes first, then the user's file, then that of the working
 * directory.
 *
 * The working directory may be a repository of somebody else's. Its file can therefore set a few
 * names only, none of which names a host or a program, and only if it is the user's own. */
#ifndef PERIGEE_FILES_DOTENV_H
#define PERIGEE_FILES_DOTENV_H

/* Reads USER_HOME/.env and then .env of the working directory. Values of the first, and keys of the
 * second, become secrets of the log. PERIGEE_OF_DIRECTORY tells the engines that this program
 * starts which variables a working directory set, ", A, B": theirs may be another. Before any
 * thread. */
void dotenv_load(void);

/* The file of the working directory. */
extern struct dotenv {
    const char *path;    /* absolute; NULL: there is none, or it is the user's own file */
    const char *taken;   /* names that it has set, "A, B"; NULL: none */
    const char *left;    /* names that it may not set, a line each */
    const char *refused; /* why it was not read; NULL: it was */
} dotenv_here;

#endif
