/* Questions that a running call puts to its client: a form or an address for the user, a completion
 * by the client's model, the client's folders. Lua makes them (ask.c), a session sends them.
 */
#ifndef PERIGEE_REGISTRY_CALL_ELICITATION_H
#define PERIGEE_REGISTRY_CALL_ELICITATION_H

#include "base/buf.h"
#include "base/error.h"
#include "json/document.h"
#include "json/schema/schema.h"

enum ask_kind { ASK_FORM, ASK_URL, ASK_SAMPLE, ASK_SAMPLE_TOOLS, ASK_ROOTS };

/* For call_spec.can, beside the kinds: true if nobody is connected who waits for the call. */
enum { ASK_AWAY = 31 };

struct question {
    char *key; /* owned; NULL: the session names it */
    enum ask_kind kind;
    struct buf params;       /* the request's parameters, as JSON text; a form's without its mode */
    struct schema *schema;   /* forms: what the content has to fit; owned */
    struct json_doc *answer; /* the request's result, that fits; owned. NULL: none yet */
};

/* Borrowed by the session from `ask` until it calls elicitation_done() or `unask` is called. */
struct elicitation {
    struct question *items;
    size_t count;
    uint64_t timeout_ms; /* how long to wait for an answer */
    struct error err;    /* code[0]: there will be no answers */
    bool acted;    /* it asks about an effect, after others: begun once more, its call would repeat
                      them */
    void *session; /* for the session's own use */
};

/* "elicitation/create", ... */
const char *question_method(const struct question *question);

/* Takes a copy of this result as the answer. False: err says how it does not fit (code
 * "bad_answer").
 */
bool question_take(struct question *question, const cJSON *result, struct error *err);

/* Has each question its answer? */
bool elicitation_answered(const struct elicitation *elicitation);

/* Wakes who asked: everything is answered, or err is set. From the loop. */
void elicitation_done(struct elicitation *elicitation);

#endif
