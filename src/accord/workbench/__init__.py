"""The same results live, and people's decisions: the queue of contested items, the log that keeps every decision, and
what comes of them; may import every room below `cli`.

Starlette and uvicorn are imported by `server.py` and `pages/` alone.
"""
