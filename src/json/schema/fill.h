/* Filling in rules from keywords: for keywords.c and the files fill*.c. */
#ifndef PERIGEE_JSON_SCHEMA_FILL_H
#define PERIGEE_JSON_SCHEMA_FILL_H

#include "json/schema/compile_error.h"

/* Checks the value of one keyword and puts what it says in the rule. */
typedef bool fill(struct compiler *c, struct rule *rule, const cJSON *value);

/* fill_value.c */
fill fill_type, fill_enum, fill_const, fill_minimum, fill_exclusive_minimum, fill_maximum,
    fill_exclusive_maximum, fill_multiple_of, fill_min_length, fill_max_length, fill_pattern;

/* fill_inside.c */
fill fill_min_items, fill_max_items, fill_items, fill_prefix_items, fill_contains,
    fill_min_contains, fill_max_contains, fill_unique_items, fill_unevaluated_items,
    fill_min_properties, fill_max_properties, fill_properties, fill_required,
    fill_dependent_required, fill_dependent_schemas, fill_pattern_properties, fill_additional,
    fill_property_names, fill_unevaluated_properties;

/* Zeroed memory that lives as long as the schema. */
void *fill_take(struct compiler *c, size_t size);

/* Each checks the type of a keyword's value; false with an error that names the type. */
bool need_string(struct compiler *c, const cJSON *value);
bool need_object(struct compiler *c, const cJSON *value);
bool read_number(struct compiler *c, const cJSON *value, double *out);
bool read_count(struct compiler *c, const cJSON *value, size_t *out);
bool read_schema(struct compiler *c, const cJSON *value, const struct rule **out);
bool read_schemas(struct compiler *c, const cJSON *value, struct rules *out);

/* NULL with an error at `source` if the text is not a pattern. */
struct pattern *fill_pattern_text(struct compiler *c, const cJSON *source, struct str text);

/* Made when first needed. */
struct logic_rule *fill_logic(struct compiler *c, struct rule *rule);

#endif
