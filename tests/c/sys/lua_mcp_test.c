/* sys.mcp from Lua, against a server that misbehaves. Each case is a script that
 * runs in a task; assert() and error() in it fail the case. */
#include "io_help.h"

#include <lauxlib.h>

#include "base/buf.h"
#include "base/log.h"
#include "script/bind.h"
#include "script/sandbox/sandbox.h"
#include "script/task.h"
#include "script/vm.h"
#include "sys/shared/tool_call.h"
#include "sys/sys.h"

#define DOUBLE "tests/lib/mcp_server_double.py"

static struct vm *vm;
static struct sandbox *sandbox;
static char *folder;
static bool have_double;

static struct ran {
    bool ended;
    enum task_end end;
    struct error err;
    char *trace;
} ran;

static const char prelude[] =
    "local mcp = require 'sys.mcp'\n"
    "local function server(...)\n"
    "  return { command = 'python3', args = { '" DOUBLE
    "', '--journal', JOURNAL, ... }, timeout = 200 }\n"
    "end\n"
    "local function connect(spec)\n"
    "  local client, err, code = mcp.connect(spec)\n"
    "  if not client then error(code .. ': ' .. err, 2) end\n"
    "  return client\n"
    "end\n"
    "local function same(got, want)\n"
    "  if got ~= want then error(('got %s, expected %s'):format(tostring(got), tostring(want)), 2) "
    "end\n"
    "end\n"
    "local function has(text, part)\n"
    "  if not text:find(part, 1, true) then error(('%q is not in %q'):format(part, text), 2) end\n"
    "end\n";

static void on_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    (void)arg;
    (void)nresults;
    ran.ended = true;
    ran.end = end;
    if (end == TASK_FAILED)
        task_error(task, &ran.err, &ran.trace);
}

static struct task *start_script(const char *script, uint64_t timeout_ms)
{
    struct task_spec spec = { .name = "script", .timeout_ms = timeout_ms, .ended = on_ended };
    struct buf text = { 0 };
    struct error err;
    struct task *task;

    if (!have_double)
        skip();
    buf_addf(&text, "local JOURNAL = '%s/journal'\n%s%s", folder, prelude, script);
    if (!sandbox_load(sandbox, "script", text.data, text.len, &err))
        fail_msg("%s", err.text);
    buf_free(&text);
    task = task_new(vm_lua(vm), 0, &spec, &err);
    assert_non_null(task);
    task_go(task);
    return task;
}

static void run_script(const char *script)
{
    start_script(script, 0);
    run_until(&ran.ended);
    if (ran.end == TASK_FAILED)
        fail_msg("%s", ran.trace ? ran.trace : ran.err.text);
    assert_int_equal(ran.end, TASK_DONE);
}

/* The double's journal, lines separated by ";". Valid until the next call. */
static const char *happened(void)
{
    static char text[4096];
    char *path = mem_printf("%s/journal", folder);
    FILE *file = fopen(path, "r");
    size_t len = file ? fread(text, 1, sizeof text - 1, file) : 0;

    if (file)
        fclose(file);
    free(path);
    text[len] = '\0';
    for (size_t i = 0; i < len; i++)
        text[i] = text[i] == '\n' ? ';' : text[i];
    return text;
}

/* --- sessions --------------------------------------------------------------------- */

static void a_client_knows_its_server(void **state)
{
    (void)state;
    run_script("local client = connect(server('--era', 'modern'))\n"
               "same(client.era, 'modern')\n"
               "same(client.version, '2026-07-28')\n"
               "same(client.server.name, 'double')\n"
               "same(client.server.title, 'A double')\n"
               "same(client.instructions, 'be kind')\n"
               "same(client:running(), true)\n"
               "same(client.nothing, nil)\n"
               "client:close()\n"
               "same(client:running(), false)\n"
               "client:close()\n"
               "client = connect(server('--era', 'legacy'))\n"
               "same(client.era, 'legacy')\n"
               "same(client.version, '2025-11-25')\n"
               "same(client.server.version, '1.0')\n");
}

