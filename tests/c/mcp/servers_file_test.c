/* Files that name MCP servers: the entries that are read, and the messages about the rest. */
#include "io_help.h"

#include "mcp/servers_file.h"

static struct servers_file *file;
static struct error err;

static const char *lookup(const char *name)
{
    if (strcmp(name, "HOME") == 0)
        return "/home/me";
    return strcmp(name, "EMPTY") == 0 ? "" : NULL;
}

static bool parse(const char *text)
{
    servers_file_free(file);
    err = (struct error){ .code = "" };
    file = servers_file_parse(text, strlen(text), lookup, &err);
    return file;
}

static const struct server_entry *only(const char *entry)
{
    char *text = mem_printf("{\"mcpServers\":{\"one\":%s}}", entry);

    if (!parse(text))
        fail_msg("%s", err.text);
    free(text);
    assert_int_equal(servers_file_count(file), 1);
    return servers_file_at(file, 0);
}

static void spoiled(const char *entry, const char *code, const char *text)
{
    const struct server_entry *server = only(entry);

    assert_string_equal(server->problem.code, code);
    if (!strstr(server->problem.text, text))
        fail_msg("not in \"%s\": %s", server->problem.text, text);
    assert_non_null(strstr(server->problem.text, "\"one\""));
}

static void a_server_has_a_command_arguments_and_an_environment(void **state)
{
    const struct server_entry *server;

    (void)state;
    server = only("{\"command\":\"npx\",\"args\":[\"-y\",\"\"],\"env\":{\"A\":\"b=c\",\"D\":\"\"},"
                  "\"cwd\":\"/srv\",\"type\":\"stdio\",\"autoApprove\":[\"x\"]}");
    assert_string_equal(server->name, "one");
    assert_string_equal(server->problem.code, "");
    assert_string_equal(server->argv[0], "npx");
    assert_string_equal(server->argv[1], "-y");
    assert_string_equal(server->argv[2], "");
    assert_null(server->argv[3]);
    assert_string_equal(server->env[0], "A=b=c");
    assert_string_equal(server->env[1], "D=");
    assert_null(server->env[2]);
    assert_string_equal(server->cwd, "/srv");
}

static void a_command_is_enough(void **state)
{
    const struct server_entry *server;

    (void)state;
    server = only("{\"command\":\"x\"}");
    assert_string_equal(server->problem.code, "");
    assert_null(server->argv[1]);
    assert_null(server->env[0]);
    assert_null(server->cwd);
}

static void variables_are_put_in(void **state)
{
    const struct server_entry *server;

    (void)state;
    server =
        only("{\"command\":\"${HOME}/bin/x\",\"args\":[\"$HOME ${HOME}${HOME}\",\"${NO:-a b}\","
             "\"${EMPTY:-x}\",\"${NO:-}\",\"$\",\"{}\",\"${NO:-x:-y}\"],"
             "\"env\":{\"P\":\"${HOME}:/bin\"},\"cwd\":\"${NO:-/tmp}\"}");
    assert_string_equal(server->problem.text, "");
    assert_string_equal(server->argv[0], "/home/me/bin/x");
    assert_string_equal(server->argv[1], "$HOME /home/me/home/me");
    assert_string_equal(server->argv[2], "a b");
    assert_string_equal(server->argv[3], "");
    assert_string_equal(server->argv[4], "");
    assert_string_equal(server->argv[5], "$");
    assert_string_equal(server->argv[6], "{}");
    assert_string_equal(server->argv[7], "x:-y");
    assert_string_equal(server->env[0], "P=/home/me:/bin");
    assert_string_equal(server->cwd, "/tmp");
}

