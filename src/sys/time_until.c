/* sys.time.sleep_until -- waits for a time of day, even if the clock is set meanwhile.
 *
 * Linux tells when the clock was set, or went on after the machine slept (timerfd_create(2),
 * TFD_TIMER_CANCEL_ON_SET). On other systems the clock is looked at now and then. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "sys/sys.h"

#ifdef __linux__
#include <sys/timerfd.h>
#endif

enum { LOOK_MS = 5000 }; /* milliseconds until other systems notice that the clock was set */

/* The part that libuv uses. It outlives the userdata until its handle is closed. */
struct alarm {
    union {
        uv_handle_t handle;
        uv_poll_t poll;
        uv_timer_t timer;
    } uv;
    int fd;
    double until;  /* seconds since 1970 */
    struct op *op; /* NULL: nobody waits any more */
};

struct until {
    struct op op;
    struct alarm *alarm; /* NULL: it is over */
};

static void alarm_freed(uv_handle_t *handle)
{
    struct alarm *alarm = handle->data;

    if (alarm->fd >= 0)
        close(alarm->fd);
    free(alarm);
}

static void alarm_end(struct alarm *alarm)
{
    alarm->op = NULL;
    uv_close(&alarm->uv.handle, alarm_freed);
}

static void until_cancel(struct op *op)
{
    struct until *until = container_of(op, struct until, op);

    alarm_end(until->alarm);
    until->alarm = NULL;
}

static double seconds_left(const struct alarm *alarm)
{
    struct timeval now;

    gettimeofday(&now, NULL);
    return alarm->until - ((double)now.tv_sec + (double)now.tv_usec / 1e6);
}

static void ring_alarm(struct alarm *alarm)
{
    struct op *op = alarm->op;

    container_of(op, struct until, op)->alarm = NULL;
    alarm_end(alarm);
    task_wake(op, 0);
}

#ifdef __linux__

static bool arm_alarm(const struct alarm *alarm)
{
    double whole = floor(alarm->until);
    struct itimerspec at = { .it_value = { (time_t)whole, (long)((alarm->until - whole) * 1e9) } };

    if (!at.it_value.tv_sec && !at.it_value.tv_nsec)
        at.it_value.tv_nsec = 1; /* zeros switch it off */
    return timerfd_settime(alarm->fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &at, NULL) == 0;
}

static void on_alarm_readable(uv_poll_t *poll, int status, int events)
{
    struct alarm *alarm = poll->data;
    uint64_t count;

    (void)status;
    (void)events;
    if (read(alarm->fd, &count, sizeof count) < 0) /* ECANCELED: the clock was set */
        arm_alarm(alarm);
    if (seconds_left(alarm) <= 0)
        ring_alarm(alarm);
}

static bool start_alarm(uv_loop_t *loop, struct alarm *alarm)
{
    alarm->fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (alarm->fd < 0 || uv_poll_init(loop, &alarm->uv.poll, alarm->fd) != 0)
        return false;
    alarm->uv.poll.data = alarm;
    arm_alarm(alarm);
    uv_poll_start(&alarm->uv.poll, UV_READABLE, on_alarm_readable);
    return true;
}

#else

static void on_alarm_look_due(uv_timer_t *timer)
{
    struct alarm *alarm = timer->data;
    double left = seconds_left(alarm);

    if (left <= 0)
        ring_alarm(alarm);
    else
        uv_timer_start(timer, on_alarm_look_due,
                       left < LOOK_MS / 1000.0 ? (uint64_t)ceil(left * 1000) : LOOK_MS, 0);
}

static bool start_alarm(uv_loop_t *loop, struct alarm *alarm)
{
    uv_timer_init(loop, &alarm->uv.timer);
    alarm->uv.timer.data = alarm;
    uv_timer_start(&alarm->uv.timer, on_alarm_look_due, 0, 0);
    return true;
}

#endif

int sys_time_until(lua_State *L)
{
    double seconds = luaL_checknumber(L, 1);
    struct task *task = task_here(L);
    struct until *until;
    struct alarm *alarm;

    luaL_argcheck(L, seconds >= 0 && seconds < 253402300800.0, 1,
                  "expected a time before the year 10000, in seconds since 1970");
    until = lua_newuserdatauv(L, sizeof *until, 0);
    alarm = mem_zero(sizeof *alarm);
    alarm->until = seconds;
    alarm->fd = -1;
    until->op = (struct op){ task, until_cancel, "a time of day", NULL };
    if (!start_alarm(vm_loop(vm_of(L)), alarm)) {
        if (alarm->fd >= 0)
            close(alarm->fd);
        free(alarm);
        return luaL_error(L, "the system has no more timers");
    }
    alarm->op = &until->op;
    until->alarm = alarm;
    return task_park(L, &until->op);
}
