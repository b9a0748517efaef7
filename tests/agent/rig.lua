--- Loads the engine's Lua files into plain lua5.4, with as little around them as the engine's sandbox gives them.
-- `require "sys.x"` finds a stand-in, `require "agent.x"` a file of lua/lib.

local rig = {}

local GONE = { io = true, os = true, debug = true, package = true, load = true, loadfile = true, dofile = true,
  coroutine = true, getmetatable = true, collectgarbage = true }

local function copy(t)
  local c = {}
  for key, value in pairs(t) do c[key] = value end
  return c
end

local function environment(require_for)
  local env = { require = require_for }
  for _, name in ipairs { "assert", "error", "ipairs", "next", "pairs", "pcall", "xpcall", "rawequal", "rawget",
    "rawlen", "rawset", "select", "setmetatable", "tonumber", "tostring", "type", "print", "_VERSION" } do
    env[name] = _G[name]
  end
  for _, name in ipairs { "string", "table", "math", "utf8" } do env[name] = copy(_G[name]) end
  env.string.dump = nil
  env._G = env
  return setmetatable(env, {
    __index = function(_, name)
      if GONE[name] then error(("'%s' is not available to scripts"):format(name), 2) end
    end,
    __newindex = function(_, name) error(("global '%s' is not declared"):format(name), 2) end,
  })
end

--- Whether a module is not run but stood in for: one that a stand-in is written for, and the core's.
local function has_standin(name)
  local standin = "standin." .. name
  return name:match "^sys%." and (package.preload[standin] or package.searchpath(standin, package.path)
    or not package.searchpath(name, "lua/lib/?.lua"))
end

local function run(path, cache)
  local function require_for(name)
    local file = name:gsub("%.", "/") .. ".lua"
    if has_standin(name) then return require("standin." .. name) end
    if cache[name] == nil then
      cache[name] = run("lua/lib/" .. file, cache)
      assert(cache[name] ~= nil, name .. " returns nothing")
    end
    return cache[name]
  end
  local chunk = assert(loadfile(path, "t", environment(require_for)))
  return (chunk())
end

--- Runs a file as a generation of its own; nil when it is not there.
function rig.file(path)
  local file = io.open(path)
  if not file then return nil end
  file:close()
  return run(path, {})
end

--- A module of lua/lib, fresh.
function rig.lib(name) return rig.file("lua/lib/" .. name:gsub("%.", "/") .. ".lua") end

--- A stand-in, the one that the files get.
function rig.sys(name) return require("standin.sys." .. name) end

--- Puts every stand-in back to how it began.
function rig.reset()
  local sys = rig.sys
  sys "env".values = {}
  sys "time".clock = 1759406467.25
  sys "fs".files, sys "fs".broken = {}, {}
  sys "mcp".started, sys "mcp".files, sys "mcp".closed = {}, {}, 0
  sys "engine".override = { rule = {}, provider = {}, prompt = {} }
  sys "log".lines = {}
end

-- The stand-ins themselves are written in plain Lua and know each other by their real names.
package.path = "tests/agent/?.lua;tests/lua/?.lua;" .. package.path
-- Logins to servers over HTTP are tested on the engine; here they are only required.
for _, name in ipairs { "loopback", "process" } do
  package.preload["standin.sys." .. name] = function() return {} end
end
package.preload["standin.sys.secrets"] = function() return { without = function(text) return text end } end
package.preload["sys.json"] = function() return require "standin.sys.json" end

return rig
