"""How Sphinx makes the site; docs/build_site.py gathers the pages and calls it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import accord

project = "accord"
author = "the accord developers"
release = version = accord.__version__

extensions = ["myst_parser", "sphinx_mathml", "sphinx_public_names"]
source_suffix = {".md": "markdown"}
root_doc = "index"
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4  # pages link to headings, as they do where the repository is read
nitpicky = True
suppress_warnings = ["misc.highlighting_failure"]  # what a terminal prints is no program

html_theme = "furo"
html_title = "accord"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
