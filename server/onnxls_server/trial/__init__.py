"""Running models to see what happens: opt-in, in a process of its own, with limits on time and memory.

`client` is what the commands speak to; `worker` is the other process, and the only code that executes a model.
"""
