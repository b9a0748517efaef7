/* A parked task and its work find each other through the wait on the task's stack. */
#include "sys/shared/pool.h"

#include <lauxlib.h>

#include "script/bind.h"
#include "script/vm.h"

#define WAIT "sys.pool.wait"

/* The wait, on the parked stack. It owns work that is done or was never started. */
struct pool_wait {
    struct op op;
    struct pool_work *work;
};

static int pool_wait_gc(lua_State *L)
{
    struct pool_wait *wait = lua_touserdata(L, 1);

    if (wait->work)
        wait->work->free(wait->work);
    wait->work = NULL;
    return 0;
}

void pool_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", pool_wait_gc }, { NULL, NULL } };

    bind_metatable(L, WAIT, meta, NULL);
}

static void pool_wait_cancel(struct op *op)
{
    struct pool_wait *wait = container_of(op, struct pool_wait, op);
    struct pool_work *work = wait->work;

    wait->work = NULL;
    work->wait = NULL;
    atomic_store(&work->left, true);
    uv_cancel((uv_req_t *)&work->req); /* on_work_done() comes in any case */
}

static void run_work(uv_work_t *req)
{
    struct pool_work *work = container_of(req, struct pool_work, req);

    work->ok = work->run(work);
}

static void on_work_done(uv_work_t *req, int status)
{
    struct pool_work *work = container_of(req, struct pool_work, req);
    bool more = work->ok && work->more;

    work->more = false;
    if (work->wait && status == 0 && more)
        uv_queue_work(req->loop, &work->req, run_work, on_work_done);
    else if (work->wait && status == 0)
        task_wake(&work->wait->op, 0);
    else
        work->free(work);
}

static int finish_work(lua_State *L, int status, lua_KContext context)
{
    struct pool_wait *wait = (struct pool_wait *)context;
    struct pool_work *work = wait->work;
    int count = 1;

    (void)status;
    if (!work->ok)
        count = work->fail ? work->fail(L, work) : bind_error(L, &work->err);
    else if (work->push)
        count = work->push(L, work);
    else
        lua_pushboolean(L, 1);
    work->free(work);
    wait->work = NULL;
    return count;
}

void *pool_new(lua_State *L, size_t size, void (*free_work)(struct pool_work *work))
{
    struct task *task = task_here(L);
    struct pool_wait *wait = lua_newuserdatauv(L, sizeof *wait, 0);
    struct pool_work *work;

    *wait = (struct pool_wait){ { task, pool_wait_cancel, "work on another thread", NULL }, NULL };
    luaL_setmetatable(L, WAIT);
    work = wait->work = mem_zero(size);
    work->wait = wait;
    work->free = free_work;
    return work;
}

int pool_run(lua_State *L, struct pool_work *work)
{
    struct pool_wait *wait = work->wait;

    uv_queue_work(vm_loop(vm_of(L)), &work->req, run_work, on_work_done);
    return task_park_then(L, &wait->op, (lua_KContext)wait, finish_work);
}
