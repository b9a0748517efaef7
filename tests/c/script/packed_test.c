/* Values and frames between our processes: values come out as they went in, and bytes that a broken
 * guest may send do no harm. */
#include "lua_run.h"

#include "guest/frame.h"
#include "script/packed.h"
#include "script/value.h"

static struct buf packed_of(struct lua *lua, const char *source)
{
    lua_State *L = vm_lua(lua->vm);
    struct buf out = { 0 };
    struct error err;

    assert_true(sandbox_run(lua->sandbox, "test", source, strlen(source), SANDBOX_LOAD_MS, &err));
    assert_true(packed_write(L, -1, &out, &err));
    lua_pop(L, 1);
    return out;
}

/* True if this is a value; *left gets the number of bytes behind it. The stack is unchanged if it
 * is none. */
static bool reads(lua_State *L, const char *bytes, size_t len, size_t *left)
{
    char *copy = mem_alloc(len ? len : 1); /* a copy of its own, so that reading past it shows */
    struct str from = { copy, len };
    int top = lua_gettop(L);
    struct error err;
    bool ok;

    if (len)
        memcpy(copy, bytes, len);
    ok = packed_push(L, &from, &err);
    if (!ok)
        assert_string_equal(err.code, "bad_value");
    assert_int_equal(lua_gettop(L), top + ok);
    if (left)
        *left = from.len;
    free(copy);
    return ok;
}

static const char everything[] =
    "local json = require 'sys.json' "
    "return { 1, -1, 1 << 62, 0.5, 1 / 0, true, false, 'a\\0b', '', json.null, {}, "
    "  json.array(), json.object(), json.object({ b = 1, a = 2 }, { 'b', 'a' }), "
    "  { [1.5] = 'x', [true] = 'y', [-3] = 'z', deep = { { { 'down' } } } } }";

static void everything_comes_out_as_it_went_in(void **state)
{
    struct lua *lua = *state;
    lua_State *L = vm_lua(lua->vm);
    struct buf packed = packed_of(lua, everything), again = { 0 };
    struct error err;
    size_t left;

    assert_true(reads(L, packed.data, packed.len, &left));
    assert_int_equal(left, 0);
    lua_rawgeti(L, -1, 14);
    assert_true(value_push_order(L, -1));
    lua_pop(L, 2);
    lua_rawgeti(L, -1, 12);
    assert_true(value_is_marked_array(L, -1));
    lua_pop(L, 1);
    assert_true(packed_write(L, -1, &again, &err));
    assert_int_equal(again.len, packed.len);
    lua_pop(L, 1);
    buf_free(&packed);
    buf_free(&again);
}

static void a_value_that_is_cut_anywhere_is_none(void **state)
{
    struct lua *lua = *state;
    struct buf packed = packed_of(lua, everything);

    for (size_t len = 0; len < packed.len; len++)
        assert_false(reads(vm_lua(lua->vm), packed.data, len, NULL));
    buf_free(&packed);
}

/* Any result is a value, or none. */
static void any_byte_may_be_another(void **state)
{
    struct lua *lua = *state;
    lua_State *L = vm_lua(lua->vm);
    struct buf packed = packed_of(lua, everything);

    for (size_t i = 0; i < packed.len; i++) {
        char was = packed.data[i];

        for (int byte = 0; byte < 256; byte++) {
            packed.data[i] = (char)byte;
            if (reads(L, packed.data, packed.len, NULL))
                lua_pop(L, 1);
        }
        packed.data[i] = was;
    }
    buf_free(&packed);
}

static void refused(struct lua *lua, const char *bytes, size_t len)
{
    assert_false(reads(vm_lua(lua->vm), bytes, len, NULL));
}
#define REFUSED(text) refused(*state, text, sizeof(text) - 1)

static void lengths_and_kinds_that_are_not_there_are_refused(void **state)
{
    REFUSED("");
    REFUSED("\x09"); /* not a kind */
    REFUSED("\xff");
    REFUSED("\x06\xff\xff\xff\xff"); /* a string of 4 GB */
    REFUSED("\x06\x02\0\0\0x");
    REFUSED("\x07\x04\0\0\0\0\0\0\0\0");                           /* no marker */
    REFUSED("\x07\0\xff\xff\xff\xff");                             /* 4 G items */
    REFUSED("\x07\0\0\0\0\0\xff\xff\xff\xff\x01\x01");             /* 4 G pairs */
    REFUSED("\x07\0\0\0\0\0\1\0\0\0\0\x01");                       /* the key nil */
    REFUSED("\x07\0\0\0\0\0\1\0\0\0\x05\0\0\0\0\0\0\xf8\x7f\x01"); /* the key NaN */
    REFUSED("\x07\0\0\0\0\0\1\0\0\0\x07\0\0\0\0\0\0\0\0\0\x01");   /* a table as key */
    REFUSED("\x07\x03\0\0\0\0\0\0\0\0\x01"); /* an order that is not a table */
}

/* Digits are kept as JSON's parser keeps them: those of a guest's number go into JSON as they
 * are. */
