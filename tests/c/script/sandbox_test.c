/* The things a file can reach, and those it cannot: attempts to get out, and to stop or to change
 * others from inside. */
#include <time.h>

#include "io_help.h"
#include "lua_run.h"

#define IN_C "local function in_c(f) tostring(setmetatable({}, { __tostring = f })) end "

/* --- globals --------------------------------------------------------------------------- */

static void the_globals_are_these(void **state)
{
    gives(
        *state,
        "local t = {} for k in pairs(_G) do t[#t + 1] = k end table.sort(t) "
        "return table.concat(t, ' ')",
        "_G _VERSION assert error ipairs math next pairs pcall print rawequal rawget rawlen "
        "rawset require select setmetatable string table tonumber tostring type utf8 warn xpcall");
    gives(*state,
          "local t = {} for _, lib in ipairs { 'string', 'table', 'utf8' } do "
          "for k in pairs(_G[lib]) do t[#t + 1] = lib .. '.' .. k end end table.sort(t) "
          "return table.concat(t, ' ')",
          "string.byte string.char string.find string.format string.gmatch string.gsub string.len "
          "string.lower string.match string.pack string.packsize string.rep string.reverse "
          "string.sub string.unpack string.upper table.concat table.insert table.move table.pack "
          "table.remove table.sort table.unpack utf8.char utf8.charpattern utf8.codepoint "
          "utf8.codes utf8.len utf8.offset");
    gives(*state, "return math.pi > 3, math.random() < 1, math.tointeger(3.0)", "true|true|3");
}

static void what_is_gone_says_where_to_turn(void **state)
{
    static const char *const names[] = { "io",        "os",          "debug",    "package",
                                         "load",      "loadstring",  "loadfile", "dofile",
                                         "coroutine", "getmetatable" };
    char source[64], wanted[64];

    for (size_t i = 0; i < countof(names); i++) {
        snprintf(source, sizeof source, "return %s", names[i]);
        snprintf(wanted, sizeof wanted, "'%s' is not available to scripts", names[i]);
        fails(*state, source, "runtime", wanted);
        snprintf(source, sizeof source, "return _G['%s']", names[i]);
        fails(*state, source, "runtime", wanted);
        snprintf(source, sizeof source, "return rawget(_G, '%s')", names[i]);
        gives(*state, source, "nil");
    }
    gives(*state, "return collectgarbage, string.dump, (''):len(), nothing", "nil|nil|0|nil");
    fails(*state, "return (''):dump()", "runtime", "attempt to call a nil value (method 'dump')");
}

/* --- other code -------------------------------------------------------------------------- */

static void load_fails(struct lua *lua, const char *text, size_t len, const char *part)
{
    struct error err = { .text = "" };

    assert_false(sandbox_load(lua->sandbox, "file.lua", text, len, &err));
    assert_string_equal(err.code, "syntax");
    if (!strstr(err.text, part))
        print_error("\"%s\" is not in: %s\n", part, err.text);
    assert_non_null(strstr(err.text, part));
    assert_int_equal(lua_gettop(vm_lua(lua->vm)), 0);
}

static int write_code(lua_State *L, const void *ptr, size_t len, void *arg)
{
    (void)L;
    buf_add(arg, ptr, len);
    return 0;
}

static void only_text_is_loaded(void **state)
{
    struct buf code = { 0 };
    lua_State *L = luaL_newstate();

    assert_int_equal(luaL_loadstring(L, "return 1"), LUA_OK);
    lua_dump(L, write_code, &code, 0);
    lua_close(L);
    load_fails(*state, code.data, code.len, "attempt to load a binary chunk");
    load_fails(*state, "\x1bLua", 4, "attempt to load a binary chunk");
    buf_free(&code);
}

static void syntax_errors_name_file_and_line(void **state)
{
    load_fails(*state, "return {", 8, "file.lua:1: ");
    load_fails(*state, "#!/usr/bin/perigee run\n\nx = = 1", 34, "file.lua:3: ");
    load_fails(*state, "goto nowhere", 12, "file.lua:1: no visible label 'nowhere'");
    load_fails(*state, "return '\xff", 9, "file.lua:1: unfinished string");
}

static void nesting_without_end_is_refused(void **state)
{
    struct buf text = { 0 };

    buf_lit(&text, "return ");
    for (int i = 0; i < 100000; i++)
        buf_addc(&text, '{');
    load_fails(*state, text.data, text.len, "overflow");
    text.len = 0;
    for (int i = 0; i < 100000; i++)
        buf_lit(&text, "(function() return ");
    load_fails(*state, text.data, text.len, "overflow");
    buf_free(&text);
}

