/* Connections on which messages go both ways (process/bus.h), on a D-Bus of the test's own. */
#include "io_help.h"

#include <poll.h>

#include "bus_run.h"
#include "json/document.h"
#include "process/bus.h"

enum { PATIENCE_MS = 20000, SHORT_MS = 50 };

struct world {
    char *folder;
    struct bus_run bus;
    struct bus_wire *one, *two;
};

static const struct bus_wire_options ordinary = { 0 };

static int set_up(void **state)
{
    struct world *world = mem_zero(sizeof *world);
    struct bus_wire_options of_two = { .queue = 3 };
    struct error err;

    world->folder = temp_make();
    *state = world;
    if (!bus_ready(&err))
        fail_msg("%s", err.text);
    if (!bus_run_start(&world->bus, world->folder))
        return 0;
    world->one = bus_wire_open(world->bus.address, &ordinary, PATIENCE_MS, &err);
    world->two = bus_wire_open(world->bus.address, &of_two, PATIENCE_MS, &err);
    return world->one && world->two ? 0 : -1;
}

static int tear_down(void **state)
{
    struct world *world = *state;

    bus_wire_close(world->one);
    bus_wire_close(world->two);
    bus_run_end(&world->bus);
    temp_remove(world->folder);
    free(world->folder);
    free(world);
    return 0;
}

static struct world *world_of(void **state)
{
    struct world *world = *state;

    if (!world->one)
        skip(); /* dbus-daemon is not installed (vendor/install test) */
    return world;
}

/* Waits until a message for this serial is there, for `ms` at most. */
static bool await(struct bus_wire *wire, uint32_t serial, int ms)
{
    uint64_t until = uv_hrtime() / 1000000 + (uint64_t)ms;

    bus_wire_turn(wire);
    while (!bus_wire_ready(wire, serial) && uv_hrtime() / 1000000 < until) {
        struct pollfd at = { .fd = bus_wire_fd(wire),
                             .events = POLLIN | (bus_wire_unsent(wire) ? POLLOUT : 0) };

        poll(&at, 1, 10);
        bus_wire_turn(wire);
    }
    return bus_wire_ready(wire, serial);
}

static uint32_t post(struct bus_wire *wire, bool answered, const char *text)
{
    static const struct json_limits limits = { 128 << 20, 64, 1000 };
    struct error err = { .text = "" };
    struct json_doc *message = json_parse(text, strlen(text), &limits, &err);
    uint32_t serial = message ? bus_wire_send(wire, json_root(message), answered, &err) : 0;

    json_doc_free(message);
    if (!serial && strcmp(err.code, "bad_call") != 0 && strcmp(err.code, "no_bus") != 0 &&
        strcmp(err.code, "too_many") != 0)
        fail_msg("%s: %s", text, err.text);
    return serial;
}

/* Takes the next message of the wire, which has to come. Owned by the caller. */
static struct json_doc *next(struct bus_wire *wire, uint32_t serial)
{
    struct buf text = { 0 };
    struct json_doc *message;
    struct error err;

    assert_true(await(wire, serial, PATIENCE_MS));
    assert_int_equal(bus_wire_next(wire, serial, &text, &err), BUS_CAME);
    message = json_parse(text.data, text.len, NULL, &err);
    assert_non_null(message);
    buf_free(&text);
    return message;
}

/* Takes the next message that does not announce the connection's name. */
static struct json_doc *next_but_name(struct bus_wire *wire)
{
    struct json_doc *message = next(wire, 0);
    const char *member = cJSON_GetStringValue(json_get(json_root(message), "member"));

    if (strcmp(member, "NameAcquired") != 0)
        return message;
    json_doc_free(message);
    return next(wire, 0);
}

#define BUS_CALL(member, rest)                                                                     \
    "{\"kind\":\"call\",\"to\":\"org.freedesktop.DBus\",\"path\":\"/\",\"interface\":\"org."       \
    "freedesktop.DBus\",\"member\":\"" member "\"" rest "}"
#define SIGNAL(rest) "{\"kind\":\"signal\",\"path\":\"/a\",\"interface\":\"a.b\"," rest "}"

static void a_call_has_its_answer(void **state)
{
    struct world *world = world_of(state);
    uint32_t first = post(world->one, true, BUS_CALL("GetId", ""));
    uint32_t second = post(world->one, true, BUS_CALL("Missing", ""));
    struct json_doc *answer = next(world->one, second);

    assert_true(first && second && first != second);
    assert_string_equal(cJSON_GetStringValue(json_get(json_root(answer), "error")),
                        "org.freedesktop.DBus.Error.UnknownMethod");
    json_doc_free(answer);
    answer = next(world->one, first);
    assert_null(json_get(json_root(answer), "error"));
    assert_string_equal(cJSON_GetStringValue(json_get(json_root(answer), "kind")), "answer");
    json_doc_free(answer);
    assert_false(await(world->one, first, SHORT_MS)); /* there is no second answer */
}

