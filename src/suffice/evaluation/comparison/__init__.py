"""Every model on one table: ranked, told apart from chance, and warned of what gives the answer away."""
