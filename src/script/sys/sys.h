/* The C halves of `require "sys.x"`, one file each, stub in lua/types/sys. */
#ifndef PERIGEE_SCRIPT_SYS_SYS_H
#define PERIGEE_SCRIPT_SYS_SYS_H

#include "script/task.h"
#include "script/vm.h"

/* Adds every module of this folder to the VM. */
void sys_register(struct vm *vm);

int luaopen_sys_env(lua_State *L);
int luaopen_sys_json(lua_State *L);
int luaopen_sys_log(lua_State *L);
int luaopen_sys_process(lua_State *L);
int luaopen_sys_state(lua_State *L);
int luaopen_sys_task(lua_State *L);
int luaopen_sys_time(lua_State *L);

/* --- pieces of a module in a file of their own --- */

int task_lock(lua_State *L); /* lock.c, part of sys.task */

#endif
