/* The one list of what scripts can require of C. */
#include "engine/modules.h"

#include "script/bind.h"
#include "sys/effects.h"
#include "sys/sys.h"
#include "sys/taint/sources.h"

/* A function that both acts and reads is judged first, and tells what it read last. */
static void on_module_open(lua_State *L, const char *module)
{
    effects_wrap(L, module);
    sources_wrap(L, module);
}

bool modules_register(struct vm *vm, struct error *err)
{
    vm_add_module(vm, "perigee", luaopen_perigee);
    vm_add_module(vm, "sys.app", luaopen_sys_app);
    vm_add_module(vm, "sys.app_files", luaopen_sys_app_files);
    vm_add_module(vm, "sys.audit", luaopen_sys_audit);
    vm_add_module(vm, "sys.clipboard", luaopen_sys_clipboard);
    vm_add_module(vm, "sys.console", luaopen_sys_console);
    vm_add_module(vm, "sys.crypto", luaopen_sys_crypto);
    vm_add_module(vm, "sys.db", luaopen_sys_db);
    vm_add_module(vm, "sys.dbus", luaopen_sys_dbus);
    vm_add_module(vm, "sys.desktop", luaopen_sys_desktop);
    vm_add_module(vm, "sys.display", luaopen_sys_display);
    vm_add_module(vm, "sys.effect", luaopen_sys_effect);
    vm_add_module(vm, "sys.element", luaopen_sys_element);
    vm_add_module(vm, "sys.engine", luaopen_sys_engine);
    vm_add_module(vm, "sys.env", luaopen_sys_env);
    vm_add_module(vm, "sys.events", luaopen_sys_events);
    vm_add_module(vm, "sys.files", luaopen_sys_files);
    vm_add_module(vm, "sys.fs", luaopen_sys_fs);
    vm_add_module(vm, "sys.gateway", luaopen_sys_gateway);
    vm_add_module(vm, "sys.http", luaopen_sys_http);
    vm_add_module(vm, "sys.input", luaopen_sys_input);
    vm_add_module(vm, "sys.json", luaopen_sys_json);
    vm_add_module(vm, "sys.log", luaopen_sys_log);
    vm_add_module(vm, "sys.mcp", luaopen_sys_mcp);
    vm_add_module(vm, "sys.mime", luaopen_sys_mime);
    vm_add_module(vm, "sys.ocr", luaopen_sys_ocr);
    vm_add_module(vm, "sys.osascript", luaopen_sys_osascript);
    vm_add_module(vm, "sys.packs", luaopen_sys_packs);
    vm_add_module(vm, "sys.permission", luaopen_sys_permission);
    vm_add_module(vm, "sys.picture", luaopen_sys_picture);
    vm_add_module(vm, "sys.picture_file", luaopen_sys_picture_file);
    vm_add_module(vm, "sys.policy", luaopen_sys_policy);
    vm_add_module(vm, "sys.process", luaopen_sys_process);
    vm_add_module(vm, "sys.python", luaopen_sys_python);
    vm_add_module(vm, "sys.regex", luaopen_sys_regex);
    vm_add_module(vm, "sys.screen", luaopen_sys_screen);
    vm_add_module(vm, "sys.secrets", luaopen_sys_secrets);
    vm_add_module(vm, "sys.smtp", luaopen_sys_smtp);
    vm_add_module(vm, "sys.state", luaopen_sys_state);
    vm_add_module(vm, "sys.taint", luaopen_sys_taint);
    vm_add_module(vm, "sys.task", luaopen_sys_task);
    vm_add_module(vm, "sys.terminal", luaopen_sys_terminal);
    vm_add_module(vm, "sys.text", luaopen_sys_text);
    vm_add_module(vm, "sys.time", luaopen_sys_time);
    vm_add_module(vm, "sys.trace", luaopen_sys_trace);
    vm_add_module(vm, "sys.webhook", luaopen_sys_webhook);
    vm_add_module(vm, "sys.window", luaopen_sys_window);
    vm_add_module(vm, "sys.xml", luaopen_sys_xml);
    vm_add_module(vm, "tools", luaopen_tools);
    vm_on_open(vm, on_module_open);
    return vm_run(vm, bind_init, NULL, err);
}
