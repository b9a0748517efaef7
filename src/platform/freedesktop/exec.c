/* Exec lines: quoting and field codes, to an argv. No shell ever sees them. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "files/file.h"
#include "platform/freedesktop/entries.h"
#include "platform/freedesktop/exec_text.h"

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

static bool is_file_code(char code)
{
    return code && strchr("fFuU", code);
}

static const char *next_file(const struct exec_line *line)
{
    return line->files ? line->files[*line->used] : NULL;
}

static void add_all_files(struct exec_line *line, char code)
{
    line->took_files = true;
    while (next_file(line))
        exec_line_add(line, as_asked(code, line->files[(*line->used)++]));
}

/* Adds the files of a code to a word. Each after the first of %F or %U is a word of its own. */
static void expand_files(struct exec_line *line, char code, struct buf *out)
{
    bool all = code == 'F' || code == 'U', more = next_file(line) != NULL;

    line->took_files = true;
    while (more) {
        char *file = as_asked(code, line->files[(*line->used)++]);

        buf_adds(out, file);
        free(file);
        more = all && next_file(line);
        if (more)
            exec_line_add(line, buf_take(out));
    }
}

/* Adds a word with its field codes expanded; nothing if it had only codes, and they are empty. A
 * file's name is added as it is, never read again for quotes or blanks. */
static void exec_line_expand(struct exec_line *line, const char *word)
{
    struct buf out = { 0 };
    bool coded = strchr(word, FIELD_MARK);

    for (; *word; word++) {
        if (*word != FIELD_MARK) {
            buf_addc(&out, *word);
            continue;
        }
        word++;
        if (is_file_code(*word)) {
            expand_files(line, *word, &out);
        } else if (*word == 'c') {
            buf_adds(&out, line->entry->name);
        } else if (*word == 'k') {
            buf_adds(&out, line->entry->file);
        } else if (*word == 'i' && line->entry->icon[0]) {
            buf_lit(&out, "--icon");
            exec_line_add(line, buf_take(&out));
            buf_adds(&out, line->entry->icon);
        } /* others are former codes, without meaning now */
    }
    if (out.len || !coded)
        exec_line_add(line, buf_take(&out));
    buf_free(&out);
}

/* --- words ------------------------------------------------------------------------ */

/* Reads from behind an opening quote to its end; NULL if there is none. In double quotes a
 * backslash is one before `"`, `\`, `` ` ``, `$` and a newline only. */
static const char *quoted_part(const char *at, char quote, struct buf *word)
{
    for (; *at && *at != quote; at++) {
        if (at[0] == '%' && isalpha((unsigned char)at[1])) {
            buf_addc(word, FIELD_MARK);
            at++;
        } else if ((at[0] == '%' && at[1] == '%') ||
                   (quote == '"' && at[0] == '\\' && at[1] && strchr("\"\\`$\n", at[1]))) {
            at++;
        }
        buf_addc(word, *at);
    }
    return *at ? at : NULL;
}

/* The next word as g_shell_parse_argv() splits lines, with FIELD_MARK before each field code; NULL
 * at the end. A quote or backslash without what it stands before sets *bad. */
static const char *next_word(const char *at, struct buf *word, bool *bad)
{
    word->len = 0;
    for (at += strspn(at, " \t\n"); *at == '#'; at += strspn(at, " \t\n"))
        at += strcspn(at, "\n"); /* a comment */
    if (!*at)
        return NULL;
    for (; *at && !strchr(" \t\n", *at); at++) {
        if (*at == '"' || *at == '\'') {
            at = quoted_part(at + 1, *at, word);
        } else if (at[0] == '%' && isalpha((unsigned char)at[1])) {
            buf_addc(word, FIELD_MARK);
            buf_addc(word, *++at);
        } else if ((at[0] == '%' && at[1] == '%') || *at == '\\') {
            if (*++at && *at != '\n')
                buf_addc(word, *at);
        } else if (*at != FIELD_MARK) {
            buf_addc(word, *at);
        }
        if (!at || !*at) {
            *bad = true;
            return "";
        }
    }
    return at;
}

/* All words of the line, NULL if a quote is not closed. The caller frees with argv_free(). */
static char **split_words(const struct desktop_entry *entry)
{
    struct exec_line line = { .entry = entry };
    struct buf word = { 0 };
    bool bad = false;

    if (entry->terminal) {
        exec_line_add(&line, mem_strdup("x-terminal-emulator"));
        exec_line_add(&line, mem_strdup("-e"));
    }
    for (const char *at = entry->exec; (at = next_word(at, &word, &bad));)
        exec_line_add(&line, mem_strdup(buf_text(&word)));
    buf_free(&word);
    if (bad) {
        argv_free(line.argv);
        return NULL;
    }
    return line.argv;
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

/* --- the whole line --------------------------------------------------------------- */

static bool has_file_code(const char *word)
{
    while ((word = strchr(word, FIELD_MARK)) && !is_file_code(word[1]))
        word++;
    return word != NULL;
}

/* False if a program would read a file's name as a command. */
static bool check_text(const struct desktop_entry *entry, char *const words[], struct error *err)
{
    bool coded = false;
    const char *reader = NULL;
    size_t count = 0;

    for (; words[count] && !reader; count++) {
        const char *word = words[count];

        if (!has_file_code(word))
            continue;
        coded = true;
        reader = exec_text_reader(words, count, word[0] == FIELD_MARK && !word[2]);
    }
    if (!coded)
        reader = exec_text_reader(words, count, true);
    return !reader ||
           error_set(err, "launch_failed",
                     "%.160s puts the file's name into a command that \"%.40s\" reads, where it "
                     "could run as one. Open the file in another application, or pass it in the "
                     "entry's Exec as an argument of its own, for example: sh -c 'less \"$0\"' %%f",
                     entry->file, reader);
}

char **entry_argv(const struct desktop_entry *entry, const char *const *files, size_t *used,
                  struct error *err)
{
    struct exec_line line = { .entry = entry, .files = files, .used = used };
    char **words = split_words(entry);

    if (words && next_file(&line) && !check_text(entry, words, err)) {
        argv_free(words);
        return NULL;
    }
    for (size_t i = 0; words && words[i]; i++)
        exec_line_expand(&line, words[i]);
    argv_free(words);
    if (words && line.argv && !line.took_files)
        add_all_files(&line, 'u');
    if (!line.argv || !line.argv[0][0]) {
        argv_free(line.argv);
        error_set(err, "launch_failed", "the Exec line of %s is not well-formed: %.200s",
                  entry->file, entry->exec);
        return NULL;
    }
    return line.argv;
}
