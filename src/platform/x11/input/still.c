#include "platform/x11/input/still.h"

#include <string.h>

#include "process/bus.h"

enum { ANSWER_MS = 200 }; /* for all answers to one question */

void still_begin(struct x11_still *still, const struct input_still *wanted)
{
    *still = (struct x11_still){ .wanted = wanted };
    if (!wanted)
        return;
    buf_free(wanted->told);
    if (wanted->bus)
        still->asked = bus_ask(wanted->bus, wanted->calls, ANSWER_MS, NULL);
}

static bool are_same(struct str wanted, const struct buf *told)
{
    return wanted.len == told->len && memcmp(wanted.ptr, told->data, told->len) == 0;
}

static bool is_answered(struct x11_still *still)
{
    struct bus_asked *asked = still->asked;
    struct buf told = { 0 };
    bool same;

    if (!still->wanted->bus)
        return true;
    still->asked = NULL;
    same = asked && bus_answers(asked, &told, NULL) && are_same(still->wanted->answers, &told);
    buf_free(&told);
    return same;
}

bool still_holds(struct x11_still *still, Window receiver, struct error *err)
{
    if (!still->wanted || (receiver == still->wanted->window && is_answered(still)))
        return true;
    return error_set(err, "changed", "the focus or the text field is not as it was");
}

void still_then(struct x11_still *still)
{
    if (!still->wanted || !still->wanted->bus || !still->wanted->then || still->then_asked)
        return;
    still->then_asked = true;
    still->asked = bus_ask(still->wanted->bus, still->wanted->then, ANSWER_MS, NULL);
}

void still_end(struct x11_still *still)
{
    struct bus_asked *asked = still->asked;

    still->asked = NULL;
    if (asked && !bus_answers(asked, still->wanted->told, NULL))
        buf_free(still->wanted->told);
    still->wanted = NULL;
}
