/* The helper's life, and its lines. */
#include "platform/osascript/osa_helper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/module.h"
#include "base/timer.h"
#include "json/document.h"
#include "json/writer.h"
#include "process/process.h"

enum {
    LINE_MAX_BYTES = 32 * 1024 * 1024, /* length of an answer; its text is written with escapes */
    GREETING_MS = 5000,
    FAILURES_MAX = 3, /* in a row, then it is given up */
    COMPLAINT_MAX = 500,
};

struct osa_run {
    struct osa_helper *helper; /* NULL: it has been answered */
    struct buf request;        /* the line, until it is sent */
    struct timer *deadline;
    uint64_t timeout_ms;
    int64_t id;
    void (*done)(void *arg, const struct osa_answer *answer);
    void *arg;
};

struct osa_helper {
    uv_loop_t *loop;
    struct process *process;
    struct buf in;        /* its stdout so far, without whole lines */
    struct buf complaint; /* the start of its stderr */
    struct timer *greeting;
    struct osa_run *run;
    int64_t last_id;
    int failures;
    bool greeted, given_up;
};

static const char *program(void)
{
    const char *name = getenv("PERIGEE_OSA_HELPER");

    if (!name || !*name || strcmp(name, "0") == 0)
        return NULL;
    return strcmp(name, "1") == 0 ? module_executable() : name;
}

struct osa_helper *osa_helper_new(uv_loop_t *loop)
{
    struct osa_helper *helper = mem_zero(sizeof *helper);

    helper->loop = loop;
    return helper;
}

static void end_process(struct osa_helper *helper)
{
    process_free(helper->process);
    helper->process = NULL;
    timer_forget(helper->greeting);
    helper->greeting = NULL;
    helper->greeted = false;
    buf_free(&helper->in);
    buf_free(&helper->complaint);
}

void osa_helper_free(struct osa_helper *helper)
{
    if (!helper)
        return;
    if (helper->run) {
        timer_forget(helper->run->deadline);
        helper->run->deadline = NULL;
        helper->run->helper = NULL;
    }
    end_process(helper);
    free(helper);
}

bool osa_helper_is_free(const struct osa_helper *helper)
{
    return helper && !helper->given_up && !helper->run && program();
}

/* --- answers ------------------------------------------------------------------------- */

static void helper_deliver(struct osa_helper *helper, const struct osa_answer *answer)
{
    struct osa_run *run = helper->run;

    helper->run = NULL;
    run->helper = NULL;
    timer_forget(run->deadline);
    run->deadline = NULL;
    run->done(run->arg, answer);
}

/* Ends the helper, which is of no use any more; no other follows when this happens too often. */
static void lost(struct osa_helper *helper, const char *code, const char *what)
{
    struct osa_answer told = { .kind = helper->greeted ? OSA_LOST : OSA_NEVER };
    bool timeout = strcmp(code, "timeout") == 0;

    if (!timeout && (!helper->greeted || ++helper->failures == FAILURES_MAX)) {
        helper->given_up = true;
        log_warn("AppleScript is run by osascript from now on, because its helper "
                 "(PERIGEE_OSA_HELPER) %s%s%s",
                 what, helper->complaint.len ? ": " : "",
                 helper->complaint.len ? buf_text(&helper->complaint) : "");
    }
    if (timeout) {
        told.kind = OSA_LOST;
        error_set(&told.err, code,
                  "the script did not finish within %g s and was stopped. The application may be "
                  "busy or showing a dialog. Look at the screen before trying again",
                  (double)helper->run->timeout_ms / 1000);
    } else {
        error_set(&told.err, code,
                  "the helper that runs scripts %s. What the script had done by then is unknown. "
                  "Look at the application before trying again",
                  what);
    }
    end_process(helper);
    if (helper->run)
        helper_deliver(helper, &told);
}

static void on_deadline(void *arg)
{
    struct osa_run *run = arg;

    run->deadline = NULL;
    lost(run->helper, "timeout", "hung");
}

static void on_no_greeting(void *arg)
{
    struct osa_helper *helper = arg;

    helper->greeting = NULL;
    lost(helper, "helper_lost", "did not report that it was ready");
}

static void send_request(struct osa_helper *helper)
{
    struct osa_run *run = helper->run;

    if (helper->greeted && run && run->request.len) {
        process_write(helper->process, run->request.data, run->request.len, NULL);
        buf_free(&run->request);
    }
}

static bool is_range(const cJSON *range, struct osa_answer *told)
{
    int64_t from, length;

    if (!range)
        return true;
    if (!cJSON_IsArray(range) || cJSON_GetArraySize(range) != 2 ||
        !json_integer(cJSON_GetArrayItem(range, 0), &from) ||
        !json_integer(cJSON_GetArrayItem(range, 1), &length) || from < 0 || length < 0 ||
        from > INT32_MAX / 2 || length > INT32_MAX / 2)
        return false;
    told->from = (int)from;
    told->to = (int)(from + length);
    return true;
}

static bool is_error(const cJSON *error, struct osa_answer *told)
{
    const cJSON *number = json_get(error, "number");
    int64_t value = 0;

    if (!cJSON_IsObject(error) || !cJSON_IsString(json_get(error, "message")) ||
        (number && (!json_integer(number, &value) || value < INT32_MIN || value > INT32_MAX)))
        return false;
    told->kind = OSA_FAILED;
    told->number = (int)value;
    told->message = json_string(json_get(error, "message"));
    told->compiling = cJSON_IsTrue(json_get(error, "compiling"));
    return is_range(json_get(error, "range"), told);
}

