"""An evaluation as it is shown: as text, as charts of a page, as that page, and as a picture."""
