/* perigee tools -- what tools there are. People read what lua/lib/cli/tools.lua
 * makes of them; --json is written here, since only the definition as it goes
 * over the wire has the order of its keys. */
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/args.h"
#include "cli/find.h"
#include "cli/output.h"
#include "cli/running.h"
#include "cli/terminal.h"
#include "json/writer.h"

struct listing {
    struct args args;
    const char *name;
    bool json, markdown;
};

static int parse(struct listing *listing, int argc, char **argv)
{
    const char *option, *value;
    bool bad;

    args_init(&listing->args, argc, argv);
    while (args_next(&listing->args, &option, &value, &bad)) {
        if (value && listing->name)
            return usage_error("tools", "one tool at a time ('%s')", value);
        if (value)
            listing->name = value;
        else if (strcmp(option, "--json") == 0)
            listing->json = true;
        else if (strcmp(option, "--markdown") == 0)
            listing->markdown = true;
        else
            return usage_error("tools", "unknown option %s", option);
    }
    if (bad)
        return EXIT_USAGE;
    if (listing->markdown && (listing->name || listing->json))
        return usage_error("tools", "--markdown writes all tools; it takes no name and no --json");
    return EXIT_OK;
}

/* --- JSON --------------------------------------------------------------------------- */

static void add_string(struct buf *out, const char *key, const char *value)
{
    buf_addf(out, ",\"%s\":", key);
    json_write_string(out, value, strlen(value));
}

/* The definition, and what the wire does not carry. */
static void add_definition(struct buf *out, const struct entry *entry)
{
    buf_add(out, entry->wire, entry->wire_len - 1);
    add_string(out, "toolset", entry->toolset);
    add_string(out, "file", entry->path);
    if (entry->alias_count) {
        buf_lit(out, ",\"aliases\":");
        for (size_t i = 0; i < entry->alias_count; i++) {
            buf_addc(out, i ? ',' : '[');
            json_write_string(out, entry->aliases[i], strlen(entry->aliases[i]));
        }
        buf_addc(out, ']');
    }
    buf_addc(out, '}');
}

static int print_json(struct engine *engine, const struct entry *only)
{
    const struct generation *generation = registry_current(engine_registry(engine));
    struct buf out = { 0 };

    if (only)
        add_definition(&out, only);
    else
        buf_addc(&out, '[');
    for (size_t i = 0; !only && i < generation->count; i++) {
        if (generation->entries[i]->kind != ENTRY_TOOL || !generation->entries[i]->here)
            continue;
        if (out.len > 1)
            buf_addc(&out, ',');
        add_definition(&out, generation->entries[i]);
    }
    if (!only)
        buf_addc(&out, ']');
    buf_addc(&out, '\n');
    fwrite(out.data, 1, out.len, stdout);
    buf_free(&out);
    return EXIT_OK;
}

/* --- for people ----------------------------------------------------------------------- */

static void set_boolean(lua_State *L, const char *key, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, key);
}

static int print_lua(struct listing *listing, struct engine *engine)
{
    static const char text[] = "require('cli.tools').show(...)";
    struct script_spec spec = { .name = "tools", .text = text, .len = sizeof text - 1 };
    struct running running;
    lua_State *L = vm_lua(engine_vm(engine));

    running_init(&running, engine, "tools");
    lua_newtable(L); /* options */
    lua_pushstring(L, listing->name);
    lua_setfield(L, -2, "name");
    set_boolean(L, "markdown", listing->markdown);
    set_boolean(L, "colour", terminal_colours(stdout));
    if (terminal_is(stdout)) {
        lua_pushinteger(L, terminal_width(stdout, 0));
        lua_setfield(L, -2, "width");
    }
    running.nargs = 1;
    return running_run(&running, &spec);
}

static int show(struct listing *listing, struct engine *engine)
{
    struct entry *entry = NULL;

    if (listing->name && !(entry = find_tool(engine, "tools", listing->name)))
        return EXIT_USAGE;
    return listing->json ? print_json(engine, entry) : print_lua(listing, engine);
}

static int run(int argc, char **argv)
{
    struct listing listing = { .name = NULL };
    struct engine *engine = NULL;
    int status = parse(&listing, argc, argv);

    if (status == EXIT_OK && listing.args.common.help) {
        status = command_help_text(&command_tools);
    } else if (status == EXIT_OK) {
        common_log_level(&listing.args.common);
        engine = common_engine(&listing.args.common, "tools", NULL, NULL);
        status = engine ? show(&listing, engine) : EXIT_FAILED;
        engine_free(engine);
    }
    args_free(&listing.args);
    return output_finish("tools", status);
}

const struct command command_tools = {
    "tools", "list the tools, or show one of them",
    "usage: perigee tools [options]\n"
    "       perigee tools NAME [options]\n"
    "\n"
    "Lists the tools by toolset, a line each; or shows one tool with its parameters, examples\n"
    "and file.\n"
    "\n"
    "  --json            the definitions as JSON on one line: a list, or with NAME an object\n"
    "  --markdown        a reference of all tools in Markdown\n"
    "  --toolset A,B     only these toolsets (and engine)\n"
    "  --root DIR, --no-user-root   as for `perigee serve`\n",
    .run = run
};
