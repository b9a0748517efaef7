--- Programs that run what their arguments, their input or their variables say, by their names. Others that do are not known, but
--- a shell among the arguments of any program is.

local last_name = require("sys.path").name
local set_of    = require("word_set").of

local M = {}

-- Programs that run what their arguments or their input say: interpreters, with options for it or without a file.
local SHELLS = set_of [[
  sh ash bash rbash dash zsh fish ksh mksh oksh lksh pdksh rksh csh tcsh yash posh sash elvish nu nushell xonsh ion env python
  pypy ipython bpython jython micropython hy perl ruby jruby irb pry node nodejs bun deno php lua luajit luatex texlua tclsh
  wish expect osascript pwsh powershell busybox toybox nohup xargs sudo doas pkexec run0 systemd-run flatpak-spawn eval exec
  nice setsid R Rscript littler julia octave guile racket gosh chibi-scheme csi scheme mit-scheme clisp sbcl ecl ccl abcl ghc
  ghci runghc scala scala-cli amm groovy jshell kotlin clojure clj bb janet erl elixir iex ocaml utop gforth gst swipl yap
  sage gp scilab matlab perigee
]]

-- Those of them that only run what is in a file, if their arguments name one.
local OF_FILES = set_of [[
  sh ash bash rbash dash zsh fish ksh mksh oksh lksh pdksh rksh csh tcsh yash posh sash elvish nu nushell xonsh ion python
  pypy ipython bpython jython micropython hy perl ruby jruby node nodejs bun deno php lua luajit texlua tclsh wish expect
  osascript pwsh powershell R Rscript littler julia octave guile racket gosh elixir ocaml
]]

-- Programs that run what they read, if it says so, and nothing else.
local READERS = set_of "dc gnuplot maxima m4 ftp sftp mail mailx telnet"

-- Programs that run another one or code of their own, whatever arguments they have: also by a file of the directory that they
-- are started in, as a makefile is.
local RUNNERS = set_of [[
  awk gawk mawk nawk original-awk goawk frawk mlr su runuser sg newgrp watch viddy entr script scriptreplay gdb lldb cgdb rr
  dtrace bpftrace ltrace strace perf valgrind heaptrack hyperfine expect-lite make gmake bmake pmake remake ninja samu cmake
  ctest cpack meson muon scons waf tup redo rake just mage gradle gradlew mvn mvnw mvnd ant sbt mill lein bazel bazelisk buck
  buck2 pants snakemake nextflow invoke fab tox nox vi vim nvim view gvim gview rview rvim vimdiff ex ed vim.basic vim.tiny
  vim.nox vim.gtk vim.gtk3 emacs emacsclient emacs-gtk emacs-nox emacs-lucid kak ssh sshpass autossh mosh slogin rsh rexec
  remsh dbclient pssh parallel-ssh pdsh clush dsh ansible ansible-playbook ansible-console sqlite3 psql mysql mariadb mycli
  pgcli litecli duckdb mongosh mongo crontab fcrontab at batch docker podman nerdctl buildah kubectl oc helm lxc incus
  lxc-attach lxc-execute machinectl systemd-nspawn apptainer singularity vagrant packer terraform tofu nix-shell nix guix tmux
  tmate screen byobu dtach abduco socat ttyd gotty websocketd xterm uxterm lxterm urxvt rxvt konsole gnome-terminal
  gnome-terminal.wrapper kgx ptyxis mate-terminal lxterminal qterminal deepin-terminal xfce4-terminal kitty alacritty foot
  wezterm ghostty st stterm x-terminal-emulator tilix terminator terminology guake tilda xdg-terminal-exec npm npx pnpm pnpx
  yarn yarnpkg bunx pip pipx uvx gem bundle bundler cargo start-stop-daemon run-parts systemctl launchctl supervisord
  supervisorctl pm2 forever nodemon watchexec watchman-make reflex capsh rlwrap unbuffer sxhkd parallel lftp tsp sandbox-exec
  claude codex aider goose opencode
]]

