#!/usr/bin/env bash
# tests/editors/vscode/run.sh PREFIX VSIX PYTHON SHOTS [OPTION...]: checks.mjs in a real VS Code with a fresh profile.
#
# PREFIX is the folder of install.sh, VSIX the packaged extension, PYTHON an interpreter with onnxls, SHOTS the folder
# that the pictures and the log of the extension go to, OPTION one of `node --test`. server.sh says what SLOWNESS is.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=$(realpath "$1") vsix=$(realpath "$2") python=$(realpath -s "$3")
mkdir -p "$4"
shots=$(realpath "$4")
. "$here/server.sh"

workspace=$state/workspace
mkdir "$workspace"
cp "$here/settings.json" "$state/data/User/"
# A setting of the scope `machine` counts where the server runs, not where the browser does.
printf '{ "onnxls.interpreter": ["%s"] }\n' "$python" >"$state/data/Machine/settings.json"
"$python" "$here/workspace.py" "$workspace"
"$python" -m venv --without-pip "$state/bare"

install_extension "$vsix"
start_server --disable-workspace-trust
PLAYWRIGHT=$prefix/playwright ADDRESS=$address WORKSPACE=$workspace SHOTS=$shots PYTHON=$python \
    BARE_PYTHON=$state/bare/bin/python PROFILE=$state/data MAKE_WORKSPACE=$here/workspace.py \
    PATH=$node_bin:$PATH timeout $((300 * SLOWNESS)) node --test --test-reporter=spec "${@:5}" "$here/checks.mjs"
