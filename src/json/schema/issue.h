/* Problems in words that a model or a person can act on (issue.c), with hints (hint.c). */
#ifndef PERIGEE_JSON_SCHEMA_ISSUE_H
#define PERIGEE_JSON_SCHEMA_ISSUE_H

#include "json/schema/check.h"

#define PLURAL(count) ((count) == 1 ? "" : "s")

/* Note a problem; always false. issue_at() names the place even when it is the
 * whole, issue_in() only when it is a part. */
bool issue_at(struct check *c, const struct value_place *place, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
bool issue_in(struct check *c, const struct value_place *place, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

bool issue_text(struct check *c, const struct value_place *place,
                struct buf *text); /* takes text */

/* Adds a value as JSON, cut when it is long. */
void issue_add_value(struct buf *out, const cJSON *value);

/* Adds one of several values; *count is how many were there before it. */
void issue_add_option(struct buf *out, const cJSON *option, size_t *count);

bool issue_type(struct check *c, const struct value_place *place, unsigned types,
                const cJSON *value);
bool issue_options(struct check *c, const struct value_place *place, const cJSON *options,
                   const cJSON *value);
bool issue_constant(struct check *c, const struct value_place *place, const cJSON *constant,
                    const cJSON *value);
bool issue_pattern(struct check *c, const struct value_place *place, const struct pattern *pattern,
                   const cJSON *value);
bool issue_unknown(struct check *c, const struct value_place *place, const struct object_rule *rule,
                   const char *name);

/* "expected WHAT LIMIT, got VALUE" */
bool issue_limit(struct check *c, const struct value_place *place, const char *what, double limit,
                 const cJSON *value);

/* Why a value fits none of these. */
bool issue_none(struct check *c, const struct value_place *place, const struct rules *rules,
                const cJSON *value);

#endif
