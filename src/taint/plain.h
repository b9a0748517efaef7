/* Words of ordinary sentences, which are in many texts: "well-known", "his/her", "covid-19",
 * "table.concat". They do not tell where a text is from. */
#ifndef PERIGEE_TAINT_PLAIN_H
#define PERIGEE_TAINT_PLAIN_H

#include "base/buf.h"

/* True for words of letters, also two that a sign joins, with a short number, for dates, times
 * and short numbers. False for addresses, paths, names of files, long numbers, and for what mixes
 * letters and digits as words do not. `slash`: also for "his/her", which a path may be as well. The
 * word is cleaned. */
bool taint_plain(struct str word, bool slash);

/* True for a function of a library of Lua, and for a tool in a script. */
bool taint_in_scripts(struct str word);

#endif
