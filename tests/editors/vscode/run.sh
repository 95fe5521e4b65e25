#!/usr/bin/env bash
# tests/editors/vscode/run.sh PREFIX VSIX PYTHON SHOTS [OPTION...]: checks.mjs in a real VS Code with a fresh profile.
#
# PREFIX is the folder of install.sh, VSIX the packaged extension, PYTHON an interpreter with onnxls, SHOTS the folder
# that the pictures and the log of the extension go to, OPTION one of `node --test`. Nothing outlives the run.
# SLOWNESS is the factor by which this machine is slower than an idle one with two cores, and by which everything may
# take longer; without it, it is what the load says.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=$(realpath "$1") vsix=$(realpath "$2") python=$(realpath -s "$3")
mkdir -p "$4"
shots=$(realpath "$4")
export PATH="$prefix/node/node_modules/node/bin:$PATH"
entry=$prefix/code-server/node_modules/code-server/out/node/entry.js
slowness=${SLOWNESS:-$(awk -v cores="$(nproc)" '{ print int($1 / cores) + 1 }' /proc/loadavg)}
state=$(mktemp -d)
workspace=$state/workspace
server=""

stop() {
    find "$state/data/logs" -name 'onnxls.log' -exec cp {} "$shots/" \; 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" 2>/dev/null || true
    rm -rf "$state"
}
trap stop EXIT
trap 'exit 130' INT TERM

mkdir -p "$state/data/User" "$state/data/Machine" "$state/extensions" "$workspace"
printf 'auth: none\n' >"$state/config.yaml"
cp "$here/settings.json" "$state/data/User/"
# A setting of the scope `machine` counts where the server runs, not where the browser does.
printf '{ "onnxls.interpreter": ["%s"] }\n' "$python" >"$state/data/Machine/settings.json"
"$python" "$here/workspace.py" "$workspace"
"$python" -m venv --without-pip "$state/bare"
profile=(--config "$state/config.yaml" --user-data-dir "$state/data" --extensions-dir "$state/extensions")

node "$entry" "${profile[@]}" --install-extension "$vsix" >"$state/install.log" 2>&1 \
    || { tail -n 20 "$state/install.log"; exit 1; }
# A window that is gone must not keep its extension host, and with it a language server, for hours.
node "$entry" "${profile[@]}" --bind-addr 127.0.0.1:0 --auth none --disable-telemetry --disable-update-check \
    --disable-workspace-trust --disable-getting-started-override --disable-proxy --reconnection-grace-time 5 \
    >"$state/log" 2>&1 &
server=$!
address=""
for _ in $(seq 150); do
    address=$(grep -oE 'http://127\.0\.0\.1:[0-9]+' "$state/log" | head -n 1) && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.2
done
[ -n "$address" ] || { echo "code-server did not start:"; tail -n 20 "$state/log"; exit 1; }

PLAYWRIGHT=$prefix/playwright ADDRESS=$address WORKSPACE=$workspace SHOTS=$shots PYTHON=$python \
    BARE_PYTHON=$state/bare/bin/python PROFILE=$state/data MAKE_WORKSPACE=$here/workspace.py \
    SLOWNESS=$slowness timeout $((300 * slowness)) node --test --test-reporter=spec "${@:5}" "$here/checks.mjs"