/* --- globals and base tables ----------------------------------------------------------------- */

static void globals_cannot_be_written(void **state)
{
    fails(*state, "x = 1", "runtime", "test:1: global 'x' is not declared (write `local x`)");
    fails(*state, "_G.x = 1", "runtime", "global 'x' is not declared");
    fails(*state, "_ENV.x = 1", "runtime", "global 'x' is not declared");
    fails(*state, "rawset(_G, 'x', 1)", "runtime", "this table is read-only");
    fails(*state, "setmetatable(_G, nil)", "runtime", "protected metatable");
    fails(*state, "local t = _G setmetatable(t, {})", "runtime", "protected metatable");
    gives(*state, "local _ENV = { x = 1 } y = 2 return x, y", "1|2");
    gives(*state, "local t = rawset({}, 'a', 1) return t.a, #rawset({}, 1, 2)", "1|1");
    gives(*state, "print = nil return print", "nil"); /* its own copy */
}

static void what_one_file_changes_no_other_sees(void **state)
{
    gives(*state,
          "string.rep = function() return 'evil' end string.gsub = nil table.insert = nil "
          "math.pi = 3 print = nil require = nil pcall = error "
          "return string.rep('x', 2), ('x'):rep(2)",
          "evil|xx");
    gives(*state,
          "return string.rep('x', 2), ('x'):rep(2), type(string.gsub), type(table.insert), "
          "math.pi > 3, type(print), pcall(print)",
          "xx|xx|function|function|true|function|true");
    gives(*state, "local json = require 'sys.json' json.decode = nil json.x = 1 return json.decode",
          "nil");
    gives(*state, "local json = require 'sys.json' return type(json.decode), json.x",
          "function|nil");
}

static void the_metatable_of_strings_is_out_of_reach(void **state)
{
    fails(*state, "setmetatable('', {})", "runtime", "table expected, got string");
    gives(*state, "return (''):len(), (''), #('').rep('x', 3)", "0||3");
    fails(*state, "return ('').x.y", "runtime", "attempt to index a nil value");
    gives(*state, "return ('').__index, ('').__metatable", "nil|nil");
}

static void finalizers_are_refused(void **state)
{
    fails(*state, "setmetatable({}, { __gc = print })", "runtime",
          "__gc is not available. Use <close>");
    fails(*state, "setmetatable({}, { __gc = true })", "runtime", "__gc is not available");
    /* A finalizer that is added later is not one in Lua. */
    gives(
        *state,
        "local ran = false do local mt = {} local t = setmetatable({}, mt) "
        "mt.__gc = function() ran = true end end for i = 1, 100000 do local t = {} end return ran",
        "false");
}

static void metatables_can_be_protected(void **state)
{
    fails(*state, "local t = setmetatable({}, { __metatable = 1 }) setmetatable(t, {})", "runtime",
          "protected metatable");
    fails(*state, "setmetatable(require('sys.json').array(), {})", "runtime",
          "protected metatable");
    fails(*state, "setmetatable({}, 1)", "runtime", "nil or table expected");
    gives(*state, "return rawset(require('sys.json').array(), 1, 'x')[1]", "x");
}

static void userdata_shows_nothing_of_itself(void **state)
{
    gives(*state,
          "local c <close> = require('sys.process').start { 'cat' } "
          "return c.__gc, c.__index, c.__metatable, c.__close, type(c.read_line)",
          "nil|nil|nil|nil|function");
    fails(*state, "require('sys.process').start({ 'cat' }).pid = 1", "runtime",
          "attempt to index a sys.process.Child value");
    gives(*state, "return type(require('sys.json').null)", "userdata");
}

/* --- require -------------------------------------------------------------------- */

static void names_of_modules_are_names(void **state)
{
    fails(*state, "require '../x'", "runtime", "not a module name");
    fails(*state, "require '/etc/passwd'", "runtime", "not a module name");
    fails(*state, "require 'a..b'", "runtime", "not a module name");
    fails(*state, "require ''", "runtime", "not a module name");
    fails(*state, "require '.a'", "runtime", "not a module name");
    fails(*state, "require 'a/b'", "runtime", "not a module name");
    fails(*state, "require 'a\\0b'", "runtime", "");
    fails(*state, "require {}", "runtime", "string expected");
    fails(*state, "require 'sys.nothing'", "runtime", "module 'sys.nothing' does not exist");
    fails(*state, "require 'os'", "runtime", "module 'os' is not available here");
    fails(*state, "require 'string'", "runtime", "module 'string' is not available here");
}

