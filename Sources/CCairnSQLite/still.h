// Files that are read as they are, without a log.
#pragma once

#include "layer.h"

// Whether a database is what it was when it was opened.
int cairn_still_is_unchanged(const struct still *still);

// Begins to read a database that was opened at `path`, whose status was `before`; returns 0 if it is not settled.
int cairn_still_begin(struct still *still, const char *path, const struct stat *before);
