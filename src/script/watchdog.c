/* Data that both threads share is atomic. The signal comes at any instruction, between two of which
 * Lua's stack may be half moved, so that its handler reads nothing of it. It only sets a hook,
 * which Lua allows in a handler: that runs where the stack can be read, at the latest when the
 * function of C returns. */
#include "script/watchdog.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/log.h"
#include "script/budget.h"
#include "script/vm_struct.h"

#define HOLD ((uint64_t)1000 * MS)

enum { NAMELESS_LOOKS = 20 }; /* 50 ms each, before what is known so far is reported */

struct watchdog {
    struct vm *vm;
    int depth; /* nesting of enter, on the loop's thread */
    pthread_t loop;
    uv_thread_t thread;
    uv_mutex_t mutex;
    uv_cond_t wake;
    bool started;        /* the thread: with the first Lua code that runs */
    bool stop;           /* under the mutex */
    atomic_bool running; /* Lua code */
    atomic_bool asleep;  /* the thread, until Lua code runs */
    atomic_ulong beats;
    atomic_bool wanted; /* the place */
    atomic_bool named;  /* the handler has filled in `task` */
    atomic_bool noted;  /* the hook has filled in `file` and `line` */
    char task[64];
    char file[LUA_IDSIZE];
    int line;
};

static struct watchdog *watching; /* for the handler */

/* --- on the loop's thread ------------------------------------------------------------------ */

static void note_line(struct watchdog *dog, lua_State *L)
{
    lua_Debug at;

    for (int level = 0; lua_getstack(L, level, &at); level++) {
        if (!lua_getinfo(L, "Sl", &at) || at.currentline < 0)
            continue;
        memcpy(dog->file, at.short_src, sizeof dog->file);
        dog->line = at.currentline;
        atomic_store(&dog->noted, true);
        return;
    }
}

/* The event is passed on if the hook that belongs here is for it, too. */
static void on_hook_event(lua_State *L, lua_Debug *at)
{
    int mask = at->event == LUA_HOOKTAILCALL ? LUA_MASKCALL : 1 << at->event;

    if (watching && atomic_exchange(&watching->wanted, false))
        note_line(watching, L);
    pace_restore(task_of(L));
    if (lua_gethookmask(L) & mask)
        lua_gethook(L)(L, at);
}

static void on_watchdog_signal(int signo)
{
    struct watchdog *dog = watching;
    struct task *task = dog ? dog->vm->running : NULL;
    int old = errno;

    (void)signo;
    if (!dog)
        return;
    if (!task)
        task = &dog->vm->main;
    memcpy(dog->task, task->name, sizeof dog->task);
    atomic_store(&dog->named, true);
    if (task->L)
        lua_sethook(task->L, on_hook_event, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
    errno = old;
}

static void start_thread(struct watchdog *dog);

void watchdog_enter(struct watchdog *dog)
{
    if (!dog)
        return;
    watchdog_beat(dog);
    if (dog->depth++ > 0)
        return;
    atomic_store(&dog->running, true);
    if (!dog->started)
        start_thread(dog);
    if (!atomic_load(&dog->asleep))
        return;
    uv_mutex_lock(&dog->mutex);
    uv_cond_signal(&dog->wake);
    uv_mutex_unlock(&dog->mutex);
}

void watchdog_beat(struct watchdog *dog)
{
    if (dog)
        atomic_fetch_add_explicit(&dog->beats, 1, memory_order_relaxed);
}

void watchdog_leave(struct watchdog *dog)
{
    if (!dog)
        return;
    if (--dog->depth == 0)
        atomic_store(&dog->running, false);
    watchdog_beat(dog);
}

/* --- the thread ----------------------------------------------------------------- */

static bool loop_stands(struct watchdog *dog, unsigned long beat)
{
    return atomic_load(&dog->running) && atomic_load(&dog->beats) == beat;
}

/* Its line is known when it returns, which may be never. */
static void watchdog_report(struct watchdog *dog, unsigned long beat)
{
    static const char advice[] =
        "without a break, and nothing else was served. Give it less to do at a time";

    atomic_store(&dog->named, false);
    atomic_store(&dog->noted, false);
    atomic_store(&dog->wanted, true);
    pthread_kill(dog->loop, SIGURG);
    for (int i = 0; !dog->stop && !atomic_load(&dog->noted) && loop_stands(dog, beat); i++) {
        uv_cond_timedwait(&dog->wake, &dog->mutex, 50 * MS);
        if (i == NAMELESS_LOOKS && atomic_load(&dog->named) && !atomic_load(&dog->noted))
            log_warn("%s has worked for over two seconds %s", dog->task, advice);
    }
    if (atomic_load(&dog->noted))
        log_warn("%s:%d has worked for over a second %s", dog->file, dog->line, advice);
}

/* The processor time of the whole process. Where it is small, the loop's thread was kept from a
 * processor, which is nobody's fault here. */
static uint64_t process_time(void)
{
    struct timespec time;

    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0)
        return uv_hrtime();
    return (uint64_t)time.tv_sec * 1000 * MS + (uint64_t)time.tv_nsec;
}

/* Sleeps until Lua code runs. Whoever lets it run either sees that, or is seen here. */
static void sleep_until_lua_runs(struct watchdog *dog)
{
    atomic_store(&dog->asleep, true);
    if (!atomic_load(&dog->running))
        uv_cond_wait(&dog->wake, &dog->mutex);
    atomic_store(&dog->asleep, false);
}

static void watchdog_watch(void *arg)
{
    struct watchdog *dog = arg;
    unsigned long told = 0, seen = 0, beat;
    uint64_t since = process_time();

    uv_mutex_lock(&dog->mutex);
    while (!dog->stop) {
        beat = atomic_load(&dog->beats);
        if (beat != seen) {
            seen = beat;
            since = process_time();
        }
        if (!atomic_load(&dog->running)) {
            sleep_until_lua_runs(dog);
        } else if (uv_cond_timedwait(&dog->wake, &dog->mutex, HOLD) == UV_ETIMEDOUT &&
                   beat != told && loop_stands(dog, beat) && process_time() - since > HOLD / 2) {
            told = beat;
            watchdog_report(dog, beat);
        }
    }
    uv_mutex_unlock(&dog->mutex);
}

/* --- its life ------------------------------------------------------------------- */

/* No signal but the machine's own faults is for this thread. */
static void start_thread(struct watchdog *dog)
{
    sigset_t all, old;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    dog->started = uv_thread_create(&dog->thread, watchdog_watch, dog) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

struct watchdog *watchdog_new(struct vm *vm)
{
    struct sigaction action = { .sa_handler = on_watchdog_signal, .sa_flags = SA_RESTART };
    struct watchdog *dog;

    if (watching)
        return NULL;
    dog = mem_zero(sizeof *dog);
    dog->vm = vm;
    dog->loop = pthread_self();
    uv_mutex_init(&dog->mutex);
    uv_cond_init(&dog->wake);
    watching = dog;
    sigaction(SIGURG, &action, NULL);
    return dog;
}

static void end_thread(struct watchdog *dog)
{
    uv_mutex_lock(&dog->mutex);
    dog->stop = true;
    uv_cond_signal(&dog->wake);
    uv_mutex_unlock(&dog->mutex);
    uv_thread_join(&dog->thread);
}

void watchdog_free(struct watchdog *dog)
{
    if (!dog)
        return;
    if (dog->started)
        end_thread(dog);
    watching = NULL;
    uv_cond_destroy(&dog->wake);
    uv_mutex_destroy(&dog->mutex);
    free(dog);
}
