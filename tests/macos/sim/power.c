/* Power sources and sleep, by the lines of the file SIM_POWER as they come in; it may be a FIFO. A
 * line is "SOURCE PERCENT CHARGING MINUTES", or "sleep", or "wake". */
#include <IOKit/IOKit.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim.h"

static struct {
    char source[48];
    int percent, charging, minutes;
} state = { "AC Power", -1, 0, -1 }; /* a Mac without a battery */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;

static struct {
    IOPowerSourceCallbackType changed;
    void *changed_arg;
    IOServiceInterestCallback power;
    void *power_arg;
    struct sim_object *changes, *powers;
    uint32_t message;
    bool waits, allowed;
} hooks;

static void on_changes(void *arg)
{
    (void)arg;
    hooks.changed(hooks.changed_arg);
    pthread_mutex_lock(&lock);
    hooks.waits = false;
    pthread_cond_signal(&told);
    pthread_mutex_unlock(&lock);
}

static void on_power(void *arg)
{
    (void)arg;
    hooks.allowed = false;
    hooks.power(hooks.power_arg, 0, hooks.message, (void *)(intptr_t)7);
    if (hooks.message == kIOMessageSystemWillSleep && !hooks.allowed)
        abort(); /* otherwise the machine would wait for half a minute */
    pthread_mutex_lock(&lock);
    hooks.waits = false;
    pthread_cond_signal(&told);
    pthread_mutex_unlock(&lock);
}

/* Signals the source and waits until it was performed. The lock is held. */
static void tell(struct sim_object *source)
{
    hooks.waits = true;
    CFRunLoopSourceSignal((CFRunLoopSourceRef)source);
    while (hooks.waits)
        pthread_cond_wait(&told, &lock);
}

static void take(const char *line)
{
    char source[32];

    pthread_mutex_lock(&lock);
    if (strncmp(line, "sleep", 5) == 0 || strncmp(line, "wake", 4) == 0) {
        hooks.message = line[0] == 's' ? kIOMessageSystemWillSleep : kIOMessageSystemHasPoweredOn;
        tell(hooks.powers);
    } else if (sscanf(line, "%31s %d %d %d", source, &state.percent, &state.charging,
                      &state.minutes) == 4) {
        snprintf(state.source, sizeof state.source, "%s Power", source);
        tell(hooks.changes);
    }
    pthread_mutex_unlock(&lock);
}

static void *run(void *path)
{
    FILE *file = fopen(path, "r");
    char line[256];

    while (file && fgets(line, sizeof line, file))
        take(line);
    if (file)
        fclose(file);
    return NULL;
}

CFRunLoopSourceRef IOPSNotificationCreateRunLoopSource(IOPowerSourceCallbackType callback,
                                                       void *context)
{
    CFRunLoopSourceContext source = { .perform = on_changes };

    hooks.changed = callback;
    hooks.changed_arg = context;
    hooks.changes = sim_of(CFRunLoopSourceCreate(NULL, 0, &source));
    return (CFRunLoopSourceRef)hooks.changes;
}

io_connect_t IORegisterForSystemPower(void *arg, IONotificationPortRef *port,
                                      IOServiceInterestCallback callback, io_object_t *notifier)
{
    CFRunLoopSourceContext source = { .perform = on_power };
    const char *path = getenv("SIM_POWER");
    pthread_t thread;

    hooks.power = callback;
    hooks.power_arg = arg;
    hooks.powers = sim_of(CFRunLoopSourceCreate(NULL, 0, &source));
    *port = (IONotificationPortRef)hooks.powers;
    *notifier = 1;
    if (path && pthread_create(&thread, NULL, run, (void *)(uintptr_t)path) == 0)
        pthread_detach(thread);
    return 1;
}

CFRunLoopSourceRef IONotificationPortGetRunLoopSource(IONotificationPortRef port)
{
    return (CFRunLoopSourceRef)port;
}

int IOAllowPowerChange(io_connect_t root, long notification)
{
    hooks.allowed = root == 1 && notification == 7;
    return 0;
}

/* --- sources ------------------------------------------------------------------------------ */

CFTypeRef IOPSCopyPowerSourcesInfo(void)
{
    CFDictionaryRef battery = sim_dictionary();

    sim_put(battery, CFSTR(kIOPSTypeKey), sim_string(kIOPSInternalBatteryType));
    sim_put(battery, CFSTR(kIOPSCurrentCapacityKey), sim_number(state.percent));
    sim_put(battery, CFSTR(kIOPSMaxCapacityKey), sim_number(100));
    sim_put(battery, CFSTR(kIOPSIsChargingKey),
            CFRetain(state.charging ? kCFBooleanTrue : kCFBooleanFalse));
    sim_put(battery, CFSTR(kIOPSTimeToEmptyKey), sim_number(state.minutes));
    sim_put(battery, CFSTR(kIOPSTimeToFullChargeKey), sim_number(state.minutes));
    return battery;
}

CFArrayRef IOPSCopyPowerSourcesList(CFTypeRef info)
{
    CFArrayRef list = sim_array();

    if (state.percent >= 0)
        sim_append(list, CFRetain(info));
    return list;
}

CFDictionaryRef IOPSGetPowerSourceDescription(CFTypeRef info, CFTypeRef source)
{
    (void)source;
    return info;
}

CFStringRef IOPSGetProvidingPowerSourceType(CFTypeRef info)
{
    (void)info;
    return strcmp(state.source, "AC Power") == 0 ? CFSTR("AC Power") : CFSTR("Battery Power");
}
