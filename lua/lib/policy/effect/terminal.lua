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

--- True if the process, or one below it that has no window of its own, holds the upper end of a terminal: what is typed in it may
--- be a command, whatever it is called.
local function holds(pid)
  local windowed = {}
  for _, each in ipairs(window.list { all_kinds = true } or {}) do windowed[each.pid] = true end
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
---@return boolean?  nil: it is not known
function M.any(list)
  if not list then return list end
  for _, each in ipairs(list) do
    for _, name in ipairs(each) do
      if NAMES(name) then return true end
    end
    if each.pid and each.pid > 0 and holds(each.pid) then return true end
  end
  return false
end


--- True if a menu of such an application is open.
function M.has_menu()
  for _, each in ipairs(window.list { all_kinds = true } or {}) do
    if each.kind == "popup" and each.on_screen and M.any { { each.app, pid = each.pid } } then return true end
  end
  return false
end


return M
