/* sys.http against tests/lib/http_double.py: arguments and results of scripts. http_test.c and its
 * neighbors test http/client/request.h itself. */
#include "http_run.h"
#include "lua_run.h"

#define H                                                                                          \
    "local http, json, task = require 'sys.http', require 'sys.json', require 'sys.task' "         \
    "local base = require('sys.env').get 'BASE' "

/* --- request ----------------------------------------------------------------------- */

static void a_response_has_all_its_parts(void **state)
{
    gives(*state,
          H "local r = assert(http.request { url = base .. '/twice' }) "
            "return r.status, r.headers['set-cookie'], r.headers['x-empty'], r.body, "
            "r.url == base .. '/twice', r.attempts, math.type(r.elapsed)",
          "200|a=1, b=2|||true|1|float");
}

static void what_is_asked_arrives(void **state)
{
    gives(*state,
          H "local r = http.request { url = base .. '/echo?q=1', method = 'PUT', "
            "headers = { ['X-One'] = 'a b', ['X-Number'] = 5 }, body = 'a\\0b\\xff' } "
            "local e = json.decode(r.body) return e.method, e.target, e.headers['x-one'], "
            "e.headers['x-number'], e.size",
          "PUT|/echo?q=1|a b|5|4");
    gives(*state, H "return json.decode(http.request({ url = base .. '/echo' }).body).method",
          "GET");
}

static void json_is_encoded_with_its_type(void **state)
{
    gives(*state,
          H "local e = json.decode(http.request({ url = base .. '/echo', "
            "json = { b = { 1, 2 }, a = json.array() } }).body) "
            "return e.method, e.headers['content-type'], e.body",
          "POST|application/json|{\"a\":[],\"b\":[1,2]}");
    gives(*state,
          H "local e = json.decode(http.request({ url = base .. '/echo', json = false, "
            "headers = { ['content-type'] = 'application/vnd.x+json' } }).body) "
            "return e.headers['content-type'], e.body",
          "application/vnd.x+json|false");
    gives(*state,
          H "local r, err, code = http.request { url = base .. '/echo', json = { f = print } } "
            "return r, err, code",
          "nil|.f: a function cannot be written as JSON|not_json");
}

static void any_status_is_a_response(void **state)
{
    gives(*state,
          H "local r = http.request { url = base .. '/status/404' } return r.status, r.body, "
            "http.request({ url = base .. '/status/500' }).status",
          "404|status body|500");
}

static void failures_have_codes(void **state)
{
    static const char *const cases[][2] = {
        { "http.request { url = base .. '/cut' }", "cut_off" },
        { "http.request { url = base .. '/never', timeout = 0.1 }", "timeout" },
        { "http.request { url = base .. '/stall', idle_timeout = 0.1 }", "timeout" },
        { "http.request { url = base .. '/bytes/1001', max_bytes = 1000 }", "too_large" },
        { "http.request { url = base .. '/circle' }", "too_many_redirects" },
        { "http.request { url = 'ftp://x/' }", "bad_url" },
        { "http.request { url = 'nonsense' }", "bad_url" },
        { "http.request { url = 'http://127.0.0.1:1/' }", "connection_refused" },
        { "http.request { url = base, headers = { ['A b'] = 'x' } }", "bad_argument" },
        { "http.request { url = base, method = 'GET IT' }", "bad_argument" },
        { "http.stream { url = base .. '/never', timeout = 0.1 }", "timeout" },
        { "http.stream { url = 'http://127.0.0.1:1/' }", "connection_refused" },
    };
    char source[512], wanted[64];

    for (size_t i = 0; i < countof(cases); i++) {
        snprintf(source, sizeof source, H "local r, err, code = %s return r, #err > 0, code",
                 cases[i][0]);
        snprintf(wanted, sizeof wanted, "nil|true|%s", cases[i][1]);
        gives(*state, source, wanted);
    }
}

static void redirects_are_followed_as_far_as_wanted(void **state)
{
    gives(
        *state,
        H
        "local url = base .. '/redirect?to=' .. http.escape(base .. '/chunked') "
        "local r = http.request { url = url } local s = http.request { url = url, redirects = 0 } "
        "return r.status, r.body, r.url == base .. '/chunked', s.status, #s.headers.location > 0",
        "200|one,two,three|true|302|true");
}

static void tries_are_repeated_when_asked(void **state)
{
    gives(*state,
          H
          "local function get(key, retry) return http.request { url = base .. '/flaky/' .. key .. "
          "'?fail=2&status=503', retry = retry } end "
          "local one = get('one') local three = get('three', { base = 0.001 }) "
          "local two = get('two', { attempts = 2, base = 0.001 }) "
          "return one.status, one.attempts, three.status, three.attempts, two.status, two.attempts",
          "503|1|200|3|503|2");
    gives(
        *state,
        H
        "local function post(key, unsafe) return http.request { url = base .. '/flaky/' .. key .. "
        "'?fail=1&status=503', body = 'x', retry = { base = 0.001, unsafe = unsafe } } end "
        "return post('p').status, post('q', true).status",
        "503|200");
}

