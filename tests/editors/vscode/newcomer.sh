#!/usr/bin/env bash
# tests/editors/vscode/newcomer.sh PREFIX PYTHON SHOTS [VSIX]: from a checkout to the first finding, by the lines of the
# README.
#
# PREFIX is the folder of install.sh, PYTHON what a newcomer has, SHOTS the folder for pictures. The lines run in a copy
# of what git tracks; `code` is code-server with a profile that nobody has set anything in, and newcomer.mjs the person
# before it. With VSIX, which takes less than half the time, the lines that make the environment and the extension are
# left out: PYTHON is in the one, and VSIX is the other. server.sh says what SLOWNESS is.

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
prefix=$(realpath "$1") python=$2
mkdir -p "$3"
shots=$(realpath "$3")
. "$here/server.sh"

# A Python on PATH that has nothing, as a newcomer's.
"$python" -m venv --without-pip "$state/bare"
copy=$state/onnxls
mkdir "$copy"
(cd "$root" && git ls-files -z | tar --null --files-from - --create) | tar --extract --directory "$copy"
lines=$(awk '/^```sh$/ { block = ""; next } /^```$/ && wanted { printf "%s", block; exit }
    /^code --install-extension/ { wanted = 1 } { block = block $0 "\n" }' "$root/README.md")
if [ -n "${4:-}" ]; then
    ln -s "$("$python" -c 'import sys; print(sys.prefix)')" "$copy/.venv"
    cp "$4" "$copy/onnxls.vsix"
    lines=$(grep '^code ' <<<"$lines")
fi
[ -n "$lines" ] || { echo "README.md has no lines that install the extension"; exit 1; }

# `code --install-extension VSIX` and `code FOLDER FILE`.
code() {
    [ "$1" != --install-extension ] || { install_extension "$2"; return; }
    start_server
    PLAYWRIGHT=$prefix/playwright ADDRESS=$address WORKSPACE=$(realpath "$1") FILE=$2 SHOTS=$shots STARTED=$started \
        PATH=$node_bin:$PATH timeout $((150 * SLOWNESS)) node --test --test-reporter=spec "$here/newcomer.mjs"
}

cd "$copy"
export PATH="$state/bare/bin:$PATH"
started=$(date +%s)
while IFS= read -r line; do
    printf '%3d s  %s\n' "$(($(date +%s) - started))" "$line"
    eval "$line" </dev/null
done <<<"$lines"
