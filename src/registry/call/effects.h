/* The effects that a call has had outside of the engine, and whether it was refused to go on.
 *
 * After a refusal nothing more of the same call happens, and it is a failure whatever its code
 * makes of that: a result that says "done" would not be true. */
#ifndef PERIGEE_REGISTRY_CALL_EFFECTS_H
#define PERIGEE_REGISTRY_CALL_EFFECTS_H

#include "base/error.h"

struct outcome;

enum { CALL_EFFECTS = 8 };

struct call_effects {
    /* Those of it and of calls that it made, each function once: "input.type". */
    const char *first[CALL_EFFECTS];
    unsigned times[CALL_EFFECTS];
    unsigned count;        /* all times, of further functions too */
    struct error *refused; /* owned; NULL: nothing was refused */
    bool refused_below;    /* something was, of it or of a call that it made */
};

void call_effects_note(struct call_effects *effects, const char *what);

/* The first refusal stays. The texts are copied. */
void call_effects_refuse(struct call_effects *effects, const char *code, const char *text);

/* Makes a failure of the outcome of a call that was refused something. A result that says itself
 * that it is an error stays, with the code of the refusal. */
void call_effects_settle(const struct call_effects *effects, struct outcome *outcome);

void call_effects_free(struct call_effects *effects);

#endif
