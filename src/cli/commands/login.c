/* perigee login, perigee logout -- tokens for MCP servers over HTTP. What a login is,
 * is Lua (lua/lib/cli/login.lua, lua/lib/oauth.lua); this reads the command line. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "cli/args.h"
#include "cli/output.h"
#include "cli/read_input.h"
#include "cli/running.h"
#include "files/file.h"

enum { SECRET_MAX = 4096 };

struct login {
    struct args args;
    const char *command;
    const char *url, *client_id, *secret_file, *document, *redirect, *scope;
    struct buf secret;
    uint64_t timeout_ms;
    bool list, json, all, no_browser, unattended;
};

/* The option's text or flag; NULL and false: it is none of them. */
static bool take_flag(struct login *login, const char *option)
{
    const struct {
        const char *name;
        bool *value;
        bool out; /* of logout */
    } flags[] = { { "--list", &login->list, false },
                  { "--json", &login->json, false },
                  { "--no-browser", &login->no_browser, false },
                  { "--client-credentials", &login->unattended, false },
                  { "--all", &login->all, true } };

    for (size_t i = 0; i < countof(flags); i++) {
        if (strcmp(option, flags[i].name) == 0 &&
            flags[i].out == (strcmp(login->command, "logout") == 0)) {
            *flags[i].value = true;
            return true;
        }
    }
    return false;
}

static int take_option(struct login *login, const char *option)
{
    const struct {
        const char *name;
        const char **value;
    } texts[] = { { "--client-id", &login->client_id },
                  { "--client-secret-file", &login->secret_file },
                  { "--client-document", &login->document },
                  { "--redirect", &login->redirect },
                  { "--scope", &login->scope } };

    if (take_flag(login, option))
        return EXIT_OK;
    if (strcmp(login->command, "login") == 0) {
        if (option_is(option, "--timeout"))
            return args_seconds(&login->args, option, &login->timeout_ms) ? EXIT_OK : EXIT_USAGE;
        for (size_t i = 0; i < countof(texts); i++)
            if (option_is(option, texts[i].name))
                return (*texts[i].value = args_value(&login->args, option)) ? EXIT_OK : EXIT_USAGE;
    }
    return usage_error(login->command, "unknown option %s", option);
}

static int check(const struct login *login)
{
    bool alone = login->list || login->all;

    if (login->args.common.help)
        return EXIT_OK;
    if (!login->url && !alone)
        return usage_error(login->command, "the server's address is missing");
    if (login->url && alone)
        return usage_error(login->command, "%s takes no address", login->list ? "--list" : "--all");
    if (login->json && !login->list)
        return usage_error(login->command, "--json is for --list");
    if (login->secret_file && !login->client_id)
        return usage_error(login->command, "--client-secret-file needs --client-id");
    if (login->unattended && !login->secret_file)
        return usage_error(login->command,
                           "--client-credentials needs --client-id and --client-secret-file");
    return EXIT_OK;
}

static int parse(struct login *login, int argc, char **argv)
{
    const char *option, *value;
    bool bad;

    args_init(&login->args, argc, argv);
    while (args_next(&login->args, &option, &value, &bad)) {
        if (option && take_option(login, option) != EXIT_OK)
            return EXIT_USAGE;
        if (value && login->url)
            return usage_error(login->command, "one address at a time ('%s')", value);
        if (value)
            login->url = value;
    }
    return bad ? EXIT_USAGE : check(login);
}

/* The first line: editors and echo end it with a newline. */
static bool read_secret(struct login *login, struct error *err)
{
    char *end;

    if (!login->secret_file)
        return true;
    if (strcmp(login->secret_file, "-") == 0) {
        if (!read_input("-", SECRET_MAX, &login->secret, err))
            return false;
    } else if (!file_read_all(login->secret_file, SECRET_MAX, &login->secret, err)) {
        return false;
    }
    end = strpbrk(buf_text(&login->secret), "\r\n");
    if (end)
        *end = '\0';
    log_add_secret(login->secret.data);
    return true;
}

/* --- the run ---------------------------------------------------------------------------- */

static void set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text); /* NULL pushes nil */
    lua_setfield(L, -2, name);
}

