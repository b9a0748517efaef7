--- The kinds of effects, and the binding by which each usually happens.

---@class policy.EffectKind
---@field name string
---@field facts fun(): table<string, fun(effect: policy.Effect): any>  loads what resolves its facts
---@field how string   the function of the module, where an effect is only thought of
---@field hows string  all such functions (src/sys/effects.c)
---@field has string   the facts that a rule may test, beside `how` and those of all effects
---@field takes? string  what its binding gets, where the facts are worked out of that: for `perigee policy explain`

local function input() return require "policy.effect.input" end
local function press() return require "policy.effect.press" end
local function start() return require "policy.effect.start" end
local function remote() return require "policy.effect.remote" end
local function place() return require "policy.effect.place" end
local function clipboard() return require "policy.effect.clipboard" end
local function window() return require "policy.effect.window" end
local function record() return require "policy.effect.record" end
local function python() return require "policy.effect.python" end


---@type policy.EffectKind[]
return {
  { name = "input", facts = input, how = "send", has = "terminal text role name keys hotkey paste own_clipboard",
    hows = "click drag key_down key_up keys move paste press release scroll send type", takes = "chord kind x y button path" },
  { name = "press", facts = press, how = "act", has = "terminal text role name paste own_clipboard", hows = "act",
    takes = "verb" },
  { name = "drop", facts = input, how = "drop", has = "terminal text paste", hows = "drop", takes = "x y" },
  { name = "start", facts = start, how = "open", has = "program arguments argv shell paths granted url host", hows = "open",
    takes = "name files" },
  { name = "process", facts = start, how = "run", has = "program arguments argv shell text env cwd",
    hows = "connect run start write", takes = "input command args" },
  { name = "request", facts = remote, how = "request", has = "url host method text", hows = "connect request stream",
    takes = "body" },
  { name = "file", facts = place, how = "write", has = "paths granted own obeyed text",
    hows = "append capture choose_file copy make_folder remove rename save_file trash write", takes = "path" },
  { name = "clipboard", facts = clipboard, how = "write", has = "text", hows = "clear keep_history write" },
  { name = "mount", facts = remote, how = "call", has = "name text destructive reads",
    hows = "call complete get_prompt read request subscribe unsubscribe" },
  { name = "mail", facts = remote, how = "send", has = "to host text", hows = "mail send", takes = "message recipients" },
  { name = "message", facts = remote, how = "calls", has = "name text reads", hows = "call calls send" },
  { name = "model", facts = remote, how = "model", has = "url host text", hows = "model" },
  { name = "settings", facts = place, how = "settings", has = "name text", hows = "allow settings write", takes = "path" },
  { name = "listen", facts = remote, how = "open", has = "host", hows = "open", takes = "address port" },
  { name = "window", facts = window, how = "close", has = "terminal",
    hows = "activate close focus fullscreen hide maximize minimize move place resize restore show" },
  { name = "quit", facts = window, how = "quit", has = "terminal", hows = "quit" },
  { name = "python", facts = python, how = "run", has = "text", hows = "run" },
  { name = "record", facts = record, how = "presses", has = "text", hows = "presses" },
}
