"""What an editor shows about instruction files: plain functions over a `View`, with `str` offsets, no protocol types."""
