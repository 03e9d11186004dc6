"""Study, one table and its roles: shapes, description, suggestions, writing; may import `engine` and those below it."""
