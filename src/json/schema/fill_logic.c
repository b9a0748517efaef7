/* Keywords that bring in other rules for the same value. */
#include "json/schema/fill.h"

bool fill_ref(struct compiler *c, struct rule *rule, const cJSON *value)
{
    if (!need_string(c, value))
        return false;
    fill_logic(c, rule)->ref = scope_resolve(c, rule, value);
    return rule->logic->ref != NULL;
}

bool fill_all_of(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schemas(c, value, &fill_logic(c, rule)->all);
}

bool fill_any_of(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schemas(c, value, &fill_logic(c, rule)->any);
}

bool fill_one_of(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schemas(c, value, &fill_logic(c, rule)->one);
}

bool fill_not(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &fill_logic(c, rule)->not_rule);
}

bool fill_if(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &fill_logic(c, rule)->if_rule);
}

bool fill_then(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &fill_logic(c, rule)->then_rule);
}

bool fill_else(struct compiler *c, struct rule *rule, const cJSON *value)
{
    return read_schema(c, value, &fill_logic(c, rule)->else_rule);
}
