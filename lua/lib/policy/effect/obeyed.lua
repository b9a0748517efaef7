--- Files that Perigee, a shell, or the user's session obeys by itself: what is written there is done later, without a call.

local env    = require "sys.env"
local home   = require "user_home"
local policy = require "sys.policy"

local M = {}

-- In the home directory: those that shells, editors and other programs read when they start. A directory stands for all in it.
local AT_HOME = {}
for name in (".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin "
  .. ".zlogout .kshrc .cshrc .tcshrc .login .inputrc .xprofile .xinitrc .xsession .xsessionrc .Xresources "
  .. ".pam_environment .vimrc .exrc .vim .emacs .emacs.d .gitconfig .tmux.conf .screenrc .gdbinit .lldbinit "
  .. ".pythonrc .npmrc .curlrc .wgetrc .netrc .forward .procmailrc .ssh .gnupg bin .local/bin "
  .. ".local/share/applications .local/share/dbus-1 .local/share/systemd .local/share/nautilus/scripts .gnome2 .kde "
  .. "Library/LaunchAgents Library/Scripts Library/Services"):gmatch "%S+" do
  AT_HOME[#AT_HOME + 1] = name
end

-- In the directory of configurations.
local AT_CONFIG = {}
for name in ("autostart autostart-scripts systemd environment.d plasma-workspace fish git nvim mimeapps.list sway i3 hypr "
  .. "openbox labwc awesome bspwm sxhkd dunst mpv tmux ranger lf nnn user-dirs.dirs xfce4 pip npm"):gmatch "%S+" do
  AT_CONFIG[#AT_CONFIG + 1] = name
end


local function set(name, other) return env.get(name, ""):match "^/.*" or other end


local function add(list, folder, names)
  for _, name in ipairs(names) do list[#list + 1] = folder .. "/" .. name end
end


local known   -- the places, once they were asked for

--- The files, and directories with such files.
---@return string[]
local function places()
  if known then return known end
  local at_home = policy.real(set("HOME", "~")) or "/"
  local config = policy.real(set("XDG_CONFIG_HOME", at_home .. "/.config"))
  known = { "/etc", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/boot", "/opt", "/var/spool/cron", "/Library", "/System",
    "/Applications", policy.real(home()), policy.real(set("XDG_STATE_HOME", at_home .. "/.local/state") .. "/perigee"),
    policy.real(set("XDG_CACHE_HOME", at_home .. "/.cache") .. "/perigee"),
    at_home .. "/Library/Application Support/perigee", at_home .. "/Library/Caches/perigee" }
  add(known, at_home, AT_HOME)
  add(known, config or at_home .. "/.config", AT_CONFIG)
  return known
end


local function is_within(path, folder) return path == folder or path:sub(1, #folder + 1) == folder .. "/" end


--- True if a path is such a file, or a directory of them.
---@param path string
---@param moves boolean  true: all that is in the directory goes with it
local function is_place(path, moves)
  for _, place in ipairs(places()) do
    if is_within(path, place) or moves and is_within(place, path) then return true end
  end
  return path:find "%.desktop$" ~= nil
end


--- A path with the links resolved in its directory alone: a startup file is often a link to a file elsewhere.
local function unfollowed(path)
  local folder, name = path:match "^(.*/)([^/]+)/*$"
  local real = policy.real(folder or ".")
  return real and (real == "/" and "" or real) .. "/" .. (name or path)
end


--- True if one of the paths is such a file. The data that tools keep in the engine's directories are none.
---@param paths string[]   with links resolved
---@param given string[]   as they were given
---@param moves boolean
---@return boolean
function M.any(paths, given, moves)
  local function is_own(path)
    for _, own in ipairs(policy.grants(true)) do
      if is_within(path, own) then return true end
    end
    return false
  end
  for i, path in ipairs(paths) do
    local link = given[i] and unfollowed(given[i])
    if not is_own(path) and (is_place(path, moves) or link and is_place(link, moves)) then return true end
  end
  return false
end


return M
