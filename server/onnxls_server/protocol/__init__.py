"""The language server protocol over the session. The types of the protocol are known here and nowhere else."""
