/* sys.fs: files by their grants, from Lua. fs_test.c tests fs itself; here every function is called
 * and returns, and cancelling is tried. */
#include "io_help.h"
#include "lua_run.h"

#include "files/granted.h"

#define F "local fs = require 'sys.fs' "

static char *folder;
static struct fs_grants grants;

static int setup(void **state)
{
    struct lua *lua;

    lua_setup(state);
    lua = *state;
    folder = temp_make();
    assert_true(fs_grants_add(&grants, folder, true, NULL));
    vm_set_service(lua->vm, &sys_grants_key, &grants);
    return 0;
}

static int teardown(void **state)
{
    lua_teardown(state);
    fs_grants_free(&grants);
    temp_remove(folder);
    free(folder);
    return 0;
}

static void what_is_written_is_read(void **state)
{
    gives(*state,
          F "local s = ('a\\0\\n\\255'):rep(50000) assert(fs.write('deep/down/x.bin', s)) "
            "assert(fs.append('deep/down/x.bin', 'end')) "
            "return fs.read 'deep/down/x.bin' == s .. 'end', fs.write('empty', ''), "
            "#fs.read 'empty'",
          "true|true|0");
}

static void folders_are_listed_by_name(void **state)
{
    gives(*state,
          F "fs.write('b.txt', 'four') fs.make_folder 'a/b/c' fs.make_folder 'a/b/c' "
            "local t = {} for i, e in ipairs(fs.list '.') do "
            "t[i] = e.name .. ' ' .. e.kind .. ' ' .. e.size .. ' ' .. math.type(e.modified) end "
            "return table.concat(t, ', ')",
          "a folder 0 float, b.txt file 4 float");
}

static void stat_tells_of_one(void **state)
{
    gives(*state,
          F "fs.write('sub/x', '12345') local x, sub = fs.stat 'sub/x', fs.stat 'sub/' "
            "return x.name, x.kind, x.size, sub.name, sub.kind, select(3, fs.stat 'no')",
          "x|file|5|sub|folder|not_found");
}

static void things_are_moved_copied_and_removed(void **state)
{
    gives(*state,
          F "fs.write('a', '1') fs.write('b', '2') local t = {} "
            "t[1] = select(3, fs.rename('a', 'b')) t[2] = fs.rename('a', 'b', { replace = true }) "
            "t[3] = fs.copy('b', 'c') t[4] = select(3, fs.copy('b', 'c')) "
            "t[5] = fs.copy('b', 'c', { replace = true }) t[6] = fs.read 'c' "
            "t[7] = fs.remove 'c' t[8] = select(3, fs.remove 'c') "
            "for i = 1, 8 do t[i] = tostring(t[i]) end return table.concat(t, ' ')",
          "exists true true exists true 1 true not_found");
}

static void paths_are_resolved(void **state)
{
    struct job job;
    char *real = realpath(folder, NULL), *wanted = mem_printf("%s/new", real);

    job_run(*state, &job, 0, F "return fs.resolve 'new'");
    assert_string_equal(buf_text(&job.text), wanted);
    job_free(&job);
    free(wanted);
    free(real);
}

static void outside_is_refused_and_says_what_to_do(void **state)
{
    gives(*state,
          F "local _, err, code = fs.read '/etc/passwd' "
            "return code, err:match 'Start perigee with %-%-grant DIR to allow more'",
          "not_granted|Start perigee with --grant DIR to allow more");
    gives(*state, F "return select(3, fs.write('../x', ''))", "not_granted");
    gives(*state, F "return select(3, fs.read 'a\\0b')", "bad_path");
    gives(*state, F "return select(3, fs.read '')", "bad_path");
}

static void without_any_grant_it_says_so(void **state)
{
    struct lua *lua = *state;

    vm_set_service(lua->vm, &sys_grants_key, NULL);
    gives(lua, F "return select(2, fs.list '.')",
          "no directory is granted to scripts. Start perigee with --grant DIR|not_granted");
}

static void large_files_are_refused_by_their_limit(void **state)
{
    gives(*state,
          F "fs.write('big', ('x'):rep(1001)) return select(3, fs.read('big', 1000)), "
            "#fs.read('big', 1001)",
          "too_large|1001");
    fails(*state, F "fs.read('big', 0)", "runtime", "expected 1 to 268435456 bytes");
    fails(*state, F "fs.read('big', 1e12)", "runtime", "expected 1 to 268435456 bytes");
}

static void wrong_arguments_raise(void **state)
{
    fails(*state, F "fs.read()", "runtime", "string expected");
    fails(*state, F "fs.write('x')", "runtime", "string expected");
    fails(*state, F "fs.rename('x')", "runtime", "string expected");
    fails(*state, F "fs.copy('x', 'y', { replce = true })", "runtime", "there is no such option");
    fails(*state, F "tostring(setmetatable({}, { __tostring = function() fs.read 'x' end }))",
          "runtime", "cannot wait here");
}

static void many_at_once_come_back_right(void **state)
{
    gives(*state,
          F "local task = require 'sys.task' local t = {} for i = 1, 200 do t[i] = i end "
            "task.map(t, function(i) assert(fs.write('f' .. i, ('%d,'):rep(i):format(table.unpack("
            "t, 1, i)))) end, 64) "
            "local bad = 0 task.map(t, function(i) local s = fs.read('f' .. i) "
            "local n = select(2, s:gsub(',', '')) if n ~= i then bad = bad + 1 end end, 64) "
            "return bad, #fs.list '.'",
          "0|200");
}

/* The caller is cancelled while the work is queued, runs, or has ended. */
static void cancelling_leaves_the_work_to_itself(void **state)
{
    struct lua *lua = *state;
    struct job jobs[40];

    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < countof(jobs); i++)
            job_start(lua, &jobs[i], 0,
                      F "fs.write('same', ('x'):rep(100000)) fs.read 'same' fs.list '.'");
        for (size_t i = 0; i < round; i++)
            uv_run(&lua->loop, UV_RUN_ONCE);
        for (size_t i = 0; i < countof(jobs); i++) {
            if (jobs[i].task) {
                task_cancel(jobs[i].task);
                assert_int_equal(jobs[i].end, TASK_CANCELLED);
            }
            job_free(&jobs[i]);
        }
        lua_gc(vm_lua(lua->vm), LUA_GCCOLLECT);
    }
}

static void a_grant_that_comes_late_counts(void **state)
{
    struct fs_grants none = { 0 };
    struct lua *lua = *state;

    vm_set_service(lua->vm, &sys_grants_key, &none);
    gives(lua, F "return select(3, fs.write('x', ''))", "not_granted");
    assert_true(fs_grants_add(&none, folder, false, NULL));
    gives(lua, F "return select(3, fs.write('x', ''))", "read_only");
    fs_grants_free(&none);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(what_is_written_is_read),
        CASE(folders_are_listed_by_name),
        CASE(stat_tells_of_one),
        CASE(things_are_moved_copied_and_removed),
        CASE(paths_are_resolved),
        CASE(outside_is_refused_and_says_what_to_do),
        CASE(without_any_grant_it_says_so),
        CASE(large_files_are_refused_by_their_limit),
        CASE(wrong_arguments_raise),
        CASE(many_at_once_come_back_right),
        CASE(cancelling_leaves_the_work_to_itself),
        CASE(a_grant_that_comes_late_counts),
    };

    return cmocka_run_group_tests_name("sys.fs", tests, NULL, NULL);
}
