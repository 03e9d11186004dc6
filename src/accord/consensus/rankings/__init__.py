"""Gold of rankings: one order of the options of each query; may import what `consensus` may."""
