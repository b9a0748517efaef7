/* A guest that was taken over. It does not run its script: the code of its job is the name of an
 * attack. */
#ifndef PERIGEE_TESTS_FORGED_GUEST_H
#define PERIGEE_TESTS_FORGED_GUEST_H

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/packed_tags.h"
#include "guest/frame.h"
#include "script/packed.h"

/* --- in the guest ----------------------------------------------------------------------- */

static int line; /* the guest's socket */
static struct buf said;

static void flush(void)
{
    for (size_t at = 0; at < said.len;) {
        ssize_t n = write(line, said.data + at, said.len - at);

        if (n > 0)
            at += (size_t)n;
        else if (n < 0 && (errno == EAGAIN || errno == EINTR))
            poll(&(struct pollfd){ line, POLLOUT, 0 }, 1, 1000);
        else
            _exit(0); /* the engine has ended it */
    }
    said.len = 0;
}

static void frame_of(int kind, uint32_t id, const char *payload, size_t len)
{
    size_t begun = frame_begin(&said, (enum frame_kind)kind, id);

    buf_add(&said, payload, len);
    frame_end(&said, begun);
}

static void raw_head(uint32_t len, int kind)
{
    bytes_u32(&said, len);
    buf_addc(&said, (char)kind);
    bytes_u32(&said, 1);
}

static void call_of(uint32_t id, struct str name, struct str json, double seconds)
{
    size_t begun = frame_begin(&said, FRAME_CALL, id);

    bytes_str(&said, name);
    bytes_str(&said, json);
    bytes_double(&said, seconds);
    frame_end(&said, begun);
}

static void echo(uint32_t id)
{
    call_of(id, STR("echo"), STR("{\"text\":\"x\"}"), 0);
}

static void find_of(uint32_t home, struct str name)
{
    size_t begun = frame_begin(&said, FRAME_FIND, 1);

    bytes_u32(&said, home);
    bytes_str(&said, name);
    frame_end(&said, begun);
}

static void note_of(struct str level, const char *value, size_t len)
{
    size_t begun = frame_begin(&said, FRAME_NOTE, 0);

    bytes_str(&said, level);
    bytes_str(&said, STR("x"));
    buf_add(&said, value, len);
    frame_end(&said, begun);
}

static void progress_of(double done, double total)
{
    size_t begun = frame_begin(&said, FRAME_PROGRESS, 0);

    bytes_double(&said, done);
    bytes_double(&said, total);
    buf_addc(&said, 1);
    bytes_str(&said, STR("\xff"));
    frame_end(&said, begun);
}

/* Sends DONE with the string "fine", as packed.c writes it. */
static void done(void)
{
    size_t begun = frame_begin(&said, FRAME_DONE, 0);
    struct buf text = { 0 };

    buf_addc(&said, 0);
    packed_add_text(&text, STR("fine"));
    buf_add(&said, text.data, text.len);
    frame_end(&said, begun);
    flush();
    buf_free(&text);
}

/* Sends DONE with this value. */
static void done_with(const char *value, size_t len)
{
    size_t begun = frame_begin(&said, FRAME_DONE, 0);

    buf_addc(&said, 0);
    buf_add(&said, value, len);
    frame_end(&said, begun);
    flush();
}

static _Noreturn void rest(void)
{
    flush();
    for (;;)
        pause();
}

/* Sends for ever and never reads; the socket fills in both directions. */
static _Noreturn void for_ever(void (*say)(uint32_t i))
{
    for (uint32_t i = 1;; i++) {
        say(i);
        flush();
    }
}

static void a_line(uint32_t i)
{
    static const char text[] = "\x10\0\0\0printed for ever";

    (void)i;
    frame_of(FRAME_PRINT, 0, text, sizeof text - 1);
}

static void a_log_line(uint32_t i)
{
    static const char text[] = "\x02\x10\0\0\0printed for ever";

    (void)i;
    frame_of(FRAME_LOG, 0, text, sizeof text - 1);
}

static void a_progress(uint32_t i)
{
    progress_of(i, NAN);
}

static void a_note(uint32_t i)
{
    (void)i;
    note_of(STR("info"), "\x03", 1);
}

static void a_search(uint32_t i)
{
    (void)i;
    find_of(1, STR("schema"));
}

static void a_list(uint32_t i)
{
    frame_of(FRAME_TOOLS, i, "", 0);
}

