/* Guests that were taken over: whatever they send, or do not read, the engine stays up, answers
 * others, keeps its memory, and reports how the run ended. */
#include "io_help.h"

#include "base/log.h"
#include "engine/engine.h"
#include "forged_server.h"
#include "guest/guest.h"
#include "json/document.h"
#include "mcp/server/server.h"
#include "registry/registry.h"

/* The name of an attack and the end of its run: "fine", or an error's code; NULL: any end. */
struct attack {
    const char *name, *end;
};

static const struct attack attacks[] = {
    { "a length of 4 GB", "bad_frame" },
    { "a length one beyond the limit", "bad_frame" },
    { "an unknown kind", "bad_frame" },
    { "the kind 255", "bad_frame" },
    { "a result of 16 MB and more", "bad_frame" },
    { "a job for the engine", "bad_frame" },
    { "an answer to a call that was not made", "bad_frame" },
    { "a source that was not asked for", "bad_frame" },
    { "names that were not asked for", "bad_frame" },
    { "half a head and the end", "guest_lost" },
    { "half a frame and the end", "guest_lost" },
    { "half a frame and silence", "timeout" },
    { "silence", "timeout" },
    { "the end at once", "guest_lost" },
    { "a crash", "guest_crashed" },
    { "a forbidden system call", "guest_forbidden" },
    { "a forbidden system call that is reported", "guest_forbidden" },
    { "a stopped process", "timeout" },
    { "a closed socket and a loop", "guest_killed" },
    { "two ends", "fine" },
    { "calls after the end", "fine" },
    { "a failure without words", "bad_frame" },
    { "a failure of a strange kind", "bad_frame" },
    { "a value of no kind", "bad_value" },
    { "no value", "bad_value" },
    { "a list of 4 billion", "bad_value" },
    { "a string beyond its frame", "bad_value" },
    { "a table in itself 100,000 times", "bad_value" },
    { "something behind the value", "fine" },
    { "10,000 cancelled calls that were not made", "fine" },
    { "one id for 50 calls", "fine" },
    { "odd names", "fine" },
    { "odd arguments", "fine" },
    { "an argument of 15 MB", "fine" },
    { "one byte at a time", "fine" },
    { "empty frames", "fine" },
    { "odd reports", "fine" },
    { "2000 calls and the end", NULL },
    { "unknown tools for ever", "too_many_calls" },
    { "printing for ever", "timeout" },
    { "log lines for ever", "timeout" },
    { "progress for ever", "timeout" },
    { "notes for ever", "timeout" },
    { "searching for ever", "timeout" },
    { "listing for ever", "timeout" },
    { "calling for ever", NULL },
    { "reporting system calls for ever", "timeout" },
    { "cancelling for ever", "timeout" },
};

/* --- the engine --------------------------------------------------------------------------- */

struct world {
    struct engine *engine;
    struct server *server;
    struct session *session;
    struct sink sink;
    struct buf message, answer; /* answer: the message with the awaited id */
    unsigned id, wanted;
    bool answered;
    uv_timer_t tick;
    uint64_t ticked, slowest; /* ns between two ticks, where 10 ms were asked for */
    size_t notified;          /* bytes of other messages */
};

static struct buf *on_begin(struct sink *sink)
{
    return &container_of(sink, struct world, sink)->message;
}

static void on_end(struct sink *sink, struct sink_mark mark)
{
    struct world *world = container_of(sink, struct world, sink);
    struct json_doc *doc = json_parse(world->message.data, world->message.len, NULL, NULL);
    const cJSON *id = json_get(json_root(doc), "id");

    assert_non_null(doc); /* each message that is sent is JSON */
    if (mark.kind == SINK_REPLY && cJSON_IsNumber(id) && id->valuedouble == world->wanted) {
        world->answered = true;
        world->answer.len = 0;
        buf_add(&world->answer, world->message.data, world->message.len);
    } else {
        world->notified += world->message.len;
    }
    json_doc_free(doc);
    world->message.len = 0;
}

static void on_tick(uv_timer_t *timer)
{
    struct world *world = timer->data;
    uint64_t now = uv_hrtime();

    if (world->ticked && now - world->ticked > world->slowest)
        world->slowest = now - world->ticked;
    world->ticked = now;
}

