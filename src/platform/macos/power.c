/* perigee --power: mains, batteries and sleep, as lines of JSON, until stdin ends. For
 * lua/lib/power/macos.lua.
 *
 *     {"what":"state","source":"battery","percent":81,"charging":false,"seconds_left":7200}
 *     {"what":"sleeping"}    {"what":"woke"}
 *
 * The first line is the present state; another one follows whenever macOS says that it may have
 * changed. Unknown values are left out
 * (developer.apple.com/documentation/iokit/iopowersources_h). */
#include <IOKit/IOMessage.h>
#include <IOKit/ps/IOPSKeys.h>
#include <IOKit/ps/IOPowerSources.h>
#include <IOKit/pwr_mgt/IOPMLib.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/helper_program.h"
#include "platform/macos/system/line_source.h"

struct power {
    io_connect_t root; /* to answer before the machine sleeps; 0: sleep is not reported */
    bool over;
};

static void end_power(struct power *power)
{
    if (!power->over)
        CFRunLoopStop(CFRunLoopGetCurrent());
    power->over = true;
}

static void say_power_line(struct power *power, const struct buf *line)
{
    if (!power->over && !line_write(STDOUT_FILENO, line))
        end_power(power); /* the engine is gone */
}

static void say_power_event(struct power *power, const char *what)
{
    struct buf line = { 0 };

    buf_addf(&line, "{\"what\":\"%s\"}\n", what);
    say_power_line(power, &line);
    buf_free(&line);
}

/* --- the state ------------------------------------------------------------------------------ */

static bool cf_text_is(CFTypeRef value, const char *text)
{
    char *is = cf_text(value, 64, NULL);
    bool same = strcmp(is, text) == 0;

    free(is);
    return same;
}

/* The machine's own battery; borrowed from `info`. NULL: it has none. */
static CFDictionaryRef battery_of(CFTypeRef info, CFArrayRef sources)
{
    for (CFIndex i = 0; sources && i < CFArrayGetCount(sources); i++) {
        CFDictionaryRef source =
            IOPSGetPowerSourceDescription(info, CFArrayGetValueAtIndex(sources, i));

        if (source &&
            cf_text_is(CFDictionaryGetValue(source, CFSTR(kIOPSTypeKey)),
                       kIOPSInternalBatteryType) &&
            cf_number(source, CFSTR(kIOPSIsPresentKey), 1))
            return source;
    }
    return NULL;
}

/* Adds a time in minutes; -1 and 0 mean that it is not known yet. */
static void add_time(struct buf *line, CFDictionaryRef battery, CFStringRef key, const char *name)
{
    long long minutes = cf_number(battery, key, -1);

    if (minutes > 0)
        buf_addf(line, ",\"%s\":%lld", name, minutes * 60);
}

static void add_battery(struct buf *line, CFDictionaryRef battery)
{
    long long now = cf_number(battery, CFSTR(kIOPSCurrentCapacityKey), -1);
    long long most = cf_number(battery, CFSTR(kIOPSMaxCapacityKey), 0);
    bool charging = cf_number(battery, CFSTR(kIOPSIsChargingKey), 0) != 0;

    if (now >= 0 && most > 0)
        buf_addf(line, ",\"percent\":%.1f", (double)now * 100 / (double)most);
    buf_addf(line, ",\"charging\":%s", charging ? "true" : "false");
    if (charging)
        add_time(line, battery, CFSTR(kIOPSTimeToFullChargeKey), "seconds_to_full");
    else
        add_time(line, battery, CFSTR(kIOPSTimeToEmptyKey), "seconds_left");
}

/* Writes the state. A UPS that provides the power is a battery. */
static void say_state(void *arg)
{
    CFTypeRef info = IOPSCopyPowerSourcesInfo();
    CFArrayRef sources = info ? IOPSCopyPowerSourcesList(info) : NULL;
    CFDictionaryRef battery = info ? battery_of(info, sources) : NULL;
    struct buf line = { 0 };

    buf_adds(&line, "{\"what\":\"state\"");
    if (info)
        buf_addf(&line, ",\"source\":\"%s\"",
                 cf_text_is(IOPSGetProvidingPowerSourceType(info), "AC Power") ? "mains"
                                                                               : "battery");
    if (battery)
        add_battery(&line, battery);
    buf_adds(&line, "}\n");
    say_power_line(arg, &line);
    buf_free(&line);
    cf_release(sources);
    cf_release(info);
}

/* --- events ----------------------------------------------------------------------------------- */

/* Answers at once: the machine waits up to half a minute for an answer to the first two
 * messages. */
static void on_power(void *arg, io_service_t service, uint32_t message, void *argument)
{
    struct power *power = arg;

    (void)service;
    if (message == kIOMessageSystemWillSleep)
        say_power_event(power, "sleeping");
    if (message == kIOMessageSystemWillSleep || message == kIOMessageCanSystemSleep)
        IOAllowPowerChange(power->root, (long)(intptr_t)argument);
    if (message == kIOMessageSystemHasPoweredOn)
        say_power_event(power, "woke");
}

static void hear_of_sleep(struct power *power)
{
    IONotificationPortRef port = NULL;
    io_object_t notifier = 0;

    power->root = IORegisterForSystemPower(power, &port, on_power, &notifier);
    if (power->root && port)
        CFRunLoopAddSource(CFRunLoopGetCurrent(), IONotificationPortGetRunLoopSource(port),
                           kCFRunLoopDefaultMode);
}

static void on_power_line(void *arg, char *line)
{
    (void)arg;
    (void)line;
}

static void on_power_input_ended(void *arg)
{
    end_power(arg);
}

static int serve_power(void)
{
    struct power power = { 0, false };
    CFRunLoopSourceRef changes = IOPSNotificationCreateRunLoopSource(say_state, &power);
    struct line_source *lines =
        line_source_new(STDIN_FILENO, on_power_line, on_power_input_ended, &power);

    signal(SIGPIPE, SIG_IGN);
    if (changes)
        CFRunLoopAddSource(CFRunLoopGetCurrent(), changes, kCFRunLoopDefaultMode);
    hear_of_sleep(&power);
    say_state(&power);
    if (lines && !power.over)
        CFRunLoopRun();
    line_source_free(lines);
    cf_release(changes);
    return lines && changes ? 0 : 1;
}

extern const struct helper_program perigee_power;
const struct helper_program perigee_power = { serve_power };
