#!/usr/bin/env python3
"""Programs that run what their arguments, their input, their variables or their directory say. None of them is really started: what
has its name does nothing."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of     # noqa: E402
import tap                               # noqa: E402

# Program, and the arguments with which it runs something: words are separated by blanks, cases by bars, programs by semicolons.
RUN = """
sh: -c x; rbash: -c x; mksh: -c x; nu: -c x; xonsh: -c x; fish: -c x; pwsh: -c x; elvish: -c x; python3: -c x | -Ic x | -m timeit x | -m
pip install x; perl: -e x | -Mx; ruby: -e x; node: -e x | --import x a.js; php: -r x | -B x a.php; lua: -e x; tclsh:; Rscript: -e x; R: -e
x; octave: --eval x; julia: -e x; guile: -c x; clisp: -x y; sbcl: --eval x; swipl: -g x; ghc: -e x; scala-cli: -e x; groovy: -e x; bb: -e
x; erl: -eval x; elixir: -e x; gforth: -e x; jshell:; awk: 1 | -f x; gawk: 1; mawk: 1; mlr: x; sed: e x | -e s/a/b/e | s/a/touch y/e | -n
-e p -e ex | -f x | --expression=s/a/b/e | -i s,a,b,e y | 1,5e x | -l 5 ex | p;e x | /x/s/a/b/e | w x; make: -f x | -C x | x; gmake: -f x;
ninja: -C x | -f x; samu: -C x; cmake: -P x | --build x | -E env x | .; ctest: x; meson: compile; scons: x; just: x; rake: x; gradle: x;
mvn: exec:exec | x; ant: x; sbt: x; bazel: run x; tox: x; go: run x | test ./... | generate | build -toolexec=x; cargo: run | test; swift:
run | -e x; zig: run x; nim: r x; crystal: eval x; dart: run x; dotnet: run | script x; dune: exec x; stack: exec x | runghc x; cabal: run
x; mix: run x; tcc: -run x; rails: runner x; rustc: -Clinker=x y; ld: -plugin x; gcc: -wrapper x y | -fplugin=x y | -specs=x y; g++:
-wrapper x y; clang: -fplugin=x y; install: --strip-program=x a b; protoc: --plugin=x; npm: run x; npx: x; yarn: x; pnpm: dlx x; bunx: x;
deno: run x | eval x; pip: install x; pipx: run x; uvx: x; uv: run x | tool run x; gem: install x; bundle: exec x; poetry: run x | shell;
pipenv: run x; pdm: run x; hatch: run x; pixi: run x; flatpak: run x; snap: run x; coverage: run x.py; jupyter: execute x; nix-shell:
--run x; nix: run x; git: -c a.b=!x y | rebase -x y z | rebase -ix y z | clone -u x y | grep -Ox y | config alias.x !y | config core.pager
y | config core.sshCommand y | config core.hooksPath y | config filter.a.clean y | bisect run x | submodule foreach x | fetch
--upload-pack=x y | ls-remote ext::x | difftool -x y | send-email --to-cmd=x y | init --template=x | --config-env=a=B c | filter-branch x
| hook run x | grep --open-files-in-pager=x y; hg: --config a.b=x y | bisect -c x; svn: diff --diff-cmd x; gh: alias set x !y | extension
exec x; jj: --config a=b; ssh: host x | -oProxyCommand=x host; autossh: host x; pssh: x; ansible: all -a x; mosh: host -- x; scp: -S x a b
| -oProxyCommand=x a b | -D x a b; sftp: -b x host; rsync: -e x a b | --rsync-path=x a b; lftp: -c x; nc: -e x host 1 | -c x host 1; ncat:
--sh-exec x host 1; socat: - exec:x; websocketd: x; ttyd: x; wget: --use-askpass=x y | -e use_askpass=x y; aria2c:
--on-download-complete=x y; yt-dlp: --exec x y | --netrc-cmd x y | --downloader x y; nmap: --script x y; tcpdump: -z x; tshark: -X
lua_script:x; openssl: x -engine y; openvpn: --up x; gpg: --agent-program x; gpg-agent: --daemon sh -c x; ssh-agent: sh -c x; find: .
-exec x | . -execdir x | . -ok x; fd: . -x y | . -X y | . --exec y; xargs: x; parallel: x ::: y; env: -S x | A=1 sh | PAGER=x
sensible-pager | LD_PRELOAD=/x y; nice: -n 5 sh -c x; watch: x; entr: x; watchexec: x; nodemon: x; reflex: x; script: -c x; hyperfine: x;
perf: stat x; strace: x; gdb: -ex x; lldb: -o x; valgrind: x; rr: record sh -c x; coredumpctl: debug x; systemd-run: x; at: now; batch: x;
crontab: x | -; systemctl: start x; launchctl: submit x; run-parts: x; start-stop-daemon: --start x; supervisord: -c x; pm2: start x;
sxhkd: -c x; docker: run x; podman: exec x y; kubectl: exec x; helm: x; lxc: exec x; machinectl: shell x; systemd-nspawn: x; apptainer:
exec x; vagrant: ssh; terraform: apply; qemu-x86_64: sh -c x; vim: -c !x | x; nvim: -c x; gvim: -c x; vim.basic: -c x; ex: x; ed: x;
emacs: --eval x; emacsclient: -e x; emacs-nox: --eval x; kak: -e x; nano: -s x y; less: +!x y; ranger: --cmd=x; vifm: -c !x; sqlite3: x
.shell | -cmd .shell; psql: -c !x; mysql: -e x; duckdb: x; mongosh: --eval x; dc: -e !x; gnuplot: -e x; maxima: --batch-string=x; gp:;
matlab: -batch x; xterm: -e x; konsole: -e x; kitty: x; foot: x; wezterm: start x; tmux: new x; screen: -dm x; dtach: -n a x; xinit: sh -c
x; xvfb-run: sh -c x; xdotool: exec x; i3-msg: exec x; swaymsg: exec x; rofi: -modi a:x | -run-command x; fzf: --preview x | --bind a:x;
feh: -A x y; gtk-launch: x; gio: launch x; dex: x; exo-open: --launch x; mpv: --script=x y; sox: |x y; gimp: -b x; blender: --python-expr
x | -P y; gs: -c x | -dNOSAFER x; pdflatex: \\write18{x} | -shell-escape x; lualatex: \\directlua{x}; latexmk: -e x; pandoc: -F x y |
--lua-filter=x y | --pdf-engine=x y; soffice: macro:///x; calibre-debug: -c x; chromium: --renderer-cmd-prefix=x | --gpu-launcher=x; mutt:
-e x | -F x; mailx: -S sendmail=x a; fetchmail: --mda x; tar: -I x -cf y z | --to-command=x -xf y | --checkpoint-action=exec=x -cf y . |
-F x -cf y z; cpio: --rsh-command=x; zip: a b -TT x; split: --filter=x y; sort: --compress-program=x y; diff3: --diff-program=x a b c;
sdiff: --diff-program=x a b; patch: -e a b; rg: --pre x y | --pre=x y; man: -P x y | -H x; apt-get: -o a=b install x; dpkg:
--pre-invoke=x; rpm: -E x; java: -javaagent:x y; some-program: sh -c x | --exec x | --eval=x | --command=x | --pre-command=x | --pager=x;
perigee: run -e x; claude: -p x; arch: -x86_64 sh -c x
"""

# The same for what they do in daily use: nothing of the words is run.
PLAIN = """
git: status | log -5 | log --grep rebase | diff | clean -fdx | cherry-pick -x y | push -u origin main | add -u | clone x y | --no-pager
log | commit -m x | config user.name x | rebase main | fetch; sed: s/a/b/ y | -n 5p y | -n 1,5p y | -i s/a/b/g y | -e s/a/b/ -e s,c,d,g y
| $d y | /x/d y | /x/s/a/b/ y | s/a/b/;s/c/d/ y | -E s|a|b|g y | --expression=p y | -i.bak 5d y | y/ab/cd/ y | -l 5 p y; tar: -xf x | -czf
x y | -tvf x; find: . -name x | . -type f -delete; rsync: -a x y | -avz --executability x y; zip: -r x y; python3: server.py -c x.conf |
a/b.py -p 80 | -m http.server; node: server.js -e x; perl: a.pl x; ffmpeg: -i x y | -c copy y; magick: x y; convert: x -resize 50% y;
curl: -o x y | -c jar y; wget: x | -O x y; cp: -r x y; ls: -la; echo: sh -c x | --exec x; grep: -e sh -c x | -r sh; rg: x | --pre-glob x
y; printf: sh -c; notify-send: x sh -c y; go: build | fmt ./... | version | mod tidy; uv: --version; dotnet: --version; gh: pr list |
repo view; gcc: -c x.c -o x.o | -O2 x.c; rustc: x.rs; man: ls; less: x; sort: -u x; split: -l 5 x; patch: -p1 x; diff: -e a b; xdotool:
getactivewindow; flatpak: list; snap: list; poetry: install; cmake: --version; ninja: --version; make: --version; ssh: --version; pandoc:
x -o y; gs: -sDEVICE=pdfwrite x; pdflatex: x.tex; soffice: --headless --convert-to pdf x; feh: x; gpg: -d x; openssl: dgst x; java: -jar
x.jar; ps: -o command= -p 1 | -ww -o args=; timeout: 5 ls | 5 python3 x.py; nice: -n 5 ffmpeg -i x y; nc: -z host 80; npm-check: x;
ssh-keygen: -f x; sleep: 1; date: -u; test: -d x; jq: .x y; xrandr: --output x; systemd-inhibit: --what=idle cat; perigee: --version;
install: -m 755 a b; mail-notify: x; tee: x; mpv: x.mp4; fzf: --filter x
"""

# What a program reads, and variables that are set for it.
READ = "sh bash python3 perl ssh sqlite3 dc m4 gnuplot telnet mail xargs parallel at crontab ed gdb tclsh octave psql make awk mksh nu"
DATA = "cat tee sort grep jq wc tr gzip sha256sum sed ffmpeg"
LOAD = """
LD_PRELOAD=x LD_AUDIT=x BASH_ENV=x PAGER=x MANPAGER=x EDITOR=x VISUAL=x BROWSER=x GIT_SSH_COMMAND=x GIT_EXEC_PATH=x PYTHONPATH=x
PERL5LIB=x RUBYLIB=x NODE_PATH=x NODE_OPTIONS=x LUA_PATH=x LUA_PATH_5_4=x CLASSPATH=x MAKEFLAGS=x GOFLAGS=x RUSTC_WRAPPER=x
CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=x npm_config_script_shell=x RSYNC_RSH=x TAR_OPTIONS=x VIMINIT=x GEM_HOME=x LESSOPEN=x
SUDO_ASKPASS=x ZDOTDIR=x GIT_CONFIG_COUNT=1 SHELL=x FZF_DEFAULT_COMMAND=x OPENSSL_CONF=x PYTHONINSPECT=1 BASH_ENV=cat ENV=true
"""
HARMLESS = "LANG=C PAGER=cat GIT_PAGER=cat GIT_TERMINAL_PROMPT=0 GIT_EDITOR=true PAGER= TZ=UTC LC_ALL=C HOME=/x DISPLAY=:0 TERM=dumb NO_COLOR=1"
MOVED = "make ninja cargo npm gradle mvn rake just tox meson docker"
STAYING = "ls git cat python3-config date pwd"

# Programs that start another one.
START = """
timeout: 5; nohup:; setsid:; stdbuf: -oL; flock: x; ionice: -c3; chrt: 5; taskset: 1; unshare: -r; bwrap: --bind / /;
firejail:; time:; xargs:; sudo: -n; doas:; chronic:; run-one:; pee:; daemonize:; systemd-inhibit:; systemd-cat:;
run0:; conda: run; poetry: run; uv: run; pipenv: run; pyenv: exec; rbenv: exec; toolbox: run; flatpak: run x;
eatmydata:; gosu: x; uname26:; linux32:; setpriv:; faketime: x; torify:; proxychains4:; cgexec: -g x; chpst:;
softlimit:; mise: exec; direnv: exec .; env:; caffeinate:; su-exec: x; ifne:; tcpserver: 0 1; fakeroot:; xcrun:
"""
INNER = ("sh -c x", "python3 -c x", "make -f x", "git rebase -x y", "find . -exec x", "sed e y", "vim -c x", "ninja -C x")

RUNS = """
local process = require "sys.process"
return { description = "Runs.", inputSchema = { type = "object" }, run = function(args)
  local spec = { table.unpack(args.words) }
  spec.env, spec.cwd, spec.input = args.env, args.cwd, args.input
  local done, err, code = process.run(spec)
  if not done then return nil, err, code end
  return "ran"
end }
"""
POLICY = 'return { rules = { { deny = "it runs it", effect = "process", shell = true }, { allow = true } } }'


def cases(table):
    """One list of words for each case."""
    for row in " ".join(table.split()).split("; "):
        program, _, rest = row.rstrip(";").partition(":")
        for words in rest.split(" | "):
            yield [program, *words.split()]


class Programs:
    """A server for which all these programs do nothing."""

    def __init__(self, names):
        self.place = Place(POLICY, runs=RUNS)
        self.bin = self.place.folder / "bin"
        self.bin.mkdir()
        for name in set(names):
            (self.bin / name).write_text("#!/bin/true\n")
            (self.bin / name).chmod(0o755)
        self.place.env["PATH"] = str(self.bin)

    def __enter__(self):
        self.server = self.place.serve()
        return self

    def __exit__(self, *_):
        self.server.__exit__(None, None, None)
        self.place.__exit__()

    def is_shell(self, *words, **more):
        result, _ = call(self.server, "runs", {"words": list(words), **more})
        code = code_of(result)
        assert code == "denied" or not result.get("isError"), (words, more, result)
        return code == "denied"


def by_their_arguments():
    """By name, by path, and behind a program that starts another."""
    run, plain = list(cases(RUN)), list(cases(PLAIN))
    assert len(run) > 330 and len(plain) > 100, (len(run), len(plain))
    with Programs([words[0] for words in run + plain] + ["timeout"]) as here:
        def spellings(words):
            return words, [str(here.bin / words[0]), *words[1:]], ["timeout", "5", *words]
        found = [each for words in run for each in spellings(words) if not here.is_shell(*each)]
        assert not found, found
        found = [each for words in plain for each in spellings(words)[:2] if here.is_shell(*each)]
        assert not found, found


def behind_programs_that_start_them():
    starters = list(cases(START))
    with Programs([words[0] for words in starters]) as here:
        found = [(words, inner) for words in starters for inner in INNER if not here.is_shell(*words, *inner.split())]
        assert not found, found


def by_what_they_read():
    with Programs((READ + " " + DATA).split()) as here:
        found = [name for name in READ.split() if not here.is_shell(name, "x.txt" if name in ("awk", "make") else "-", input="x")]
        assert not found, found
        found = [name for name in DATA.split() if here.is_shell(name, "p", input="x")]
        assert not found, found


def by_their_variables():
    def env(text):
        name, _, value = text.partition("=")
        return {name: value}
    with Programs(["date", "env"]) as here:
        found = [each for each in LOAD.split() if not here.is_shell("date", env=env(each))]
        assert not found, found
        found = [each for each in LOAD.split() if not here.is_shell("env", each, "/bin/date")]
        assert not found, ("by a program that sets them", found)
        found = [each for each in HARMLESS.split() if here.is_shell("date", env=env(each))]
        assert not found, found


def by_their_directory():
    with Programs((MOVED + " " + STAYING).split()) as here:
        folder = str(here.place.folder / "work")
        found = [name for name in MOVED.split() if not here.is_shell(name, cwd=folder)]
        assert not found, found
        found = [name for name in STAYING.split() if here.is_shell(name, cwd=folder)]
        assert not found, found


for title, function in (("programs that run their arguments", by_their_arguments),
                        ("programs that start others", behind_programs_that_start_them),
                        ("programs that run what they read", by_what_they_read),
                        ("variables that run something", by_their_variables),
                        ("programs that run a file of their directory", by_their_directory)):
    tap.case(title, function)
tap.done()
