/* Deep equality as JSON Schema has it: numbers by value, objects in any order.
 * An object that names a member twice equals only one that does so, too. */
#ifndef PERIGEE_JSON_EQUAL_H
#define PERIGEE_JSON_EQUAL_H

#include <cjson/cJSON.h>

#include "base/util.h"

bool json_equal(const cJSON *a, const cJSON *b);

/* Equal values have equal hashes. */
uint64_t json_hash(const cJSON *value);

#endif
