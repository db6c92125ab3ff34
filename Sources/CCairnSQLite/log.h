// The file of a write-ahead log, whose frames are written together.
#pragma once

#include "layer.h"

// The methods of a log.
extern const sqlite3_io_methods cairn_log_methods;
