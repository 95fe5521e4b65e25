"""The state of a language server, free of any protocol: documents, analyses, settings, findings."""