static void a_guest_gets_what_it_is_allowed(void **state)
{
    static const char *const names[] = { "sys.process", "sys.fs",  "sys.http", "sys.osascript",
                                         "sys.state",   "sys.env", "sys.task" };
    struct lua *lua = *state;
    char source[64], wanted[64];

    lua->guest = true;
    for (size_t i = 0; i < countof(names); i++) {
        snprintf(source, sizeof source, "require '%s'", names[i]);
        snprintf(wanted, sizeof wanted, "module '%s' is not available here", names[i]);
        fails(lua, source, "runtime", wanted);
    }
    gives(lua, "return require('sys.json').encode { 1 }", "[1]");
}

/* Sources of lib modules, by name. */
static const char *const libs[][2] = {
    { "good", "local M = { list = { 1 } } function M.f() return 'f' end return M" },
    { "list", "return { 'a', 'b' }" },
    { "deep.er", "return { name = 'deep.er', good = require 'good' }" },
    { "broken", "\nreturn {" },
    { "raises", "\n\nerror 'at load'" },
    { "circle", "return require 'circle'" },
    { "nothing", "local x" },
    { "endless", "while true do pcall(function() while true do end end) end" },
    { "late", "return function() return require 'good' end" },
    { "locked", "leaked = 1" },
    { "fickle", "return pcall(require, 'raises'), pcall(require, 'raises')" },
};

static bool find_lib(void *arg, int *home, const char *name, struct buf *path, struct buf *source,
                     struct error *err)
{
    (void)arg;
    (void)home;
    if (!path)
        return true;
    for (size_t i = 0; i < countof(libs); i++) {
        if (strcmp(libs[i][0], name) == 0) {
            buf_addf(path, "lib/%s.lua", name);
            buf_adds(source, libs[i][1]);
            return true;
        }
    }
    return error_set(err, "not_found", "there is no lib/%s.lua", name);
}

/* Lets files find the modules above from now on. */
static void use_libs(struct lua *lua, bool one_env, bool open_globals)
{
    sandbox_free(lua->sandbox);
    lua->sandbox = sandbox_new(lua->vm, &(struct sandbox_spec){ .find = find_lib,
                                                                .one_env = one_env,
                                                                .open_globals = open_globals });
}

static void a_lib_module_is_loaded_once_and_shared(void **state)
{
    use_libs(*state, false, false);
    gives(*state, "return require('good').f(), require('deep.er').good == require 'good'",
          "f|true");
    gives(*state, "require('good').list[2] = 'seen' return #require('good').list", "2");
    gives(*state, "return require('good').list[2]", "seen"); /* not frozen so deep */
}

static void a_lib_module_is_read_only(void **state)
{
    use_libs(*state, false, false);
    fails(*state, "require('good').f = nil", "runtime", "modules are read-only (field 'f')");
    fails(*state, "rawset(require 'good', 'f', print)", "runtime", "this table is read-only");
    fails(*state, "setmetatable(require 'good', nil)", "runtime", "protected metatable");
    fails(*state, "table.insert(require 'list', 'c')", "runtime", "modules are read-only");
    fails(*state, "local _, t = pairs(require 'good') t.f = nil", "runtime",
          "modules are read-only");
    gives(*state,
          "local n = 0 for k, v in pairs(require 'good') do n = n + 1 end "
          "return n, #require 'list', table.concat(require 'list', ' '), "
          "table.unpack(require 'list')",
          "2|2|a b|a|b");
}

static void a_lib_module_that_fails_says_where(void **state)
{
    use_libs(*state, false, false);
    fails(*state, "require 'missing'", "runtime", "there is no lib/missing.lua");
    fails(*state, "require 'broken'", "runtime", "lib/broken.lua:2: ");
    fails(*state, "require 'raises'", "runtime", "lib/raises.lua:3: at load");
    fails(*state, "require 'raises'", "runtime", "lib/raises.lua:3: at load");
    fails(*state, "require 'circle'", "runtime", "module 'circle' requires itself");
    fails(*state, "require 'nothing'", "runtime", "module 'nothing' returns nothing");
    fails(*state, "require 'nothing'", "runtime", "module 'nothing' returns nothing");
    fails(*state, "require 'locked'", "runtime",
          "lib/locked.lua:1: global 'leaked' is not declared");
    fails(*state, "require 'endless'", "runtime", "200 ms");
    gives(*state, "return require 'fickle'", "false");
}

