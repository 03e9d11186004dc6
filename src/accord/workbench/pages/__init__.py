"""The pages of the workbench, one file a page: each asks the bench and fills a template."""
