#include "sys/trace/frames.h"

#include <stdlib.h>
#include <string.h>

/* Returns a copy that lives as long as the frames. Equal texts have the same copy. */
static const char *keep_frame_text(struct frames *frames, const char *text)
{
    for (size_t i = frames->text_count; i-- > 0;)
        if (strcmp(frames->texts[i], text) == 0)
            return frames->texts[i];
    if (frames->text_count == frames->text_room) {
        frames->text_room = frames->text_room ? 2 * frames->text_room : 64;
        frames->texts = mem_resize(frames->texts, frames->text_room * sizeof *frames->texts);
    }
    return frames->texts[frames->text_count++] = mem_strdup(text);
}

/* --- functions ------------------------------------------------------------------------ */

static bool is_same_frame(const struct frame *frame, const char *name, const char *source, int line)
{
    if (!source || !frame->source)
        return !source && !frame->source && strcmp(frame->name, name) == 0;
    return frame->line == line && strcmp(frame->source, source) == 0;
}

struct frame *frames_below(struct frames *frames, struct frame *above, const char *name,
                           const char *source, int line)
{
    struct frame **place = &above->first;
    struct frame *frame;

    for (; (frame = *place); place = &frame->next) {
        if (!is_same_frame(frame, name, source, line))
            continue;
        *place = frame->next; /* to the front, where it is found sooner next time */
        frame->next = above->first;
        return above->first = frame;
    }
    frame = mem_zero(sizeof *frame);
    *frame = (struct frame){ .above = above,
                             .next = above->first,
                             .name = keep_frame_text(frames, name),
                             .source = source ? keep_frame_text(frames, source) : NULL,
                             .line = line };
    return above->first = frame;
}

/* Frees without recursion, since the stacks that were seen may be deep. */
static void free_below(struct frame *root)
{
    struct frame *frame = root, *above;

    for (;;) {
        while (frame->first)
            frame = frame->first;
        if (frame == root)
            return;
        frame->above->first = frame->next;
        above = frame->above;
        free(frame);
        frame = above;
    }
}

/* --- lines ------------------------------------------------------------------------------ */

static size_t line_slot(const struct frames *frames, const char *source, int line)
{
    size_t hash = (size_t)line * 2654435761u;

    for (const char *c = source; *c; c++)
        hash = hash * 31 + (unsigned char)*c;
    return hash & (frames->line_room - 1);
}

static struct line **find_line(struct frames *frames, const char *source, int line)
{
    size_t i = line_slot(frames, source, line);

    while (frames->lines[i] &&
           (frames->lines[i]->line != line || strcmp(frames->lines[i]->source, source) != 0))
        i = (i + 1) & (frames->line_room - 1);
    return &frames->lines[i];
}

static void grow_lines(struct frames *frames)
{
    struct line **old = frames->lines;
    size_t room = frames->line_room;

    frames->line_room = room ? 2 * room : 256;
    frames->lines = mem_zero(frames->line_room * sizeof *frames->lines);
    for (size_t i = 0; i < room; i++)
        if (old[i])
            *find_line(frames, old[i]->source, old[i]->line) = old[i];
    free(old);
}

struct line *frames_line(struct frames *frames, const char *source, int line)
{
    struct line **place;

    if (2 * frames->line_count >= frames->line_room)
        grow_lines(frames);
    place = find_line(frames, source, line);
    if (!*place) {
        *place = mem_zero(sizeof **place);
        **place = (struct line){ .source = keep_frame_text(frames, source), .line = line };
        frames->line_count++;
    }
    return *place;
}

void frames_finish(struct frames *frames)
{
    free_below(&frames->root);
    for (size_t i = 0; i < frames->line_room; i++)
        free(frames->lines[i]);
    for (size_t i = 0; i < frames->text_count; i++)
        free(frames->texts[i]);
    free(frames->lines);
    free(frames->texts);
    *frames = (struct frames){ .lines = NULL };
}
