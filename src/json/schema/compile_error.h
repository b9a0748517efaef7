/* Why a schema cannot be compiled. */
#ifndef PERIGEE_JSON_SCHEMA_COMPILE_ERROR_H
#define PERIGEE_JSON_SCHEMA_COMPILE_ERROR_H

#include "json/schema/compile.h"

/* Fails with the JSON pointer of this node. */
bool compile_fail(const struct compiler *c, const cJSON *node, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#endif
