"""Every rule that looks for problems: what finds them, what explains them, what mends them."""