static void push_options(const struct login *login, lua_State *L)
{
    lua_newtable(L);
    set_text(L, "url", login->url);
    set_text(L, "client_id", login->client_id);
    set_text(L, "client_secret", login->secret.data);
    set_text(L, "client_document", login->document);
    set_text(L, "redirect", login->redirect);
    set_text(L, "scope", login->scope);
    lua_pushboolean(L, login->no_browser);
    lua_setfield(L, -2, "no_browser");
    lua_pushboolean(L, login->json);
    lua_setfield(L, -2, "json");
    lua_pushboolean(L, login->unattended);
    lua_setfield(L, -2, "unattended");
    if (login->timeout_ms) {
        lua_pushnumber(L, (lua_Number)login->timeout_ms / 1000);
        lua_setfield(L, -2, "timeout");
    }
}

static int run_function(const struct login *login, struct engine *engine)
{
    char *text =
        mem_printf("return require('cli.login').%s(...)", login->list ? "list" : login->command);
    struct script_spec spec = { .name = login->command, .text = text, .len = strlen(text) };
    struct running running;
    int status;

    running_init(&running, engine, login->command);
    push_options(login, vm_lua(engine_vm(engine)));
    running.nargs = 1;
    status = running_run(&running, &spec);
    free(text);
    return status;
}

static int run_with_engine(struct login *login)
{
    struct engine *engine;
    struct error err;
    int status;

    if (!read_secret(login, &err))
        return report_error(login->command, &err);
    log_set_role("client");
    common_log_level(&login->args.common);
    engine = common_engine(&login->args.common, login->command, NULL, NULL);
    status = engine ? run_function(login, engine) : EXIT_FAILED;
    engine_free(engine);
    return status;
}

static int run(struct login *login, const struct command *command, int argc, char **argv)
{
    int status = parse(login, argc, argv);

    if (status == EXIT_OK && login->args.common.help)
        status = command_help_text(command);
    else if (status == EXIT_OK)
        status = run_with_engine(login);
    buf_free(&login->secret);
    args_free(&login->args);
    return output_finish(command->name, status);
}

static int run_login(int argc, char **argv)
{
    struct login login = { .command = "login" };

    return run(&login, &command_login, argc, argv);
}

static int run_logout(int argc, char **argv)
{
    struct login login = { .command = "logout" };

    return run(&login, &command_logout, argc, argv);
}

const struct command command_login = {
    "login", "log in to an MCP server over HTTP, in the browser",
    "usage: perigee login [options] URL\n"
    "       perigee login --list [--json]\n"
    "\n"
    "Asks the server who gives tokens for it, opens the browser there, and keeps what it gets: "
    "private\n"
    "to you, in the state folder. From then on every MCP client of perigee uses it, and renews it "
    "as\n"
    "long as the authorization server allows. Without a browser here the address is printed.\n"
    "\n"
    "  --list                    what is kept, without its secrets; --json for programs\n"
    "  --scope \"A B\"             ask for these permissions instead of those the server names\n"
    "  --client-id ID            the client that the authorization server's owner registered for "
    "you\n"
    "  --client-secret-file FILE its secret, if it has one; - reads stdin\n"
    "  --client-credentials      no browser and no person: the client and its secret are the "
    "login\n"
    "  --client-document URL     a client metadata document that speaks for you\n"
    "                            (default: $PERIGEE_CLIENT_DOCUMENT)\n"
    "  --redirect URL            where the browser comes back to, on this machine; default\n"
    "                            http://127.0.0.1:PORT/callback with a free port\n"
    "  --no-browser              only print the address\n"
    "  --timeout SECONDS         for the person at the browser; default 300\n"
    "\n"
    "On a machine without a browser forward a port to it (ssh -L 8765:127.0.0.1:8765 HOST), log "
    "in\n"
    "with --no-browser --redirect http://127.0.0.1:8765/callback, and open the address at home.\n",
    .run = run_login
};

const struct command command_logout = {
    "logout", "forget the tokens for an MCP server",
    "usage: perigee logout URL\n"
    "       perigee logout --all\n"
    "\n"
    "Forgets the tokens for this server and tells the authorization server so, if it wants to "
    "know.\n"
    "--all forgets every token and client, also where the file is damaged, and tells nobody.\n",
    .run = run_logout
};
