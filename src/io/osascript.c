/* One run of osascript over io/process.h. */
#include "io/osascript.h"

#include <stdlib.h>

#include "io/file.h"
#include "io/process.h"

enum { OUTPUT_MAX = 16 * 1024 * 1024, SCRIPT_MAX = 1024 * 1024, GRACE_MS = 250 };

struct osascript {
    struct process *process; /* NULL: it ended */
    struct buf out[2];
    uint64_t timeout_ms;
    void (*done)(void *arg, const struct osascript_result *result);
    void *arg;
};

static const char *program(void)
{
    const char *name = getenv("PERIGEE_OSASCRIPT");

    return name && *name ? name : "osascript";
}

/* program, "-" or the file, arguments. What follows the file is never an option. */
static const char **make_argv(const struct osascript_spec *spec)
{
    size_t count = 0;
    const char **argv;

    while (spec->args && spec->args[count])
        count++;
    argv = mem_alloc((count + 3) * sizeof *argv);
    argv[0] = program();
    argv[1] = spec->file && !spec->terms ? spec->file : "-";
    for (size_t i = 0; i < count; i++)
        argv[i + 2] = spec->args[i];
    argv[count + 2] = NULL;
    return argv;
}

static void on_output(void *arg, int fd, const char *ptr, size_t len)
{
    struct osascript *script = arg;

    buf_add(&script->out[fd - 1], ptr, len);
}

static struct str without_newline(const struct buf *buf)
{
    struct str text = buf_str(buf);

    if (text.len > 0 && text.ptr[text.len - 1] == '\n')
        text.len--;
    return text;
}

static void explain(const struct osascript *script, const struct process_result *end,
                    struct osascript_result *result)
{
    if (end->timed_out)
        error_set(&result->err, "timeout",
                  "osascript did not end in %g s and was stopped. The application may be busy or "
                  "show a dialog that wants an answer: look at the screen before trying again",
                  (double)script->timeout_ms / 1000);
    else if (end->truncated)
        error_set(&result->err, "too_large", "the script printed more than %d MB",
                  OUTPUT_MAX / (1024 * 1024));
    else if (end->term_signal)
        error_set(&result->err, "script_error", "osascript was ended by signal %d",
                  end->term_signal);
    else if (end->exit_code != 0)
        result->number = osascript_explain(buf_str(&script->out[1]), &result->err);
    else
        result->ok = true;
}

static void on_exited(void *arg, const struct process_result *end)
{
    struct osascript *script = arg;
    struct osascript_result result = { .output = without_newline(&script->out[0]) };

    process_free(script->process);
    script->process = NULL;
    explain(script, end, &result);
    script->done(script->arg, &result);
}

/* What goes to stdin, in `text` if it is not the spec's own. */
static bool find_input(const struct osascript_spec *spec, struct buf *text, struct str *input,
                       struct error *err)
{
    struct buf read = { 0 };

    *input = spec->text;
    if (!spec->terms) {
        if (spec->file)
            *input = (struct str){ 0 };
        return true;
    }
    if (spec->file) {
        if (!file_read_all(spec->file, SCRIPT_MAX, &read, err))
            return false;
        *input = buf_str(&read);
    }
    osascript_set_terms(*input, spec->terms, text);
    buf_free(&read);
    *input = buf_str(text);
    return true;
}

static struct osascript *start(uv_loop_t *loop, const struct osascript_spec *spec, struct str input,
                               struct error *err)
{
    static const struct process_events events = { .output = on_output, .exited = on_exited };
    const char **argv = make_argv(spec);
    struct osascript *script = mem_zero(sizeof *script);
    struct process_spec process = { .argv = argv,
                                    .input = input,
                                    .timeout_ms = spec->timeout_ms,
                                    .kill_grace_ms = GRACE_MS,
                                    .max_output = OUTPUT_MAX };

    script->timeout_ms = spec->timeout_ms;
    script->process = process_start(loop, &process, &events, script, err);
    free(argv);
    if (script->process)
        return script;
    if (err && strcmp(err->code, "not_found") == 0)
        error_set(err, "no_osascript",
                  "there is no program \"%s\" here: AppleScript works on macOS only", program());
    free(script);
    return NULL;
}

struct osascript *osascript_start(uv_loop_t *loop, const struct osascript_spec *spec,
                                  void (*done)(void *arg, const struct osascript_result *result),
                                  void *arg, struct error *err)
{
    struct osascript *script = NULL;
    struct buf text = { 0 };
    struct str input;

    if (find_input(spec, &text, &input, err))
        script = start(loop, spec, input, err);
    buf_free(&text);
    if (!script)
        return NULL;
    script->done = done;
    script->arg = arg;
    return script;
}

void osascript_free(struct osascript *script)
{
    if (!script)
        return;
    process_free(script->process);
    buf_free(&script->out[0]);
    buf_free(&script->out[1]);
    free(script);
}
