"""From the text of a reply to a value, or to the reason why there is none."""
