/* Small things every file may use: no state, no I/O.
 *
 * Allocation here never returns NULL: a size that comes from outside is
 * capped before it reaches these functions, so running out means the machine
 * is out of memory, and the process says so and aborts. */
#ifndef PERIGEE_BASE_UTIL_H
#define PERIGEE_BASE_UTIL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define countof(array)                  (sizeof(array) / sizeof((array)[0]))
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

#if defined(__GNUC__)
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define NORETURN               __attribute__((noreturn))
#define LIKELY(x)              __builtin_expect(!!(x), 1)
#define UNLIKELY(x)            __builtin_expect(!!(x), 0)
#else
#define PRINTF_LIKE(fmt, args)
#define NORETURN
#define LIKELY(x)   (x)
#define UNLIKELY(x) (x)
#endif

/* Bytes with their length; need not end in NUL. Borrows what it points at. */
struct str {
    const char *ptr;
    size_t len;
};

#define STR(literal) ((struct str){ (literal), sizeof(literal) - 1 })

static inline struct str str_from(const char *text)
{
    return (struct str){ text, text ? strlen(text) : 0 };
}

static inline bool str_same(struct str a, struct str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* The caller owns what these give and frees it with free(). */
void *mem_alloc(size_t size);
void *mem_zero(size_t size);
void *mem_resize(void *ptr, size_t size);
char *mem_strdup(const char *text);
char *mem_strndup(const char *ptr, size_t len);
char *mem_printf(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Called before the process ends for a lack of memory: it may end it in another way. NULL: none. */
void mem_on_exhausted(void (*leave)(void));

/* A copy of `count` strings that ends in NULL, and its end; NULL is fine. */
char **mem_strings_copy(const char *const *list, size_t count);
void mem_strings_free(char **list);

#endif
