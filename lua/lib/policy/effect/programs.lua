--- Programs that run what their arguments or their input say, by their names. Others that do are not known.

local M = {}

local function set_of(text)
  local set = {}
  for name in text:gmatch "%S+" do set[name] = true end
  return set
end

-- Programs that run what their arguments or their input say: interpreters, with options for it or without a file.
local SHELLS = set_of [[
  sh ash bash dash zsh fish ksh csh tcsh yash elvish env python pypy ipython perl ruby irb node nodejs bun deno php
  lua luajit luatex texlua tclsh wish expect osascript pwsh powershell busybox toybox nohup xargs sudo doas pkexec
  systemd-run flatpak-spawn sed eval exec nice setsid R Rscript julia octave guile racket clisp sbcl ghc ghci runghc
  scala groovy jshell erl elixir iex perigee
]]

-- Those of them that only run what is in a file, if their arguments name one.
local OF_FILES = set_of [[
  sh ash bash dash zsh fish ksh csh tcsh yash elvish python pypy ipython perl ruby node nodejs bun deno php lua luajit texlua
  tclsh wish expect osascript pwsh powershell R Rscript julia octave guile racket
]]

-- Programs that run what they read, if it says so, and nothing else.
local READERS = set_of "dc gnuplot maxima m4 ftp lftp sftp mail mailx telnet parallel"

-- Programs that run another one or code of their own, whatever arguments they have.
local RUNNERS = set_of [[
  awk gawk mawk nawk su runuser sg newgrp watch entr script scriptreplay gdb lldb make gmake bmake vi vim nvim view
  rview rvim vimdiff ex ed emacs emacsclient ssh sshpass mosh slogin rsh sqlite3 psql mysql mariadb crontab at batch
  docker podman kubectl lxc machinectl tmux screen byobu dtach socat xterm urxvt rxvt konsole gnome-terminal
  xfce4-terminal kitty alacritty foot x-terminal-emulator tilix terminator npm npx pnpm yarn pip pipx gem bundle cargo
  start-stop-daemon run-parts systemctl capsh rlwrap unbuffer ltrace strace perf bpftrace valgrind
]]

-- Options of other programs by which they run a command.
local OPTIONS = {
  find = { "^%-exec", "^%-ok" },
  git = { "^%-c", "^%-%-exec", "^%-%-config%-env", "^%-%-upload%-pack", "^%-%-receive%-pack", "^ext::", "^bisect$",
    "^difftool$", "^mergetool$", "^filter%-branch$", "^submodule$", "!" },
  rsync = { "^%-%a*e", "^%-%-rsh", "^%-%-rsync%-path" }, scp = { "^%-%a*[So]" }, sftp = { "^%-%a*[So]" },
  tar = { "^%-%-checkpoint%-action", "^%-%-to%-command", "^%-%a*[IF]", "^%-%-use%-compress", "^%-%-info%-script",
    "^%-%-new%-volume%-script", "^%-%-rsh%-command" },
  flock = { "^%-%a*c", "^%-%-command" }, apt = { "^%-o", "^%-%-option" }, ["apt-get"] = { "^%-o", "^%-%-option" },
  zip = { "^%-T", "^%-%-unzip%-command" }, man = { "^%-[PH]", "^%-%-pager", "^%-%-html" }, gcc = { "^%-wrapper", "^%-fplugin" },
  cc = { "^%-wrapper", "^%-fplugin" }, wget = { "^%-%-use%-askpass" }, nmap = { "^%-%-script" },
  openssl = { "^%-engine", "^%-provider" }, split = { "^%-%-filter" }, sort = { "^%-%-compress%-program" },
  tcpdump = { "^%-z" }, java = { "^%-agent", "^%-javaagent", "^%-XX:On" },
}

-- Programs that start another one, which their arguments name: timeout 5 sh -c ...
local STARTERS = set_of [[
  linux32 linux64 i386 x86_64 dbus-launch
  bwrap busybox chroot chrt choom cpulimit dbus-run-session doas env eval exec fakeroot find firejail flatpak-spawn
  flock ionice logsave nice nohup nsenter numactl parallel pkexec prlimit proxychains setarch setlock setpriv setsid
  softlimit ssh-agent stdbuf sudo systemd-run taskset time timeout torsocks toybox tsocks unshare xargs xvfb-run
]]


--- The name of a program without its folder and version.
local function plain_name(word)
  local last = word:match "[^/]*$":lower()
  if last:find "^ld%-linux" or last:find "^ld%-musl" or last:find "^ld%.so" then return "ld.so" end
  return last:match "^(%a+)[%d.-]*$" or last
end


--- True if an interpreter of files that is running goes on with what it reads, because no file is named, or asked to.
local function goes_on_reading(argv, at)
  for i = at + 1, #argv do
    local word = argv[i]
    if word == "-" or word:find "^%-%a*[is]" or word:find "^%-%-interactive" or word:find "^/dev/" or word:find "^/proc/" then
      return true
    end
    if not word:find "^%-" then return not word:find "[/.]" end
  end
  return true
end


--- True if the interpreter at this place of the words runs what is behind it, or what it reads. One that is `running` was judged
--- when it began, with what it read then.
local function runs_words(argv, at, text, running)
  if running and text and OF_FILES[plain_name(argv[at])] then return goes_on_reading(argv, at) end
  if text or #argv == at then return true end
  for i = at + 1, #argv do
    if argv[i]:find "^%-%a*[ceErpS]" or argv[i]:find "^%-%-[eprc]" then return true end
    if not argv[i]:find "^%-" then return i == at + 1 and not argv[i]:find "[/.]" end   -- the file that it runs
  end
  return false
end


--- True if the program at this place of the words runs what the words behind it say.
local function runs_code(argv, at, text, running)
  local last, name = argv[at]:match "[^/]*$", plain_name(argv[at])
  if (RUNNERS[last] or RUNNERS[name] or name == "ld.so") and (text or #argv > at) then return true end
  if text and (READERS[last] or READERS[name]) then return true end
  if (SHELLS[last] or SHELLS[name]) and runs_words(argv, at, text, running) then return true end
  for _, pattern in ipairs(OPTIONS[name] or {}) do
    for i = at + 1, #argv do
      if argv[i]:find(pattern) then return true end
    end
  end
  return false
end


--- True if it runs what its arguments or its input say.
---@param argv string[]
---@param text string|false  what it reads
---@param running? boolean  it was started before, and is written to
---@return boolean
function M.run(argv, text, running)
  local last = STARTERS[(argv[1] or ""):match "[^/]*$"] and #argv or 1
  for at = 1, math.min(last, #argv) do
    if runs_code(argv, at, text, running) then return true end
  end
  return false
end


return M
