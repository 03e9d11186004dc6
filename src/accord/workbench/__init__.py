"""The same results live, and people's decisions: the queue of contested items, the log that keeps every decision, and
what comes of them; may import `reporting` and what lies below it.

Starlette and uvicorn are imported by `server.py` and by what answers its requests alone: `routes.py`, `visit.py`,
`security.py`, `slow_heads.py` and `pages/`.
"""
