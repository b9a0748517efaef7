#include "taint/orders.h"

#include <stdlib.h>
#include <string.h>

#include "taint/clean.h"

void orders_free(struct orders *orders)
{
    buf_free(&orders->text);
    free(orders->items);
    *orders = (struct orders){ 0 };
}

static size_t count_words(struct str text)
{
    size_t count = text.len > 0;

    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] == ' ';
    return count;
}

static struct order_piece *add_piece(struct orders *orders)
{
    if (orders->count == orders->room) {
        orders->room = orders->room ? orders->room * 2 : 16;
        orders->items = mem_resize(orders->items, orders->room * sizeof *orders->items);
    }
    orders->items[orders->count] = (struct order_piece){ (uint32_t)orders->text.len, 0, 0 };
    return &orders->items[orders->count++];
}

void orders_open(struct orders *orders)
{
    add_piece(orders);
    orders->open = true;
}

void orders_close(struct orders *orders)
{
    orders->open = false;
    if (!orders->items[orders->count - 1].words)
        orders->count--;
}

void orders_add(struct orders *orders, struct str text)
{
    size_t from = orders->text.len;
    struct order_piece *piece = orders->open ? &orders->items[orders->count - 1] : NULL;
    bool more = piece && piece->words;

    if (more)
        buf_addc(&orders->text, ' ');
    taint_clean(&orders->text, text);
    if (orders->text.len == from + more) {
        orders->text.len = from; /* it has no words */
        return;
    }
    if (!piece)
        piece = add_piece(orders);
    if (!piece->words)
        piece->from = (uint32_t)from;
    piece->len = (uint32_t)orders->text.len - piece->from;
    piece->words += (uint32_t)count_words(
        (struct str){ orders->text.data + from + more, orders->text.len - from - more });
}

static struct str text_of(const struct orders *orders, size_t at)
{
    return (struct str){ orders->text.data + orders->items[at].from, orders->items[at].len };
}

enum {
    WHOLE_BYTES = 1 << 20, /* bytes of rows that are given whole */
    END_BYTES = 256        /* bytes that later rows have of the words at both ends: a piece is in
                            * many rows. Every text with the whole row has the cut one. */
};

struct giving {
    const struct orders *orders;
    bool (*fn)(void *context, struct str row);
    void *context;
    struct buf row;
    size_t given; /* bytes */
};

/* The bytes of a piece that a row may have. */
static size_t most_of(const struct giving *giving, struct str text)
{
    return giving->given < WHOLE_BYTES || text.len < END_BYTES ? text.len : END_BYTES;
}

/* The first words of a piece that has as many. */
static struct str first_words(const struct giving *giving, struct str text, int count)
{
    size_t most = most_of(giving, text), i = 0;

    while (i < most && (text.ptr[i] != ' ' || --count))
        i++;
    return (struct str){ text.ptr, i };
}

static struct str last_words(const struct giving *giving, struct str text, int count)
{
    size_t least = text.len - most_of(giving, text), i = text.len;

    while (i > least && (text.ptr[i - 1] != ' ' || --count))
        i--;
    return (struct str){ text.ptr + i, text.len - i };
}

static bool give_row(struct giving *giving, struct str first, struct str second, struct str third)
{
    struct buf *row = &giving->row;

    row->len = 0;
    buf_add(row, first.ptr, first.len);
    buf_addc(row, ' ');
    buf_add(row, second.ptr, second.len);
    if (third.len) {
        buf_addc(row, ' ');
        buf_add(row, third.ptr, third.len);
    }
    giving->given += row->len;
    return giving->fn(giving->context, buf_str(row));
}

/* The rows of the words at the end of one piece and at the beginning of another. */
static bool give_pair(struct giving *giving, size_t first, size_t second)
{
    const struct order_piece *items = giving->orders->items;
    struct str before = text_of(giving->orders, first), behind = text_of(giving->orders, second);

    return (items[first].words < 2 ||
            give_row(giving, last_words(giving, before, 2), first_words(giving, behind, 1),
                     (struct str){ 0 })) &&
           (items[second].words < 2 || give_row(giving, last_words(giving, before, 1),
                                                first_words(giving, behind, 2), (struct str){ 0 }));
}

/* The rows with a piece of one word in the middle. */
static bool give_threes(struct giving *giving, size_t first, size_t middle)
{
    const struct orders *orders = giving->orders;
    struct str word = text_of(orders, middle), before, part;

    for (size_t i = 0; i < orders->count; i++) {
        before = last_words(giving, text_of(orders, first), 1);
        part = first_words(giving, word, 1);
        if (part.len < word.len)
            return give_row(giving, before, part, (struct str){ 0 });
        if (i != first && i != middle &&
            !give_row(giving, before, word, first_words(giving, text_of(orders, i), 1)))
            return false;
    }
    return true;
}

void orders_rows(const struct orders *orders, bool (*fn)(void *context, struct str row),
                 void *context)
{
    struct giving giving = { orders, fn, context, { 0 }, 0 };
    bool more = true;

    for (size_t i = 0; i < orders->count && more; i++)
        for (size_t j = 0; j < orders->count && more; j++)
            more = i == j || (give_pair(&giving, i, j) &&
                              (orders->items[j].words != 1 || give_threes(&giving, i, j)));
    buf_free(&giving.row);
}
