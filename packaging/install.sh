#!/bin/sh
# Copies hub into a folder, and lists what it copied for uninstall.sh.
#   ./install.sh [--prefix DIR] [--bindir DIR]
# PREFIX is ~/.local unless given. BINDIR is where the program will be when it is used, PREFIX/bin unless given: for packages.
set -eu
cd "$(dirname "$0")"
prefix=$HOME/.local bindir=
while [ $# -gt 0 ]; do
    case $1 in
    --prefix) prefix=$2; shift 2 ;;
    --bindir) bindir=$2; shift 2 ;;
    *) echo "usage: ./install.sh [--prefix DIR] [--bindir DIR]" >&2; exit 64 ;;
    esac
done
bindir=${bindir:-$prefix/bin}
list=$prefix/share/hub-personal/installed
mkdir -p "$prefix/share/hub-personal"
find bin lib share -type f | LC_ALL=C sort >"$list.new"
while read -r file; do
    mkdir -p "$prefix/$(dirname "$file")"
    # A program that runs keeps its file.
    cp "$file" "$prefix/$file.new"
    case $file in *.service) sed -i "s|/usr/bin/hub|$bindir/hub|" "$prefix/$file.new" ;; esac
    mv "$prefix/$file.new" "$prefix/$file"
done <"$list.new"
mv "$list.new" "$list"
echo "hub is in $bindir/hub; ./uninstall.sh --prefix $prefix removes it"
case :$PATH: in *:"$bindir":*) ;; *) echo "add $bindir to PATH to start it as hub" ;; esac
