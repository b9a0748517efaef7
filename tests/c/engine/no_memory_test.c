/* Lua's memory fails at each allocation in turn, once (and at the second try that Lua makes) and
 * from then on, while an engine starts, lists, calls, reloads and runs scripts: nothing aborts,
 * every request has its answer, and the next one is served as ever. */
#include "no_memory_world.h"

#include "bus_run.h"

/* --- the sweep ------------------------------------------------------------------------------- */

struct request {
    const char *method, *params;
    const char *wanted; /* a part of a good answer */
};

/* Checks an answer when memory lacks: it is the good one all the same, or reports the lack. Lua
 * reports a stack without room as too deep. */
static void check_answer(const struct request *request, const char *answer)
{
    if (!strstr(answer, request->wanted) && !strstr(answer, "memory") &&
        !strstr(answer, "error in error handling") && !strstr(answer, "stack overflow (no room)"))
        fail_msg("%s %s: %s", request->method, request->params, answer);
}

static void sweep(struct world *world, const struct request *request, bool on)
{
    bool failed = true;

    for (long n = 1; failed; n++) {
        failing_arm(&world->failing, n, on);
        const char *answer = ask(world, request->method, request->params);

        failed = failing_disarm(&world->failing);
        check_answer(request, answer);
        answer = ask(world, request->method, request->params);
        if (!strstr(answer, request->wanted))
            fail_msg("after %ld: %s %s: %s", n, request->method, request->params, answer);
    }
}

static void each_request_is_answered_when_memory_lacks(void **state)
{
#define CALL(name) "tools/call", "{\"name\":\"" name "\",\"arguments\":{\"x\":4}}"
    static const struct request requests[] = {
        { "tools/list", "{}", "\"echo\"" },
        { CALL("echo"), "{\\\"x\\\":8}" },
        { "tools/call", "{\"name\":\"echo\",\"arguments\":{\"x\":\"4\"}}", "{\\\"x\\\":8}" },
        { CALL("whole"), "\"structuredContent\":{\"a\":[1,2]}" },
        { CALL("fails"), "error value is a table" },
        { CALL("mapped"), "12 late" },
        { CALL("typed"), "{ 1, a = {} } table true failed 0" },
        { CALL("script"), "12" },
        { CALL("asks"), "boom c-b" },
        { CALL("files"), "1970-01-01T00:00:00.000Z" },
        { CALL("helpers"), "900150983cd24fb0d6963f7d28e17f72" },
        { CALL("mailed"), "mailed" },
        { CALL("hooked"), "sent to 127.0.0.1" },
        { CALL("redirected"), "led away" },
        { CALL("programs"), "ran" },
        { CALL("desk"), "all kept" },
        { CALL("images"), "image/webp to image/png" },
        { CALL("remote"), "called one hail hail far:/a far:/{b} held" },
        { "resources/read", "{\"uri\":\"test://note/x%20y\"}", "x y" },
        { "resources/subscribe", "{\"uri\":\"test://note/z\"}", "result" },
        { "prompts/get", "{\"name\":\"greet\",\"arguments\":{\"who\":\"Cy\"}}", "Greet Cy" },
        { "completion/complete",
          "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"test://note/{name}\"},\"argument\":{"
          "\"name\":\"name\",\"value\":\"q\"}}",
          "[\"qa\",\"qb\"]" },
        { "completion/complete",
          "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},\"argument\":{\"name\":\"who\","
          "\"value\":\"b\"}}",
          "[\"Bob\"]" },
    };
    struct world world;

    (void)state;
    world_open(&world, put_tree);
    ask(&world, "tools/list", "{}"); /* loads the files */
    for (size_t i = 0; i < countof(requests); i++) {
        sweep(&world, &requests[i], false);
        sweep(&world, &requests[i], true);
    }
    world_close(&world);
}

static void what_comes_over_a_bus_is_answered_when_memory_lacks(void **state)
{
    static const struct request request = { CALL("bused"), "rung" };
    struct bus_run bus;
    struct world world;

    (void)state;
    world_open(&world, put_tree);
    if (bus_run_start(&bus, world.folder)) {
        setenv("TEST_BUS", bus.address, 1);
        ask(&world, "tools/list", "{}");
        sweep(&world, &request, false);
        sweep(&world, &request, true);
    }
    bus_run_end(&bus);
    world_close(&world);
}

/* Opens the world with a mounted server. */
static void far_open(struct world *world)
{
    static const char *const names[] = { "far" };
    struct error err;
    char *config, *two;

    world_make(world);
    put(world->folder, "mcp.json",
        "{\"mcpServers\":{\"far\":{\"command\":\"sh\",\"args\":[\"" SERVER "\",\"${TWO}\"]}}}");
    two = mem_printf("%s/two", world->folder);
    setenv("TWO", two, 1);
    config = mem_printf("%s/mcp.json", world->folder);
    setenv("XDG_STATE_HOME", world->folder, 1);
    setenv("PERIGEE_LUA", "lua", 1);
    world_serve(world, engine_new(&(struct engine_options){ .no_user_root = true,
                                                            .mounts = names,
                                                            .mount_count = 1,
                                                            .mount_config = config },
                                  &err));
    if (!engine_mount(world->engine, &err))
        fail_msg("%s", err.text);
    free(config);
    free(two);
}