static void a_secret_shows_in_no_error(void **state)
{
    static const char *const sources[] = {
        H "return select(2, http.request { url = 'http://127.0.0.1:1/?key=sesame', "
          "headers = { Authorization = 'sesame' } })",
        H "return select(2, pcall(http.request, { url = base, headers = { Authorization = "
          "'sesame\\0' } }))",
        H "return select(2, http.request { url = base, headers = { Authorization = "
          "'sesame\\nX: y' } })",
        H "return select(2, http.request { url = 'sesame://x', headers = { Key = 'sesame' } })",
        H "return select(2, http.request { url = base .. '/cut?key=sesame', timeout = 5 })",
        H "return select(2, http.stream { url = base .. '/reset?key=sesame' })",
    };
    struct job job;

    for (size_t i = 0; i < countof(sources); i++) {
        job_run(*state, &job, 20000, sources[i]);
        assert_int_equal(job.end, TASK_DONE);
        assert_true(job.text.len > 10);
        if (i != 3) /* there it is the scheme, which is not a secret */
            assert_null(strstr(buf_text(&job.text), "sesame"));
        job_free(&job);
    }
}

static void what_is_no_request_raises(void **state)
{
    fails(*state, H "http.request 'x'", "runtime", "table expected");
    fails(*state, H "http.request {}", "runtime", "field 'url': string expected");
    fails(*state, H "http.request { url = 'x', header = {} }", "runtime",
          "field 'header': there is no such option");
    fails(*state, H "http.request { url = 'x\\0' }", "runtime", "it has a NUL byte");
    fails(*state, H "http.request { url = 'x', headers = { 'X: y' } }", "runtime",
          "names must be strings");
    fails(*state, H "http.request { url = 'x', headers = { X = {} } }", "runtime",
          "the value of 'X' must be a string");
    fails(*state, H "http.request { url = 'x', body = 'a', json = 1 }", "runtime",
          "there is a body already");
    fails(*state, H "http.request { url = 'x', timeout = -1 }", "runtime", "field 'timeout'");
    fails(*state, H "http.request { url = 'x', retry = 3 }", "runtime", "table or false expected");
    fails(*state, H "http.request { url = 'x', retry = { tries = 3 } }", "runtime",
          "field 'retry.tries'");
}

static void many_go_on_at_once(void **state)
{
    gives(*state,
          H "local t = {} for i = 1, 100 do t[i] = i end "
            "local r = task.map(t, function(i) return #http.request({ url = base .. '/bytes/' .. i "
            "}).body end, 20) local sum = 0 for i = 1, 100 do sum = sum + r[i] end return sum",
          "5050");
}

static void cancelling_ends_a_request(void **state)
{
    struct lua *lua = *state;
    struct job job;

    job_start(lua, &job, 0, H "http.request { url = base .. '/never', timeout = 1000 }");
    for (int i = 0; i < 20; i++)
        uv_run(&lua->loop, UV_RUN_NOWAIT);
    task_cancel(job.task);
    assert_int_equal(job.end, TASK_CANCELLED);
    job_free(&job);
}

static void texts_are_escaped(void **state)
{
    gives(*state, H "return http.escape 'aZ09-._~ /?&=%+\\0\\xc3\\xa9', http.escape ''",
          "aZ09-._~%20%2F%3F%26%3D%25%2B%00%C3%A9|");
}

/* --- stream -------------------------------------------------------------------------- */

static void events_come_one_by_one(void **state)
{
    static const char source[] = H
        "local s <close> = assert(http.stream { url = base .. '/sse?each=%d' }) local t = {} "
        "for e in function() return (s:event()) end do "
        "t[#t + 1] = e.event .. ':' .. e.data:gsub('\\n', '/') .. ':' .. tostring(e.id) end "
        "return s.status, s.headers['content-type'], table.concat(t, ' '), select('#', s:event())";
    char text[1024];

    for (int each = 1; each <= 1000; each = each * 10) {
        snprintf(text, sizeof text, source, each);
        gives(*state, text,
              "200|text/event-stream|message:first:nil delta:{\"text\":\"a\\nb\"}:7 "
              "message:line 1/line 2:7 message:\xe2\x82\xac:7 message:[DONE]:7|1");
    }
}

