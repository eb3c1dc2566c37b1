#!/usr/bin/env bash
# PgBouncer of Debian before the PostgreSQL server with its socket in the folder $1, on a socket in the folder $2, with the pool mode $3. It says
# "ready", and ends with its standard input.
set -eu
server=$1 folder=$2 mode=$3
as=()
# It refuses to run as root.
if [ "$(id -u)" = 0 ]; then
    chown nobody "$folder"
    as=(setpriv --reuid nobody --regid nogroup --clear-groups)
fi
cat >"$folder/pgbouncer.ini" <<END
[databases]
postgres = host=$server user=hub
[pgbouncer]
unix_socket_dir = $folder
listen_addr =
listen_port = 6432
auth_type = any
pool_mode = $mode
END
chmod a+r "$folder/pgbouncer.ini"
"${as[@]}" setpriv --pdeathsig TERM pgbouncer "$folder/pgbouncer.ini" </dev/null >"$folder/log" 2>&1 &
pooler=$!
trap 'kill $pooler 2>/dev/null || true' EXIT
until [ -S "$folder/.s.PGSQL.6432" ]; do
    kill -0 $pooler
    sleep 0.02
done
echo ready
cat >/dev/null
