"""MkDocs hooks: pages that lie elsewhere in the project join the site, and their links are made to fit."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent

ELSEWHERE = {
    **{f"spec/language/{path.name}": f"language/{path.name}" for path in (ROOT / "spec" / "language").glob("*.md")},
    **{f"spec/variants/{path.name}": f"variants/{path.name}.txt" for path in (ROOT / "spec" / "variants").glob("*.ludo")},
    **{f"spec/schema/{path.name}": f"schema/{path.name}" for path in (ROOT / "spec" / "schema").glob("*.json")},
    "conformance/fairness/vectors.json": "schema/fairness-vectors.json",
    "conformance/README.md": "conformance.md",
    "conformance/engines/amarnepal.py": "engines/amarnepal.py.txt",
    "conformance/engines/amarnepal.js": "engines/amarnepal.js.txt",
    "spec/grammar/ludo.lark": "grammar/ludo.lark.txt",
    "spec/clauses.yaml": "clauses.yaml",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "tests/README.md": "tests.md",
}
"""Files outside `docs/`, by their path in the project, and where they stand in the site."""

_LINK = re.compile(r"(\]\()([^)#:\s]+)((?:#[^)\s]*)?\))")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the files that lie elsewhere."""
    for path, target in ELSEWHERE.items():
        files.append(File.generated(config, target, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turns links between places in the project into links between places in the site."""
    source = next((path for path, target in ELSEWHERE.items() if target == page.file.src_uri), f"docs/{page.file.src_uri}")

    def fit(match: re.Match[str]) -> str:
        before, link, after = match.groups()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
        target = ELSEWHERE.get(path, path.removeprefix("docs/"))
        if path == "spec/variants":
            target = "rule-books.md"
        return f"{before}{posixpath.relpath(target, posixpath.dirname(page.file.src_uri) or '.')}{after}"

    return _LINK.sub(fit, markdown)
