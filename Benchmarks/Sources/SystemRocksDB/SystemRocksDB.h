// Intentionally empty: the module names the library for the linker.