static void a_function_that_outlives_its_file_can_require_no_more(void **state)
{
    struct lua *lua = *state;

    use_libs(lua, false, false);
    gives(lua, "require('sys.state').open('x').f = require 'late' return 1", "1");
    use_libs(lua, false, false);
    gives(lua, "local ok, err = pcall(require('sys.state').open('x').f) return ok, err",
          "false|lib/late.lua:1: require 'good': the file that calls it was replaced. Require at "
          "the top of the file");
}

static bool stand_in(void *arg, lua_State *L, const char *module)
{
    if (strcmp(module, "sys.process") != 0)
        return false;
    lua_newtable(L);
    lua_pushstring(L, arg);
    lua_setfield(L, -2, "who");
    return true;
}

static void modules_can_be_stood_in_for(void **state)
{
    struct lua *lua = *state;
    char name[] = "stand-in";

    sandbox_set_stand_in(lua->sandbox, stand_in, name);
    gives(lua, "return require('sys.process').who, type(require('sys.json').encode)",
          "stand-in|function");
    sandbox_set_stand_in(lua->sandbox, NULL, NULL);
    gives(lua, "return require('sys.process').who", "nil");
}

static void texts_may_share_their_globals(void **state)
{
    use_libs(*state, true, true);
    gives(*state, "x = 1 function f() return x end", "");
    gives(*state, "x = x + 1 return x, f()", "2|2");
    fails(*state, "return io", "runtime", "'io' is not available");
    use_libs(*state, false, true);
    gives(*state, "x = 1 return x", "1");
    gives(*state, "return x", "nil");
}

static void a_global_can_be_given(void **state)
{
    struct lua *lua = *state;
    lua_State *L = vm_lua(lua->vm);

    lua_pushliteral(L, "given");
    assert_true(sandbox_load(lua->sandbox, "file", "return tools", 12, NULL));
    sandbox_set_global(L, "tools");
    assert_true(vm_call(lua->vm, 0, 1, 0, NULL));
    assert_string_equal(lua_tostring(L, -1), "given");
    lua_pop(L, 1);
    lua_pushliteral(L, "given"); /* a function that uses no global has no upvalue for one */
    assert_true(sandbox_load(lua->sandbox, "file", "", 0, NULL));
    sandbox_set_global(L, "tools");
    assert_true(vm_call(lua->vm, 0, 0, 0, NULL));
    assert_int_equal(lua_gettop(L), 0);
}

static void loading_has_a_budget(void **state)
{
    struct lua *lua = *state;
    static const char endless[] = "while true do pcall(function() while true do end end) end";
    struct error err;

    assert_false(
        sandbox_run(lua->sandbox, "file", endless, sizeof endless - 1, SANDBOX_LOAD_MS, &err));
    assert_string_equal(err.code, "timeout");
    assert_non_null(strstr(err.text, "file:1: took longer than 2000 ms"));
}

/* --- stopping the engine -------------------------------------------------------- */

/* Each would run for years, or fill all memory, in one call of a C function. */
static void no_c_function_holds_up_the_others(void **state)
{
    static const char *const sources[] = {
        "(''):rep(1 << 60)",
        "(''):rep(1 << 60, '')",
        "table.sort(setmetatable({}, { __len = function() return 1 << 60 end }))",
        "table.unpack(setmetatable({}, { __len = function() return 1 << 60 end }))",
        "table.concat(setmetatable({}, { __len = function() return 1 << 60 end, "
        "__index = function() return '' end }))",
        "table.concat({}, '', 1, 1 << 60)",
        "table.unpack({}, 1, 1 << 30)",
        "table.unpack({}, math.mininteger, math.maxinteger)",
        "('x'):rep(1 << 60)",
        "('x'):rep(1 << 33)",
        "local s = 'x' while true do s = s .. s end",
        "local t = {} while true do t[#t + 1] = t end",
        "local s = ('x'):rep(1000) while true do s = s:gsub('x', 'xx') end",
        "string.format('%' .. ('9'):rep(20) .. 'd', 1)",
        "string.pack('!16 i17', 1)",
        "local t = {} for i = 1, 200 do t = { t } end return require('sys.json').encode(t)",
        "local t = {} t.t = t return require('sys.json').encode(t)",
        "return require('sys.json').decode(('['):rep(1000000))",
        "table.sort({ 3, 2, 1 }, function() while true do end end)",
        "('x'):gsub('x', function() while true do end end)",
        "local t = setmetatable({}, { __lt = function() while true do end end }) "
        "table.sort { t, t, t }",
        IN_C "in_c(function() while true do end end)",
        "setmetatable({}, { __close = print, __len = function() while true do end end }).x = "
        "#setmetatable({}, { __len = function() while true do end end })",
    };
    struct lua *lua = *state;
    struct job job;

    for (size_t i = 0; i < countof(sources); i++) {
        clock_t start = clock(); /* processor time: a busy machine does not change it */

        job_run(lua, &job, 300, sources[i]);
        if (clock() - start > 20 * CLOCKS_PER_SEC)
            fail_msg("%s took too long", sources[i]);
        job_free(&job);
        lua_gc(vm_lua(lua->vm), LUA_GCCOLLECT);
    }
    gives(lua, "return 'still here'", "still here");
}