static void change_list(const struct world *world, bool two)
{
    char *path = mem_printf("%s/two", world->folder);

    if (two)
        put(world->folder, "two", "");
    else
        unlink(path);
    free(path);
}

static bool has_two(const struct world *world)
{
    struct registry *registry = engine_registry(world->engine);

    return generation_find(registry_current(registry), ENTRY_TOOL, "far_two") != NULL;
}

/* Changes the mounted server's list to two tools, or to one: its lists are asked for after a
 * call. */
static void relist(struct world *world, bool two)
{
    change_list(world, two);
    if (!strstr(ask(world, CALL("far_one")), "\"text\":\"called\""))
        fail_msg("the server is lost: %s", buf_text(&world->answer));
    while (has_two(world) != two)
        turn(world, "a changed list");
}

/* A server is mounted, started by the first call and told of each later one; its list is asked for
 * again after each call, at the same time. */
static void what_is_mounted_stays_so_when_memory_lacked(void **state)
{
    static const struct request requests[] = {
        { CALL("far_one"), "\"text\":\"called\"" },
        { "prompts/get", "{\"name\":\"far_hail\",\"arguments\":{\"who\":\"Cy\"}}", "\"hail\"" },
        { "resources/read", "{\"uri\":\"far+far:/a\"}", "held" },
        { "completion/complete",
          "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"far_hail\"},\"argument\":{\"name\":"
          "\"who\",\"value\":\"b\"}}",
          "[\"v\"]" },
        { "tools/list", "{}", "\"far_one\"" },
    };
    struct world world;

    (void)state;
    far_open(&world);
    for (size_t i = 0; i < countof(requests); i++) {
        sweep(&world, &requests[i], false);
        sweep(&world, &requests[i], true);
    }
    relist(&world, true); /* its lists are still watched */
    world_close(&world);
}

/* Memory lacks between calls: only the mounted server's lists are asked for again. */
static void a_list_is_asked_for_again_after_memory_lacked(void **state)
{
    struct world world;

    (void)state;
    far_open(&world);
    for (int on = 0; on < 2; on++) {
        bool failed = true;

        for (long n = 1; failed; n++) {
            change_list(&world, n % 2);
            ask(&world, CALL("far_one"));
            failing_arm(&world.failing, n, on);
            while (has_two(&world) != n % 2 && !world.failing.failed)
                turn(&world, "the list that changed");
            for (int more = 0; more < MORE_TURNS; more++) {
                uv_run(engine_loop(world.engine), UV_RUN_NOWAIT);
                usleep(1000);
            }
            failed = failing_disarm(&world.failing);
            relist(&world, n % 2);
        }
    }
    world_close(&world);
}

/* Saves the file with this text again and again, each time with a small change, and reloads. */
static void sweep_reload(struct world *world, bool on, const char *file, const char *text,
                         const char *wanted)
{
    const char *answer;
    bool failed = true;

    for (long n = 1; failed; n += RELOAD_STEP) {
        char *whole = mem_printf("-- %ld\n%s", n, text);

        put(world->folder, file, whole);
        free(whole);
        failing_arm(&world->failing, n, on);
        registry_reload(engine_registry(world->engine));
        failed = failing_disarm(&world->failing);
        answer = ask(world, "tools/list", "{}");
        assert_true(failed || strstr(answer, wanted));
    }
}

static void files_load_again_after_memory_lacked(void **state)
{
    struct world world;

    (void)state;
    for (int on = 0; on < 2; on++) {
        world_open(&world, put_little); /* a reload loads all files */
        sweep_reload(&world, on, "lib/twice.lua", "return { twice = function(x) return x * 2 end }",
                     "\"echo\"");
        put(world.folder, "lib/twice.lua", "return { twice = function(x) return 2 * x end }");
        registry_reload(engine_registry(world.engine));
        assert_non_null(strstr(ask(&world, CALL("echo")), "{\\\"x\\\":8}"));
        sweep_reload(&world, on, "foreign/away.lua", /* its guest has memory enough */
                     "return { description = 'Away.', run = function() end, inputSchema = { type = "
                     "'object' } }",
                     "\"away\"");
        world_close(&world);
    }
}

static void an_engine_says_that_it_cannot_start(void **state)
{
    struct engine *engine = NULL;
    char *folder = temp_make();
    struct error err;

    (void)state;
    put_tree(folder);
    setenv("PERIGEE_LUA", folder, 1);
    for (size_t memory = 1; !engine; memory += START_STEP) {
        engine = make_engine(memory, &err);
        if (!engine)
            assert_string_equal(err.code, "memory");
    }
    engine_free(engine);
    temp_remove(folder);
    free(folder);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_engine_says_that_it_cannot_start),
        cmocka_unit_test(each_request_is_answered_when_memory_lacks),
        cmocka_unit_test(what_comes_over_a_bus_is_answered_when_memory_lacks),
        cmocka_unit_test(a_list_is_asked_for_again_after_memory_lacked),
        cmocka_unit_test(what_is_mounted_stays_so_when_memory_lacked),
        cmocka_unit_test(files_load_again_after_memory_lacked),
    };

    if (argc > 1 && strcmp(argv[1], "--guest-server") == 0) /* the engine's: it is this program */
        return guest_server_main();
    json_init();
    log_set_level(LOG_OFF);
    setenv("PERIGEE_DESKTOP", "fake", 1);
    return cmocka_run_group_tests_name("no_memory", tests, NULL, NULL);
}
