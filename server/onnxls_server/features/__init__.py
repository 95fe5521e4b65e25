"""What editors show: pure functions of a snapshot and a place in it. Offsets are characters; no protocol is known."""