static void variables_of_editors_are_put_in(void **state)
{
    const struct server_entry *server;

    (void)state;
    server = only("{\"command\":\"${env:HOME}/x\",\"args\":[\"${env:NO:-a}\",\"${env:NO:-}\","
                  "\"${userHome}${pathSeparator}b${/}c\"],\"env\":{\"K\":\"${env:EMPTY}\"}}");
    assert_string_equal(server->problem.text, "");
    assert_string_equal(server->argv[0], "/home/me/x");
    assert_string_equal(server->argv[1], "a");
    assert_string_equal(server->argv[2], "");
    assert_string_equal(server->argv[3], "/home/me/b/c");
    assert_string_equal(server->env[0], "K=");
    spoiled("{\"command\":\"x\",\"env\":{\"K\":\"${env:KEY}\"}}", "no_variable",
            "the environment variable KEY is not set. Set it, or write ${KEY:-default}");
    spoiled("{\"command\":\"x\",\"env\":{\"K\":\"${input:key}\"}}", "no_variable",
            "${input:key} is for an editor, which asks for its value. Write the value itself");
    spoiled("{\"command\":\"x\",\"cwd\":\"${workspaceFolder}\"}", "no_variable",
            "${workspaceFolder} is for an editor");
    spoiled("{\"url\":\"https://${config:host}/\"}", "no_variable", "${config:host} is for");
}

static void a_tilde_is_the_home(void **state)
{
    const struct server_entry *server;

    (void)state;
    server = only("{\"command\":\"~/bin/x\",\"args\":[\"~/a\"],\"cwd\":\"~\"}");
    assert_string_equal(server->argv[0], "/home/me/bin/x");
    assert_string_equal(server->argv[1], "~/a"); /* the server's own affair */
    assert_string_equal(server->cwd, "/home/me");
    assert_string_equal(only("{\"command\":\"~x/y\"}")->argv[0], "~x/y");
    assert_string_equal(only("{\"command\":\"a~/y\"}")->argv[0], "a~/y");
    assert_string_equal(only("{\"url\":\"https://x\",\"ca_file\":\"~/c.pem\"}")->ca_file,
                        "/home/me/c.pem");
}

static void names_of_other_clients_are_taken(void **state)
{
    static const char *const urls[] = {
        "{\"serverUrl\":\"https://x.example/mcp\"}",
        "{\"httpUrl\":\"https://x.example/mcp\",\"url\":\"https://x.example/sse\"}",
        "{\"uri\":\"https://x.example/mcp\",\"type\":\"streamable_http\",\"enabled\":true}",
        "{\"url\":\"https://x.example/mcp\",\"type\":\"streamable-http\"}",
        "{\"url\":\"https://x.example/mcp\",\"type\":\"streamableHttp\"}",
        "{\"url\":\"https://x.example/mcp\",\"transport\":\"streamable-http\"}",
        "{\"url\":\"https://x.example/mcp\",\"type\":\"remote\"}",
        "{\"url\":\"https://x.example/mcp\",\"transport\":7}",
    };

    (void)state;
    for (size_t i = 0; i < countof(urls); i++) {
        const struct server_entry *server = only(urls[i]);

        assert_string_equal(server->problem.text, "");
        assert_string_equal(server->url, "https://x.example/mcp");
    }
    assert_string_equal(only("{\"type\":\"local\",\"command\":\"x\"}")->argv[0], "x");
    spoiled("{\"serverUrl\":7}", "bad_entry", "\"serverUrl\" is not a string");
    spoiled("{\"httpUrl\":\"https://x\",\"type\":\"sse\"}", "not_supported",
            "uses sse (https://x)");
    spoiled("{\"url\":\"https://x\",\"transport\":\"sse\"}", "not_supported", "uses sse");
    spoiled("{\"command\":\"x\",\"enabled\":false}", "disabled", "\"enabled\": false");
}

static void an_entry_may_say_its_era_and_where_one_logs_in(void **state)
{
    const struct server_entry *server;

    (void)state;
    server = only("{\"url\":\"https://x\",\"era\":\"legacy\",\"oauth\":{\"clientId\":\"c\","
                  "\"authServerMetadataUrl\":\"https://${NO:-a}/m\"}}");
    assert_string_equal(server->problem.text, "");
    assert_string_equal(server->era, "legacy");
    assert_string_equal(server->metadata, "https://a/m");
    assert_string_equal(only("{\"command\":\"x\",\"era\":\"modern\"}")->era, "modern");
    assert_null(only("{\"command\":\"x\"}")->era);
    spoiled("{\"command\":\"x\",\"era\":\"old\"}", "bad_entry", "\"era\" must be \"auto\"");
    spoiled("{\"command\":\"x\",\"era\":1}", "bad_entry", "\"era\" must be");
    spoiled("{\"url\":\"https://x\",\"oauth\":true}", "bad_entry", "\"oauth\" is not an object");
}