static void digits_come_out_as_they_went_in(void **state)
{
    struct lua *lua = *state;
    lua_State *L = vm_lua(lua->vm);
    struct buf packed = packed_of(lua, "return require('sys.json').decode('[1,{\"a\":"
                                       "1180591620717411303424},-0.1234567890123456789]')"),
               text = { 0 };
    struct error err;

    assert_true(reads(L, packed.data, packed.len, NULL));
    assert_true(value_write_json(L, -1, &text, &err));
    assert_string_equal(buf_text(&text),
                        "[1,{\"a\":1180591620717411303424},-0.1234567890123456789]");
    lua_pop(L, 1);
    buf_free(&packed);
    buf_free(&text);
    REFUSED("\x08\0\0\0\0\0\0\x59\x44\x17\0\0\0"
            "1844674407370955161600\0");
    REFUSED("\x08\0\0\0\0\0\0\x59\x44\x16\0\0\0"
            "[844674407370955161600");
    REFUSED("\x08\0\0\0\0\0\0\x59\x44\x16\0\0\0"
            "18446744073709551616,1");
    REFUSED("\x08\0\0\0\0\0\0\x59\x44\x16\0\0\0"
            " 184467440737095516160");
    REFUSED("\x08\0\0\0\0\0\0\x59\x44\x01\0\0\0"
            "1");
}

/* A table or a string may be in other tables a thousand times. */
static void what_is_written_has_a_limit(void **state)
{
    struct lua *lua = *state;
    lua_State *L = vm_lua(lua->vm);
    static const char many[] = "local s = ('x'):rep(1000000) local t = {} for i = 1, 1000 do "
                               "t[i] = s end return t";
    struct buf out = { 0 };
    struct error err;

    assert_true(sandbox_run(lua->sandbox, "test", many, strlen(many), SANDBOX_LOAD_MS, &err));
    assert_false(packed_write(L, -1, &out, &err));
    assert_string_equal(err.code, "not_plain");
    assert_int_equal(out.len, 0);
    assert_false(value_write_json(L, -1, &out, &err));
    assert_string_equal(err.code, "not_json");
    assert_true(out.len < 2 * (size_t)VALUE_BYTES);
    lua_pop(L, 1);
    buf_free(&out);
}

static void nesting_has_a_limit(void **state)
{
    struct lua *lua = *state;
    struct buf bytes = { 0 };

    for (int i = 0; i < 100000; i++)
        buf_add(&bytes, "\x07\0\1\0\0\0", 6);
    refused(lua, bytes.data, bytes.len);
    buf_free(&bytes);
}

static void values_and_keys_have_limits(void **state)
{
    struct lua *lua = *state;
    struct buf bytes = { 0 };

    buf_addc(&bytes, 7);
    buf_addc(&bytes, 0);
    bytes_u32(&bytes, PACKED_VALUES);
    for (int i = 0; i < PACKED_VALUES; i++)
        buf_addc(&bytes, 2);
    bytes_u32(&bytes, 0);
    refused(lua, bytes.data, bytes.len); /* the list is one more */
    bytes.len = 2;
    bytes_u32(&bytes, 0);
    bytes_u32(&bytes, PACKED_NUMBER_KEYS + 1);
    for (uint64_t i = 0; i <= PACKED_NUMBER_KEYS; i++) {
        buf_addc(&bytes, 4);
        bytes_u64(&bytes, i * 131071);
        buf_addc(&bytes, 2);
    }
    refused(lua, bytes.data, bytes.len);
    buf_free(&bytes);
}

/* --- frames ---------------------------------------------------------------------------------- */

static void frames_come_one_by_one_however_they_arrive(void **state)
{
    struct buf all = { 0 }, part = { 0 };
    struct frame frame;
    struct error err;
    size_t begun, at;

    (void)state;
    for (uint32_t id = 1; id <= 2; id++) {
        begun = frame_begin(&all, FRAME_PRINT, id);
        bytes_str(&all, STR("line"));
        frame_end(&all, begun);
    }
    for (size_t len = 0; len <= all.len; len++) {
        size_t seen = 0;

        part.len = 0;
        buf_add(&part, all.data, len);
        for (at = 0; frame_next(&part, &at, FRAME_MAX, &frame, &err) == FRAME_READ; seen++) {
            struct str text = bytes_get_str(&frame.payload);

            assert_int_equal(frame.kind, FRAME_PRINT);
            assert_int_equal(frame.id, seen + 1);
            assert_true(str_same(text, STR("line")));
        }
        assert_int_equal(seen, len / (all.len / 2));
        assert_int_equal(at, seen * (all.len / 2));
    }
    buf_free(&all);
    buf_free(&part);
}

static void a_frame_that_is_none_of_ours_ends_it(void **state)
{
    struct buf in = { 0 };
    struct frame frame;
    struct error err;
    size_t at = 0;

    (void)state;
    bytes_u32(&in, 0);
    buf_addc(&in, FRAME_KINDS);
    bytes_u32(&in, 0);
    assert_int_equal(frame_next(&in, &at, FRAME_MAX, &frame, &err), FRAME_BAD);
    assert_string_equal(err.code, "bad_frame");
    bytes_set_u32(in.data, FRAME_MAX + 1U);
    in.data[4] = FRAME_PRINT;
    assert_int_equal(frame_next(&in, &at, FRAME_MAX, &frame, &err), FRAME_BAD);
    bytes_set_u32(in.data, FRAME_MAX);
    assert_int_equal(frame_next(&in, &at, FRAME_MAX, &frame, &err), FRAME_WANTS_MORE);
    assert_int_equal(at, 0);
    buf_free(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        LUA_CASE(everything_comes_out_as_it_went_in),
        LUA_CASE(a_value_that_is_cut_anywhere_is_none),
        LUA_CASE(any_byte_may_be_another),
        LUA_CASE(lengths_and_kinds_that_are_not_there_are_refused),
        LUA_CASE(digits_come_out_as_they_went_in),
        LUA_CASE(what_is_written_has_a_limit),
        LUA_CASE(nesting_has_a_limit),
        LUA_CASE(values_and_keys_have_limits),
        cmocka_unit_test(frames_come_one_by_one_however_they_arrive),
        cmocka_unit_test(a_frame_that_is_none_of_ours_ends_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
