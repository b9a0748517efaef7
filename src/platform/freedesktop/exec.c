/* Exec lines: quoting and field codes, to an argv. No shell ever sees them. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "files/file.h"
#include "platform/freedesktop/entries.h"

struct exec_line {
    const struct desktop_entry *entry;
    const char *const *files;
    size_t *used;
    char **argv;
    size_t count;
    bool took_files;
};

void argv_free(char **argv)
{
    for (size_t i = 0; argv && argv[i]; i++)
        free(argv[i]);
    free(argv);
}

static void exec_line_add(struct exec_line *line, char *text)
{
    line->argv = mem_resize(line->argv, sizeof *line->argv * (line->count + 2));
    line->argv[line->count++] = text;
    line->argv[line->count] = NULL;
}

/* --- files ------------------------------------------------------------------------ */

static bool is_url(const char *file)
{
    size_t len = strspn(file, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");

    return len > 1 && isalpha((unsigned char)*file) && strncmp(file + len, ":", 1) == 0;
}

char *file_argument(const char *file)
{
    char *here, *whole;

    if (*file == '/' || is_url(file))
        return mem_strdup(file);
    here = getcwd(NULL, 0);
    whole = path_join(here ? here : "/", file);
    free(here);
    return whole;
}

static char *to_url(const char *file)
{
    struct buf out = { 0 };

    if (is_url(file))
        return mem_strdup(file);
    buf_lit(&out, "file://");
    for (; *file; file++) {
        if (strchr("/-._~!$&'()*+,;=:@", *file) || (*file >= '0' && *file <= '9') ||
            (*file >= 'A' && *file <= 'Z') || (*file >= 'a' && *file <= 'z'))
            buf_addc(&out, *file);
        else
            buf_addf(&out, "%%%02X", (unsigned char)*file);
    }
    return buf_take(&out);
}

static char *to_path(const char *file)
{
    struct buf out = { 0 };
    unsigned byte;

    if (strncmp(file, "file:///", 8) != 0)
        return mem_strdup(file);
    for (file += 7; *file; file++) {
        if (*file == '%' && sscanf(file + 1, "%2x", &byte) == 1 && file[1] && file[2] && byte) {
            buf_addc(&out, (char)byte);
            file += 2;
        } else {
            buf_addc(&out, *file);
        }
    }
    return buf_take(&out);
}

static char *as_asked(char code, const char *given)
{
    char *file = file_argument(given);
    char *text = code == 'u' || code == 'U' ? to_url(file) : to_path(file);

    free(file);
    return text;
}

/* --- field codes ------------------------------------------------------------------ */

static void add_all_files(struct exec_line *line, char code)
{
    line->took_files = true;
    while (line->files && line->files[*line->used])
        exec_line_add(line, as_asked(code, line->files[(*line->used)++]));
}

/* Expands a code that is a word of its own, which can be several arguments, or none. */
static bool expand_alone(struct exec_line *line, const char *word)
{
    const char *const *files = line->files;

    if (word[0] != '%' || !word[1] || word[2])
        return false;
    switch (word[1]) {
    case 'F':
    case 'U':
        add_all_files(line, word[1]);
        return true;
    case 'f':
    case 'u':
        line->took_files = true;
        if (files && files[*line->used])
            exec_line_add(line, as_asked(word[1], files[(*line->used)++]));
        return true;
    case 'i':
        if (line->entry->icon[0]) {
            exec_line_add(line, mem_strdup("--icon"));
            exec_line_add(line, mem_strdup(line->entry->icon));
        }
        return true;
    default:
        return strchr("dDnNvm", word[1]) != NULL; /* former codes, without meaning now */
    }
}

static void exec_line_expand(struct exec_line *line, const char *word)
{
    const char *const *files = line->files;
    struct buf out = { 0 };

    if (expand_alone(line, word))
        return;
    for (; *word; word++) {
        if (*word != '%' || !word[1]) {
            buf_addc(&out, *word);
            continue;
        }
        word++;
        if (*word == '%')
            buf_addc(&out, '%');
        else if (*word == 'c')
            buf_adds(&out, line->entry->name);
        else if (*word == 'k')
            buf_adds(&out, line->entry->file);
        else if ((*word == 'f' || *word == 'u') && files && files[*line->used]) {
            char *file = as_asked(*word, files[(*line->used)++]);

            line->took_files = true;
            buf_adds(&out, file);
            free(file);
        }
    }
    exec_line_add(line, buf_take(&out));
}

/* --- words ------------------------------------------------------------------------ */

/* The next word, quotes undone; NULL at the end. A quote that is not closed sets *bad. */
static const char *next_word(const char *at, struct buf *word, bool *bad)
{
    bool quoted = false;

    word->len = 0;
    at += strspn(at, " \t\n");
    if (!*at)
        return NULL;
    for (; *at && (quoted || !strchr(" \t\n", *at)); at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (*at == '\\' && quoted && at[1])
            buf_addc(word, *++at);
        else
            buf_addc(word, *at);
    }
    *bad = *bad || quoted;
    return at;
}

char *entry_program(const struct desktop_entry *entry)
{
    struct buf word = { 0 };
    bool bad = false;
    const char *at = next_word(entry->exec, &word, &bad), *slash;
    char *program;

    /* "env A=b program" starts program */
    while (at && (strchr(buf_text(&word), '=') || strcmp(buf_text(&word), "env") == 0))
        at = next_word(at, &word, &bad);
    slash = strrchr(buf_text(&word), '/');
    program = mem_strdup(slash ? slash + 1 : buf_text(&word));
    buf_free(&word);
    return program;
}

char **entry_argv(const struct desktop_entry *entry, const char *const *files, size_t *used,
                  struct error *err)
{
    struct exec_line line = { .entry = entry, .files = files, .used = used };
    struct buf word = { 0 };
    bool bad = false;

    if (entry->terminal) {
        exec_line_add(&line, mem_strdup("x-terminal-emulator"));
        exec_line_add(&line, mem_strdup("-e"));
    }
    for (const char *at = entry->exec; (at = next_word(at, &word, &bad));)
        exec_line_expand(&line, buf_text(&word));
    buf_free(&word);
    if (!line.took_files)
        add_all_files(&line, 'u');
    if (bad || !line.argv || !line.argv[0][0]) {
        argv_free(line.argv);
        error_set(err, "launch_failed", "the Exec line of %s is not well-formed: %.200s",
                  entry->file, entry->exec);
        return NULL;
    }
    return line.argv;
}
