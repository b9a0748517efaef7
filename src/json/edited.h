/* JSON as people edit it: with comments, and a comma behind the last member. */
#ifndef PERIGEE_JSON_EDITED_H
#define PERIGEE_JSON_EDITED_H

#include "json/document.h"

/* As json_parse() with the usual limits. A byte order mark is skipped. */
struct json_doc *json_parse_edited(const char *text, size_t len, struct error *err);

#endif
