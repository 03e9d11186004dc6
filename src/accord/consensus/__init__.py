"""From many answers to one label an item, with a confidence. The way in is `accord.gold`."""
