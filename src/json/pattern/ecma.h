/* Regular expressions as ECMA-262 writes them (with the "u" flag, as JSON Schema
 * recommends), said in PCRE2's dialect.
 *
 * The two look alike and differ in many places: which characters . and \s
 * mean, \u and \x, what PCRE2 adds (possessive quantifiers, recursion, verbs,
 * \A \Z \h ..., POSIX classes). Additions are errors, so that a pattern that
 * works here works in every other validator. Kinder than the standard are:
 * any punctuation after a backslash is that character, { that opens no
 * quantifier and [\w-.] mean what they seem to. */
#ifndef PERIGEE_JSON_PATTERN_ECMA_H
#define PERIGEE_JSON_PATTERN_ECMA_H

#include "base/buf.h"
#include "base/error.h"

/* Appends the pattern in PCRE2's dialect (UTF mode, no other option but those of
 * pcre2/pcre2.c). False with "invalid_pattern" and the place for a malformed one. */
bool ecma_translate(struct buf *out, const char *pattern, size_t len, struct error *err);

#endif
