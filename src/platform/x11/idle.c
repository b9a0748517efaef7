#include "platform/x11/idle.h"

#include <X11/extensions/sync.h>
#include <string.h>

/* Returns None with err if the server has no such counter. */
static XSyncCounter find_counter(struct x11_desktop *desktop, int *event, struct error *err)
{
    XSyncSystemCounter *counters = NULL;
    XSyncCounter found = None;
    int count = 0, major, minor, error;

    if (XSyncQueryExtension(desktop->display, event, &error) &&
        XSyncInitialize(desktop->display, &major, &minor))
        counters = XSyncListSystemCounters(desktop->display, &count);
    for (int i = 0; i < count; i++)
        if (strcmp(counters[i].name, "IDLETIME") == 0)
            found = counters[i].counter;
    if (counters)
        XSyncFreeSystemCounterList(counters);
    if (found == None)
        error_set(err, "not_supported",
                  "this display server does not tell for how long it has not been used");
    return found;
}

bool x11_idle(struct x11_desktop *desktop, uint64_t *ms, struct error *err)
{
    int event;
    XSyncCounter counter = find_counter(desktop, &event, err);
    XSyncValue value;

    if (counter == None)
        return false;
    if (!XSyncQueryCounter(desktop->display, counter, &value))
        return error_set(err, "not_supported",
                         "the display server does not tell its counter of idle time");
    *ms = (uint64_t)(uint32_t)XSyncValueHigh32(value) << 32 | XSyncValueLow32(value);
    return true;
}

bool idle_alarm_set(struct x11_desktop *desktop, struct idle_alarm *alarm, int ms,
                    struct error *err)
{
    XSyncAlarmAttributes wanted = { .events = True };

    if ((ms != 0) == (alarm->alarm != 0))
        return true;
    if (!ms) {
        XSyncDestroyAlarm(desktop->display, alarm->alarm);
        alarm->alarm = 0;
        return true;
    }
    wanted.trigger.counter = find_counter(desktop, &alarm->event, err);
    if (wanted.trigger.counter == None)
        return false;
    wanted.trigger.value_type = XSyncAbsolute;
    wanted.trigger.test_type = XSyncNegativeTransition;
    XSyncIntToValue(&wanted.trigger.wait_value, ms);
    XSyncIntToValue(&wanted.delta, 0); /* it stays armed */
    alarm->alarm = XSyncCreateAlarm(desktop->display,
                                    XSyncCACounter | XSyncCAValueType | XSyncCAValue |
                                        XSyncCATestType | XSyncCADelta | XSyncCAEvents,
                                    &wanted);
    return true;
}

bool idle_alarm_is(const struct idle_alarm *alarm, const XEvent *event)
{
    return alarm->alarm && event->type == alarm->event + XSyncAlarmNotify &&
           ((const XSyncAlarmNotifyEvent *)event)->alarm == alarm->alarm;
}
