"""What preferences hide: the place of an option, circles, and annotators with an order of their own; may import
what `findings` may.
"""