static void post(struct world *world, const char *method, const char *params)
{
    struct buf text = { 0 };

    buf_addf(&text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":%s}", ++world->id,
             method, params);
    session_receive(world->session, NULL, text.data, text.len);
    buf_free(&text);
}

static const char *ask(struct world *world, const char *method, const char *params)
{
    world->answered = false;
    world->wanted = world->id + 1;
    post(world, method, params);
    while (!world->answered)
        uv_run(engine_loop(world->engine), UV_RUN_ONCE);
    return buf_text(&world->answer);
}

/* The time limit in seconds. An attack that has to be ended has little time; every other one ends
 * by itself, even on a busy machine. */
static int limit_of(const char *attack)
{
    for (size_t i = 0; i < countof(attacks); i++)
        if (is(attack, attacks[i].name))
            return attacks[i].end && !is(attacks[i].end, "timeout") ? 60 : 1;
    return is(attack, "honest") || is(attack, "answers left unread") ? 60 : 1;
}

static const char *run(struct world *world, const char *attack)
{
    char *params =
        mem_printf("{\"name\":\"run_lua\",\"arguments\":{\"code\":\"%s\",\"timeout\":%d}}", attack,
                   limit_of(attack));
    const char *answer = ask(world, "tools/call", params);

    free(params);
    return answer;
}

/* Opens the world. `folder`: another root, or NULL. */
static void world_open(struct world *world, const char *folder)
{
    const char *const roots[] = { "tests/wire/root", folder };
    struct error err;

    *world = (struct world){ .sink = { .begin = on_begin, .end = on_end } };
    world->engine = engine_new(&(struct engine_options){ .no_user_root = true,
                                                         .roots = roots,
                                                         .root_count = folder ? 2 : 1 },
                               &err);
    assert_non_null(world->engine);
    world->server =
        server_new(&(struct server_options){ .registry = engine_registry(world->engine) });
    world->session =
        session_new(world->server, &world->sink, &(struct session_events){ NULL, NULL });
    uv_timer_init(engine_loop(world->engine), &world->tick);
    world->tick.data = world;
    uv_timer_start(&world->tick, on_tick, 10, 10);
    ask(world, "initialize",
        "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\","
        "\"version\":\"1\"}}");
    assert_non_null(strstr(run(world, "honest"), "fine"));
    world->ticked = world->slowest = 0;
}

static void world_close(struct world *world)
{
    session_free(world->session);
    server_end_tasks(world->server);
    uv_close((uv_handle_t *)&world->tick, NULL);
    engine_free(world->engine);
    server_free(world->server);
    buf_free(&world->message);
    buf_free(&world->answer);
}

static bool ends_so(const char *answer, const char *end)
{
    char *code = mem_printf("\"perigee/code\":\"%s\"", end);
    bool so = is(end, "fine") ? strstr(answer, "fine") && !strstr(answer, "isError\":true")
                              : strstr(answer, code) != NULL;

    free(code);
    return so;
}

/* The bytes of memory that are allowed: sanitizers keep freed memory. */
static size_t memory_allowed(size_t megabytes)
{
#ifdef __SANITIZE_ADDRESS__
    megabytes += 2048;
#endif
    return megabytes << 20;
}

static void each_attack_ends(void **state)
{
    struct world world;
    size_t before, after;

    (void)state;
    world_open(&world, NULL);
    uv_resident_set_memory(&before);
    for (size_t i = 0; i < countof(attacks); i++) {
        const char *answer = run(&world, attacks[i].name);

        if (attacks[i].end ? !ends_so(answer, attacks[i].end) : !strstr(answer, "\"result\""))
            fail_msg("%s, wanted %s: %.600s", attacks[i].name, attacks[i].end, answer);
        assert_non_null(strstr(ask(&world, "ping", "{}"), "\"result\":{}"));
        assert_non_null(strstr(run(&world, "honest"), "fine"));
    }
    for (int i = 0; i < 2 * CHANCES; i++) {
        char *name = mem_printf("chance %c%d", i % 2 ? 'a' : 'b', i);

        assert_non_null(strstr(run(&world, name), "\"result\""));
        free(name);
    }
    uv_resident_set_memory(&after);
    assert_true(after < before + memory_allowed(128));
    assert_true(world.notified < 1 << 20);
    printf(
        "# %zu attacks of a guest that was taken over: none came through; memory %zu MB to %zu MB, "
        "slowest turn %.1f ms\n",
        countof(attacks) + 2 * (size_t)CHANCES, before >> 20, after >> 20,
        (double)world.slowest / 1e6);
    world_close(&world);
}