static void an_answer_that_is_not_wanted_is_not_kept(void **state)
{
    struct world *world = world_of(state);
    uint32_t forgotten = post(world->one, true, BUS_CALL("GetId", ""));
    uint32_t unasked = post(world->one, false, BUS_CALL("GetId", ""));
    uint32_t last;

    bus_wire_forget(world->one, forgotten);
    last = post(world->one, true, BUS_CALL("GetId", ""));
    json_doc_free(next(world->one, last));
    assert_false(bus_wire_ready(world->one, forgotten));
    assert_false(bus_wire_ready(world->one, unasked));
}

static void listen_to_all(struct bus_wire *wire)
{
    uint32_t serial = post(
        wire, true,
        BUS_CALL("AddMatch", ",\"signature\":\"s\",\"args\":[\"type='signal',interface='a.b'\"]"));

    json_doc_free(next(wire, serial));
}

static void the_oldest_signals_make_room(void **state)
{
    struct world *world = world_of(state);
    char *text;

    listen_to_all(world->two); /* three fit, one of them the connection's name */
    for (int i = 1; i <= 10; i++) {
        text = mem_printf(SIGNAL("\"member\":\"C\",\"signature\":\"i\",\"args\":[%d]"), i);
        assert_true(post(world->one, false, text));
        free(text);
    }
    for (int ms = 0; bus_wire_dropped(world->two) < 8 && ms < PATIENCE_MS; ms += 10) {
        await(world->one, 1, 1);
        await(world->two, UINT32_MAX, 10);
    }
    assert_int_equal(bus_wire_dropped(world->two), 8);
    for (int i = 8; i <= 10; i++) {
        struct json_doc *message = next(world->two, 0);
        const cJSON *values = json_get(json_root(message), "values");

        assert_int_equal(cJSON_GetNumberValue(cJSON_GetArrayItem(values, 0)), i);
        json_doc_free(message);
    }
}

static void calls_beyond_the_queue_are_refused(void **state)
{
    struct world *world = world_of(state);
    char *call =
        mem_printf("{\"kind\":\"call\",\"to\":\"%s\",\"path\":\"/a\",\"interface\":\"a.b\","
                   "\"member\":\"C\"}",
                   bus_wire_name(world->two));
    uint32_t serials[5];
    struct json_doc *answer;

    for (size_t i = 0; i < countof(serials); i++)
        serials[i] = post(world->one, true, call);
    for (int ms = 0; !bus_wire_ready(world->one, serials[4]) && ms < PATIENCE_MS; ms += 10) {
        await(world->one, serials[4], 1);
        await(world->two, UINT32_MAX, 10);
    }
    answer = next(world->one, serials[4]);
    assert_string_equal(cJSON_GetStringValue(json_get(json_root(answer), "error")),
                        "org.freedesktop.DBus.Error.LimitsExceeded");
    json_doc_free(answer);
    assert_false(bus_wire_ready(world->one, serials[0]));
    free(call);
}

static void a_call_is_answered_by_its_serial(void **state)
{
    struct world *world = world_of(state);
    char *call =
        mem_printf("{\"kind\":\"call\",\"to\":\"%s\",\"path\":\"/a\",\"interface\":\"a.b\","
                   "\"member\":\"C\",\"signature\":\"a{sv}\",\"args\":[{\"x\":[\"i\",7]}]}",
                   bus_wire_name(world->two));
    uint32_t serial = post(world->one, true, call);
    struct json_doc *came, *answer;
    char *reply;

    bus_wire_turn(world->one);
    came = next_but_name(world->two);
    assert_int_equal(cJSON_GetNumberValue(json_get(json_root(came), "serial")), serial);
    assert_string_equal(cJSON_GetStringValue(json_get(json_root(came), "sender")),
                        bus_wire_name(world->one));
    reply = mem_printf("{\"kind\":\"answer\",\"to\":\"%s\",\"reply_to\":%u,\"signature\":\"s\","
                       "\"args\":[\"yes\"]}",
                       bus_wire_name(world->one), serial);
    assert_true(post(world->two, false, reply));
    bus_wire_turn(world->two);
    answer = next(world->one, serial);
    assert_string_equal(
        cJSON_GetStringValue(cJSON_GetArrayItem(json_get(json_root(answer), "values"), 0)), "yes");
    json_doc_free(came);
    json_doc_free(answer);
    free(reply);
    free(call);
}

/* Makes an answer of characters that take six bytes each in JSON: as large as our side allows. */
static char *large_answer(const char *to, uint32_t serial)
{
    struct buf text = { 0 };

    buf_addf(&text,
             "{\"kind\":\"answer\",\"to\":\"%s\",\"reply_to\":%u,\"signature\":\"s\",\"args\":[\"",
             to, serial);
    for (int i = 0; i < 7 << 20; i++)
        buf_lit(&text, "\\u0001");
    buf_lit(&text, "\"]}");
    return buf_take(&text);
}

