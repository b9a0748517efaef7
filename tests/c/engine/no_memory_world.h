/* The engine of no_memory_test.c, and its folder. */
#ifndef PERIGEE_TESTS_NO_MEMORY_WORLD_H
#define PERIGEE_TESTS_NO_MEMORY_WORLD_H

#include "failing_memory.h"
#include "io_help.h"

#include <lauxlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/module.h"
#include "engine/engine.h"
#include "files/file.h"
#include "guest/child/server.h"
#include "json/document.h"
#include "mcp/server/server.h"

#define SERVER "tests/lib/mcp_server_double.sh"

/* --- an engine on a folder of its own ------------------------------------------------------ */

struct world {
    char *folder;
    struct engine *engine;
    struct server *server;
    struct session *session;
    struct sink sink;
    struct buf message, answer; /* the one with the last id */
    struct failing failing;
    unsigned id;
    bool answered;
    uv_timer_t patience;
    const char *what; /* the event that is awaited */
};

enum { PATIENCE_MS = 60000 };

static void put(const char *folder, const char *name, const char *text)
{
    char *path = mem_printf("%s/%s", folder, name);
    FILE *file;

    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(path);
}

/* Links the files of the policy, without which nothing may be called, and those that make tools of
 * foreign files. The policy reads facts about every effect, and lets all pass. */
static void link_policy(const char *folder)
{
    static const char *const parts[] = { "lib/policy",       "lib/foreign", "lib/foreign.lua",
                                         "lib/rect.lua",     "lib/dbus",    "lib/sys",
                                         "lib/word_set.lua", "lib/border",  "lib/schema.lua" };
    char *cwd = getcwd(NULL, 0);

    for (size_t i = 0; i < countof(parts); i++) {
        char *from = mem_printf("%s/lua/%s", cwd, parts[i]), *to = path_join(folder, parts[i]);

        assert_int_equal(symlink(from, to), 0);
        free(from);
        free(to);
    }
    free(cwd);
    put(folder, "policy.lua",
        "return { rules = {\n"
        "  { deny = 'it is from elsewhere', effect = { 'file', 'process', 'request', 'mail', "
        "'clipboard' },\n"
        "    text = 'nobody writes this', from = { 'screen', 'web' } },\n"
        "  { allow = true } } }");
}

/* Puts one tool, and the files it requires. */
static void put_little(const char *folder)
{
    put(folder, "lib/twice.lua", "return { twice = function(x) return x * 2 end }");
    link_policy(folder);
    put(folder, "tools/t/echo.lua",
        "local lib = require 'twice'\n"
        "return { description = 'Echo.', annotations = { readOnlyHint = true },\n"
        "  inputSchema = { type = 'object', properties = { x = { type = 'number' } } },\n"
        "  outputSchema = { type = 'object', properties = { x = { type = 'number' } } },\n"
        "  run = function(args, call)\n"
        "    call:log('info', { seen = args.x }) call:progress(1, 2, 'half')\n"
        "    return { x = lib.twice(args.x or 1) }\n"
        "  end }");
}

