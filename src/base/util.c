/* Allocation that either succeeds or ends the process. See util.h for why. */
#include "base/util.h"

#include <stdio.h>
#include <stdlib.h>

static void (*on_exhausted)(void);

void mem_on_exhausted(void (*leave)(void))
{
    on_exhausted = leave;
}

static void out_of_memory(size_t size)
{
    if (on_exhausted)
        on_exhausted();
    fprintf(stderr, "perigee: out of memory (wanted %zu bytes)\n", size);
    abort();
}

void *mem_alloc(size_t size)
{
    void *ptr = malloc(size ? size : 1);

    if (!ptr)
        out_of_memory(size);
    return ptr;
}

void *mem_zero(size_t size)
{
    void *ptr = calloc(1, size ? size : 1);

    if (!ptr)
        out_of_memory(size);
    return ptr;
}

void *mem_resize(void *old, size_t size)
{
    void *ptr = realloc(old, size ? size : 1);

    if (!ptr)
        out_of_memory(size);
    return ptr;
}

char *mem_strndup(const char *ptr, size_t len)
{
    char *copy = mem_alloc(len + 1);

    if (len)
        memcpy(copy, ptr, len);
    copy[len] = '\0';
    return copy;
}

char *mem_strdup(const char *text)
{
    return mem_strndup(text, strlen(text));
}

char *mem_printf(const char *fmt, ...)
{
    va_list args;
    int len;
    char *text;

    va_start(args, fmt);
    len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len < 0)
        return mem_strdup("");
    text = mem_alloc((size_t)len + 1);
    va_start(args, fmt);
    vsnprintf(text, (size_t)len + 1, fmt, args);
    va_end(args);
    return text;
}

char **mem_strings_copy(const char *const *list, size_t count)
{
    char **copy = mem_zero((count + 1) * sizeof *copy);

    for (size_t i = 0; i < count; i++)
        copy[i] = mem_strdup(list[i]);
    return copy;
}

void mem_strings_free(char **list)
{
    for (size_t i = 0; list && list[i]; i++)
        free(list[i]);
    free(list);
}
