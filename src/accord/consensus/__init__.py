"""Many answers to one label per item, with a confidence: `accord.gold`; may import `readers` and what lies below it."""