static void put_tree(const char *folder)
{
    put_little(folder);
    put(folder, "tools/t/whole.lua",
        "return { description = 'A whole result.', inputSchema = { type = 'object' },\n"
        "  run = function(_, call)\n"
        "    return call:result { content = { call:text 'a', call:image('x', 'image/png') },\n"
        "      structuredContent = { a = { 1, 2 } }, _meta = { k = 'v' } }\n"
        "  end }");
    put(folder, "tools/t/fails.lua",
        "return { description = 'Fail.', inputSchema = { type = 'object' }, run = function() error "
        "{ 'no text' } end }");
    put(folder, "tools/t/typed.lua",
        "local console, log, time = require 'sys.console', require 'sys.log', require 'sys.time'\n"
        "return { description = 'A prompt.', inputSchema = { type = 'object' }, run = function()\n"
        "  local seen, prompt = {}, console.prompt()\n"
        "  local reader <close> = console.read_log { last = 5, level = 'debug' }\n"
        "  local ok, value, why = prompt:run('x = { 1, a = {} } print(x) return x', { printed = "
        "function(lines)\n"
        "    time.sleep(0.001) seen[1] = lines\n"
        "  end })\n"
        "  log.debug { said = { 1 } }\n"
        "  local calls, tasks = console.calls()\n"
        "  local lines = reader:next()\n"
        "  local _, kind, text = prompt:run 'error { x }'\n"
        "  if text:find 'memory' then error(text) end\n"
        "  if not ok then error(why) end\n"
        "  return ('%s %s %s %s %d'):format(seen[1], value.a and 'table', #lines > 0, kind, "
        "#calls)\n"
        "end }");
    put(folder, "tools/t/mapped.lua",
        "local perigee, task, time = require 'perigee', require 'sys.task', require 'sys.time'\n"
        "local trace = require 'sys.trace'\n"
        "return { description = 'Several at once.', inputSchema = { type = 'object' }, run = "
        "function()\n"
        "  local sums = task.map({ 1, 2, 3 }, function(x)\n"
        "    time.sleep(0.001)\n"
        "    return perigee.tools.echo { x = x }.x\n"
        "  end, 2)\n"
        "  local late, why = task.with_timeout(0.001, function() time.sleep(1) end)\n"
        "  local held <close> = task.lock 'one'\n"
        "  local aside = task.apart('aside', function() time.sleep(0.001) task.signal 'x' end)\n"
        "  task.with_timeout(0.01, function() task.await 'x' end)\n"
        "  aside:stop()\n"
        "  local pipe = task.channel(1)\n"
        "  local sender = assert(task.spawn(function(...) pipe:send { ... } pipe:close() return "
        "... "
        "end, 1, {}))\n"
        "  while pipe:receive(0.05) do end\n"
        "  assert(sender:join(20))\n"
        "  task.map({ 1, 2 }, error, { collect = true })\n"
        "  local function looked_on() return task.map({ 1 }, function() time.sleep(0) return {} "
        "end) end\n"
        "  trace.calls(looked_on, { called = function(...) return { ... } end, returned = print "
        "})\n"
        "  trace.profile(looked_on)\n"
        "  return ('%d %s'):format(sums[1] + sums[2] + sums[3], why and 'late' or late)\n"
        "end }");
    put(folder, "tools/t/script.lua",
        "local engine = require 'sys.engine'\n"
        "return { description = 'A script.', inputSchema = { type = 'object' }, run = function(_, "
        "call)\n"
        "  local result, why, code = engine.run_lua [[\n"
        "    print 'seen'\n"
        "    local lib = require 'twice'\n"
        "    for name in pairs(tools) do print(name) end\n"
        "    return { lib.twice(tools.echo { x = 3 }.x) }]]\n"
        "  if not result then return nil, why, code end\n"
        "  return tostring(result.value[1])\n"
        "end }");
    put(folder, "tools/t/asks.lua",
        "local engine, json, task = require 'sys.engine', require 'sys.json', require 'sys.task'\n"
        "return { description = 'What other entries give.', inputSchema = { type = 'object' },\n"
        "  run = function()\n"
        "    local all = {}\n"
        "    local function add(value, why) all[#all + 1] = assert(value, why) end\n"
        "    local whole = assert(engine.call('whole', {}))\n"
        "    if whole.isError then return nil, whole.text, whole.code end\n"
        "    add(whole.structuredContent.a[2])\n"
        "    add(assert(engine.read('test://note/q'))[1].text)\n"
        "    add(#engine.tools())\n"
        "    add(assert(json.decode(assert(json.encode({ a = { 1.5, true, 'x' } }, { pretty = true "
        "})))).a[3])\n"
        "    add(json.check({ type = 'string' }, 'x'))\n"
        "    add(select(2, pcall(task.map, { 1 }, function() error 'boom' end)))\n"
        "    add(('a-b'):gsub('%w', { a = 'c' }))\n"
        "    for i, value in ipairs(all) do all[i] = tostring(value) end\n"
        "    return table.concat(all, ' ')\n"
        "  end }");
    put(folder, "tools/t/files.lua",
        "local fs, crypto, state = require 'sys.fs', require 'sys.crypto', require 'sys.state'\n"
        "local text, env, time = require 'sys.text', require 'sys.env', require 'sys.time'\n"
        "return { description = 'Files and such.', inputSchema = { type = 'object' },\n"
        "  run = function()\n"
        "    local folder = assert(fs.resolve(env.get 'PERIGEE_LUA')) .. '/box'\n"
        "    assert(fs.make_folder(folder))\n"
        "    assert(fs.write(folder .. '/a', 'text'))\n"
        "    assert(fs.append(folder .. '/a', ' more'))\n"
        "    fs.remove(folder .. '/b')\n"
        "    assert(fs.copy(folder .. '/a', folder .. '/b'))\n"
        "    local size = assert(fs.stat(folder .. '/b')).size\n"
        "    local count = #assert(fs.list(folder))\n"
        "    local back = assert(fs.read(folder .. '/b'))\n"
        "    assert(fs.remove(folder .. '/b'))\n"
        "    state.open('t').seen = crypto.base64(crypto.sha256(back))\n"
        "    return ('%d %d %s %s'):format(count, size, text.distance(back, 'text', 9), "
        "time.iso(0))\n"
        "  end }");
    put(folder, "tools/t/helpers.lua",
        "local crypto, fs = require 'sys.crypto', require 'sys.fs'\n"
        "local regex, text = require 'sys.regex', require 'sys.text'\n"
        "local env, time = require 'sys.env', require 'sys.time'\n"
        "return { description = 'Helpers.', inputSchema = { type = 'object' },\n"
        "  run = function()\n"
        "    local path = assert(fs.resolve(env.get 'PERIGEE_LUA')) .. '/digest'\n"
        "    assert(fs.write(path, 'abc'))\n"
        "    local matcher = regex.matcher(assert(regex.pattern('(?<a>b)|(x)', 'i')), '\\xffaB')\n"
        "    local first = assert(matcher:find(1))\n"
        "    regex.pattern('(')\n"
        "    return table.concat({ assert(text.convert('aé\\xff', 'upper')), "
        "select(3, text.walk('é日', 1)), first,\n"
        "      matcher:captures().a, crypto.hex(crypto.md5 'abc'), crypto.crc32 'abc', "
        "assert(crypto.unhex '41'),\n"
        "      assert(fs.digest(path, 'md5')), (select(2, time.offset(0))) }, ' ')\n"
        "  end }");
    put(folder, "tools/t/mailed.lua",
        "local mime, secrets, smtp = require 'sys.mime', require 'sys.secrets', require "
        "'sys.smtp'\n"
        "return { description = 'Mail.', inputSchema = { type = 'object' },\n"
        "  run = function()\n"
        "    local _, why, unread = secrets.read_file 'no such file'\n"
        "    local _, other, unsent, certain = smtp.send { host = '127.0.0.1', port = 1, tls = "
        "'plain', from = 'a@b.c',\n"
        "      recipients = { 'd@e.f', 'g@h.i' }, message = 'x', user = 'u', password = 'p' }\n"
        "    if unread ~= 'not_found' then error(why) end\n"
        "    if unsent ~= 'connection_refused' or not certain then error(other) end\n"
        "    local bytes, err, code = mime.build { from = { { address = 'a@b.c', name = 'é' } },\n"
        "      to = { { address = 'd@e.f' }, { address = 'g@h.i' } }, subject = 'mailed', text = "
        "'x', "
        "html = 'y',\n"
        "      id = '1@b', references = { '2@b', '3@b' }, date = 1, attachments = { { bytes = 'z' "
        "} } "
        "}\n"
        "    if code == 'not_built' then return 'mailed' end\n"
        "    if not bytes then error(err) end\n"
        "    local got = assert(mime.read(bytes, { bytes = true }))\n"
        "    return got.subject .. got.attachments[1].bytes .. got.references[2]\n"
        "  end }");
    put(folder, "tools/t/hooked.lua",
        "local http, task, webhook = require 'sys.http', require 'sys.task', require "
        "'sys.webhook'\n"
        "return { description = 'A webhook.', inputSchema = { type = 'object' },\n"
        "  run = function()\n"
        "    local hook <close> = assert(webhook.open { methods = { 'POST' }, signature = 'X', "
        "secret = 's' })\n"
        "    return task.map({ 1, 2 }, function(i)\n"
        "      if i == 1 then\n"
        "        local request, fields = hook:next(20)\n"
        "        return assert(request:answer(200, { 'X-A', fields.query }, fields.body .. "
        "fields.headers.host))\n"
        "      end\n"
        "      local answer = assert(http.request { url = "
        "('http://127.0.0.1:%d/?a=b'):format(hook:port()), "
        "body = 'sent to ',\n"
        "        headers = { Authorization = 'Bearer s' }, timeout = 20 })\n"
        "      return answer.body .. ' ' .. answer.headers['x-a']\n"
        "    end)[2]\n"
        "  end }");
    put(folder, "tools/t/redirected.lua",
        "local http, task, webhook = require 'sys.http', require 'sys.task', require "
        "'sys.webhook'\n"
        "return { description = 'A redirect.', inputSchema = { type = 'object' },\n"
        "  run = function()\n"
        "    local hook <close> = assert(webhook.open { methods = { 'GET' }, signature = 'X', "
        "secret = 's' })\n"
        "    return task.map({ 1, 2 }, function(i)\n"
        "      if i == 1 then\n"
        "        return assert(assert(hook:next(20)):answer(302, { 'Location', "
        "'http://a.localhost:1/' }, ''))\n"
        "      end\n"
        "      local answer, said, code = http.request { url = "
        "('http://127.0.0.1:%d/'):format(hook:port()),\n"
        "        headers = { Authorization = 'Bearer s' }, timeout = 20 }\n"
        "      return code == 'connection_refused' and 'led away' or error(said or answer.status)\n"
        "    end)[2]\n"
        "  end }");
    put(folder, "tools/t/bused.lua",
        "local dbus, env, task = require 'sys.dbus', require 'sys.env', require 'sys.task'\n"
        "return { description = 'A D-Bus.', inputSchema = { type = 'object' },\n"
        "  run = function()\n"
        "    local to <close> = assert(dbus.connect(env.get 'TEST_BUS'))\n"
        "    local from <close> = assert(dbus.connect(env.get 'TEST_BUS'))\n"
        "    return task.map({ 1, 2 }, function(i)\n"
        "      if i == 1 then\n"
        "        local call\n"
        "        repeat call = assert(to:next(20)) until call.kind == 'call'\n"
        "        return assert(to:send { kind = 'answer', to = call.sender, reply_to = "
        "call.serial,\n"
        "          signature = 'as', args = { { 'rung' } } })\n"
        "      end\n"
        "      return assert(from:call({ kind = 'call', to = assert(to:name()), path = '/a', "
        "interface = 'a.b',\n"
        "        member = 'C' }, 20)).values[1][1]\n"
        "    end)[2]\n"
        "  end }");
    put(folder, "tools/t/programs.lua",
        "local process, http = require 'sys.process', require 'sys.http'\n"
        "return { description = 'Programs.', inputSchema = { type = 'object' },\n"
        "  run = function()\n"
        "    local child <close> = assert(process.start { 'cat' })\n"
        "    assert(child:write 'line\\n')\n"
        "    local line = assert(child:read_line(20))\n"
        "    child:close_input()\n"
        "    assert(child:wait(20))\n"
        "    local ran = assert(process.run { 'echo', 'ran' })\n"
        "    local none, why = http.request { url = 'http://127.0.0.1:1/', timeout = 5 }\n"
        "    return line .. ran.stdout .. (none and '' or why)\n"
        "  end }");
    put(folder, "tools/t/desk.lua",
        "local app, window, display = require 'sys.app', require 'sys.window', require "
        "'sys.display'\n"
        "local element = require 'sys.element'\n"
        "local input, clipboard, screen = require 'sys.input', require 'sys.clipboard', require "
        "'sys.screen'\n"
        "return { description = 'The desktop.', inputSchema = { type = 'object' },\n"
        "  run = function()\n"
        "    local ref = assert(window.list())[1]\n"
        "    assert(window.move(ref, 10, 20))\n"
        "    assert(window.get(ref))\n"
        "    assert(app.list())\n"
        "    local nodes = assert(element.tree { pid = ref.pid, values = true, actions = true "
        "}).nodes\n"
        "    assert(element.get { nodes[1].id })\n"
        "    assert(element.changes())\n"
        "    assert(display.cursor())\n"
        "    assert(input.click(5, 5))\n"
        "    assert(input.type('abc'))\n"
        "    assert(clipboard.write { ['text/plain'] = 'kept' })\n"
        "    local kept = assert(clipboard.read())\n"
        "    assert(clipboard.changes { since = 1 })\n"
        "    assert(screen.capture { display = assert(display.list())[1].id })\n"
        "    return 'all ' .. kept.parts['text/plain']\n"
        "  end }");
    put(folder, "tools/t/images.lua",
        "local fs, picture = require 'sys.fs', require 'sys.picture'\n"
        "local crypto, env = require 'sys.crypto', require 'sys.env'\n"
        "return { description = 'Images.', inputSchema = { type = 'object' },\n"
        "  run = function()\n"
        "    local path = assert(fs.resolve(env.get 'PERIGEE_LUA')) .. '/a.webp'\n"
        "    local webp = assert(crypto.unbase64 "
        "'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==')\n"
        "    assert(fs.write(path, webp))\n"
        "    local file = assert(picture.read(path))\n"
        "    local fits = assert(picture.fit(file.bytes, { longest = 1 }))\n"
        "    local made = assert(picture.fit(file.bytes, { types = { 'image/png' } }))\n"
        "    assert(not picture.look 'x')\n"
        "    return fits.mime_type .. ' to ' .. assert(picture.look(made.bytes)).mime_type\n"
        "  end }");
    put(folder, "tools/t/remote.lua",
        "local mcp = require 'sys.mcp'\n"
        "return { description = 'Another server.', inputSchema = { type = 'object' },\n"
        "  run = function()\n"
        "    local seen = {}\n"
        "    local client <close> = assert(mcp.connect { command = 'sh', args = { '" SERVER "' },\n"
        "      log = function(line) seen[#seen + 1] = line end, elicit = function() return { a = "
        "'me' } end,\n"
        "      updated = function() end, changed = function() end })\n"
        "    local all = {}\n"
        "    local function add(value, why) all[#all + 1] = assert(value, why) end\n"
        "    local called = assert(client:call('one', { a = 1 }, { progress = function() end }))\n"
        "    add(called.text)\n"
        "    add(assert(client:list_tools())[1].name)\n"
        "    add(assert(client:definitions 'prompts'):match 'hail')\n"
        "    add(assert(client:get_prompt('hail', { who = 'x' })).messages[1].content.text)\n"
        "    add(assert(client:list_resources())[1].uri)\n"
        "    add(assert(client:list_templates())[1].uriTemplate)\n"
        "    assert(client:subscribe 'far:/a')\n"
        "    add(assert(client:read 'far:/a').contents[1].text)\n"
        "    return table.concat(all, ' ')\n"
        "  end }\n");
    put(folder, "resources/note.lua",
        "return { uriTemplate = 'test://note/{name}', description = 'A note.',\n"
        "  complete = { name = function(text) return { text .. 'a', text .. 'b' } end },\n"
        "  read = function(_, params) return { name = params.name } end,\n"
        "  watch = function(_, _, call) call:updated() end }");
    put(folder, "prompts/greet.lua",
        "return { description = 'Greet.', arguments = { { name = 'who', description = 'Who.' } },\n"
        "  complete = { who = { 'Ann', 'Bob' } },\n"
        "  render = function(args) return 'Greet ' .. (args.who or 'all') end }");
}

