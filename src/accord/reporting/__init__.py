"""Results to one self-contained page, Markdown, LaTeX and JSON; may import `planning` and what lies below it."""