static void a_forbidden_call(uint32_t i)
{
    frame_of(FRAME_FORBIDDEN, i, "", 0);
}

static void an_unknown_call(uint32_t i)
{
    call_of(i, STR("no_such_tool"), STR("{}"), 0);
}

static void a_cancel(uint32_t i)
{
    frame_of(FRAME_CANCEL, i, "", 0);
}

static void deep_value(void)
{
    static const char list_of_one[] = { 7, 0, 1, 0, 0, 0 };
    struct buf value = { 0 };

    for (int i = 0; i < 100000; i++)
        buf_add(&value, list_of_one, sizeof list_of_one);
    done_with(value.data, value.len);
}

static void many_same_ids(void)
{
    for (int i = 0; i < 50; i++)
        echo(7);
    flush();
    usleep(20000);
    frame_of(FRAME_CANCEL, 7, "", 0);
    frame_of(FRAME_CANCEL, 7, "", 0);
    done();
}

static void odd_names(void)
{
    struct buf long_name = { 0 };
    static const struct str names[] = {
        { "", 0 },       { "../../etc/passwd", 16 }, { "/etc/passwd", 11 }, { "schema\0x", 8 },
        { "sys.fs", 6 }, { "\xff\xfe", 2 }
    };

    for (int i = 0; i < 100000; i++)
        buf_addc(&long_name, 'a');
    for (size_t i = 0; i < countof(names); i++) {
        find_of(1, names[i]);
        find_of((uint32_t)-5, names[i]);
        find_of(1000000000, names[i]);
        call_of(1, names[i], STR("{}"), 0);
    }
    find_of(1, buf_str(&long_name));
    call_of(1, buf_str(&long_name), STR("{}"), 0);
    call_of(1, STR("client"), STR("{\"caller\":\"terminal\"}"), 0);
    done();
}

static void odd_arguments(void)
{
    static const double seconds[] = { -1, NAN, INFINITY, 1e308, -0.0 };
    struct buf deep = { 0 };

    for (int i = 0; i < 100000; i++)
        buf_addc(&deep, '[');
    call_of(1, STR("echo"), buf_str(&deep), 0);
    call_of(2, STR("echo"), STR(""), 0);
    call_of(3, STR("echo"), STR("[]"), 0);
    call_of(4, STR("echo"), STR("{\"text\":"), 0);
    call_of(5, STR("echo"), STR("\xff\xfe{}"), 0);
    call_of(6, STR("echo"), (struct str){ "{\"text\":\"\0\"}", 12 }, 0);
    for (size_t i = 0; i < countof(seconds); i++)
        call_of(10 + (uint32_t)i, STR("echo"), STR("{\"text\":\"x\"}"), seconds[i]);
    flush();
    usleep(20000);
    done();
}

static void huge_argument(void)
{
    struct buf json = { 0 };

    buf_lit(&json, "{\"text\":\"");
    for (int i = 0; i < 15 << 20; i++)
        buf_addc(&json, 'x');
    buf_lit(&json, "\"}");
    call_of(1, STR("echo"), buf_str(&json), 0);
    done();
}

static void answers_that_are_not_read(void)
{
    for (uint32_t i = 1; i <= 64; i++)
        call_of(i, STR("big"), STR("{}"), 0);
    rest();
}

static void one_byte_at_a_time(void)
{
    struct buf whole;

    echo(1);
    frame_of(FRAME_LOG, 0, "", 0);
    whole = said;
    said = (struct buf){ 0 };
    for (size_t i = 0; i < whole.len; i++) {
        buf_addc(&said, whole.data[i]);
        flush();
        usleep(500);
    }
    done();
}

static void empty_frames(void)
{
    static const int kinds[] = { FRAME_CALL,  FRAME_CANCEL, FRAME_FIND,     FRAME_TOOLS,
                                 FRAME_PRINT, FRAME_LOG,    FRAME_PROGRESS, FRAME_NOTE };

    for (size_t i = 0; i < countof(kinds); i++)
        frame_of(kinds[i], 0, "", 0);
    for (size_t i = 0; i < countof(kinds); i++)
        frame_of(kinds[i], (uint32_t)-1, "\xff\xff\xff\xff\xff\xff\xff\xff\xff", 9);
    done();
}

