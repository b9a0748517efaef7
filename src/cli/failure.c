#include "cli/failure.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/output.h"
#include "json/writer.h"

#define PEEKABOO "--json-output"

static const char *json_option_given(int argc, char **argv)
{
    const char *found = NULL;

    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], PEEKABOO) == 0 || (!found && strcmp(argv[i], "--json") == 0))
            found = argv[i];
    return found;
}

static const char *failure_code(const struct failure *failure, int status)
{
    bool usage = status == EXIT_USAGE;

    if (strcmp(failure->asked, PEEKABOO) == 0)
        return usage ? "INVALID_ARGUMENT" : "INTERNAL_SWIFT_ERROR";
    return usage ? "usage" : "failed";
}

void failure_watch(struct failure *failure, int argc, char **argv)
{
    *failure = (struct failure){ .asked = json_option_given(argc, argv) };
    output_keep(&failure->said, failure->asked && strcmp(failure->asked, PEEKABOO) == 0);
}

void failure_end(struct failure *failure, int status)
{
    struct buf out = { 0 };

    output_keep(NULL, false);
    if (status != EXIT_OK && failure->asked && failure->said.len) {
        buf_lit(&out, "{\"success\":false,\"error\":{\"message\":");
        json_write_string(&out, buf_text(&failure->said), failure->said.len);
        buf_addf(&out, ",\"code\":\"%s\"},\"debug_logs\":[]}\n", failure_code(failure, status));
        output_write(out.data, out.len);
        buf_free(&out);
    }
    buf_free(&failure->said);
}