/* Takes an answer. False: the line does not answer the question. */
static bool helper_take_answer(struct osa_helper *helper, const cJSON *line)
{
    struct osa_answer told = { .kind = OSA_DONE };
    const cJSON *output = json_get(line, "output");
    int64_t number;

    if (!helper->greeted) {
        if (!json_integer(json_get(line, "perigee_osa"), &number) || number != 1)
            return false;
        timer_forget(helper->greeting);
        helper->greeting = NULL;
        helper->greeted = true;
        send_request(helper);
        return true;
    }
    if (!helper->run || !json_integer(json_get(line, "id"), &number) || number != helper->run->id)
        return false;
    if (output) {
        if (!cJSON_IsString(output))
            return false;
        told.output = json_string(output);
    } else if (!is_error(json_get(line, "error"), &told)) {
        return false;
    }
    helper->failures = 0;
    helper_deliver(helper, &told);
    return true;
}

static bool take_line(struct osa_helper *helper, const char *text, size_t len)
{
    static const struct json_limits limits = { LINE_MAX_BYTES, 8, 100 };
    struct json_doc *doc = json_parse(text, len, &limits, NULL);
    bool good = doc && helper_take_answer(helper, json_root(doc));

    json_doc_free(doc);
    return good;
}

/* Takes the lines of the output. A `done` may free the helper's process with its next run, but
 * never the helper: the process tells whose lines these are. */
static void take_lines(struct osa_helper *helper)
{
    struct process *process = helper->process;
    struct buf lines = helper->in;
    size_t begin = 0;
    char *end;

    helper->in = (struct buf){ 0 };
    while (helper->process == process &&
           (end = memchr(lines.data + begin, '\n', lines.len - begin))) {
        size_t len = (size_t)(end - lines.data) - begin;

        if (!take_line(helper, lines.data + begin, len)) {
            lost(helper, "helper_lost", "sent an invalid answer");
            break;
        }
        begin += len + 1;
    }
    if (helper->process == process && process) {
        buf_drop(&lines, begin);
        helper->in = lines;
    } else {
        buf_free(&lines);
    }
}

static void on_helper_output(void *arg, int fd, const char *ptr, size_t len)
{
    struct osa_helper *helper = arg;

    if (fd == 2) {
        size_t room = COMPLAINT_MAX - helper->complaint.len;

        buf_add(&helper->complaint, ptr, len < room ? len : room);
        return;
    }
    buf_add(&helper->in, ptr, len);
    if (memchr(ptr, '\n', len))
        take_lines(helper);
    if (helper->in.len > LINE_MAX_BYTES)
        lost(helper, "too_large", "sent too much");
}

static void on_helper_exited(void *arg, const struct process_result *end)
{
    struct osa_helper *helper = arg;
    char what[64];

    if (end->term_signal)
        snprintf(what, sizeof what, "was ended by signal %d", end->term_signal);
    else
        snprintf(what, sizeof what, "exited with code %d", end->exit_code);
    lost(helper, "helper_lost", what);
}

/* --- questions ----------------------------------------------------------------------- */

static bool helper_start(struct osa_helper *helper)
{
    static const struct process_events events = { .output = on_helper_output,
                                                  .exited = on_helper_exited };
    const char *argv[] = { program(), "--osa-helper", NULL };
    struct process_spec spec = { .argv = argv, .keep_input_open = true };
    struct error err;

    helper->process = process_start(helper->loop, &spec, &events, helper, &err);
    if (helper->process) {
        helper->greeting = timer_after(helper->loop, GREETING_MS, on_no_greeting, helper);
        return true;
    }
    helper->given_up = true;
    log_warn("AppleScript is run by osascript, because its helper (PERIGEE_OSA_HELPER) cannot be "
             "started: %s",
             err.text);
    return false;
}

static void write_request(struct osa_run *run, struct str text, const char *const *args)
{
    struct buf *out = &run->request;

    buf_addf(out, "{\"id\":%lld,\"text\":", (long long)run->id);
    json_write_string(out, text.ptr, text.len);
    buf_lit(out, ",\"args\":[");
    for (size_t i = 0; args && args[i]; i++) {
        if (i > 0)
            buf_addc(out, ',');
        json_write_string(out, args[i], strlen(args[i]));
    }
    buf_addf(out, "],\"timeout\":%.0f}\n", ceil((double)run->timeout_ms / 1000));
}

struct osa_run *osa_helper_run(struct osa_helper *helper, struct str text, const char *const *args,
                               uint64_t timeout_ms,
                               void (*done)(void *arg, const struct osa_answer *answer), void *arg)
{
    struct osa_run *run;

    if (!helper->process && !helper_start(helper))
        return NULL;
    run = mem_zero(sizeof *run);
    run->helper = helper;
    run->timeout_ms = timeout_ms;
    run->id = ++helper->last_id;
    run->done = done;
    run->arg = arg;
    write_request(run, text, args);
    if (timeout_ms)
        run->deadline = timer_after(helper->loop, timeout_ms, on_deadline, run);
    helper->run = run;
    send_request(helper);
    return run;
}

void osa_run_free(struct osa_run *run)
{
    struct osa_helper *helper;

    if (!run)
        return;
    helper = run->helper;
    if (helper) {
        timer_forget(run->deadline);
        helper->run = NULL;
        if (!run->request.len) /* the request was sent */
            end_process(helper);
    }
    buf_free(&run->request);
    free(run);
}