static void odd_reports(void)
{
    static const double numbers[] = { NAN, INFINITY, -INFINITY, -1, 1e308 };

    for (size_t i = 0; i < countof(numbers); i++)
        progress_of(numbers[i], numbers[countof(numbers) - 1 - i]);
    note_of(STR("shouting"), "\x03", 1);
    note_of(STR("info"), "\xff", 1);
    note_of(STR(""), "", 0);
    frame_of(FRAME_LOG, 0, "\xff\x01\0\0\0x", 6);
    done();
}

static void chance(unsigned seed)
{
    srand(seed);
    for (int i = 0; i < 5000; i++)
        buf_addc(&said, (char)rand());
    rest();
}

static void chance_behind_heads(unsigned seed)
{
    char payload[64];

    srand(seed);
    for (int i = 0; i < 2000; i++) {
        size_t len = (size_t)rand() % sizeof payload;

        for (size_t k = 0; k < len; k++)
            payload[k] = (char)(rand() % 3 ? rand() % 4 : rand());
        frame_of(rand() % FRAME_KINDS, (uint32_t)rand() % 4, payload, len);
    }
    rest();
}

enum { CHANCES = 8 };

static bool is(const char *attack, const char *name)
{
    return strcmp(attack, name) == 0;
}

static void attack_by_frames(const char *attack)
{
    if (is(attack, "a length of 4 GB"))
        raw_head(0xFFFFFFFF, FRAME_PRINT);
    else if (is(attack, "a length one beyond the limit"))
        raw_head(FRAME_FROM_GUEST + 1, FRAME_PRINT);
    else if (is(attack, "an unknown kind"))
        raw_head(0, FRAME_KINDS);
    else if (is(attack, "the kind 255"))
        raw_head(0, 255);
    else if (is(attack, "a job for the engine"))
        frame_of(FRAME_JOB, 0, "", 0);
    else if (is(attack, "an answer to a call that was not made"))
        frame_of(FRAME_ANSWER, 77, "\0\x03", 2);
    else if (is(attack, "a source that was not asked for"))
        frame_of(FRAME_SOURCE, 1, "\x01", 1);
    else if (is(attack, "names that were not asked for"))
        frame_of(FRAME_NAMES, 1, "\x03", 1);
    else if (is(attack, "half a head and the end"))
        buf_add(&said, "\x01\0\0", 3);
    else
        raw_head(100, FRAME_DONE);
    flush();
    if (strstr(attack, "the end"))
        _exit(0);
    rest();
}

static void attack_by_process(const char *attack)
{
    if (is(attack, "silence"))
        rest();
    if (is(attack, "the end at once"))
        _exit(0);
    if (is(attack, "a crash"))
        raise(SIGABRT);
    if (is(attack, "a forbidden system call"))
        raise(SIGSYS);
    if (is(attack, "a forbidden system call that is reported")) {
        frame_of(FRAME_FORBIDDEN, 4711, "", 0);
        flush();
        raise(SIGSYS);
    }
    if (is(attack, "a stopped process"))
        raise(SIGSTOP);
    close(line);
    for (;;)
        ;
}

static void big_result(void)
{
    struct buf value = { 0 };

    packed_add_text(&value, STR(""));
    for (int i = 0; i <= FRAME_GUEST_MAX; i++)
        buf_addc(&value, 'x');
    done_with(value.data, value.len);
}

static void attack_by_end(const char *attack)
{
    if (is(attack, "a result of 16 MB and more"))
        big_result();
    else if (is(attack, "two ends"))
        done(), done();
    else if (is(attack, "a failure without words"))
        frame_of(FRAME_DONE, 0, "\x01", 1);
    else if (is(attack, "a failure of a strange kind"))
        frame_of(FRAME_DONE, 9, "\xff\xff\xff\xff\xff", 5);
    else if (is(attack, "a value of no kind"))
        done_with("\xf0", 1);
    else if (is(attack, "no value"))
        done_with("", 0);
    else if (is(attack, "a list of 4 billion"))
        done_with("\x07\0\xff\xff\xff\xff", 6);
    else if (is(attack, "a string beyond its frame"))
        done_with("\x06\xff\xff\xff\x7f", 5);
    else if (is(attack, "a table in itself 100,000 times"))
        deep_value();
    rest();
}

static void say_many(void (*say)(uint32_t), uint32_t count)
{
    for (uint32_t i = 1; i <= count; i++)
        say(i);
    done();
}

