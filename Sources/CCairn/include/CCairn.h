// Small C helpers for CairnCore. Every symbol starts with `cairn_`; only <stddef.h> and <stdint.h> are included.
#ifndef CCAIRN_H
#define CCAIRN_H

#include <stddef.h>
#include <stdint.h>

#endif
