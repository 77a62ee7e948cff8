"""What the pages share: how file text is shown, how widgets and drafts meet, who is asking."""
