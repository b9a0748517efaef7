/* The list of what scripts can require of this layer. */
#include "sys/tool_call.h"

void lua_modules_register(struct vm *vm)
{
    vm_add_module(vm, "perigee", luaopen_perigee);
    vm_add_module(vm, "sys.engine", luaopen_sys_engine);
    vm_add_module(vm, "sys.files", luaopen_sys_files);
    vm_add_module(vm, "sys.gateway", luaopen_sys_gateway);
    vm_add_module(vm, "sys.mcp", luaopen_sys_mcp);
}
