/* The C halves of `require "sys.x"`. Their stubs are in lua/types/sys. */
#ifndef PERIGEE_SYS_SYS_H
#define PERIGEE_SYS_SYS_H

#include "script/task.h"
#include "script/vm.h"

/* The services that the layers above lend to the modules here, by vm_set_service() with the
 * addresses of these. Without a service, functions that need it fail with a plain error. */
extern const char sys_grants_key;  /* a struct fs_grants */
extern const char sys_scripts_key; /* a struct sys_scripts */
extern const char sys_guests_key;  /* a struct guests, for scripts of clients; or nothing */
extern const char sys_python_key;  /* python_guests_new()'s array; or nothing */
extern const char sys_started_key; /* a uint64_t: uv_hrtime() when the engine began */
extern const char sys_command_key; /* text: the command that this process runs, once it listens */
extern const char sys_helper_key;  /* a struct osa_helper, or nothing */
extern const char sys_secrets_key; /* the path of the folder of sys.secrets, as text */

/* Says where files of the `scripts` folders are. */
struct sys_scripts {
    /* Returns the absolute path of scripts/NAME, or NULL if there is none. The caller frees it. */
    char *(*find)(void *arg, const char *name);
    void *arg;
};

/* Loads a foreign file. For foreign_set_declare() (registry/foreign.h). */
int sys_declare(lua_State *L);

/* Ends the processes in which foreign files were loaded when all files were loaded at once. More
 * are made when they are needed. */
void sys_declare_end(void);

/* sys.files.look(pattern) */
int sys_files_look(lua_State *L);

/* sys.time.sleep_until(seconds since 1970) */
int sys_time_until(lua_State *L);

/* Makes the processes of sys.python as guests_new() does: those of a light server, and of one that
 * has loaded large libraries. */
enum { PYTHON_KINDS = 2 };
struct guests;
void python_guests_new(uv_loop_t *loop, struct guests *guests[PYTHON_KINDS]);

int luaopen_perigee(lua_State *L);
int luaopen_tools(lua_State *L);
int luaopen_sys_app(lua_State *L);
int luaopen_sys_app_files(lua_State *L);
int luaopen_sys_audit(lua_State *L);
int luaopen_sys_clipboard(lua_State *L);
int luaopen_sys_console(lua_State *L);
int luaopen_sys_crypto(lua_State *L);
int luaopen_sys_db(lua_State *L);
int luaopen_sys_dbus(lua_State *L);
int luaopen_sys_desktop(lua_State *L);
int luaopen_sys_display(lua_State *L);
int luaopen_sys_effect(lua_State *L);
int luaopen_sys_element(lua_State *L);
int luaopen_sys_engine(lua_State *L);
int luaopen_sys_env(lua_State *L);
int luaopen_sys_events(lua_State *L);
int luaopen_sys_files(lua_State *L);
int luaopen_sys_fs(lua_State *L);
int luaopen_sys_gateway(lua_State *L);
int luaopen_sys_http(lua_State *L);
int luaopen_sys_input(lua_State *L);
int luaopen_sys_json(lua_State *L);
int luaopen_sys_log(lua_State *L);
int luaopen_sys_mcp(lua_State *L);
int luaopen_sys_mime(lua_State *L);
int luaopen_sys_ocr(lua_State *L);
int luaopen_sys_osascript(lua_State *L);
int luaopen_sys_packs(lua_State *L);
int luaopen_sys_permission(lua_State *L);
int luaopen_sys_picture(lua_State *L);
int luaopen_sys_picture_file(lua_State *L);
int luaopen_sys_policy(lua_State *L);
int luaopen_sys_process(lua_State *L);
int luaopen_sys_python(lua_State *L);
int luaopen_sys_regex(lua_State *L);
int luaopen_sys_screen(lua_State *L);
int luaopen_sys_secrets(lua_State *L);
int luaopen_sys_smtp(lua_State *L);
int luaopen_sys_state(lua_State *L);
int luaopen_sys_taint(lua_State *L);
int luaopen_sys_task(lua_State *L);
int luaopen_sys_terminal(lua_State *L);
int luaopen_sys_text(lua_State *L);
int luaopen_sys_time(lua_State *L);
int luaopen_sys_trace(lua_State *L);
int luaopen_sys_webhook(lua_State *L);
int luaopen_sys_window(lua_State *L);
int luaopen_sys_xml(lua_State *L);

#endif