static void a_pinned_era_is_used(void **state)
{
    (void)state;
    run_script("local spec = server()\n"
               "spec.era = 'legacy'\n"
               "local client <close> = connect(spec)\n"
               "same(client.era, 'legacy')\n");
    assert_null(strstr(happened(), "discover"));
}

static void what_cannot_be_started_is_an_error_with_a_code(void **state)
{
    (void)state;
    run_script(
        "local client, err, code = mcp.connect { command = '/nonexistent/server' }\n"
        "same(client, nil)\n"
        "same(code, 'not_found')\n"
        "has(err, '/nonexistent/server')\n"
        "client, err, code = mcp.connect { command = 'sh', args = { '-c', 'echo hmm >&2; exit 7' } "
        "}\n"
        "same(client, nil)\n"
        "same(code, 'closed')\n"
        "has(err, 'exited with status 7')\n"
        "has(err, 'hmm')\n"
        "local spec = server('--era', 'legacy', '--version', '1999-01-01')\n"
        "client, err, code = mcp.connect(spec)\n"
        "same(code, 'protocol')\n"
        "has(err, '1999-01-01')\n"
        "client, err, code = mcp.connect { command = 'sleep', args = { '1000' }, era = 'legacy',"
        "                                  timeout = 0.01 }\n"
        "same(code, 'timeout')\n");
}

/* No Python starts within a millisecond. */
static void a_server_has_as_long_to_start_as_the_probe_says(void **state)
{
    (void)state;
    run_script("local spec = server('--era', 'dual')\n"
               "spec.probe = 200\n"
               "same(connect(spec).era, 'modern')\n"
               "spec.probe = 0.001\n"
               "same(connect(spec).era, 'legacy')\n");
}

static void a_wrong_spec_raises(void **state)
{
    (void)state;
    run_script("local function wrong(spec, part)\n"
               "  local ok, err = pcall(mcp.connect, spec)\n"
               "  same(ok, false)\n"
               "  has(tostring(err), part)\n"
               "end\n"
               "wrong(nil, 'table expected')\n"
               "wrong({}, 'command')\n"
               "wrong({ command = 7 }, 'command')\n"
               "wrong({ command = '' }, 'command')\n"
               "wrong({ command = 'a\\0b' }, 'NUL')\n"
               "wrong({ command = 'x', args = 'y' }, 'args')\n"
               "wrong({ command = 'x', args = { 'y', 7 } }, 'args')\n"
               "wrong({ command = 'x', env = { 'y' } }, 'env')\n"
               "wrong({ command = 'x', env = { A = 7 } }, 'env')\n"
               "wrong({ command = 'x', env = { ['A=B'] = 'c' } }, 'env')\n"
               "wrong({ command = 'x', cwd = {} }, 'cwd')\n"
               "wrong({ command = 'x', era = 'new' }, 'era')\n"
               "wrong({ command = 'x', era = 'legacy', probe = 5 }, 'probe')\n"
               "wrong({ command = 'x', probe = false }, 'probe')\n"
               "wrong({ command = 'x', probe = 0 }, 'probe')\n"
               "wrong({ command = 'x', probe = 'long' }, 'probe')\n"
               "wrong({ command = 'x', timeout = 0 }, 'timeout')\n"
               "wrong({ command = 'x', timeout = '?' }, 'timeout')\n"
               "wrong({ command = 'x', timeout = 10, max_timeout = 9 }, 'max_timeout')\n"
               "wrong({ command = 'x', log = true }, 'log')\n");
}

static void environment_and_folder_reach_the_server(void **state)
{
    (void)state;
    run_script(
        "local spec = { command = 'sh', args = { '-c', 'echo \"$A|$B|$(pwd)\" >&2; exit 1' },"
        "               env = { A = 'x y', B = '' }, cwd = '/' }\n"
        "local client, err = mcp.connect(spec)\n"
        "same(client, nil)\n"
        "has(err, 'x y||/')\n");
}

