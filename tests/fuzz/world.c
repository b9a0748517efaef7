/* One engine for all inputs: making one takes longer than a thousand messages. */
#include "world.h"

#include "base/log.h"
#include "fuzz.h"
#include "guest/child/server.h"
#include "json/scan.h"

enum { TURNS = 8 };

static struct engine *engine;
static struct server *server;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    if (*argc > 1 && strcmp((*argv)[1], "--guest-server") == 0)
        exit(guest_server_main());
    return 0;
}

static void world_make(void)
{
    static const char *const roots[] = { "tests/wire/root", "tests/conformance/lua" };
    static const char *const toolsets[] = { "test", "conformance" };
    const struct engine_options options = { .roots = roots,
                                            .root_count = countof(roots),
                                            .no_user_root = true,
                                            .toolsets = toolsets,
                                            .toolset_count = countof(toolsets) };
    struct server_options serving = { 0 };
    struct error err;

    log_set_level(LOG_OFF);
    setenv("PERIGEE_DESKTOP", "fake", 1);
    engine = engine_new(&options, &err);
    MUST(engine != NULL);
    registry_current(engine_registry(engine));
    serving.registry = engine_registry(engine);
    server = server_new(&serving);
}

struct engine *world_engine(void)
{
    if (!engine)
        world_make();
    return engine;
}

struct server *world_server(void)
{
    world_engine();
    return server;
}

void world_turn(void)
{
    for (int i = 0; i < TURNS; i++)
        uv_run(engine_loop(engine), UV_RUN_NOWAIT);
}

void world_check_message(struct str text)
{
    struct json_scan found = { 0 };

    MUST(text.len && !memchr(text.ptr, '\n', text.len));
    MUST(json_scan(text.ptr, text.len, NULL, &found, NULL));
}
