/* Lines to a session, as stdio brings them: messages of every era, and other bytes. The answer to
 * any input is JSON on one line. */
#include "fuzz.h"
#include "world.h"

struct out {
    struct sink sink;
    struct buf text;
};

static struct buf *out_begin(struct sink *sink)
{
    struct out *out = container_of(sink, struct out, sink);

    out->text.len = 0;
    return &out->text;
}

static void out_end(struct sink *sink, struct sink_mark mark)
{
    (void)mark;
    world_check_message(buf_str(&container_of(sink, struct out, sink)->text));
}

static void on_exit_message(void *arg)
{
    *(bool *)arg = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct out out = { .sink = { .begin = out_begin, .end = out_end } };
    bool ended = false;
    struct session_events events = { .exit = on_exit_message, .arg = &ended };
    struct session *session = session_new(world_server(), &out.sink, &events);
    char *copy = fuzz_copy(data, size);
    struct str rest = { copy, size }, line;

    while (!ended && fuzz_piece(&rest, '\n', &line)) {
        char *alone = fuzz_copy((const uint8_t *)line.ptr, line.len);

        if (line.len)
            session_receive(session, NULL, alone, line.len);
        free(alone);
        uv_run(engine_loop(world_engine()), UV_RUN_NOWAIT);
    }
    world_turn();
    session_free(session);
    world_turn();
    buf_free(&out.text);
    free(copy);
    return 0;
}
