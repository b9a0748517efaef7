/* The module "libedit": libedit, and nothing of it shows outside this file.
 *
 * Its own interface, not the imitation of readline's, since only that gives up
 * a line half typed. "Unbuffered" means: el_gets() returns after each key, so the
 * loop turns between keys. What a key of ours cannot do itself, another one does whose
 * character it pushes back: ours for what is offered, or one of libedit's own. */
#include <fcntl.h>
#include <histedit.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "cli/edit.h"

enum { HISTORY_LINES = 1000, CONTROL_D = 4 };

#define KEY_OFFER    "\036" /* ^^: bound to what takes an offer; typed, it does nothing */
#define KEY_PREVIOUS "\020" /* ^P and ^N: libedit's own ways through the history */
#define KEY_NEXT     "\016"
#define KEY_NEWLINE  "\035" /* ^]: libedit's own end of a text */

struct edit {
    EditLine *el;
    History *history;
    struct edit_spec spec;
    char *file; /* the file of the history; NULL: none */
    char *prompt;
    struct buf line;
    bool active; /* the terminal is ours */
    bool tab;    /* it was typed */
    bool pushed; /* a key that is to be read at once */
    bool over;   /* the text: what it ends in is not the beginning of another line */
    struct offer {
        const struct buf *found;
        size_t replace;
        const char *hint;
    } offer;
};

extern const struct edit_ops perigee_edit;

static struct edit *edit_of(EditLine *el)
{
    void *edit = NULL;

    el_get(el, EL_CLIENTDATA, &edit);
    return edit;
}

static char *prompt_of(EditLine *el)
{
    return edit_of(el)->prompt;
}

/* --- completion -------------------------------------------------------------------- */

/* How many bytes the first `count` texts have in common, not cutting a character. */
static size_t common_start(const char *const *texts, size_t count)
{
    size_t len = strlen(texts[0]);

    for (size_t i = 1; i < count; i++) {
        size_t same = 0;

        while (same < len && texts[i][same] == texts[0][same])
            same++;
        len = same;
    }
    while (len && ((unsigned char)texts[0][len] & 0xc0) == 0x80)
        len--;
    return len;
}