static void bytes_come_as_they_are(void **state)
{
    gives(*state,
          H "local s <close> = http.stream { url = base .. '/bytes/3000000' } local n = 0 "
            "for bytes in function() return (s:read()) end do n = n + #bytes end "
            "return n, select('#', s:read())",
          "3000000|1");
}

static void a_slow_reader_holds_the_server_back(void **state)
{
    gives(*state,
          H "local s <close> = http.stream { url = base .. '/bytes/30000000' } "
            "local most, n = 0, 0 for bytes in function() return (s:read()) end do "
            "http.request { url = base .. '/echo' } "
            "n = n + #bytes most = math.max(most, #bytes) if n > 2000000 then break end end "
            "return most < 600000",
          "true");
}

static void a_stream_that_breaks_gives_what_came_first(void **state)
{
    gives(*state,
          H "local s <close> = http.stream { url = base .. '/cut' } "
            "local bytes, none, err, code = s:read(), s:read() "
            "return bytes, none, #err > 0, code, select(3, s:read())",
          "ten bytes.|nil|true|cut_off|cut_off");
    gives(*state,
          H
          "local s <close>, _, code = http.stream { url = base .. '/stall?send=data:+x', "
          "idle_timeout = 0.1 } return s and select(3, s:event()) or code", /* late: no head yet */
          "timeout");
}

static void closing_ends_it(void **state)
{
    gives(*state,
          H "local s = http.stream { url = base .. '/stall?send=x' } s:read() s:close() s:close() "
            "return select(3, s:read()), select(3, s:event())",
          "closed|closed");
    gives(*state,
          H "local s = http.stream { url = base .. '/stall?send=x' } s:read() "
            "return task.map({ 1, 2 }, function(_, i) if i == 2 then s:close() return 'closed it' "
            "end return select(3, s:read()) end)[1]",
          "closed");
}

static void one_task_at_a_time_reads(void **state)
{
    gives(*state,
          H "local s <close> = http.stream { url = base .. '/stall?send=x' } s:read() "
            "local r = task.map({ 1, 2 }, function(_, i) if i == 2 then local code = "
            "select(3, s:read()) s:close() return code end return select(3, s:read()) end) "
            "return r[1], r[2]",
          "closed|busy");
    fails(*state, H "local s <close> = http.stream { url = base .. '/sse' } s:event() s:read()",
          "runtime", "event() reads this stream");
}

static void cancelling_leaves_nothing_behind(void **state)
{
    static const char *const sources[] = {
        H "http.stream { url = base .. '/never' }",
        H "local s <close> = http.stream { url = base .. '/stall?send=x' } s:read() s:read()",
        H "local s = http.stream { url = base .. '/stall?send=x' } s:read() s:read()",
    };
    struct lua *lua = *state;
    struct job job;

    for (size_t i = 0; i < countof(sources); i++) {
        job_run(lua, &job, 300, sources[i]);
        assert_int_equal(job.end, TASK_TIMED_OUT);
        job_free(&job);
    }
}

static void a_kept_stream_goes_on_in_another_call(void **state)
{
    gives(*state,
          H "local kept = require('sys.state').open 'x' "
            "kept.s = http.stream { url = base .. '/sse?each=7' } return kept.s:event().data",
          "first");
    gives(*state, "local s <close> = require('sys.state').open('x').s return s:event().event",
          "delta");
}

/* --- main ------------------------------------------------------------------------------ */

static int start_server(void **state)
{
    forget_proxies();
    if (server_setup(state) != 0)
        return -1;
    return setenv("BASE", at(""), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LUA_CASE(a_response_has_all_its_parts),
        LUA_CASE(what_is_asked_arrives),
        LUA_CASE(json_is_encoded_with_its_type),
        LUA_CASE(any_status_is_a_response),
        LUA_CASE(failures_have_codes),
        LUA_CASE(redirects_are_followed_as_far_as_wanted),
        LUA_CASE(tries_are_repeated_when_asked),
        LUA_CASE(a_secret_shows_in_no_error),
        LUA_CASE(what_is_no_request_raises),
        LUA_CASE(many_go_on_at_once),
        LUA_CASE(cancelling_ends_a_request),
        LUA_CASE(texts_are_escaped),
        LUA_CASE(events_come_one_by_one),
        LUA_CASE(bytes_come_as_they_are),
        LUA_CASE(a_slow_reader_holds_the_server_back),
        LUA_CASE(a_stream_that_breaks_gives_what_came_first),
        LUA_CASE(closing_ends_it),
        LUA_CASE(one_task_at_a_time_reads),
        LUA_CASE(cancelling_leaves_nothing_behind),
        LUA_CASE(a_kept_stream_goes_on_in_another_call),
    };

    alarm(HANG_SECONDS);
    return cmocka_run_group_tests_name("sys.http", tests, start_server, server_teardown);
}
