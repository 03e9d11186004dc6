"""The pages of the workbench, one file per page, each of which asks the bench and fills a template; may import what
`workbench` may.
"""
