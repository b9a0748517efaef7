/* Regular expressions as ECMA-262 writes them (with the "u" flag, as JSON Schema
 * recommends), for PCRE2 with its options for ECMAScript.
 *
 * What PCRE2 adds (possessive quantifiers, recursion, verbs, \A \Z \h ..., POSIX
 * classes) is an error, so that a pattern that works here works in every other
 * validator. Kinder than the standard are: any punctuation after a backslash is that
 * character, { that opens no quantifier and [\w-.] mean what they seem to. */
#ifndef PERIGEE_JSON_PATTERN_ECMA_H
#define PERIGEE_JSON_PATTERN_ECMA_H

#include "base/buf.h"
#include "base/error.h"

/* Appends the pattern for pcre2/pcre2.c, whose options it needs. False with "invalid_pattern"
 * and the place for a malformed one. */
bool ecma_translate(struct buf *out, const char *pattern, size_t len, struct error *err);

#endif
