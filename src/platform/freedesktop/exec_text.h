/* Words of an Exec line that a program reads as a command or a script of its own.
 *
 * A file's name may hold anything, quotes as well. Where a word is the text of a command (sh -c,
 * python -c, xterm -e, ssh host ...), no quoting of ours fits all languages, so no name goes there.
 * The programs are looked for in every word, so a wrapper (env, nice, sudo, flatpak run) hides
 * none. */
#ifndef PERIGEE_PLATFORM_FREEDESKTOP_EXEC_TEXT_H
#define PERIGEE_PLATFORM_FREEDESKTOP_EXEC_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { FIELD_MARK = 1 }; /* in a word, before the letter of a field code */

/* The word whose program reads a file in words[at] as text, NULL: it is an argument. `alone`: the
 * word is nothing but the file. `at` may be the number of words: the file comes after them. Words
 * have their quotes undone, and FIELD_MARK before each field code. Borrowed from words. */
const char *exec_text_reader(char *const words[], size_t at, bool alone);

#endif
