/* One run of osascript over process/process.h, or of the helper that is ready. */
#include "platform/osascript/osascript.h"

#include <stdlib.h>

#include "files/file.h"
#include "json/utf8.h"
#include "process/process.h"

enum { OUTPUT_MAX = 16 * 1024 * 1024, SCRIPT_MAX = 1024 * 1024, OSASCRIPT_GRACE_MS = 250 };

struct osascript {
    struct process *process; /* NULL: it ended, or the helper has it */
    struct osa_run *run;     /* the helper's; NULL: the helper does not run it */
    struct copy {            /* the input of the helper, for osascript if the helper is missing */
        char *name;          /* the file's name; "" for none */
        struct buf text;
        char **args;
        uv_loop_t *loop;
        uint64_t started;
    } copy;
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

static void on_script_output(void *arg, int fd, const char *ptr, size_t len)
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

static void explain_end(const struct osascript *script, const struct process_result *end,
                        struct osascript_result *result)
{
    if (end->timed_out)
        error_set(&result->err, "timeout",
                  "osascript did not finish within %g s and was stopped. The application may be "
                  "busy or showing a dialog. Look at the screen before trying again",
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

static void on_script_exited(void *arg, const struct process_result *end)
{
    struct osascript *script = arg;
    struct osascript_result result = { .output = without_newline(&script->out[0]) };

    process_free(script->process);
    script->process = NULL;
    explain_end(script, end, &result);
    script->done(script->arg, &result);
}

/* Finds the input for stdin or the helper, in `text` if it is not the spec's own. */
static bool find_input(const struct osascript_spec *spec, struct buf *text, struct str *input,
                       struct error *err)
{
    struct buf read = { 0 };

    *input = spec->text;
    if (spec->file) {
        *input = (struct str){ 0 };
        if (!spec->terms && !osa_helper_is_free(spec->helper))
            return true; /* osascript reads it */
        if (!file_read_all(spec->file, SCRIPT_MAX, &read, err))
            return false;
        *input = buf_str(&read);
    }
    if (spec->terms)
        osascript_set_terms(*input, spec->terms, text);
    else if (spec->file)
        buf_add(text, read.data, read.len);
    if (spec->terms || spec->file)
        *input = buf_str(text);
    buf_free(&read);
    return true;
}

static bool start_process(struct osascript *script, uv_loop_t *loop, const char **argv,
                          struct str input, struct error *err)
{
    static const struct process_events events = { .output = on_script_output,
                                                  .exited = on_script_exited };
    struct process_spec process = { .argv = argv,
                                    .input = input,
                                    .timeout_ms = script->timeout_ms,
                                    .kill_grace_ms = OSASCRIPT_GRACE_MS,
                                    .max_output = OUTPUT_MAX };

    script->process = process_start(loop, &process, &events, script, err);
    if (!script->process && err && strcmp(err->code, "not_found") == 0)
        error_set(err, "no_osascript",
                  "the program \"%s\" was not found: AppleScript works on macOS only", program());
    return script->process != NULL;
}

/* --- the helper ---------------------------------------------------------------------- */

/* Explains a failure in the helper as one of osascript, which would write it to stderr. */
static int explain_failed(const struct osascript *script, const struct osa_answer *answer,
                          struct error *err)
{
    struct buf said = { 0 };
    int number;

    if (*script->copy.name)
        buf_addf(&said, "%s:", script->copy.name);
    buf_addf(&said, "%d:%d: %s error: ", answer->from, answer->to,
             answer->compiling ? "syntax" : "execution");
    if (answer->message.len)
        buf_add(&said, answer->message.ptr, answer->message.len);
    else
        buf_adds(&said, "the script gave no reason");
    if (answer->number)
        buf_addf(&said, " (%d)", answer->number);
    number = osascript_explain(buf_str(&said), err);
    buf_free(&said);
    return answer->number ? number : 0;
}

/* Lets osascript run the script in the time that is left, because the helper did not take it. */
static bool start_instead(struct osascript *script, struct error *err)
{
    uint64_t gone = uv_now(script->copy.loop) - script->copy.started;
    struct osascript_spec spec = { .args = (const char *const *)script->copy.args };
    const char **argv = make_argv(&spec);
    bool ok;

    if (script->timeout_ms)
        script->timeout_ms = gone + 1 < script->timeout_ms ? script->timeout_ms - gone : 1;
    ok = start_process(script, script->copy.loop, argv, buf_str(&script->copy.text), err);
    free(argv);
    return ok;
}

static void on_answered(void *arg, const struct osa_answer *answer)
{
    struct osascript *script = arg;
    struct osascript_result result = { .ok = answer->kind == OSA_DONE,
                                       .output = answer->output,
                                       .err = answer->err };

    osa_run_free(script->run);
    script->run = NULL;
    if (answer->kind == OSA_NEVER && start_instead(script, &result.err))
        return;
    if (answer->kind == OSA_FAILED)
        result.number = explain_failed(script, answer, &result.err);
    if (result.ok && result.output.len > OUTPUT_MAX) {
        result.ok = false;
        error_set(&result.err, "too_large", "the script printed more than %d MB",
                  OUTPUT_MAX / (1024 * 1024));
    }
    script->done(script->arg, &result);
}

static bool is_text(struct str text, const char *const *args)
{
    bool valid = utf8_valid(text.ptr, text.len, NULL);

    for (size_t i = 0; valid && args && args[i]; i++)
        valid = utf8_valid(args[i], strlen(args[i]), NULL);
    return valid;
}

static void keep_copy(struct copy *copy, uv_loop_t *loop, const struct osascript_spec *spec,
                      struct str text)
{
    const char *slash = spec->file ? strrchr(spec->file, '/') : NULL;
    size_t count = 0;

    copy->name = mem_strdup(slash ? slash + 1 : "");
    buf_add(&copy->text, text.ptr, text.len);
    while (spec->args && spec->args[count])
        count++;
    copy->args = mem_zero((count + 1) * sizeof *copy->args);
    for (size_t i = 0; i < count; i++)
        copy->args[i] = mem_strdup(spec->args[i]);
    copy->loop = loop;
    copy->started = uv_now(loop);
}

static bool start_helped(struct osascript *script, uv_loop_t *loop,
                         const struct osascript_spec *spec, struct str text)
{
    if (!osa_helper_is_free(spec->helper) || !is_text(text, spec->args))
        return false;
    script->run =
        osa_helper_run(spec->helper, text, spec->args, spec->timeout_ms, on_answered, script);
    if (script->run)
        keep_copy(&script->copy, loop, spec, text);
    return script->run != NULL;
}

/* --- a run --------------------------------------------------------------------------- */

static bool start_script(struct osascript *script, uv_loop_t *loop,
                         const struct osascript_spec *spec, struct error *err)
{
    struct buf text = { 0 };
    struct str input;
    const char **argv = make_argv(spec);
    bool ok = find_input(spec, &text, &input, err);

    if (ok && !start_helped(script, loop, spec, input)) {
        if (spec->file && !spec->terms)
            input = (struct str){ 0 };
        ok = start_process(script, loop, argv, input, err);
    }
    buf_free(&text);
    free(argv);
    return ok;
}

struct osascript *osascript_start(uv_loop_t *loop, const struct osascript_spec *spec,
                                  void (*done)(void *arg, const struct osascript_result *result),
                                  void *arg, struct error *err)
{
    struct osascript *script = mem_zero(sizeof *script);

    script->timeout_ms = spec->timeout_ms;
    script->done = done;
    script->arg = arg;
    if (start_script(script, loop, spec, err))
        return script;
    osascript_free(script);
    return NULL;
}

void osascript_free(struct osascript *script)
{
    if (!script)
        return;
    process_free(script->process);
    osa_run_free(script->run);
    buf_free(&script->out[0]);
    buf_free(&script->out[1]);
    for (char **word = script->copy.args; word && *word; word++)
        free(*word);
    free(script->copy.args);
    free(script->copy.name);
    buf_free(&script->copy.text);
    free(script);
}
