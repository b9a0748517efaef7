/* The way to the module that speaks SMTP. */
#include "mail/smtp.h"

#include "base/module.h"

const struct smtp_api *smtp_get(struct error *err)
{
    const struct smtp_api *api = module_symbol("curl", "perigee_smtp", err);

    return api && api->ready(err) ? api : NULL;
}