static void the_log_gets_every_line_even_when_it_waits(void **state)
{
    (void)state;
    run_script("local lines = {}\n"
               "local spec = server('--greet')\n"
               "local inner\n"
               "function spec.log(line)\n"
               "  lines[#lines + 1] = line\n"
               "  if inner and line == 'a line for people' then\n"
               "    lines[#lines + 1] = inner:call('echo', { n = 1 }).text\n"
               "  end\n"
               "end\n"
               "local client <close> = connect(spec)\n"
               "inner = client\n"
               "client:call('announce')\n"
               "while #lines < 4 do client:call('echo') end\n"
               "has(lines[1], 'Double server 1.0')\n"
               "local all = table.concat(lines, '\\n')\n"
               "has(all, 'db: slow')\n"
               "has(all, 'a line for people\\n{\"n\": 1}')\n");
}

static void a_log_that_fails_does_not_end_the_session(void **state)
{
    (void)state;
    run_script("local spec = server()\n"
               "spec.log = function() error('oops') end\n"
               "local client <close> = connect(spec)\n"
               "client:call('announce')\n"
               "client:call('announce')\n"
               "same(client:call('echo').text, '{}')\n");
}

/* --- calls ------------------------------------------------------------------------ */

static void a_tool_answers(void **state)
{
    (void)state;
    run_script("for _, era in ipairs { 'legacy', 'modern' } do\n"
               "  local client <close> = connect(server('--era', era))\n"
               "  local result = client:call('echo', { text = '\\u{e9}', list = { 1, 2 } })\n"
               "  same(result.text, '{\"list\": [1, 2], \"text\": \"\\\\u00e9\"}')\n"
               "  same(#result.content, 1)\n"
               "  same(result.isError, nil)\n"
               "  same(client:call('echo', {}).text, '{}')\n"
               "  same(client:call('echo').text, '{}')\n"
               "end\n");
}

static void a_tool_that_fails_is_a_result(void **state)
{
    (void)state;
    run_script("local client <close> = connect(server())\n"
               "local result = client:call('structured', { a = { b = {} } })\n"
               "same(result.isError, true)\n"
               "same(result.text, 'one\\ntwo')\n"
               "same(result.structuredContent.a.b ~= nil, true)\n");
}

static void a_refusal_comes_with_text_code_and_data(void **state)
{
    (void)state;
    run_script("local client <close> = connect(server())\n"
               "local result, err, code, data = client:call('refuse')\n"
               "same(result, nil)\n"
               "same(err, 'no, thank you (-32050)')\n"
               "same(code, 'rpc_error')\n"
               "same(data.why[1], 'because')\n"
               "result, err, code, data = client:call('nope')\n"
               "has(err, 'Tool nope not found')\n"
               "same(data, nil)\n"
               "result, err, code = client:request('no/such', { a = 1 })\n"
               "same(code, 'rpc_error')\n");
}

static void wrong_arguments_raise(void **state)
{
    (void)state;
    run_script("local client <close> = connect(server())\n"
               "local function wrong(part, ...)\n"
               "  local ok, err = pcall(...)\n"
               "  same(ok, false)\n"
               "  has(tostring(err), part)\n"
               "end\n"
               "wrong('string expected', client.call, client)\n"
               "wrong('table expected', client.call, client, 'echo', 7)\n"
               "wrong('not a list', client.call, client, 'echo', { 1, 2 })\n"
               "wrong('function', client.call, client, 'echo', { f = print })\n"
               "wrong('timeout', client.call, client, 'echo', {}, { timeout = -1 })\n"
               "wrong('progress', client.call, client, 'echo', {}, { progress = 1 })\n"
               "wrong('sys.mcp.client', client.call, {}, 'echo')\n"
               "wrong('sys.mcp.client', client.running, 'x')\n"
               "same(client:call('echo').text, '{}')\n");
}