static void sort_survives_what_its_function_does(void **state)
{
    gives(*state,
          "local t = {} for i = 1, 300 do t[i] = i end "
          "pcall(table.sort, t, function() return true end) "
          "pcall(table.sort, t, function(a, b) t[#t + 1] = 1 return (a or 0) < (b or 0) end) "
          "pcall(table.sort, t, function(a, b) for i = 1, #t do t[i] = nil end return a end) "
          "pcall(table.sort, t, function() error 'x' end) return 'still here'",
          "still here");
}

static void next_survives_what_is_changed_meanwhile(void **state)
{
    gives(*state,
          "local t = {} for i = 1, 1000 do t[i] = i t['k' .. i] = i end "
          "pcall(function() for k in pairs(t) do t[k] = nil t[{}] = 1 end end) return 'still here'",
          "still here");
    fails(*state, "next({}, 'no such key')", "runtime", "invalid key to 'next'");
}

static void error_values_with_traps_do_no_harm(void **state)
{
    fails(*state, "error(setmetatable({}, { __tostring = function() while true do end end }))",
          "runtime", "error value is a table");
    fails(*state, "error(setmetatable({}, { __name = ('x'):rep(1000) }))", "runtime",
          "error value is a");
    fails(*state, "error(print)", "runtime", "error value is a function");
    fails(*state, "error(('x'):rep(100000))", "runtime", "test:1: xxx");
    fails(*state, "error('a\\0b\\xff', 0)", "runtime", "a");
    fails(*state, "local t = {} t.__index = t t.__tostring = error error(setmetatable(t, t))",
          "runtime", "error value is a table");
}

static void printing_is_safe(void **state)
{
    struct job job;

    job_run(*state, &job, 0,
            "print() print(nil, 1, 'a\\0b', {} ~= nil) "
            "print(pcall(print, setmetatable({}, { __tostring = function() return {} end }))) "
            "print(setmetatable({}, { __tostring = function() return 'mine' end }))");
    assert_int_equal(job.end, TASK_DONE);
    assert_true(strlen(buf_text(&job.printed) + 16) > 0);
    assert_memory_equal(job.printed.data, "\nnil\t1\ta\0b\ttrue\n", 16);
    assert_non_null(strstr(job.printed.data + 16, "'__tostring' must return a string\nmine\n"));
    job_free(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LUA_CASE(the_globals_are_these),
        LUA_CASE(what_is_gone_says_where_to_turn),
        LUA_CASE(only_text_is_loaded),
        LUA_CASE(syntax_errors_name_file_and_line),
        LUA_CASE(nesting_without_end_is_refused),
        LUA_CASE(globals_cannot_be_written),
        LUA_CASE(what_one_file_changes_no_other_sees),
        LUA_CASE(the_metatable_of_strings_is_out_of_reach),
        LUA_CASE(finalizers_are_refused),
        LUA_CASE(metatables_can_be_protected),
        LUA_CASE(userdata_shows_nothing_of_itself),
        LUA_CASE(names_of_modules_are_names),
        LUA_CASE(a_guest_gets_what_it_is_allowed),
        LUA_CASE(a_lib_module_is_loaded_once_and_shared),
        LUA_CASE(a_lib_module_is_read_only),
        LUA_CASE(a_lib_module_that_fails_says_where),
        LUA_CASE(a_function_that_outlives_its_file_can_require_no_more),
        LUA_CASE(modules_can_be_stood_in_for),
        LUA_CASE(texts_may_share_their_globals),
        LUA_CASE(a_global_can_be_given),
        LUA_CASE(loading_has_a_budget),
        LUA_CASE(no_c_function_holds_up_the_others),
        LUA_CASE(sort_survives_what_its_function_does),
        LUA_CASE(next_survives_what_is_changed_meanwhile),
        LUA_CASE(error_values_with_traps_do_no_harm),
        LUA_CASE(printing_is_safe),
    };

    alarm(HANG_SECONDS);
    return cmocka_run_group_tests_name("sandbox", tests, NULL, NULL);
}
