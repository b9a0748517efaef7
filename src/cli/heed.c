#include "cli/heed.h"

#include <lauxlib.h>

#include "base/log.h"
#include "process/session_display.h"
#include "registry/call/gate.h"

static int heed_policy(lua_State *L)
{
    gate_heed_dry_run(L);
    return 0;
}

/* Tools ask the policy for themselves. */
static const char *const harmless[] = { "perigee",  "sys.crypto", "sys.json", "sys.log",
                                        "sys.mime", "sys.regex",  "sys.task", "sys.text",
                                        "sys.time", "sys.xml",    "tools",    NULL };

/* It cannot be asked for what it requires itself. */
static void before_acting(struct vm *vm)
{
    struct error err;

    session_display_adopt();
    if (gate_is_loading())
        heed_before_acting(vm);
    else if (!vm_run(vm, heed_policy, NULL, &err))
        log_warn("the policy does not load: %s", err.text);
}

void heed_before_acting(struct vm *vm)
{
    vm_before(vm, before_acting, harmless);
}
