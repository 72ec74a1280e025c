"""What users read: text tables and whole models as text."""
