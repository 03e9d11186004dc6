"""The only room that imports narwhals: frames as codes, scans as sums, annotations that stay where they are;
may import `options` and what lies below it.
"""
