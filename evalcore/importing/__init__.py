"""Cases from other files: reading them, matching columns, and what an edited export changes."""
