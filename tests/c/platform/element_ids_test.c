/* Numbers of elements: the same one for the same object, none twice, and the oldest forgotten. The
 * objects are numbers, and all have one of a few hashes. */
#include "platform/element_ids.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 3000, HASHES = 700 };

static size_t dropped;

static bool is_entry_of(const void *entry, const void *object)
{
    return *(const int *)entry == *(const int *)object;
}

static void drop_entry(void *entry)
{
    (void)entry;
    dropped++;
}

static struct element_ids table(void)
{
    dropped = 0;
    return (struct element_ids){
        .bytes = sizeof(int), .most = MOST, .is = is_entry_of, .drop = drop_entry
    };
}

static uint64_t find(const struct element_ids *ids, int object)
{
    return element_ids_find(ids, (uint64_t)object % HASHES, &object);
}

static uint64_t add(struct element_ids *ids, int object)
{
    uint64_t id = element_ids_add(ids, (uint64_t)object % HASHES);

    *(int *)element_ids_entry(ids, id) = object;
    return id;
}

static void an_empty_table_knows_nothing(void **state)
{
    struct element_ids ids = table();

    (void)state;
    assert_int_equal(find(&ids, 7), 0);
    assert_null(element_ids_entry(&ids, 0));
    assert_null(element_ids_entry(&ids, 1));
    element_ids_clear(&ids);
}

static void objects_keep_their_numbers_while_the_table_grows(void **state)
{
    struct element_ids ids = table();

    (void)state;
    for (int object = 0; object < MOST; object++)
        assert_int_equal(add(&ids, object), object + 1);
    for (int object = 0; object < MOST; object++) {
        assert_int_equal(find(&ids, object), object + 1);
        assert_int_equal(*(int *)element_ids_entry(&ids, (uint64_t)object + 1), object);
    }
    assert_int_equal(find(&ids, MOST), 0);
    assert_int_equal(dropped, 0);
    element_ids_clear(&ids);
    assert_int_equal(dropped, MOST);
}

static void a_full_table_forgets_the_oldest(void **state)
{
    struct element_ids ids = table();

    (void)state;
    for (int object = 0; object <= MOST; object++)
        add(&ids, object);
    assert_int_equal(dropped, MOST / 4);
    assert_int_equal(find(&ids, MOST / 4 - 1), 0);
    assert_null(element_ids_entry(&ids, MOST / 4));
    for (int object = MOST / 4; object <= MOST; object++)
        assert_int_equal(find(&ids, object), object + 1);
    assert_int_equal(add(&ids, 0), MOST + 2); /* a forgotten object gets another number */
    element_ids_clear(&ids);
}

static void numbers_are_not_given_again_after_the_end(void **state)
{
    struct element_ids ids = table();

    (void)state;
    add(&ids, 5);
    element_ids_clear(&ids);
    assert_int_equal(find(&ids, 5), 0);
    assert_null(element_ids_entry(&ids, 1));
    assert_int_equal(add(&ids, 5), 2);
    element_ids_clear(&ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_table_knows_nothing),
        cmocka_unit_test(objects_keep_their_numbers_while_the_table_grows),
        cmocka_unit_test(a_full_table_forgets_the_oldest),
        cmocka_unit_test(numbers_are_not_given_again_after_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
