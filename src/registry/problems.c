/* A list of files and sentences. */
#include "registry/problems.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/log.h"

/* The number in "tools/x.lua:12: ...", 0 if there is none. */
static int problem_line(const char *text, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *file = strstr(text, slash ? slash + 1 : path);
    const char *colon = file ? strstr(file, ".lua:") : NULL;

    return colon && isdigit((unsigned char)colon[5]) ? atoi(colon + 5) : 0;
}

bool problems_have(const struct problems *problems, const char *path, const char *text)
{
    for (size_t i = 0; i < problems->count; i++)
        if (strcmp(problems->items[i].path, path) == 0 &&
            strcmp(problems->items[i].text, text) == 0)
            return true;
    return false;
}

struct problem *problems_add(struct problems *problems, const char *path, const char *text,
                             bool kept)
{
    struct problem *problem;

    problems->items = mem_resize(problems->items, (problems->count + 1) * sizeof *problems->items);
    problem = &problems->items[problems->count++];
    *problem = (struct problem){ .path = mem_strdup(path),
                                 .line = problem_line(text, path),
                                 .text = mem_strdup(text),
                                 .kept = kept };
    return problem;
}

/* "tools/x.lua:3: ..." of /a/tools/x.lua is "/a/tools/x.lua:3: ...". */
void problem_log(const struct problem *problem)
{
    const char *path = problem->path, *text = problem->text;
    size_t label = strcspn(text, ":"), len = strlen(path), line;
    bool named = label <= len && strncmp(path + len - label, text, label) == 0;
    const char *rest = named ? text + label : text;

    line = strcspn(rest, "\n");
    log_error("cannot load %s%s%.*s%s%s", path, named ? "" : ": ", (int)line, rest,
              rest[line] ? " ... (`perigee check` says more)" : "",
              problem->kept ? " (its last good version stays in use)" : "");
}

void problems_carry(struct problems *to, const struct problems *from)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct problem *problem = &from->items[i];

        struct problem *carried;

        if (!problem->between || problems_have(to, problem->path, problem->text))
            continue;
        carried = problems_add(to, problem->path, problem->text, problem->kept);
        carried->between = true;
        carried->foreign = problem->foreign;
    }
}

void problems_free(struct problems *problems)
{
    for (size_t i = 0; i < problems->count; i++) {
        free(problems->items[i].path);
        free(problems->items[i].text);
    }
    free(problems->items);
    *problems = (struct problems){ 0 };
}