static void progress_is_told_in_order(void **state)
{
    (void)state;
    run_script("local client <close> = connect(server())\n"
               "local seen = {}\n"
               "local result = client:call('steps', { steps = 3 }, {\n"
               "  progress = function(done, total, message)\n"
               "    seen[#seen + 1] = ('%s/%s %s'):format(done, total, message)\n"
               "  end })\n"
               "same(result.text, 'done')\n"
               "same(table.concat(seen, ', '), '1/3 step 1, 2/3 step 2, 3/3 step 3')\n");
}

static void a_call_times_out_by_itself(void **state)
{
    (void)state;
    run_script("local client <close> = connect(server())\n"
               "local result, err, code = client:call('never', {}, { timeout = 0.02 })\n"
               "same(result, nil)\n"
               "same(code, 'timeout')\n"
               "same(client:call('echo').text, '{}')\n");
    assert_non_null(strstr(happened(), "notifications/cancelled"));
}

static void a_task_at_its_deadline_cancels_its_call(void **state)
{
    (void)state;
    run_script("local client = connect(server())\n"
               "local task = require 'sys.task'\n"
               "local ok, err, code = task.with_timeout(0.05, function() return "
               "client:call('never') end)\n"
               "same(ok, nil)\n"
               "same(code, 'timeout')\n"
               "same(client:call('echo').text, '{}')\n");
    assert_non_null(
        strstr(happened(), "got tools/call;got notifications/cancelled;got tools/call"));
}

static void calls_of_one_client_run_at_once(void **state)
{
    (void)state;
    run_script("local client <close> = connect(server())\n"
               "local task = require 'sys.task'\n"
               "local names = { 'hold', 'hold', 'release' }\n"
               "local texts = task.map(names, function(name) return client:call(name).text end)\n"
               "has(texts[1], 'held')\n"
               "has(texts[2], 'held')\n"
               "same(texts[3], 'released')\n");
}

static void a_dead_server_ends_its_calls_and_the_client(void **state)
{
    (void)state;
    run_script("local client = connect(server())\n"
               "local result, err, code = client:call('die')\n"
               "same(result, nil)\n"
               "same(code, 'closed')\n"
               "has(err, 'exited with status 3')\n"
               "has(err, 'out of')\n"
               "result, err, code = client:call('echo')\n"
               "same(code, 'closed')\n"
               "has(err, 'exited with status 3')\n"
               "same(client:running(), false)\n"
               "client:close()\n");
}

static void a_large_answer_arrives_whole(void **state)
{
    (void)state;
    run_script("local client <close> = connect(server())\n"
               "same(#client:call('huge', { size = 1000000 }).text, 1000000)\n"
               "local result, err, code = client:call('huge', { size = 11000000 })\n"
               "same(result, nil)\n"
               "same(code, 'too_large')\n");
}

/* --- lists and prompts ------------------------------------------------------------ */

static void lists_have_all_their_pages(void **state)
{
    (void)state;
    run_script("local client <close> = connect(server('--pages', '3'))\n"
               "local tools = client:list_tools()\n"
               "same(#tools, 3)\n"
               "same(tools[3].name, 'tool2')\n"
               "same(tools[1].inputSchema.type, 'object')\n"
               "same(client:list_prompts()[1].name, 'hello')\n"
               "local prompt = client:get_prompt('hello', { who = 'me' })\n"
               "same(prompt.messages[1].content.text, '{\"who\": \"me\"}')\n"
               "same(client:request('prompts/list').prompts[1].name, 'hello')\n");
}

static void a_list_that_does_not_end_is_an_error(void **state)
{
    (void)state;
    run_script("local client <close> = connect(server('--pages', '3', '--repeat-cursor'))\n"
               "local tools, err, code = client:list_tools()\n"
               "same(tools, nil)\n"
               "same(code, 'protocol')\n"
               "has(err, 'cursor')\n");
}

/* --- ends ------------------------------------------------------------------------- */

