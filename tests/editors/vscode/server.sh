# To be sourced, with `prefix` (the folder of install.sh) and `shots` set: code-server with a fresh profile in `state`, a
# new folder. Nothing outlives the shell that sources it.
# SLOWNESS is the factor by which this machine is slower than an idle one with two cores, and by which everything may
# take longer; without it, it is what the load says.
# shellcheck shell=bash

export SLOWNESS=${SLOWNESS:-$(awk -v cores="$(nproc)" '{ print int($1 / cores) + 1 }' /proc/loadavg)}
node_bin=$prefix/node/node_modules/node/bin # what code-server was installed for
entry=$prefix/code-server/node_modules/code-server/out/node/entry.js
state=$(mktemp -d)
server=""

stop() {
    find "$state/data/logs" -name 'onnxls.log' -exec cp {} "$shots/" \; 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    rm -rf "$state"
}
trap stop EXIT
trap 'exit 130' INT TERM

mkdir -p "$state/data/User" "$state/data/Machine" "$state/extensions"
printf 'auth: none\n' >"$state/config.yaml"
profile=(--config "$state/config.yaml" --user-data-dir "$state/data" --extensions-dir "$state/extensions")

install_extension() {
    PATH=$node_bin:$PATH node "$entry" "${profile[@]}" --install-extension "$1" >"$state/install.log" 2>&1 \
        || { tail -n 20 "$state/install.log"; return 1; }
}

# start_server OPTION...: sets `address`.
start_server() {
    # A window that is gone must not keep its extension host, and with it a language server, for hours.
    PATH=$node_bin:$PATH node "$entry" "${profile[@]}" --bind-addr 127.0.0.1:0 --auth none --disable-telemetry \
        --disable-update-check --disable-getting-started-override --disable-proxy --reconnection-grace-time 5 "$@" \
        >"$state/log" 2>&1 &
    server=$!
    address=""
    for _ in $(seq 150); do
        address=$(grep -oE 'http://127\.0\.0\.1:[0-9]+' "$state/log" | head -n 1) && return
        kill -0 "$server" 2>/dev/null || break
        sleep 0.2
    done
    echo "code-server did not start:"
    tail -n 20 "$state/log"
    return 1
}
