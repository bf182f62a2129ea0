"""Where agents keep their plans: one module per format."""
