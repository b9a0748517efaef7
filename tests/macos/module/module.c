/* The macOS backend on the simulation, as the desktop module of this system: so the program itself
 * runs on it, with PERIGEE_DESKTOP=x11 and PERIGEE_MODULES (tests/macos/lua_sim_test).
 *
 * It shows what PERIGEE_DESKTOP=fake shows. SIM_DENY has the permissions that are missing: any of
 * "screen" and "accessibility". */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "platform/macos/elements.h"
#include "sim.h"

extern const struct platform_ops perigee_macos; /* platform/macos/backend.c */
extern struct platform_ops perigee_x11;
struct platform_ops perigee_x11;

static void *share_new(void)
{
    struct fake *fake = fake_world();
    const char *denied = getenv("SIM_DENY");

    sim_use(fake);
    sim_deny(PERMISSION_SCREEN, denied && strstr(denied, "screen"));
    sim_deny(PERMISSION_ACCESSIBILITY, denied && strstr(denied, "accessibility"));
    return fake;
}

static void share_free(void *shared)
{
    macos_elements_end();
    sim_use(NULL);
    fake_free(shared);
}

/* The backend looks by dlsym() for functions of this module, so its symbols are made global. */
__attribute__((constructor)) static void begin(void)
{
    Dl_info self;

    perigee_x11 = perigee_macos;
    perigee_x11.share_new = share_new;
    perigee_x11.share_free = share_free;
    if (dladdr(&perigee_x11, &self))
        dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}