static void a_missing_variable_is_named(void **state)
{
    (void)state;
    spoiled("{\"command\":\"x\",\"env\":{\"KEY\":\"${API_KEY}\"}}", "no_variable", "API_KEY");
    spoiled("{\"command\":\"x\",\"args\":[\"ok\",\"${A${HOME}}\"]}", "no_variable", "A${HOME");
    spoiled("{\"command\":\"${HOME\"}", "bad_entry", "closing brace");
    spoiled("{\"command\":\"${HOME:-x\"}", "bad_entry", "closing brace");
}

static void servers_over_http_are_recognised(void **state)
{
    const struct server_entry *entry;

    (void)state;
    assert_true(
        parse("{\"mcpServers\":{\"a\":{\"type\":\"http\",\"url\":\"https://x.example/${P}\","
              "\"headers\":{\"X-Key\":\"${K:-k}\"},\"timeout\":7}}}"));
    entry = servers_file_find(file, "a", &err);
    assert_string_equal(entry->problem.code, "no_variable");
    assert_true(parse("{\"mcpServers\":{\"a\":{\"url\":\"https://x.example/mcp\","
                      "\"headers\":{\"X-Key\":\"${NONE:-k}\"},\"timeout\":7}}}"));
    entry = servers_file_find(file, "a", &err);
    assert_string_equal(entry->problem.code, "");
    assert_string_equal(entry->url, "https://x.example/mcp");
    assert_string_equal(entry->headers[0], "X-Key=k");
    assert_null(entry->headers[1]);
    assert_true(entry->timeout == 7);
    spoiled("{\"url\":\"https://x.example/mcp\",\"timeout\":-1}", "bad_entry", "timeout");
    spoiled("{\"url\":7}", "bad_entry", "url");
    spoiled("{\"type\":\"sse\",\"url\":\"https://x.example/sse\"}", "not_supported",
            "https://x.example/sse");
    spoiled("{\"type\":\"sse\"}", "not_supported", "sse");
    spoiled("{\"type\":\"http\",\"command\":\"x\"}", "not_supported", "http");
}

static void faults_are_said_and_hurt_nobody_else(void **state)
{
    (void)state;
    spoiled("7", "bad_entry", "not an object");
    spoiled("{}", "bad_entry", "\"command\"");
    spoiled("{\"command\":\"\"}", "bad_entry", "empty");
    spoiled("{\"command\":[\"x\"]}", "bad_entry", "\"command\"");
    spoiled("{\"command\":\"x\",\"args\":\"-y\"}", "bad_entry", "\"args\"");
    spoiled("{\"command\":\"x\",\"args\":[\"a\",7,\"b\"]}", "bad_entry", "\"args\"");
    spoiled("{\"command\":\"x\",\"env\":[]}", "bad_entry", "\"env\"");
    spoiled("{\"command\":\"x\",\"env\":{\"A\":1}}", "bad_entry", "\"env\"");
    spoiled("{\"command\":\"x\",\"env\":{\"A=B\":\"1\"}}", "bad_entry", "A=B");
    spoiled("{\"command\":\"x\",\"env\":{\"\":\"1\"}}", "bad_entry", "name");
    spoiled("{\"command\":\"x\",\"cwd\":1}", "bad_entry", "\"cwd\"");
    spoiled("{\"command\":\"x\\u0000y\"}", "bad_entry", "\"command\"");
    spoiled("{\"command\":\"x\",\"disabled\":true}", "disabled", "disabled");
    assert_true(parse("{\"mcpServers\":{\"a\":7,\"b\":{\"command\":\"x\"}}}"));
    assert_string_equal(servers_file_find(file, "b", &err)->problem.code, "");
}

