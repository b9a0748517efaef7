/* A tool by name, or what may have been meant. */
#include "cli/find.h"

#include "cli/args.h"
#include "cli/nearest.h"

struct entry *find_tool(struct engine *engine, const char *command, const char *name)
{
    struct generation *generation = registry_current(engine_registry(engine));
    struct entry *entry = generation_tool(generation, name);
    struct nearest nearest = { .count = 0 };

    if (entry && entry->here)
        return entry;
    if (entry) {
        usage_error(command, "the tool '%s' is not for this platform", name);
        return NULL;
    }
    for (size_t i = 0; i < generation->count; i++)
        if (generation->entries[i]->kind == ENTRY_TOOL && generation->entries[i]->here)
            nearest_add(&nearest, name, generation->entries[i]->name);
    usage_error(command, "there is no tool '%s'%s", name, nearest_text(&nearest, "; ", ""));
    return NULL;
}
