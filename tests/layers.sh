#!/bin/sh
# A file includes only its own folder and the folders below it (docs/tour.md). Prints what
# breaks the rule; exit 1 if anything does.
cd "$(dirname "$0")/.." || exit 2
order="base json io image platform platform/x11 platform/macos script script/sys registry protocol transport engine cli"
bad=0
rank() {
  n=0
  for layer in $order; do
    n=$((n + 1))
    [ "$layer" = "$1" ] && { echo $n; return; }
  done
  echo 0
}
for file in $(find src -name '*.[ch]' | sort); do
  folder=$(dirname "${file#src/}")
  case $folder in
    .) continue ;;                  # main.c sees everything
    modules/*) continue ;;          # checked below
  esac
  own=$(rank "$folder")
  [ "$own" = 0 ] && { echo "layers: src/$folder is in no layer (tests/layers.sh)"; bad=1; continue; }
  for include in $(sed -n 's/^#include "\(.*\)".*/\1/p' "$file"); do
    other=$(rank "$(dirname "$include")")
    if [ "$other" = 0 ] || [ "$other" -gt "$own" ]; then
      echo "layers: $file includes \"$include\", which is above it"
      bad=1
    fi
  done
done
# A module implements one header of the layer that opens it, and knows nothing of Lua above it.
for file in $(find src/modules -name '*.[ch]' 2>/dev/null | sort); do
  for include in $(sed -n 's/^#include "\(.*\)".*/\1/p' "$file"); do
    case $include in
      base/*|json/*|io/*|image/*|platform/*|modules/*|cli/edit.h) ;;
      *) echo "layers: $file includes \"$include\""; bad=1 ;;
    esac
  done
done
# Lua is entered by vm_call(), a task, or a protected piece of the layer that owns the state.
calls=$(grep -rnE '\blua_(call|pcall)\(' src --include='*.c' | grep -vE 'src/(script|registry/(call|contents|entry|outcome)|protocol/(complete|prompts)|engine)' || true)
[ -z "$calls" ] || { echo "layers: Lua is called outside of vm_call() and tasks:"; echo "$calls"; bad=1; }
exit $bad