static struct buf *on_begin(struct sink *sink)
{
    return &container_of(sink, struct world, sink)->message;
}

static void on_end(struct sink *sink, struct sink_mark mark)
{
    struct world *world = container_of(sink, struct world, sink);
    struct json_doc *doc = json_parse(world->message.data, world->message.len, NULL, NULL);
    const cJSON *id = json_get(json_root(doc), "id");

    assert_non_null(doc); /* in any case a message is JSON */
    if (mark.kind == SINK_REPLY && cJSON_IsNumber(id) && id->valuedouble == world->id) {
        assert_false(world->answered);
        world->answered = true;
        world->answer.len = 0;
        buf_add(&world->answer, world->message.data, world->message.len);
    }
    json_doc_free(doc);
    world->message.len = 0;
}

static void on_late(uv_timer_t *timer)
{
    struct world *world = timer->data;

    fail_msg("nothing comes of %s; the last answer: %s", world->what, buf_text(&world->answer));
}

static struct engine *make_engine(size_t memory, struct error *err)
{
    const char *grants[] = { getenv("PERIGEE_LUA") };

    return engine_new(
        &(struct engine_options){
            .no_user_root = true, .memory = memory, .grants = grants, .grant_count = 1 },
        err);
}

/* Waits for one event, which comes soon. */
static void turn(struct world *world, const char *what)
{
    uv_timer_start(&world->patience, on_late, PATIENCE_MS, 0);
    world->what = what;
    uv_run(engine_loop(world->engine), UV_RUN_ONCE);
    uv_timer_stop(&world->patience);
}

