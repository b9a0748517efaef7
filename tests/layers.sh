#!/bin/sh
# Checks the rules for the tree's includes (docs/tour.md). Prints what breaks one; exit 1 if anything does.
# - A file includes its own folder and those before it in `order`.
# - No two files include one another, directly or by way of others.
# - A module (a folder in `modules` and those in it) is entered by the header that it implements: nothing outside includes
#   from it.
# - The files of lua/ require in one direction, too (tests/layers_lua.py).
# - docs/tour.md names each folder of src.
# - Lua is called by vm_call(), a task, or a protected piece of the layer that owns the state.
cd "$(dirname "$0")/.." || exit 2
order="base base/nettle base/hogweed base/utf8proc xml xml/expat json json/pattern json/pattern/pcre2 json/schema db db/sqlite taint files audit process process/libdbus
  http http/client http/client/curl http/server http/server/microhttpd http/oauth
  mail mail/gmime mail/smtp
  image image/encoders image/leptonica image/tesseract
  platform platform/gtk platform/worker platform/fake platform/osascript platform/freedesktop
  platform/atspi/bus platform/atspi/walk platform/atspi platform/x11/wire
  platform/x11/windows platform/x11/screen platform/x11/clipboard platform/x11/input platform/x11
  platform/macos/system platform/macos/ax platform/macos/notify platform/macos
  script script/stdlib script/sandbox registry registry/call guest/jail guest/jail/python_jail guest/python guest
  mcp mcp/client mcp/client/wire mcp/server/request mcp/server/call mcp/server mcp/server/http
  sys/shared sys sys/console sys/element sys/engine sys/events sys/http sys/input sys/mcp sys/process sys/taint sys/task
  sys/trace
  guest/child engine cli cli/libedit cli/commands"
modules="base/nettle base/hogweed base/utf8proc xml/expat db/sqlite json/pattern/pcre2 process/libdbus http/client/curl http/server/microhttpd mail/gmime mail/smtp image/encoders image/leptonica image/tesseract platform/x11
  platform/macos platform/gtk cli/libedit"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# file line folder-of-file included folder-of-included, for every quoted include of src
find src -name '*.[chm]' | sort | xargs awk '
  FNR == 1 { from = FILENAME; sub("^src/", "", from); folder = from; if (!sub("/[^/]*$", "", folder)) folder = "." }
  /^#[ \t]*(include|import)[ \t]+"/ {
    split($0, part, "\""); to = part[2]; target = to
    if (!sub("/[^/]*$", "", target)) target = "."
    print from, FNR, folder, to, target
  }' > "$work/includes"
find src -name '*.[chm]' | sed 's#^src/##; s#/[^/]*$##' | sort -u | grep -v '\.[chm]$' > "$work/folders"

awk -v order="$order" -v modules="$modules" -v folders="$work/folders" '
  BEGIN {
    n = split(order, name); for (i = 1; i <= n; i++) rank[name[i]] = i
    n = split(modules, name); for (i = 1; i <= n; i++) module[name[i]] = 1
    while ((getline folder < folders) > 0) if (!(folder in rank)) say("src/" folder " is in no layer (tests/layers.sh)")
  }
  function say(what) { print "layers: " what; bad = 1 }
  # the module that a folder is or lies in; "" for one of the program
  function module_of(folder) {
    if (folder ~ /^platform\/atspi(\/|$)/) return "process/libdbus"   # both are in one (MORE_libdbus of the Makefile)
    while (!(folder in module) && sub("/[^/]*$", "", folder)) ;
    return folder in module ? folder : ""
  }
  $3 == "." { next }                       # main.c sees everything
  !($5 in rank) || rank[$5] > rank[$3] { say("src/" $1 ":" $2 " includes \"" $4 "\", which is above it") }
  module_of($5) && module_of($3) != module_of($5) { say("src/" $1 ":" $2 " includes \"" $4 "\" of a module, which is entered by its header") }
  END { exit bad }' "$work/includes"
bad=$?

awk '$1 != $4 { print $1, $4 }' "$work/includes" > "$work/pairs"
if ! tsort "$work/pairs" > /dev/null 2> "$work/circles"; then
  sed -n 's/^tsort: \([^-].*\.[chm]\)$/layers: in a circle of includes: src\/\1/p' "$work/circles"
  bad=1
fi

for folder in $(cut -d/ -f1 "$work/folders" | sort -u); do
  grep -qF "| \`src/$folder\` |" docs/tour.md || { echo "layers: docs/tour.md lacks src/$folder"; bad=1; }
done

calls=$(grep -rnE '\blua_(call|pcall)\(' src --include='*.c' |
  grep -vE 'src/(script|sys|guest/child|engine)/|src/registry/call/|src/cli/commands/prompt\.c' || true)
python3 tests/layers_lua.py || bad=1

[ -z "$calls" ] || { echo "layers: Lua is called outside of vm_call() and tasks:"; echo "$calls"; bad=1; }
exit $bad
