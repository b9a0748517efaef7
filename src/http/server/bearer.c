/* "Authorization: Bearer TOKEN". */
#include "http/server/bearer.h"

#include <strings.h>

bool bearer_token(const char *header, struct str *token)
{
    if (!header || strncasecmp(header, "Bearer ", 7) != 0)
        return false;
    header += 7;
    while (*header == ' ')
        header++;
    *token = str_from(header);
    return token->len > 0;
}
