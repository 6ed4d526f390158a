"""A Magnum driver that posts CloudEvents to the functions, and the listener that takes their reports."""
