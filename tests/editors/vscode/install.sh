#!/usr/bin/env bash
# tests/editors/vscode/install.sh PREFIX: what the tests in the real VS Code need, in the folder PREFIX.
#
# code-server is VS Code with a server in the place of Electron; playwright-core drives it in the system's Chromium.
# Debian packages are installed where Chromium is missing, which needs root. From nothing it takes two to four minutes
# and 1.3 GB; what PREFIX has already is kept. Exits with 69 where a package registry cannot be reached.

set -euo pipefail
prefix=$(mkdir -p "${1:?usage: install.sh PREFIX}" && cd "$1" && pwd)
node_version=24.21.0 code_server_version=4.139.1 playwright_version=1.65.1
unavailable=69

unreachable() {
    echo "cannot be had here: $1"
    exit "$unavailable"
}

# npm_into FOLDER PACKAGE VERSION
npm_into() {
    [ "$(cat "$prefix/$1/installed" 2>/dev/null)" = "$2@$3" ] && return
    rm -rf "${prefix:?}/$1"
    mkdir -p "$prefix/$1"
    echo '{ "private": true }' >"$prefix/$1/package.json"
    npm view "$2@$3" version >/dev/null 2>&1 || unreachable "the npm package $2 $3"
    (cd "$prefix/$1" && npm install --no-audit --no-fund --loglevel=error "$2@$3" >"$prefix/$1/npm.log" 2>&1) \
        || { tail -n 40 "$prefix/$1/npm.log"; return 1; }
    echo "$2@$3" >"$prefix/$1/installed"
}

if [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ] || ! command -v g++ >/dev/null || [ ! -e /usr/include/gssapi.h ]; then
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        unreachable "Chromium: name one with CHROMIUM, or run as root where apt-get is"
    fi
    apt-get update -qq >/dev/null 2>&1 || unreachable "Debian packages"
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        chromium fonts-dejavu-core libkrb5-dev python3 make g++ pkg-config >/dev/null
fi

export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
npm_into node node "$node_version"
export PATH="$prefix/node/node_modules/node/bin:$PATH" # code-server checks which node its own installation runs in
[ "$(node --version)" = "v$node_version" ]
# Headers of the system's node serve its native modules, which use the stable interface, and spare a download.
[ ! -e /usr/include/node/node_api.h ] || export npm_config_nodedir=${npm_config_nodedir:-/usr}
npm_into playwright playwright-core "$playwright_version"
npm_into code-server code-server "$code_server_version"
node "$prefix/code-server/node_modules/code-server/out/node/entry.js" --version
