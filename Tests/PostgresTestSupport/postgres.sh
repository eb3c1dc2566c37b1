#!/usr/bin/env bash
# A PostgreSQL server of Debian on a socket in the folder $1, without fsync. It says "ready", takes words from its standard input, answers each
# with "done", and ends with it. The server ends with this script, also when that is killed.
set -eu
bin=$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin | sort -V | tail -1)
folder=$1
as=()
# It refuses to run as root.
if [ "$(id -u)" = 0 ]; then
    chown nobody "$folder"
    as=(setpriv --reuid nobody --regid nogroup --clear-groups)
fi
server=

start() {
    "${as[@]}" setpriv --pdeathsig QUIT "$bin/postgres" -D "$folder/data" -k "$folder" -c listen_addresses='' \
        -c fsync=off -c full_page_writes=off -c max_connections=200 -c shared_buffers=16MB -c autovacuum=off \
        </dev/null >>"$folder/log" 2>&1 &
    server=$!
    until "$bin/pg_isready" -q -h "$folder" -U hub; do
        kill -0 "$server"
        sleep 0.05
    done
}

# At once, as after a loss of power.
stop() {
    [ -n "$server" ] || return 0
    kill -QUIT "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
}

trap 'stop; rm -rf "$folder"' EXIT
"${as[@]}" "$bin/initdb" -D "$folder/data" -U hub -A trust --no-locale -E UTF8 --no-sync >/dev/null
start
echo ready
while read -r word; do
    case $word in
    restart) stop; start ;;
    stop) stop ;;
    start) start ;;
    # The data as they are now, and back to them, as a restored backup is: on a time line of its own.
    save) stop; cp -a "$folder/data" "$folder/saved"; start ;;
    restore) stop; rm -rf "$folder/data"; mv "$folder/saved" "$folder/data"
        echo "restore_command = 'false'" >>"$folder/data/postgresql.auto.conf"
        "${as[@]}" touch "$folder/data/recovery.signal"
        start
        until [ "$("$bin/psql" -h "$folder" -U hub -d postgres -Atc 'SELECT pg_is_in_recovery()')" = f ]; do sleep 0.05; done ;;
    esac
    echo done
done
