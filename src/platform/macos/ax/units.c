#include "platform/macos/ax/units.h"

#include <stdlib.h>

#include "json/utf8.h"
#include "platform/macos/ax/node.h"

/* Reads long text by a range, and text without ranges (a label) as a value. */
static enum answer read_units_text(const struct ask *ask, AXUIElementRef element, CFTypeRef length,
                                   CFTypeRef *text, struct error *err)
{
    double count;

    if (node_number(length, &count) && count > UNITS_MAX)
        return ask_range(ask, element, (CFRange){ 0, UNITS_MAX }, text, err);
    return ask_one(ask, element, kAXValueAttribute, text, err);
}

enum answer units_read(const struct ask *ask, AXUIElementRef element, struct units *out,
                       struct error *err)
{
    const CFStringRef names[] = { kAXNumberOfCharactersAttribute, kAXSelectedTextRangeAttribute };
    CFTypeRef values[2], text;
    CFArrayRef read;
    enum answer answer = ask_many(ask, element, names, values, 2, &read, err);

    *out = (struct units){ .selected = { -1, 0 } };
    if (answer != ANSWER_GIVEN)
        return answer;
    if (CFGetTypeID(values[1]) != AXValueGetTypeID() ||
        !AXValueGetValue((AXValueRef)values[1], kAXValueTypeCFRange, &out->selected) ||
        out->selected.location < 0 || out->selected.length < 0)
        out->selected = (CFRange){ -1, 0 };
    answer = read_units_text(ask, element, values[0], &text, err);
    cf_release(read);
    if (answer == ANSWER_GIVEN && CFGetTypeID(text) != CFStringGetTypeID())
        answer = ANSWER_NONE;
    if (answer == ANSWER_GIVEN) {
        out->text = cf_text(text, 0, NULL);
        out->characters = (int)utf8_length(out->text, strlen(out->text));
    }
    cf_release(text);
    return answer;
}

void units_free(struct units *units)
{
    free(units->text);
    *units = (struct units){ 0 };
}