/* Sends the request, and turns the loop until its answer is there. */
static const char *ask(struct world *world, const char *method, const char *params)
{
    struct buf text = { 0 };

    buf_addf(&text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":%s}", ++world->id,
             method, params);
    world->answered = false;
    session_receive(world->session, NULL, text.data, text.len);
    while (!world->answered)
        turn(world, buf_text(&text));
    buf_free(&text);
    return buf_text(&world->answer);
}

/* Serves with the engine, which it takes. */
static void world_serve(struct world *world, struct engine *engine)
{
    assert_non_null(engine);
    world->engine = engine;
    uv_timer_init(engine_loop(engine), &world->patience);
    world->patience.data = world;
    world->server =
        server_new(&(struct server_options){ .registry = engine_registry(world->engine) });
    world->session =
        session_new(world->server, &world->sink, &(struct session_events){ NULL, NULL });
    engine_vm(world->engine)->pooled = INT_MAX / 2; /* no task is used again: each is made */
    failing_install(&world->failing, vm_lua(engine_vm(world->engine)));
    ask(world, "initialize",
        "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\","
        "\"version\":\"1\"}}");
}

static void world_make(struct world *world)
{
    *world = (struct world){ .folder = temp_make(), .sink = { .begin = on_begin, .end = on_end } };
}

/* Opens the world on the files that `put_files` puts into its folder. */
static void world_open(struct world *world, void (*put_files)(const char *folder))
{
    struct error err;

    world_make(world);
    put_files(world->folder);
    setenv("PERIGEE_LUA", world->folder, 1);
    world_serve(world, make_engine(0, &err));
}

static void world_close(struct world *world)
{
    session_free(world->session);
    server_end_tasks(world->server);
    lua_setallocf(vm_lua(engine_vm(world->engine)), world->failing.real, world->failing.arg);
    uv_close((uv_handle_t *)&world->patience, NULL);
    engine_free(world->engine);
    server_free(world->server);
    buf_free(&world->message);
    buf_free(&world->answer);
    temp_remove(world->folder);
    free(world->folder);
}

enum { MORE_TURNS = 5 };                   /* each takes 1 ms, in which memory still lacks */
enum { START_STEP = 61, RELOAD_STEP = 3 }; /* bytes; allocations: there are too many for each */

#endif