static void behind_the_value(void)
{
    struct buf value = { 0 };

    packed_add_text(&value, STR("fine"));
    buf_lit(&value, "and more");
    done_with(value.data, value.len);
}

static void calls_after_the_end(void)
{
    done();
    for (int i = 0; i < 1000; i++)
        call_of((uint32_t)i, STR("touch"), STR("{}"), 0);
    rest();
}

static void attack_with(const char *attack)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } whole[] = { { "calls after the end", calls_after_the_end },
                  { "something behind the value", behind_the_value },
                  { "one id for 50 calls", many_same_ids },
                  { "odd names", odd_names },
                  { "odd arguments", odd_arguments },
                  { "an argument of 15 MB", huge_argument },
                  { "answers left unread", answers_that_are_not_read },
                  { "one byte at a time", one_byte_at_a_time },
                  { "empty frames", empty_frames },
                  { "odd reports", odd_reports } };
    static const struct {
        const char *name;
        void (*say)(uint32_t i);
    } endless[] = { { "unknown tools for ever", an_unknown_call },
                    { "printing for ever", a_line },
                    { "log lines for ever", a_log_line },
                    { "progress for ever", a_progress },
                    { "notes for ever", a_note },
                    { "searching for ever", a_search },
                    { "listing for ever", a_list },
                    { "calling for ever", echo },
                    { "reporting system calls for ever", a_forbidden_call },
                    { "cancelling for ever", a_cancel } };

    for (size_t i = 0; i < countof(whole); i++)
        if (is(attack, whole[i].name))
            whole[i].run();
    for (size_t i = 0; i < countof(endless); i++)
        if (is(attack, endless[i].name))
            for_ever(endless[i].say);
    if (is(attack, "10,000 cancelled calls that were not made"))
        say_many(a_cancel, 10000);
    if (is(attack, "2000 calls and the end"))
        say_many(echo, 2000);
    if (is(attack, "honest"))
        done();
    if (strstr(attack, "tools.none")) /* the script of sys.engine.try_jail() */
        attack_by_process("a forbidden system call that is reported");
    if (strncmp(attack, "chance ", 7) == 0)
        (attack[7] == 'a' ? chance : chance_behind_heads)((unsigned)atoi(attack + 8));
    rest();
}

/* Reads the job, whose code is the attack. */
static char *read_attack(void)
{
    struct buf in = { 0 };
    struct frame job;
    size_t at = 0;

    while (frame_next(&in, &at, FRAME_MAX, &job, NULL) != FRAME_READ) {
        ssize_t got;

        poll(&(struct pollfd){ line, POLLIN, 0 }, 1, -1);
        got = read(line, buf_reserve(&in, 4096), 4096);
        if (got == 0)
            _exit(0);
        in.len += got > 0 ? (size_t)got : 0;
    }
    for (int i = 0; i < 3; i++)
        bytes_get_u64(&job.payload); /* memory, output, seconds */
    bytes_get_u8(&job.payload);
    bytes_get_u32(&job.payload);
    for (int i = 0; i < 3; i++)
        bytes_get_str(&job.payload); /* name, tool, toolset */
    struct str code = bytes_get_str(&job.payload);
    return mem_strndup(code.ptr, code.len);
}

static _Noreturn void be_guest(int socket)
{
    static const char *const by_frames[] = { "a length", "kind",          "for the engine",
                                             "not made", "not asked for", "half a" };
    static const char *const by_process[] = { "silence",   "the end at once", "a crash",
                                              "forbidden", "stopped",         "closed" };
    static const char *const by_end[] = { "a result", "two ends",  "a failure", "a value of",
                                          "no value", "a list of", "a string",  "a table" };
    char *attack;

    line = socket;
    signal(SIGABRT, SIG_DFL);
    attack = read_attack();
    if (strncmp(attack, "10,000", 6) == 0)
        attack_with(attack);
    for (size_t i = 0; i < countof(by_end); i++)
        if (strstr(attack, by_end[i]))
            attack_by_end(attack);
    for (size_t i = 0; i < countof(by_frames); i++)
        if (strstr(attack, by_frames[i]))
            attack_by_frames(attack);
    for (size_t i = 0; i < countof(by_process); i++)
        if (strstr(attack, by_process[i]))
            attack_by_process(attack);
    attack_with(attack);
    rest();
}

#endif
