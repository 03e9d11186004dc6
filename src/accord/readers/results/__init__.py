"""Results of the queries that `accord sql` writes: a database's sums as a study; may import what `readers` may."""