--- Rows of "names: words", by each of the names. A row goes on in those that are indented more.
---@return table<string, string>
local function rows_of(text)
  local rows = {}
  for row in text:gsub("\n%s%s%s%s+", " "):gmatch "[^\n]+" do
    local names, words = row:match "^%s*(.-): (.*)$"
    for name in (names or ""):gmatch "%S+" do rows[name] = words end
  end
  return rows
end


--- Rows of patterns of words: "-" is one of their characters. Those joined by "&" have to be there together.
local function options_of(text)
  local options = rows_of(text)
  for name, patterns in pairs(options) do
    local list = {}
    for each in patterns:gsub("%-", "%%-"):gmatch "%S+" do
      list[#list + 1] = {}
      for pattern in each:gmatch "[^&]+" do table.insert(list[#list], pattern) end
    end
    options[name] = list
  end
  return options
end

-- Options and words of other programs by which they run a command.
local OPTIONS = options_of [[
  find: ^-exec ^-ok
  fd fdfind: ^-[%a]*[xX]
  git: ^-c ^--exec ^--config ^--upload-pack ^--receive-pack ^ext:: ^bisect$ ^difftool$ ^mergetool$ ^filter-branch$
    ^filter-repo$ ^submodule$ ^hook$ ^for-each-repo$ ^instaweb$ ^web--browse$ ! ^--template ^--open-files -cmd ^rebase$&^-%a*x
    ^clone$&^-%a*u ^ls-remote$&^-u ^grep$&^-%a*O ^send-email$&^--smtp-server=/ ^config$&pager ^config$&[eE]ditor
    ^config$&[cC]ommand ^config$&[hH]ooks[pP]ath ^config$&[fF]s[mM]onitor ^config$&helper ^config$&askpass ^config$&^filter%.
    ^config$&%.cmd$ ^config$&^alias%. ^config$&external ^config$&textconv ^config$&^include ^config$&%.driver$
  hg: ^--config ^--debugger ^bisect$ ^extdiff$
  svn: -cmd ^--config-option
  cvs: :ext:
  jj: ^--config
  gh: ^alias$ ^extensions?$ ^ext$ ^codespace$ ^cs$
  go: ^run$ ^generate$ ^test$ ^tool$ ^vet$ ^-toolexec ^-exec
  swift: ^run$ ^-e$ ^repl$ ^test$
  zig: ^run$ ^build$ ^test$
  v: ^run$ ^-e$
  nim: ^r$ ^e$ ^-r$ ^--run$
  crystal: ^run$ ^eval$ ^spec$ ^i$
  dart flutter: ^run$ ^test$
  dotnet: ^run$ ^script$ ^fsi$ ^test$ ^build$ ^exec$
  dune: ^exec$ ^build$ ^test$ ^utop$
  stack: ^exec$ ^run$ ^runghc$ ^ghci$ ^eval$ ^script$
  cabal: ^exec$ ^run$ ^repl$ ^test$
  mix: ^run$ ^eval$ ^do$ ^cmd$
  tcc: ^-run
  rails: ^runner$ ^r$ ^console$ ^c$
  rustc: linker
  ld: ^--?plugin
  ar nm protoc: ^--plugin
  gcc cc g++: ^-wrapper ^-fplugin ^-specs ^-B
  clang clang++: ^-fplugin ^-load ^-B
  install: ^--strip-program
  coverage pdm rye flatpak snap: ^run$
  pytest: ^-p ^-%a*c$
  jupyter: ^run$ ^execute$ ^--execute$ ^console$
  uv: ^run$ ^tool$ ^x$ ^pip$ ^sync$
  poetry pipenv hatch: ^run$ ^shell$
  pixi: ^run$ ^shell
  python: ^-%a*m$&^timeit$ ^-%a*m$&^pip$ ^-%a*m$&^pdb$ ^-%a*m$&^code$ ^-%a*m$&^asyncio$ ^-%a*mtimeit$ ^-%a*mpip$ ^-%a*mpdb$
    ^-%a*mcode$
  perl: ^-%a*[Mmd]
  php: ^-%a*[BRFd]
  node: ^--import ^--loader ^--experimental-loader
  clisp: ^-x
  swipl: ^-[gtls]$
  gprolog: goal
  gnuplot ttyrec: ^-e
  maxima: batch-string ^-r
  dc: !
  nu flock: ^-%a*c
  java: ^-agent ^-javaagent ^-XX:On
  tex latex pdflatex xelatex pdftex lualatex: ^\ shell-escape write18
  latexmk: ^-e ^-r latex= shell-escape
  gs: ^-c$ %%pipe%% ^-dNOSAFER ^-dDELAYSAFER
  groff: ^-%a*U
  pandoc: ^-%a*[FL] ^--filter ^--lua-filter ^--pdf-engine %.lua$
  rsync: ^-%a*e ^--rsh ^--rsync-path
  scp: ^-%a*[SoD]
  sftp: ^-%a*[SobD]
  rclone: command
  tar: ^--checkpoint-action ^--to-command ^-%a*[IF] ^--use-compress ^--info-script ^--new-volume-script ^--rsh-command
    ^--rmt-command
  bsdtar: ^--use-compress
  cpio: ^--rsh-command
  zip: ^-T ^--unzip-command
  split: ^--filter
  sort: ^--compress-program
  diff3 sdiff: ^--diff-program
  patch: ^-%a*e$ ^--ed
  less more tig: ^%+
  apt apt-get: ^-o ^--option
  dpkg: invoke
  rpm: ^-E ^--pipe
  man: ^-[PH] ^--html
  nano: ^-%a*s ^--speller
  rg: ^--pre$ ^--pre= ^--hostname-bin
  fzf: ^--preview$ ^--preview= ^--bind ^--listen ^--with-shell
  ranger: ^--cmd
  vifm: ^-c ^%+
  rofi: ^-modi ^-run- ^-[%w-]*command
  feh: ^-A ^--action
  xdotool: ^exec$ ^behave
  i3-msg swaymsg hyprctl: exec
  herbstclient: spawn
  awesome-client gtk-launch dex: .
  mpv: ^--scripts?$ ^--scripts?= ^--load-scripts ^--config-dir ^--input-conf
  sox play rec: ^|
  yt-dlp: cmd downloader plugin ^--config
  youtube-dl: cmd downloader ^--config
  gimp: ^-b ^--batch
  blender: ^-P ^--python
  darktable: ^--luacmd
  calibre-debug asciinema: ^-c
  soffice libreoffice: ^macro: ^vnd%.sun%.star%.script
  gio: ^launch$
  exo-open: ^--launch
  kioclient: ^exec$
  mutt neomutt: ^-%a*[eF]
  mail mailx: ^-%a*S
  fetchmail: ^-%a*m ^--mda connect
  wget: askpass
  nc: ^-%a*[ec]
  ncat: ^-%a*[ec] exec
  aria2c: ^--on-
  nmap: ^--script
  openssl: ^-engine ^-provider
  tcpdump: ^-z
  tshark wireshark: ^-X
  openvpn: ^--up ^--down script ^--config ^--plugin verify connect$
  dhclient: ^-sf
  dnsmasq: script
  gpg: -program ^--exec-path ^--photo-viewer
  coredumpctl: ^debug$ ^gdb$ debugger
]]

-- Options that stand for a command, whatever the program is.
local COMMANDS = options_of([[
  any: ^--?exec%f[%W] ^--execute%f[%W] ^--%a*eval%f[^%a] ^--command$ ^--command= ^--%a[%w-]*-command= ^--pager$ ^--pager=
    cmd-prefix ^--%a+-launcher=
]]).any

-- Programs that start another one, which their arguments name: timeout 5 sh -c ...
local STARTERS = set_of [[
  linux32 linux64 i386 x86_64 uname26 arch dbus-launch qemu-x86_64 qemu-i386 qemu-aarch64 qemu-arm box64 wine argv0 autossh
  bwrap busybox caffeinate catchsegv cgexec chronic chroot chrt choom chpst command conda cpulimit daemon daemonize
  dbus-run-session direnv doas eatmydata env envdir eval exec fakechroot fakeroot faketime find firejail flatpak flatpak-spawn
  flock formail gosu gpg-agent gtime hatch heaptrack hyperfine ifne ionice lckdo logsave ltrace mamba micromamba mise mispipe
  multilog multitime nice nodenv nohup nsenter numactl parallel pdm pee perf pipenv pixi pkexec poetry prlimit proot
  proxychains proxychains4 pyenv rbenv rlwrap rr run0 run-one run-this-one run-one-constantly run-one-until-failure
  run-one-until-success runuser rye setarch setlock setpriv setsid setuidgid snap softlimit sotruss ssh-agent startx stdbuf
  strace su-exec sudo systemd-cat systemd-inhibit systemd-run taskset tcpserver time timeout toolbox torify torsocks toybox
  trickle tsocks unbuffer unshare uv valgrind with-lock-ex withlock xargs xinit xcrun xpra xvfb-run
]]

-- Programs that only say or look for what their arguments are.
local SAYS = set_of "echo printf logger notify-send grep egrep fgrep zgrep rg ag ack man"

-- Programs that run files of these names without being told so.
local UNNAMED = rows_of [[
  make gmake bmake pmake remake: Makefile makefile GNUmakefile
  ninja samu: build.ninja
  cmake ctest: CMakeLists.txt CMakePresets.json CTestTestfile.cmake
  meson muon: meson.build
  scons: SConstruct
  waf: wscript
  tup: Tupfile
  rake: Rakefile rakefile Rakefile.rb
  just: justfile Justfile .justfile
  npm npx pnpm yarn yarnpkg bun: package.json
  cargo: Cargo.toml build.rs config.toml
  mvn mvnw mvnd: pom.xml
  gradle gradlew: build.gradle build.gradle.kts settings.gradle settings.gradle.kts init.gradle
  ant: build.xml
  sbt: build.sbt
  lein: project.clj
  bazel bazelisk: BUILD BUILD.bazel WORKSPACE MODULE.bazel
  tox nox: tox.ini noxfile.py
  pytest: conftest.py pytest.ini
  pip pipx uv uvx poetry: setup.py pyproject.toml
  bundle bundler gem: Gemfile
  docker podman buildah nerdctl: Dockerfile Containerfile docker-compose.yml compose.yml compose.yaml
  vagrant: Vagrantfile
  snakemake: Snakefile
  fab invoke: fabfile.py tasks.py
  nix nix-shell: flake.nix shell.nix default.nix
  ansible ansible-playbook: ansible.cfg
  latexmk: latexmkrc .latexmkrc
  gdb: .gdbinit
  direnv: .envrc
]]

-- Programs beside interpreters that run the file which their arguments name.
local OF_CODE = set_of "java javaw mono dotnet wine kotlin scala groovy clojure bb janet sbcl gforth swipl crystal nim gs tcc"

-- Variables by which any program loads or runs what they name. PATH and HOME, which are set for other reasons as well, are shown
-- and are facts.
local LOADING = set_of [[
  BASH_ENV ENV PROMPT_COMMAND PS4 LESSOPEN LESSCLOSE PYTHONSTARTUP PYTHONHOME PYTHONPATH PYTHONINSPECT PYTHONBREAKPOINT
  PERL5OPT PERL5DB PERL5LIB PERLLIB RUBYOPT RUBYLIB NODE_OPTIONS NODE_PATH LUA_PATH LUA_CPATH TCLLIBPATH CLASSPATH
  JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS GCONV_PATH GTK_MODULES GTK_PATH GIO_EXTRA_MODULES
  QT_PLUGIN_PATH GST_PLUGIN_PATH GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR
  GIT_ASKPASS GIT_PROXY_COMMAND GIT_EXEC_PATH GIT_TEMPLATE_DIR SSH_ASKPASS SUDO_ASKPASS SUDO_EDITOR PAGER MANPAGER
  SYSTEMD_PAGER PSQL_PAGER EDITOR VISUAL FCEDIT HGEDITOR SVN_EDITOR PSQL_EDITOR BROWSER SHELL ZDOTDIR MAKEFLAGS MFLAGS
  GNUMAKEFLAGS GOFLAGS RUSTC RUSTC_WRAPPER RUSTFLAGS RSYNC_RSH CVS_RSH SVN_SSH HGRCPATH TAR_OPTIONS GZIP_OPT INPUTRC VIMINIT
  EXINIT GVIMINIT FZF_DEFAULT_COMMAND FZF_DEFAULT_OPTS RIPGREP_CONFIG_PATH ANSIBLE_CONFIG WGETRC CURL_HOME R_PROFILE
  R_PROFILE_USER R_ENVIRON JULIA_LOAD_PATH GEM_PATH GEM_HOME BUNDLE_GEMFILE DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH
  OPENSSL_CONF SSLKEYLOGFILE
]]

local LOADING_NAMES = { "^LD_", "^DYLD_", "^GIT_CONFIG", "^LUA_C?PATH_", "^LUA_INIT", "^CARGO_.*RUNNER$", "^CARGO_.*LINKER$",
  "^npm_config_", "^NPM_CONFIG_" }

-- Those of them that name a program, and values by which it does nothing.
local NAMING = set_of [[
  PAGER MANPAGER GIT_PAGER SYSTEMD_PAGER PSQL_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS SSH_ASKPASS
  SUDO_ASKPASS BROWSER
]]
local NOTHING = set_of "cat true :"


--- The name of a program without its folder and version.
local function plain_name(word)
  local last = last_name(word):lower()
  if last:find "^ld%-linux" or last:find "^ld%-musl" or last:find "^ld%.so" then return "ld.so" end
  return last:match "^([%a-]*%a)[%d.-]*$" or last
end


local function is_in(set, word) return set[last_name(word)] or set[plain_name(word)] or false end


--- True if a variable, as NAME=value, makes another program of any.
---@param assignment string
---@return boolean
function M.loads(assignment)
  local name, value = assignment:match "^([^=]*)=?(.*)$"
  for _, pattern in ipairs(LOADING_NAMES) do
    if name:find(pattern) then return true end
  end
  return LOADING[name] and value ~= "" and not (NAMING[name] and NOTHING[value]) or false
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


local function is_code_option(word) return word:find "^%-%a*[ceErpS]" ~= nil or word:find "^%-%-[eprc]" ~= nil end


--- True if the interpreter at this place of the words runs what is behind it, or what it reads. One that is `running` was judged
--- when it began, with what it read then.
local function runs_words(argv, at, text, running)
  if running and text and is_in(OF_FILES, argv[at]) then return goes_on_reading(argv, at) end
  if text or #argv == at then return true end
  for i = at + 1, #argv do
    if is_code_option(argv[i]) then return true end
    if not argv[i]:find "^%-" then return i == at + 1 and not argv[i]:find "[/.]" end   -- the file that it runs
  end
  return false
end


--- True if a word behind this place fits each of the patterns.
local function has_all(argv, at, patterns)
  for _, pattern in ipairs(patterns) do
    local found = false
    for i = at + 1, #argv do found = found or argv[i]:find(pattern) ~= nil end
    if not found then return false end
  end
  return true
end


local function has_any(argv, at, list)
  for _, patterns in ipairs(list) do
    if has_all(argv, at, patterns) then return true end
  end
  return false
end


--- Is it only asked for its version?
local function says_version(argv, at) return #argv == at + 1 and (argv[at + 1] == "--version" or argv[at + 1] == "--help") end


--- True if the variables that `env` and its like set make another program of it.
local function sets_variables(argv, at)
  for i = at + 1, #argv do
    if argv[i]:find "^[%a_][%w_]*=" and M.loads(argv[i]) then return true end
  end
  return false
end

local SETTERS = set_of "env sudo doas systemd-run make export"


--- True if the program at this place of the words runs what the words behind it say.
---@param given policy.ProgramInput
local function runs_code(argv, at, given)
  local word, text = argv[at], given.text
  local name = plain_name(word)
  local is_runner = is_in(RUNNERS, word) or name == "ld.so"
  if is_runner and (text or #argv > at or given.moved) and not says_version(argv, at) then return true end
  if text and is_in(READERS, word) then return true end
  if is_in(SHELLS, word) and runs_words(argv, at, text, given.running) then return true end
  if name == "sed" or name == "gsed" then return require("policy.effect.sed").runs(argv, at) end
  if SETTERS[name] and sets_variables(argv, at) then return true end
  return has_any(argv, at, OPTIONS[last_name(word)] or OPTIONS[name] or {})
end


--- True if a word behind the program is a shell with an option for code, which the program then starts.
local function has_shell(argv)
  for i = 2, #argv - 2 do
    if is_in(OF_FILES, argv[i]) and (argv[i + 1]:find "^%-%a*[ceEr]$" or argv[i + 1]:find "^%-%-eval$") then return true end
  end
  return false
end


--- The files that a program runs without being told so.
---@param word string  the program
---@return string[]
function M.unnamed(word)
  local list = {}
  for name in (UNNAMED[last_name(word)] or UNNAMED[plain_name(word)] or ""):gmatch "%S+" do list[#list + 1] = name end
  return list
end


--- Adds the words behind the program at this place which may name the file that it runs: all up to the first that names a file.
local function add_up_to_file(list, argv, at, is_file)
  for i = at + 1, #argv do
    list[#list + 1] = argv[i]
    if not argv[i]:find "^%-" and is_file(argv[i]) then return end
  end
end


local function add_behind_f(list, argv, at)
  for i = at + 1, #argv do
    list[#list + 1] = argv[i]:match "^%-%-file=(.*)$" or argv[i]:match "^%-[fEi](.+)$"
      or argv[i]:find "^%-%-?[fEi]" and argv[i + 1] or nil
  end
end


--- Words of a command that may name files which are run by it, and names of those that are run unnamed.
---@param argv string[]
---@param given policy.ProgramInput
---@param is_file fun(word: string): boolean
---@param is_program fun(word: string): boolean
---@return string[]
function M.run_files(argv, given, is_file, is_program)
  local list = { argv[1] }
  for at = 1, is_in(STARTERS, argv[1]) and #argv or 1 do
    local word = argv[at]
    local name = plain_name(word)
    if at > 1 and is_program(word) then list[#list + 1] = word end
    if name:find "awk$" or name == "sed" or name == "gsed" then add_behind_f(list, argv, at)
    elseif is_in(OF_FILES, word) or is_in(OF_CODE, word) then add_up_to_file(list, argv, at, is_file) end
    if not name:find "awk$" and runs_code(argv, at, given) then table.move(argv, at + 1, #argv, #list + 1, list) end
    for _, each in ipairs(M.unnamed(word)) do list[#list + 1] = each end
  end
  return list
end


---@class policy.ProgramInput
---@field text string|false  what it reads
---@field running? boolean   it was started before, and is written to
---@field moved? boolean     it is started in a directory that was chosen for it

--- True if it runs what its arguments or its input say.
---@param argv string[]
---@param given policy.ProgramInput
---@return boolean
function M.run(argv, given)
  if not argv[1] then return false end
  local last = is_in(STARTERS, argv[1]) and #argv or 1
  for at = 1, last do
    if runs_code(argv, at, given) then return true end
  end
  return not is_in(SAYS, argv[1]) and (has_shell(argv) or has_any(argv, 1, COMMANDS))
end


return M
