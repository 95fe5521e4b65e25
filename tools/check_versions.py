"""One version for the Python package, the VS Code extension, and the tag of a release: `check_versions.py [TAG]`.

With a tag, both changelogs must have a section for the version, too.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def versions() -> dict[str, str]:
    client = json.loads((ROOT / "vscode-client/package.json").read_text(encoding="utf-8"))
    lock = json.loads((ROOT / "vscode-client/package-lock.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {
        "pyproject.toml": project["project"]["version"],
        "vscode-client/package.json": client["version"],
        "vscode-client/package-lock.json": lock["version"],
    }


def has_section(changelog: str, version: str) -> bool:
    text = (ROOT / changelog).read_text(encoding="utf-8")
    return re.search(rf"^## \[?{re.escape(version)}\]?(\s|$)", text, re.MULTILINE) is not None


def main(tag: str | None) -> int:
    found = versions()
    troubles: list[str] = []
    if tag is not None:
        found[f"the tag {tag}"] = tag.removeprefix("v")
        version = found["pyproject.toml"]
        for changelog in ("CHANGELOG.md", "vscode-client/CHANGELOG.md"):
            if not has_section(changelog, version):
                troubles.append(f"{changelog} has no section for {version}")
    if len(set(found.values())) > 1:
        troubles.append("versions differ: " + ", ".join(f"{place} has {version}" for place, version in found.items()))
    for trouble in troubles:
        print(trouble, file=sys.stderr)  # noqa: T201
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else None))
