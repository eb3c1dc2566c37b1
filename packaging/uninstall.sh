#!/bin/sh
# Removes what install.sh copied. Your data stays in ~/.local/share/hub.
#   ./uninstall.sh [--prefix DIR]
set -eu
prefix=$HOME/.local
[ "${1:-}" != --prefix ] || prefix=$2
list=$prefix/share/hub-personal/installed
[ -r "$list" ] || { echo "$list is not there: nothing was installed below $prefix" >&2; exit 1; }
while read -r file; do
    rm -f "$prefix/$file"
    rmdir -p --ignore-fail-on-non-empty "$prefix/$(dirname "$file")" 2>/dev/null || true
done <"$list"
rm -f "$list"
rmdir "$prefix/share/hub-personal" 2>/dev/null || true
echo "hub was removed from $prefix"