static void an_answer_without_room_is_an_error(void **state)
{
    struct world *world = world_of(state);
    char *call =
        mem_printf("{\"kind\":\"call\",\"to\":\"%s\",\"path\":\"/a\",\"interface\":\"a.b\","
                   "\"member\":\"C\"}",
                   bus_wire_name(world->two));
    uint32_t serials[2];

    for (size_t i = 0; i < countof(serials); i++) {
        char *reply;

        serials[i] = post(world->one, true, call);
        bus_wire_turn(world->one);
        json_doc_free(next_but_name(world->two));
        reply = large_answer(bus_wire_name(world->one), serials[i]);
        assert_true(post(world->two, false, reply));
        free(reply);
        for (int ms = 0; !bus_wire_ready(world->one, serials[i]) && ms < PATIENCE_MS; ms += 2) {
            await(world->two, UINT32_MAX, 1);
            await(world->one, serials[i], 1);
        }
    }
    for (size_t i = 0; i < countof(serials); i++) {
        struct buf text = { 0 };
        struct error err;

        assert_int_equal(bus_wire_next(world->one, serials[i], &text, &err), BUS_CAME);
        assert_int_equal(strstr(buf_text(&text), "LimitsExceeded") != NULL, i == 1);
        buf_free(&text);
    }
    free(call);
}

static void what_is_not_a_message_is_not_sent(void **state)
{
    static const char *const bad[] = {
        "{}",
        "[]",
        "{\"kind\":7}",
        "{\"kind\":\"signal\"}",
        SIGNAL("\"member\":\"no-name\""),
        SIGNAL("\"member\":\"C\",\"to\":\"x\""),
        SIGNAL("\"member\":\"C\",\"signature\":\"{\",\"args\":[]"),
        SIGNAL("\"member\":\"C\",\"signature\":\"ii\",\"args\":[1]"),
        SIGNAL("\"member\":\"C\",\"signature\":\"a(iv)\",\"args\":[[[1,[\"ii\",1]]]]"),
        "{\"kind\":\"call\",\"to\":\"a.b\"}",
        "{\"kind\":\"answer\",\"to\":\":1.1\",\"reply_to\":4294967296}",
        "{\"kind\":\"answer\",\"to\":\":1.1\",\"reply_to\":1,\"error\":\"\",\"text\":\"\"}",
    };
    struct world *world = world_of(state);

    for (size_t i = 0; i < countof(bad); i++)
        assert_int_equal(post(world->one, true, bad[i]), 0);
    json_doc_free(next(world->one, post(world->one, true, BUS_CALL("GetId", "")))); /* it lives */
}

static void too_many_calls_are_refused(void **state)
{
    struct world *world = world_of(state);
    uint32_t serial = 0;

    for (int i = 0; i < BUS_WIRE_CALLS; i++)
        assert_true(post(world->one, true, BUS_CALL("GetId", "")));
    assert_int_equal(post(world->one, true, BUS_CALL("GetId", "")), 0);
    serial = post(world->one, false, BUS_CALL("GetId", "")); /* one without an answer costs none */
    assert_true(serial);
}

static void a_bus_that_dies_is_lost(void **state)
{
    struct world *world = world_of(state);
    uint32_t serial = post(world->one, true, BUS_CALL("GetId", ""));
    struct buf text = { 0 };
    struct error err;

    json_doc_free(next(world->one, serial));
    bus_run_kill(&world->bus);
    while (bus_wire_next(world->one, 0, &text, &err) == BUS_CAME) /* skips the connection's name */
        continue;
    assert_true(await(world->one, 0, PATIENCE_MS));
    assert_int_equal(bus_wire_next(world->one, 0, &text, &err), BUS_LOST);
    assert_string_equal(err.code, "no_bus");
    assert_true(bus_wire_ready(world->one, 1));
    assert_int_equal(bus_wire_fd(world->one), -1);
    assert_false(bus_wire_unsent(world->one));
    assert_int_equal(post(world->one, true, BUS_CALL("GetId", "")), 0);
    bus_wire_turn(world->one);
    buf_free(&text);
    assert_null(bus_wire_open(world->bus.address, &ordinary, SHORT_MS, &err));
    assert_string_equal(err.code, "no_bus");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(a_call_has_its_answer),
        CASE(an_answer_that_is_not_wanted_is_not_kept),
        CASE(the_oldest_signals_make_room),
        CASE(calls_beyond_the_queue_are_refused),
        CASE(a_call_is_answered_by_its_serial),
        CASE(an_answer_without_room_is_an_error),
        CASE(what_is_not_a_message_is_not_sent),
        CASE(too_many_calls_are_refused),
        CASE(a_bus_that_dies_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