/* Runs as many attacks as may be at work, all at once. */
static void all_at_once(void **state)
{
    static const char *const floods[] = { "printing for ever",   "log lines for ever",
                                          "notes for ever",      "searching for ever",
                                          "listing for ever",    "calling for ever",
                                          "cancelling for ever", "an argument of 15 MB" };
    struct world world;
    size_t before, after;
    unsigned first;

    (void)state;
    world_open(&world, NULL);
    uv_resident_set_memory(&before);
    first = world.id + 1;
    for (int i = 0; i < GUESTS_MAX; i++) {
        char *params =
            mem_printf("{\"name\":\"run_lua\",\"arguments\":{\"code\":\"%s\",\"timeout\":2}}",
                       floods[(size_t)i % countof(floods)]);

        post(&world, "tools/call", params);
        free(params);
    }
    for (int i = 0; i < 50; i++) {
        assert_non_null(strstr(ask(&world, "ping", "{}"), "\"result\":{}"));
        uv_run(engine_loop(world.engine), UV_RUN_ONCE);
    }
    while (!strstr(run(&world, "honest"), "fine"))
        uv_run(engine_loop(world.engine), UV_RUN_ONCE); /* until one of them ended */
    uv_resident_set_memory(&after);
    assert_true(after < before + memory_allowed(512));
    assert_true(world.id > first);
    printf("# %d floods at once: memory %zu MB to %zu MB, slowest turn %.1f ms\n", GUESTS_MAX,
           before >> 20, after >> 20, (double)world.slowest / 1e6);
    world_close(&world);
}

static void the_number_of_a_forbidden_call_is_in_the_error(void **state)
{
    struct world world;
    const char *answer;

    (void)state;
    world_open(&world, NULL);
    answer = run(&world, "a forbidden system call that is reported");
    if (!strstr(answer, "a system call, number 4711 of "))
        fail_msg("%.600s", answer);
    answer = run(&world, "a forbidden system call");
    if (!strstr(answer, "a system call that no script may make"))
        fail_msg("%.600s", answer);
    world_close(&world);
}

static struct buf logged;

static void keep_line(enum log_level level, const char *text, size_t len)
{
    (void)level;
    buf_add(&logged, text, len);
}

/* The script that is tried after the first trial, and by the tool. */
static void a_trial_that_does_not_live_is_told(void **state)
{
    static const char problem[] = "a system call, number 4711 of ";
    struct world world;
    const char *answer;

    (void)state;
    log_set_level(LOG_ERROR);
    log_set_sink(keep_line);
    world_open(&world, NULL);
    while (!strstr(buf_text(&logged), "scripts of clients do not run here as they should"))
        uv_run(engine_loop(world.engine), UV_RUN_ONCE);
    assert_non_null(strstr(buf_text(&logged), problem));
    answer = ask(&world, "tools/call", "{\"name\":\"engine_status\",\"arguments\":{}}");
    if (!strstr(answer, "until a time limit does not live") || !strstr(answer, problem))
        fail_msg("%.600s", answer);
    world_close(&world);
    log_set_sink(NULL);
    log_set_level(LOG_OFF);
    buf_free(&logged);
}

