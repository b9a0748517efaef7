/* The module "libedit": libedit, and nothing of it shows outside this file.
 *
 * Its own interface, not the imitation of readline's, since only that gives up
 * a line half typed. "Unbuffered" means: el_gets() returns after each key, so the
 * loop turns between keys. */
#include <fcntl.h>
#include <histedit.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "cli/edit.h"

enum { HISTORY_LINES = 1000, CONTROL_D = 4 };

struct edit {
    EditLine *el;
    History *history;
    struct edit_spec spec;
    char *file; /* of the history; NULL: none */
    char *prompt;
    struct buf line;
    bool active; /* the terminal is ours */
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

static void show_choices(FILE *out, const char *const *texts, size_t count)
{
    size_t widest = 1, across, down;

    for (size_t i = 0; i < count; i++)
        widest = strlen(texts[i]) > widest ? strlen(texts[i]) : widest;
    across = (size_t)columns_of(out) / (widest + 2);
    if (!across)
        across = 1;
    down = (count + across - 1) / across;
    fputc('\n', out);
    for (size_t row = 0; row < down; row++) {
        for (size_t i = row; i < count; i += down)
            fprintf(out, "%-*s", i + down < count ? (int)widest + 2 : 0, texts[i]);
        fputc('\n', out);
    }
    fflush(out);
}

/* The texts in `found`, each ended by NUL, as an array to free(). */
static const char **split(const struct buf *found, size_t *count)
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

static unsigned char insert_choice(EditLine *el, struct edit *edit, const struct buf *found,
                                   size_t replace)
{
    size_t count;
    const char **texts = split(found, &count);
    size_t len = count ? common_start(texts, count) : 0;
    unsigned char result = CC_ERROR;

    if (count == 1 || len > replace) {
        char *text = mem_strndup(texts[0], len);

        el_deletestr(el, (int)replace);
        el_insertstr(el, text);
        free(text);
        result = CC_REFRESH;
    } else if (count > 1) {
        show_choices(edit->spec.out, texts, count);
        result = CC_REDISPLAY;
    }
    free(texts);
    return result;
}

static unsigned char on_tab(EditLine *el, int key)
{
    struct edit *edit = edit_of(el);
    const LineInfo *info = el_line(el);
    struct buf found = { 0 };
    size_t replace = 0;
    unsigned char result;

    (void)key;
    edit->spec.complete(edit->spec.arg, info->buffer, (size_t)(info->cursor - info->buffer), &found,
                        &replace);
    result = insert_choice(el, edit, &found, replace);
    buf_free(&found);
    return result;
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

static void remember(struct edit *edit, const char *line)
{
    HistEvent event;

    if (edit->history && line[strspn(line, " \t")])
        history(edit->history, &event, H_ENTER, line);
}

/* --- lines ------------------------------------------------------------------------------ */

static void pause_(struct edit *edit)
{
    if (edit->active)
        el_set(edit->el, EL_UNBUFFERED, 0);
    edit->active = false;
}

static void begin(struct edit *edit, const char *prompt)
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

static enum edit_event read_(struct edit *edit)
{
    int len = 0;
    const char *text = el_gets(edit->el, &len);

    if (!text || len <= 0)
        return terminal_gone(edit) ? EDIT_END : EDIT_MORE;
    if (len == 1 && text[0] == CONTROL_D)
        return EDIT_END;
    if (text[len - 1] != '\n' && text[len - 1] != '\r')
        return EDIT_MORE;
    edit->line.len = 0;
    buf_add(&edit->line, text, (size_t)len - 1);
    buf_text(&edit->line); /* ended by NUL, too */
    return EDIT_LINE;
}

static struct str line_(const struct edit *edit)
{
    return buf_str(&edit->line);
}

static void resized(struct edit *edit)
{
    el_resize(edit->el);
    if (edit->active)
        el_set(edit->el, EL_REFRESH);
}

static void continued(struct edit *edit)
{
    if (!edit->active)
        return;
    el_set(edit->el, EL_PREP_TERM, 0); /* else libedit believes that nothing changed */
    el_set(edit->el, EL_PREP_TERM, 1);
    el_set(edit->el, EL_REFRESH);
}

/* --- life --------------------------------------------------------------------------------- */

static void close_(struct edit *edit)
{
    if (!edit)
        return;
    pause_(edit);
    write_history(edit);
    el_end(edit->el);
    buf_free(&edit->line);
    free(edit->prompt);
    free(edit->file);
    free(edit);
}

static struct edit *open_(const struct edit_spec *spec, struct error *err)
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
    /* el_set() would copy these texts and forget the copies */
    el_wset(edit->el, EL_ADDFN, L"perigee-complete", L"complete what stands before the cursor",
            on_tab);
    read_history(edit);
    el_source(edit->el, NULL); /* ~/.editrc */
    el_set(edit->el, EL_BIND, "^I", "perigee-complete", NULL);
    return edit;
}

const struct edit_ops perigee_edit = { open_, close_,   begin,   pause_,   read_,
                                       line_, remember, resized, continued };
