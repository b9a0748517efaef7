/* Lists that come in pages. */
#include "client_run.h"

static struct list_got {
    struct buf items;
    struct got end;
    struct client_listing *cancel_at_page;
    bool free_at_page;
} list;

static void on_page(void *arg, const cJSON *items)
{
    struct list_got *got = arg;
    char *text = cJSON_PrintUnformatted(items);

    buf_adds(&got->items, text);
    cJSON_free(text);
    if (got->cancel_at_page)
        client_list_cancel(got->cancel_at_page);
    if (got->free_at_page)
        free_client();
}

static void on_list_done(void *arg, const struct client_answer *answer)
{
    struct list_got *got = arg;

    take_answer(&got->end, answer);
}

static struct client_listing *list_things(void)
{
    static const struct client_list_callbacks callbacks = { on_page, on_list_done };
    struct error err;

    buf_free(&list.items);
    list = (struct list_got){ 0 };
    return client_list(s.client, "things/list", "things", NULL, &callbacks, &list, &err);
}

static void list_over(const char *items)
{
    assert_string_equal(buf_text(&list.items), items);
    buf_free(&list.items);
    cJSON_free(list.end.result);
    list.end.result = NULL;
}

static void all_pages_of_a_list_are_fetched(void **state)
{
    (void)state;
    begin_legacy(NONE);
    list_things();
    sent("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"things/list\"}");
    answered("2", "{\"things\":[1,2],\"nextCursor\":\"\"}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"things/list\",\"params\":{\"cursor\":\"\"}}");
    answered("3", "{\"things\":[],\"nextCursor\":\"a\\\"b\"}");
    sent("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"things/"
         "list\",\"params\":{\"cursor\":\"a\\\"b\"}"
         "}");
    assert_false(list.end.done);
    answered("4", "{\"things\":[3],\"nextCursor\":null}");
    assert_true(list.end.done && list.end.result);
    list_over("[1,2][][3]");
}

static void a_cursor_that_comes_back_ends_the_list(void **state)
{
    (void)state;
    begin_legacy(NONE);
    list_things();
    answered("2", "{\"things\":[1],\"nextCursor\":\"a\"}");
    answered("3", "{\"things\":[2],\"nextCursor\":\"b\"}");
    answered("4", "{\"things\":[1],\"nextCursor\":\"a\"}");
    failed(&list.end, "protocol");
    assert_non_null(strstr(list.end.error.text, "cursor"));
    list_over("[1][2][1]");
    assert_int_equal(client_pending(s.client), 0);
}

static void a_list_that_never_ends_is_cut(void **state)
{
    int id = 2;

    (void)state;
    begin_legacy(NONE);
    list_things();
    for (; !list.end.done && id < 5000; id++) {
        char *text = mem_printf("{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"things\":[],"
                                "\"nextCursor\":\"%d\"}}",
                                id, id);
        hear(text);
        free(text);
    }
    failed(&list.end, "protocol");
    assert_int_equal(id, 2 + 1001);
    buf_free(&list.items);
}

static void a_list_that_fails_half_way_is_not_whole(void **state)
{
    (void)state;
    begin_legacy(NONE);
    list_things();
    answered("2", "{\"things\":[1],\"nextCursor\":\"a\"}");
    hear("{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32602,\"message\":\"bad cursor\"}}");
    failed(&list.end, "rpc_error");
    list_over("[1]");
    list_things();
    answered("4", "{\"prompts\":[1]}");
    failed(&list.end, "protocol");
    list_over("");
}

static void a_list_may_be_cancelled_between_and_at_its_pages(void **state)
{
    struct client_listing *listing;

    (void)state;
    begin_legacy(NONE);
    listing = list_things();
    next_sent();
    client_list_cancel(listing);
    assert_non_null(strstr(next_sent(), "notifications/cancelled"));
    listing = list_things();
    list.cancel_at_page = listing;
    next_sent();
    answered("3", "{\"things\":[1],\"nextCursor\":\"a\"}");
    sent_nothing();
    assert_false(list.end.done);
    list_over("[1]");
}

static void it_may_be_freed_at_a_page(void **state)
{
    (void)state;
    begin_legacy(NONE);
    list_things();
    list.free_at_page = true;
    answered("2", "{\"things\":[1],\"nextCursor\":\"a\"}");
    assert_null(s.client);
    assert_false(list.end.done);
    list_over("[1]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(all_pages_of_a_list_are_fetched),
        CASE(a_cursor_that_comes_back_ends_the_list),
        CASE(a_list_that_never_ends_is_cut),
        CASE(a_list_that_fails_half_way_is_not_whole),
        CASE(a_list_may_be_cancelled_between_and_at_its_pages),
        CASE(it_may_be_freed_at_a_page),
    };

    return cmocka_run_group_tests_name("client_list", tests, NULL, NULL);
}
