"""One self-contained page from the results of a study; the same results as Markdown, LaTeX and JSON."""
