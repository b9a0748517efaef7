#!/bin/sh
# `make install` and `make uninstall` into a private folder. Prints TAP.
top=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-build}
version=$(sed -n 's/^VERSION *:= *//p' "$top/Makefile")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
stage=$work/stage
prefix=$stage/opt/it
perigee=$prefix/bin/perigee
unset PERIGEE_LUA PERIGEE_MODULES
PERIGEE_HOME=$work/home
export PERIGEE_HOME
count=0
failed=0

# ok NAME COMMAND...: passes when the command does; what it says is shown when it does not
ok() {
  name=$1
  shift
  count=$((count + 1))
  if "$@" >"$work/said" 2>&1; then
    echo "ok $count - $name"
  else
    failed=$((failed + 1))
    echo "not ok $count - $name"
    sed 's/^/# /' "$work/said"
  fi
}

# -o all: what is built is tested, not built anew
made() (cd "$top" && make -s -o all BUILD="$build" PREFIX=/opt/it DESTDIR="$stage" "$@")
says() { # COMMAND OUTPUT
  got=$(cd / && eval "$1" 2>&1)
  [ "$got" = "$2" ] || { echo "got: $got"; echo "expected: $2"; return 1; }
}
mode_is() { # FILE MODE
  got=$(ls -ld "$1" | cut -c1-10)
  [ "$got" = "$2" ] || { echo "$1: $got, expected $2"; return 1; }
}

umask 077
ok "installs below DESTDIR and PREFIX" made install
ok "everybody can run the program" mode_is "$perigee" -rwxr-xr-x
ok "everybody can enter its folders" mode_is "$prefix/share/perigee/lua/tools" drwxr-xr-x
ok "everybody can read its Lua files" mode_is "$prefix/share/perigee/lua/lib/schema.lua" -rw-r--r--
ok "the manual page is there" test -f "$prefix/share/man/man1/perigee.1"
ok "README, docs and examples are there" test -f "$prefix/share/perigee/README.md" -a \
  -f "$prefix/share/perigee/docs/services.md" -a -f "$prefix/share/perigee/examples/services/tiling.lua"
ok "so are completions" mode_is "$prefix/share/bash-completion/completions/perigee" -rw-r--r--
ok "for each shell" test -f "$prefix/share/fish/vendor_completions.d/perigee.fish" -a \
  "$(head -1 "$prefix/share/zsh/site-functions/_perigee" 2>/dev/null)" = "#compdef perigee"
ok "no compiled Python files" test -z "$(find "$stage" -name __pycache__)"

ok "it runs from any folder" says "'$perigee' version" "perigee $version"
ok "it takes its own Lua files" says \
  "'$perigee' run -e 'print(require(\"sys.engine\").tool(\"search_tools\").file)'" \
  "$prefix/share/perigee/lua/tools/engine/search_tools.lua"
ok "and its own modules" says \
  "'$perigee' run -e 'print(require(\"sys.json\").check({ pattern = \"^a+\$\" }, \"aa\"))'" true
ok "all of its files load" "$perigee" check --no-user-root
ok "it shows its pages" says "'$perigee' help services.md | head -1" "$(head -1 "$top/docs/services.md")"

ln -s "$perigee" "$work/link"
ok "a link to it runs" says "'$work/link' run -e 'print(tools.search_tools{query=\"\"} ~= nil)'" true

mv "$prefix" "$stage/opt/moved"
ok "the whole may be moved" says "'$stage/opt/moved/bin/perigee' run -e 'print(1, #require(\"sys.engine\").tools() > 4)'" \
  "1	true"
mv "$stage/opt/moved" "$prefix"

echo 'return {}' >"$prefix/share/perigee/lua/lib/of_an_older_version.lua"
echo old >"$prefix/share/perigee/docs/of_an_older_version.md"
mkdir -p "$prefix/share/man/man1" && echo other >"$prefix/share/man/man1/other.1"
ok "installs again" made install
ok "and leaves no file of an older version" test -z "$(find "$prefix" -name 'of_an_older_version*')"
ok "uninstalls" made uninstall
ok "and leaves only what others put there" \
  test "$(cd "$stage" && find . -type f)" = "./opt/it/share/man/man1/other.1"

echo "1..$count"
[ $failed -eq 0 ]