static void put_big_tool(const char *folder)
{
    static const char text[] =
        "return { description = 'Big.', inputSchema = { type = 'object' }, run = function() "
        "require('sys.time').sleep(0.2) return ('x'):rep(8000000) end }";
    char *path = mem_printf("%s/tools", folder);
    FILE *file;

    assert_int_equal(mkdir(path, 0700), 0);
    free(path);
    path = mem_printf("%s/tools/mine", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    free(path);
    path = mem_printf("%s/tools/mine/big.lua", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(path);
}

/* The answers to its 64 calls, 8 MB each, were all kept for it. */
static void one_that_leaves_its_answers_is_ended(void **state)
{
    char *folder = temp_make();
    struct world world;
    size_t before, after;
    const char *answer;

    (void)state;
    put_big_tool(folder);
    world_open(&world, folder);
    uv_resident_set_memory(&before);
    answer = run(&world, "answers left unread");
    uv_resident_set_memory(&after);
    if (!ends_so(answer, "unread_answers"))
        fail_msg("%.600s", answer);
    assert_true(after < before + memory_allowed(200));
    printf("# 512 MB of answers that were not read: memory %zu MB to %zu MB\n", before >> 20,
           after >> 20);
    assert_non_null(strstr(run(&world, "honest"), "fine"));
    world_close(&world);
    temp_remove(folder);
    free(folder);
}

/* The reason why the file was refused; "": it was accepted. */
static const char *problem_of(struct world *world)
{
    size_t count;
    const struct problem *problems = registry_problems(engine_registry(world->engine), &count);

    for (size_t i = 0; i < count; i++)
        if (strstr(problems[i].path, "/foreign/attack.lua"))
            return problems[i].text;
    return "";
}

struct over {
    struct wakeup wakeup;
    bool told;
};

static void on_reloaded(struct wakeup *wakeup)
{
    container_of(wakeup, struct over, wakeup)->told = true;
}

static void put(const char *folder, const char *attack)
{
    char *path = mem_printf("%s/foreign/attack.lua", folder);
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(attack, file);
    fclose(file);
    free(path);
}

static void make_root(char *folder)
{
    char *path = mem_printf("%s/foreign", folder);

    assert_int_equal(mkdir(path, 0700), 0);
    free(path);
}

/* Runs each attack while a foreign tool's file is loaded: at once, and in turns. */
static void each_attack_of_a_file_is_a_problem(void **state)
{
    char *folder = temp_make();
    struct world world;

    (void)state;
    make_root(folder);
    world_open(&world, folder);
    for (size_t i = 0; i < 2 * countof(attacks); i++) {
        const struct attack *attack = &attacks[i / 2];
        struct over over = { .wakeup.wake = on_reloaded, .told = i % 2 == 0 };
        bool waits = attack->end && is(attack->end, "timeout");

        put(folder, attack->name);
        if (over.told)
            registry_reload(engine_registry(world.engine));
        else if (!waits) /* each attack takes its 2 s there */
            registry_reload_in_turns(engine_registry(world.engine), &over.wakeup);
        while (!over.told && !waits)
            uv_run(engine_loop(world.engine), UV_RUN_ONCE);
        if (!*problem_of(&world))
            fail_msg("%s, %s: it was taken", attack->name, i % 2 ? "in turns" : "at once");
        assert_non_null(strstr(ask(&world, "ping", "{}"), "\"result\":{}"));
    }
    put(folder, "honest"); /* a string, not a table */
    registry_reload(engine_registry(world.engine));
    assert_non_null(strstr(problem_of(&world), "must return a table"));
    printf("# %zu attacks of a file that was loaded: none came through\n", 2 * countof(attacks));
    world_close(&world);
    temp_remove(folder);
    free(folder);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(each_attack_ends),
                                        cmocka_unit_test(
                                            the_number_of_a_forbidden_call_is_in_the_error),
                                        cmocka_unit_test(a_trial_that_does_not_live_is_told),
                                        cmocka_unit_test(all_at_once),
                                        cmocka_unit_test(one_that_leaves_its_answers_is_ended),
                                        cmocka_unit_test(each_attack_of_a_file_is_a_problem) };

    if (argc > 1 && strcmp(argv[1], "--guest-server") == 0) /* the engine's: it is this program */
        return forged_server();
    json_init();
    log_set_level(LOG_OFF);
    setenv("PERIGEE_DESKTOP", "fake", 1);
    setenv("PERIGEE_LUA", "lua", 1);
    return cmocka_run_group_tests_name("forged_guest", tests, NULL, NULL);
}
