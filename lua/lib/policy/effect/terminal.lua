--- Applications that run what they are given, and keys that paste there.

local policy = require "sys.policy"
local window = require "sys.window"
local words  = require "policy.words"

local M = {}

-- Names of terminals, and of dialogs that run a command. All others with a terminal in them hold one (see holds()).
local NAMES = words.any({ "*terminal*", "*term", "xterm*", "konsole", "*.Konsole", "*.Console", "kgx", "alacritty", "kitty",
  "*ghostty*", "foot", "urxvt", "rxvt*", "*.Ptyxis", "*tilix*", "*terminator*", "*wezterm*", "*iterm*", "yakuake", "guake",
  "st", "st-*", "terminology", "sakura", "warp", "*tabby*", "hyper", "rio", "contour", "*blackbox*",
  "xfce4-appfinder", "gmrun", "rofi", "dmenu", "krunner", "*.krunner", "bashrun", "ulauncher", "albert", "idle*" }, true)

-- Those with buttons of their own, which may paste, and those without a menu bar.
local WITH_BARS = words.any({ "*terminal*", "konsole", "*.Konsole", "*.Console", "kgx", "*.Ptyxis", "*tilix*", "*terminator*",
  "yakuake", "guake", "terminology", "sakura" }, true)
local WITHOUT_MENUS = words.any({ "xterm*", "urxvt", "rxvt*", "st", "st-*", "alacritty", "foot", "kitty", "*wezterm*" }, true)

-- Keys that paste in one of them.
local KEYS = { ["ctrl+shift+s"] = words.any({ "kitty" }, true), ["ctrl+shift+p"] = words.any({ "kitty" }, true) }


local function is_named(app, test)
  for _, name in ipairs(app) do
    if test(name) then return true end
  end
  return false
end


--- True if an application is one of the terminals with buttons.
---@param app policy.App
function M.has_bars(app) return is_named(app, WITH_BARS) and not is_named(app, WITHOUT_MENUS) end


--- True if keys with Alt open no menu in these applications.
---@param list policy.Apps?
function M.is_without_menus(list)
  for _, app in ipairs(list or {}) do
    if not is_named(app, WITHOUT_MENUS) then return false end
  end
  return list ~= nil and list[1] ~= nil
end


--- True if the keys paste in one of these applications, and hardly in others.
---@param list policy.Apps?
---@param name string  of a chord
function M.pastes(list, name)
  for _, app in ipairs(KEYS[name] and list or {}) do
    if is_named(app, KEYS[name]) then return true end
  end
  return false
end


--- True if the process, or one below it that has no window of its own, holds the upper end of a terminal: what is typed in it may
--- be a command, whatever it is called.
local function holds(pid, windows)
  local windowed = {}
  for _, each in ipairs(windows or window.list { all_kinds = true } or {}) do windowed[each.pid] = true end
  local function below(of, depth)
    if policy.holds_terminal(of) then return true end
    for _, child in ipairs(depth > 0 and policy.children(of) or {}) do
      if not windowed[child] and below(child, depth - 1) then return true end
    end
    return false
  end
  return below(pid, 4)
end


--- True if one of these applications runs what it is given.
---@param list policy.Apps|false|nil
---@param windows? sys.window.Window[]  all that there are; nil: they are looked up
---@return boolean?  nil: it is not known
function M.any(list, windows)
  if not list then return list end
  for _, each in ipairs(list) do
    for _, name in ipairs(each) do
      if NAMES(name) then return true end
    end
    if each.pid and each.pid > 0 and holds(each.pid, windows) then return true end
  end
  return false
end


--- True if a menu of such an application is open.
function M.has_menu()
  local windows = window.list { all_kinds = true }
  for _, each in ipairs(windows or {}) do
    if each.kind == "popup" and each.on_screen and M.any({ { each.app, pid = each.pid } }, windows) then return true end
  end
  return false
end


return M
