"""Study, one table and its roles: shapes, description, suggestions, writing; may import `engine` and what lies
below it.
"""
