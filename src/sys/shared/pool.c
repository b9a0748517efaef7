/* A parked task and its job find each other through the wait on the task's stack. */
#include "sys/shared/pool.h"

#include <lauxlib.h>

#include "script/bind.h"
#include "script/vm.h"

#define WAIT "sys.pool.wait"

/* On the parked stack; owns the job when it is done, or never started. */
struct pool_wait {
    struct op op;
    struct pool_job *job;
};

static int wait_gc(lua_State *L)
{
    struct pool_wait *wait = lua_touserdata(L, 1);

    if (wait->job)
        wait->job->free(wait->job);
    wait->job = NULL;
    return 0;
}

void pool_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", wait_gc }, { NULL, NULL } };

    bind_metatable(L, WAIT, meta, NULL);
}

static void wait_cancel(struct op *op)
{
    struct pool_wait *wait = container_of(op, struct pool_wait, op);
    struct pool_job *job = wait->job;

    wait->job = NULL;
    job->wait = NULL;
    uv_cancel((uv_req_t *)&job->req); /* on_done() comes in any case */
}

static void run_job(uv_work_t *req)
{
    struct pool_job *job = container_of(req, struct pool_job, req);

    job->ok = job->work(job);
}

static void on_done(uv_work_t *req, int status)
{
    struct pool_job *job = container_of(req, struct pool_job, req);

    if (job->wait && status == 0)
        task_wake(&job->wait->op, 0);
    else
        job->free(job);
}

static int finish(lua_State *L, int status, lua_KContext context)
{
    struct pool_wait *wait = (struct pool_wait *)context;
    struct pool_job *job = wait->job;
    int count = 1;

    (void)status;
    if (!job->ok)
        count = job->fail ? job->fail(L, job) : bind_error(L, &job->err);
    else if (job->push)
        count = job->push(L, job);
    else
        lua_pushboolean(L, 1);
    job->free(job);
    wait->job = NULL;
    return count;
}

void *pool_new(lua_State *L, size_t size, void (*free_job)(struct pool_job *job))
{
    struct task *task = task_here(L);
    struct pool_wait *wait = lua_newuserdatauv(L, sizeof *wait, 0);
    struct pool_job *job;

    *wait = (struct pool_wait){ { task, wait_cancel }, NULL };
    luaL_setmetatable(L, WAIT);
    job = wait->job = mem_zero(size);
    job->wait = wait;
    job->free = free_job;
    return job;
}

int pool_run(lua_State *L, struct pool_job *job)
{
    struct pool_wait *wait = job->wait;

    uv_queue_work(vm_loop(vm_of(L)), &job->req, run_job, on_done);
    return task_park_then(L, &wait->op, (lua_KContext)wait, finish);
}