static void close_waits_for_the_orderly_end(void **state)
{
    (void)state;
    run_script("local client = connect(server('--era', 'modern'))\n"
               "client:close()\n");
    assert_string_equal(happened(), "start;got server/discover;eof;");
}

static void a_client_nobody_holds_closes_in_the_background(void **state)
{
    (void)state;
    run_script("connect(server('--era', 'modern'))\n");
    lua_gc(vm_lua(vm), LUA_GCCOLLECT);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_string_equal(happened(), "start;got server/discover;eof;");
}

static void a_task_may_be_cancelled_while_it_connects(void **state)
{
    struct task *task;

    (void)state;
    task = start_script("mcp.connect { command = 'sleep', args = { '1000' } }", 0);
    assert_false(ran.ended);
    task_cancel(task);
    assert_true(ran.ended);
    assert_int_equal(ran.end, TASK_CANCELLED);
}

static void the_end_of_the_vm_ends_everything(void **state)
{
    (void)state;
    start_script("local spec = server('--ignore-eof', '--ignore-term')\n"
                 "spec.log = function() end\n"
                 "local client = connect(spec)\n"
                 "client:call('never', {}, { progress = function() end })\n",
                 0);
    while (!strstr(happened(), "got tools/call"))
        uv_run(&loop, UV_RUN_ONCE);
    assert_false(ran.ended);
}

/* --- main ------------------------------------------------------------------------- */

static int setup(void **state)
{
    static const struct sandbox_spec spec = { 0 };
    struct error err;

    ran = (struct ran){ 0 };
    folder = temp_make();
    if (loop_setup(state) != 0)
        return -1;
    vm = vm_new(&loop, NULL, &err);
    vm_run(vm, bind_init, NULL, &err);
    vm_add_module(vm, "sys.mcp", luaopen_sys_mcp);
    vm_add_module(vm, "sys.task", luaopen_sys_task);
    sandbox = sandbox_new(vm, &spec);
    return 0;
}

static int teardown(void **state)
{
    int rc;

    sandbox_free(sandbox);
    vm_free(vm);
    free(ran.trace);
    rc = loop_teardown(state);
    temp_remove(folder); /* the servers write there to the last */
    free(folder);
    return rc;
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_client_knows_its_server),
        CASE(a_pinned_era_is_used),
        CASE(a_server_has_as_long_to_start_as_the_probe_says),
        CASE(what_cannot_be_started_is_an_error_with_a_code),
        CASE(a_wrong_spec_raises),
        CASE(environment_and_folder_reach_the_server),
        CASE(the_log_gets_every_line_even_when_it_waits),
        CASE(a_log_that_fails_does_not_end_the_session),
        CASE(a_tool_answers),
        CASE(a_tool_that_fails_is_a_result),
        CASE(a_refusal_comes_with_text_code_and_data),
        CASE(wrong_arguments_raise),
        CASE(progress_is_told_in_order),
        CASE(a_call_times_out_by_itself),
        CASE(a_task_at_its_deadline_cancels_its_call),
        CASE(calls_of_one_client_run_at_once),
        CASE(a_dead_server_ends_its_calls_and_the_client),
        CASE(a_large_answer_arrives_whole),
        CASE(lists_have_all_their_pages),
        CASE(a_list_that_does_not_end_is_an_error),
        CASE(close_waits_for_the_orderly_end),
        CASE(a_client_nobody_holds_closes_in_the_background),
        CASE(a_task_may_be_cancelled_while_it_connects),
        CASE(the_end_of_the_vm_ends_everything),
    };

    log_set_level(LOG_ERROR);
    have_double = access(DOUBLE, R_OK) == 0 && system("python3 -c pass >/dev/null 2>&1") == 0;
    if (!have_double)
        fprintf(stderr, "skipped: python3 or %s (run from the project's folder)\n", DOUBLE);
    return cmocka_run_group_tests_name("lua_mcp", tests, NULL, NULL);
}