static void what_is_no_such_file_says_what_was_expected(void **state)
{
    static const char *const bad[] = {
        "", "[]", "{}", "{\"mcpServers\":[]}", "{\"server\":{}}", "{\"mcpServers\":{}"
    };

    (void)state;
    for (size_t i = 0; i < countof(bad); i++) {
        assert_false(parse(bad[i]));
        assert_string_equal(err.code, "bad_file");
    }
    assert_true(parse("\xEF\xBB\xBF{\"mcpServers\":{}}"));
    assert_int_equal(servers_file_count(file), 0);
}

static void comments_and_a_last_comma_are_as_editors_have_them(void **state)
{
    static const char *const bad[] = { "{\"mcpServers\":{,}}",
                                       "{\"mcpServers\":{\"a\":{},,}}",
                                       "{\"mcpServers\":{}} /* ",
                                       "{\"mcpServers\":{}/}",
                                       "{\"mcpServers\":{\"a\":[,]}}",
                                       "/",
                                       "\"\\" };

    (void)state;
    assert_true(parse(
        "// mine\n{ /* \"x\" */ \"mcpServers\": { // \"b\": {},\n"
        "  \"a\": { \"command\": \"//x\", \"args\": [\"/*\", \",]\", \"\\\"//\",], /**/ }, // z\n"
        "}, }\n// end"));
    assert_int_equal(servers_file_count(file), 1);
    assert_string_equal(servers_file_at(file, 0)->argv[0], "//x");
    assert_string_equal(servers_file_at(file, 0)->argv[1], "/*");
    assert_string_equal(servers_file_at(file, 0)->argv[2], ",]");
    assert_string_equal(servers_file_at(file, 0)->argv[3], "\"//");
    assert_false(parse("// a\n/* b\n*/ { 1 }"));
    assert_non_null(strstr(err.text, "line 3, column 6"));
    for (size_t i = 0; i < countof(bad); i++)
        assert_false(parse(bad[i]));
}

static void a_name_that_is_not_there_is_answered_with_those_that_are(void **state)
{
    (void)state;
    parse("{\"mcpServers\":{\"files\":{},\"mail\":{}}}");
    assert_string_equal(servers_file_find(file, "mail", &err)->name, "mail");
    assert_null(servers_file_find(file, "Mail", &err));
    assert_string_equal(err.code, "not_found");
    assert_non_null(strstr(err.text, "\"files\", \"mail\""));
}

static void a_file_is_read_and_its_faults_name_it(void **state)
{
    char *folder = temp_make();
    char *path = mem_printf("%s/servers.json", folder);
    FILE *out = fopen(path, "w");

    (void)state;
    fputs("{\"mcpServers\":{\"a\":{\"command\":\"${PATH}\"}}}", out);
    fclose(out);
    file = servers_file_read(path, &err);
    assert_non_null(file);
    assert_string_equal(servers_file_at(file, 0)->argv[0], getenv("PATH"));
    out = fopen(path, "w");
    fputs("{\n\"mcpServers\": oops}", out);
    fclose(out);
    assert_null(servers_file_read(path, &err));
    assert_non_null(strstr(err.text, path));
    unlink(path);
    assert_null(servers_file_read(path, &err));
    assert_string_equal(err.code, "not_found");
    free(path);
    temp_remove(folder);
    free(folder);
}

static int teardown(void **state)
{
    (void)state;
    servers_file_free(file);
    file = NULL;
    return 0;
}

#define CASE(name) cmocka_unit_test_teardown(name, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_server_has_a_command_arguments_and_an_environment),
        CASE(a_command_is_enough),
        CASE(variables_are_put_in),
        CASE(variables_of_editors_are_put_in),
        CASE(a_tilde_is_the_home),
        CASE(names_of_other_clients_are_taken),
        CASE(an_entry_may_say_its_era_and_where_one_logs_in),
        CASE(a_missing_variable_is_named),
        CASE(servers_over_http_are_recognised),
        CASE(faults_are_said_and_hurt_nobody_else),
        CASE(comments_and_a_last_comma_are_as_editors_have_them),
        CASE(what_is_no_such_file_says_what_was_expected),
        CASE(a_name_that_is_not_there_is_answered_with_those_that_are),
        CASE(a_file_is_read_and_its_faults_name_it),
    };

    return cmocka_run_group_tests_name("servers_file", tests, NULL, NULL);
}
