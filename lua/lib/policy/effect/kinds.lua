--- The kinds of effects, and the binding by which each usually happens.

---@class policy.EffectKind
---@field name string
---@field facts fun(): table<string, fun(effect: policy.Effect): any>  loads what resolves its facts
---@field how string   the function of the module, where an effect is only thought of

local function input() return require "policy.effect.input" end
local function press() return require "policy.effect.press" end
local function start() return require "policy.effect.start" end
local function remote() return require "policy.effect.remote" end
local function place() return require "policy.effect.place" end
local function clipboard() return require "policy.effect.clipboard" end
local function window() return require "policy.effect.window" end


---@type policy.EffectKind[]
return {
  { name = "input", facts = input, how = "send" },
  { name = "press", facts = press, how = "act" },
  { name = "drop", facts = input, how = "send" },
  { name = "start", facts = start, how = "open" },
  { name = "process", facts = start, how = "run" },
  { name = "request", facts = remote, how = "request" },
  { name = "file", facts = place, how = "write" },
  { name = "clipboard", facts = clipboard, how = "write" },
  { name = "mount", facts = remote, how = "call" },
  { name = "mail", facts = remote, how = "send" },
  { name = "message", facts = remote, how = "calls" },
  { name = "model", facts = remote, how = "model" },
  { name = "settings", facts = place, how = "settings" },
  { name = "window", facts = window, how = "close" },
  { name = "quit", facts = window, how = "quit" },
}
