"""What pages are made of, whatever they tell: templates, style sheet, scripts, charts and colours."""