static int columns_of(FILE *out)
{
    struct winsize size;

    return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

/* Rows of the screen from the cursor to the end of the text. */
static int rows_below(const struct edit *edit, const LineInfo *info)
{
    int columns = columns_of(edit->spec.out), rows = 0, column = (int)strlen(edit->prompt);

    for (const char *at = info->buffer; at < info->lastchar; at++) {
        if (((unsigned char)*at & 0xc0) == 0x80)
            continue;
        column = *at == '\n' ? 0 : column + 1;
        if (column == columns)
            column = 0;
        rows += at >= info->cursor && column == 0;
    }
    return rows;
}

/* Makes the next output appear below the text. show_text_again() afterwards shows the text below
 * that. */
static void leave_text(EditLine *el, const struct edit *edit)
{
    for (int rows = rows_below(edit, el_line(el)); rows >= 0; rows--)
        fputc('\n', edit->spec.out);
}

static unsigned char show_text_again(EditLine *el, const struct edit *edit)
{
    fflush(edit->spec.out);
    el_set(el, EL_REFRESH);
    return CC_NORM;
}

static void show_choices(FILE *out, const char *const *texts, size_t count)
{
    size_t widest = 1, across, down;

    for (size_t i = 0; i < count; i++)
        widest = strlen(texts[i]) > widest ? strlen(texts[i]) : widest;
    across = (size_t)columns_of(out) / (widest + 2);
    if (!across)
        across = 1;
    down = (count + across - 1) / across;
    for (size_t row = 0; row < down; row++) {
        for (size_t i = row; i < count; i += down)
            fprintf(out, "%-*s", i + down < count ? (int)widest + 2 : 0, texts[i]);
        fputc('\n', out);
    }
}

/* The texts in `found`, each ended by NUL, as an array to free(). */
static const char **split_texts(const struct buf *found, size_t *count)
{
    const char **texts;
    size_t n = 0;

    for (size_t i = 0; i < found->len; i++)
        n += found->data[i] == '\0';
    texts = mem_alloc((n + 1) * sizeof *texts);
    *count = 0;
    for (size_t at = 0; at < found->len; at += strlen(found->data + at) + 1)
        texts[(*count)++] = found->data + at;
    return texts;
}

static unsigned char insert_choice(EditLine *el, struct edit *edit)
{
    size_t count, replace = edit->offer.replace;
    const char **texts = split_texts(edit->offer.found, &count);
    size_t len = count ? common_start(texts, count) : 0;
    unsigned char result = CC_ERROR;

    if (count == 1 || len > replace) {
        char *text = mem_strndup(texts[0], len);

        el_deletestr(el, (int)replace);
        el_insertstr(el, text);
        free(text);
        result = CC_REFRESH;
    } else if (count > 1) {
        leave_text(el, edit);
        show_choices(edit->spec.out, texts, count);
        result = show_text_again(el, edit);
    } else if (edit->offer.hint) {
        leave_text(el, edit);
        fprintf(edit->spec.out, "%s\n", edit->offer.hint);
        result = show_text_again(el, edit);
    }
    free(texts);
    return result;
}

/* Is there nothing but blanks before the cursor, in a line that is not the first? */
static bool is_indent(const LineInfo *info)
{
    const char *at = info->cursor;

    while (at > info->buffer && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at > info->buffer && at[-1] == '\n';
}

static unsigned char on_tab(EditLine *el, int key)
{
    struct edit *edit = edit_of(el);

    (void)key;
    if (is_indent(el_line(el))) {
        el_insertstr(el, "  ");
        return CC_REFRESH;
    }
    edit->tab = true;
    return CC_NORM;
}

static unsigned char on_offer(EditLine *el, int key)
{
    struct edit *edit = edit_of(el);

    (void)key;
    return edit->offer.found ? insert_choice(el, edit) : CC_NORM;
}

/* --- several lines ------------------------------------------------------------------ */

static unsigned char push_edit_key(EditLine *el, const char *key)
{
    edit_of(el)->pushed = true;
    el_push(el, key);
    return CC_NORM;
}

/* Characters in between, since the cursor moves by those. */
static int count_characters(const char *from, const char *to)
{
    int count = 0;

    for (; from < to; from++)
        count += ((unsigned char)*from & 0xc0) != 0x80;
    return count;
}

static const char *line_start(const LineInfo *info, const char *at)
{
    while (at > info->buffer && at[-1] != '\n')
        at--;
    return at;
}

static const char *line_stop(const LineInfo *info, const char *at)
{
    while (at < info->lastchar && *at != '\n')
        at++;
    return at;
}

/* To the character of this number of the line that begins there, or its end. */
static unsigned char go_to_column(EditLine *el, const LineInfo *info, const char *start, int column)
{
    const char *stop = line_stop(info, start), *to = start;

    while (to < stop && column > 0) {
        to++;
        while (to < stop && ((unsigned char)*to & 0xc0) == 0x80)
            to++;
        column--;
    }
    if (to >= info->cursor)
        el_cursor(el, count_characters(info->cursor, to));
    else
        el_cursor(el, -count_characters(to, info->cursor));
    return CC_CURSOR;
}

static unsigned char on_up(EditLine *el, int key)
{
    const LineInfo *info = el_line(el);
    const char *start = line_start(info, info->cursor);

    (void)key;
    if (start == info->buffer)
        return push_edit_key(el, KEY_PREVIOUS);
    return go_to_column(el, info, line_start(info, start - 1),
                        count_characters(start, info->cursor));
}

static unsigned char on_down(EditLine *el, int key)
{
    const LineInfo *info = el_line(el);
    const char *start = line_start(info, info->cursor), *stop = line_stop(info, info->cursor);

    (void)key;
    if (stop == info->lastchar)
        return push_edit_key(el, KEY_NEXT);
    return go_to_column(el, info, stop + 1, count_characters(start, info->cursor));
}

static unsigned char on_home_key(EditLine *el, int key)
{
    const LineInfo *info = el_line(el);

    (void)key;
    return go_to_column(el, info, line_start(info, info->cursor), 0);
}

static unsigned char on_end_key(EditLine *el, int key)
{
    const LineInfo *info = el_line(el);

    (void)key;
    return go_to_column(el, info, line_start(info, info->cursor), INT_MAX);
}

static unsigned char on_new_line(EditLine *el, int key)
{
    (void)key;
    el_insertstr(el, "\n");
    return CC_REFRESH;
}

/* One that is complete ends, whatever line the cursor is in. */
static unsigned char on_enter(EditLine *el, int key)
{
    struct edit *edit = edit_of(el);
    const LineInfo *info = el_line(el);
    size_t len = (size_t)(info->lastchar - info->buffer);

    if (edit->spec.unfinished(edit->spec.arg, info->buffer, len))
        return on_new_line(el, key);
    edit->over = true;
    return push_edit_key(el, KEY_NEWLINE);
}

/* --- the history ---------------------------------------------------------------------- */

static void read_history(struct edit *edit)
{
    HistEvent event;
    int fd;

    edit->history = history_init();
    if (!edit->history)
        return;
    history(edit->history, &event, H_SETSIZE, HISTORY_LINES);
    history(edit->history, &event, H_SETUNIQUE, 1);
    el_set(edit->el, EL_HIST, history, edit->history);
    if (!edit->file)
        return;
    fd = open(edit->file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600); /* before anything is in it */
    if (fd >= 0) {
        fchmod(fd, 0600);
        close(fd);
    }
    history(edit->history, &event, H_LOAD, edit->file);
}

static void write_history(struct edit *edit)
{
    HistEvent event;

    if (!edit->history)
        return;
    if (edit->file)
        history(edit->history, &event, H_SAVE, edit->file);
    history_end(edit->history);
}

static void edit_remember(struct edit *edit, const char *line)
{
    HistEvent event;

    if (edit->history && line[strspn(line, " \t")])
        history(edit->history, &event, H_ENTER, line);
}

/* --- lines ------------------------------------------------------------------------------ */

static void edit_pause(struct edit *edit)
{
    if (edit->active)
        el_set(edit->el, EL_UNBUFFERED, 0);
    edit->active = false;
}

static void edit_drop(struct edit *edit)
{
    if (edit->active && rows_below(edit, el_line(edit->el)) > 0)
        leave_text(edit->el, edit);
    fflush(edit->spec.out);
    edit_pause(edit);
}

static void edit_begin(struct edit *edit, const char *prompt)
{
    free(edit->prompt);
    edit->prompt = mem_strdup(prompt);
    edit->line.len = 0;
    el_set(edit->el, EL_UNBUFFERED, 1); /* raw mode, an empty line, the prompt */
    edit->active = true;
}

/* An empty line and the end both come as no text; a terminal that is gone has no modes. */
static bool terminal_gone(const struct edit *edit)
{
    struct termios modes;

    return tcgetattr(fileno(edit->spec.in), &modes) != 0;
}

static enum edit_event edit_read(struct edit *edit)
{
    int len = 0;
    const char *text = NULL;

    do {
        edit->pushed = false;
        text = el_gets(edit->el, &len);
    } while (edit->pushed);
    if (edit->tab) {
        edit->tab = false;
        return EDIT_TAB;
    }
    if (!text || len <= 0)
        return terminal_gone(edit) ? EDIT_END : EDIT_MORE;
    if (len == 1 && text[0] == CONTROL_D)
        return EDIT_END;
    if (!edit->over)
        return EDIT_MORE;
    edit->over = false;
    edit->line.len = 0;
    buf_add(&edit->line, text, (size_t)len - 1);
    buf_text(&edit->line); /* ended by NUL, too */
    return EDIT_LINE;
}

static struct str edit_line(const struct edit *edit)
{
    return buf_str(&edit->line);
}

static struct str edit_before(const struct edit *edit)
{
    const LineInfo *info = el_line(edit->el);

    return (struct str){ info->buffer, (size_t)(info->cursor - info->buffer) };
}

static void edit_offer(struct edit *edit, const struct buf *found, size_t replace, const char *hint)
{
    edit->offer = (struct offer){ found, replace, hint };
    push_edit_key(edit->el, KEY_OFFER);
    edit_read(edit);
    edit->offer = (struct offer){ .found = NULL };
}

static void edit_resized(struct edit *edit)
{
    el_resize(edit->el);
    if (edit->active)
        el_set(edit->el, EL_REFRESH);
}

static void edit_continued(struct edit *edit)
{
    if (!edit->active)
        return;
    el_set(edit->el, EL_PREP_TERM, 0); /* else libedit believes that nothing changed */
    el_set(edit->el, EL_PREP_TERM, 1);
    el_set(edit->el, EL_REFRESH);
}

/* --- life --------------------------------------------------------------------------------- */

static void edit_close(struct edit *edit)
{
    if (!edit)
        return;
    edit_pause(edit);
    write_history(edit);
    el_end(edit->el);
    buf_free(&edit->line);
    free(edit->prompt);
    free(edit->file);
    free(edit);
}

static const struct {
    const wchar_t *name, *about;
    unsigned char (*fn)(EditLine *el, int key);
    const char *keys[4]; /* that have it unless ~/.editrc says otherwise */
} functions[] = {
    { L"perigee-complete", L"complete what stands before the cursor", on_tab, { NULL } },
    { L"perigee-offer", L"take what was offered", on_offer, { NULL } },
    { L"perigee-enter", L"end the text, or the line of one that goes on", on_enter, { NULL } },
    { L"perigee-new-line", L"go on with another line", on_new_line, { "\\e^M", "\\e^J" } },
    { L"perigee-up", L"a line up, or back in the history", on_up, { "\\e[A", "\\eOA" } },
    { L"perigee-down", L"a line down, or on in the history", on_down, { "\\e[B", "\\eOB" } },
    { L"perigee-home",
      L"to the start of the line",
      on_home_key,
      { "^A", "\\e[H", "\\eOH", "\\e[1~" } },
    { L"perigee-end", L"to the end of the line", on_end_key, { "^E", "\\e[F", "\\eOF", "\\e[4~" } },
};

/* el_set() would copy the names and forget the copies. */
static void bind_before(EditLine *el)
{
    for (size_t i = 0; i < countof(functions); i++)
        el_wset(el, EL_ADDFN, functions[i].name, functions[i].about, functions[i].fn);
    for (size_t i = 0; i < countof(functions); i++)
        for (size_t k = 0; k < countof(functions[i].keys) && functions[i].keys[k]; k++) {
            char name[32];

            snprintf(name, sizeof name, "%ls", functions[i].name);
            el_set(el, EL_BIND, functions[i].keys[k], name, NULL);
        }
}

static void bind_after(EditLine *el)
{
    el_set(el, EL_BIND, "^I", "perigee-complete", NULL);
    el_set(el, EL_BIND, "^M", "perigee-enter", NULL);
    el_set(el, EL_BIND, "^J", "perigee-enter", NULL);
    el_set(el, EL_BIND, "^^", "perigee-offer", NULL);
    el_set(el, EL_BIND, "^]", "ed-newline", NULL);
}

static struct edit *edit_open(const struct edit_spec *spec, struct error *err)
{
    struct edit *edit = mem_zero(sizeof *edit);

    setlocale(LC_CTYPE, ""); /* libedit reads characters, not bytes */
    edit->spec = *spec;
    edit->prompt = mem_strdup("");
    edit->file = spec->history ? mem_strdup(spec->history) : NULL;
    edit->el = el_init("perigee", spec->in, spec->out, stderr);
    if (!edit->el) {
        error_set(err, "no_terminal", "this terminal cannot be used for editing lines");
        free(edit->prompt);
        free(edit->file);
        free(edit);
        return NULL;
    }
    el_set(edit->el, EL_CLIENTDATA, edit);
    el_set(edit->el, EL_PROMPT, prompt_of);
    el_set(edit->el, EL_EDITOR, "emacs");
    bind_before(edit->el);
    read_history(edit);
    el_source(edit->el, NULL); /* ~/.editrc */
    bind_after(edit->el);
    return edit;
}

const struct edit_ops perigee_edit = { edit_open,  edit_close,    edit_begin,   edit_pause,
                                       edit_drop,  edit_read,     edit_line,    edit_before,
                                       edit_offer, edit_remember, edit_resized, edit_continued };
