"""What is measured: frozen, mergeable summaries of rows."""
