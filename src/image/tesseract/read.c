/* A picture read: its labels found, then read one by one, by several threads where there are many.
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <uv.h>

#include "image/tesseract/tesseract.h"

enum { THREADS_MAX = 4, LABELS_A_THREAD = 6 /* fewer are not worth another one */ };

struct work {
    const struct read_options *options;
    struct gray picture;
    struct image_box *labels;
    struct reading *read; /* one for each label */
    size_t count;
    atomic_size_t next;
    atomic_int recognized;
    atomic_bool cut, failed;
    pthread_mutex_t lock;
    struct error error; /* that of the first reading that failed */
};

static bool work_is_over(struct work *work)
{
    const struct read_options *options = work->options;

    if ((options->stop && options->stop(options->arg)) ||
        (options->until && uv_hrtime() / 1000000 >= options->until))
        atomic_store(&work->cut, true);
    return atomic_load(&work->cut) || atomic_load(&work->failed);
}

static void work_fail(struct work *work, const struct error *why)
{
    pthread_mutex_lock(&work->lock);
    if (!atomic_load(&work->failed))
        work->error = *why;
    atomic_store(&work->failed, true);
    pthread_mutex_unlock(&work->lock);
}

/* From pixels of the line to those of the picture. */
static void place_words(struct reading *words, const struct line *line)
{
    for (size_t i = 0; i < words->count; i++) {
        struct read_word *word = &words->words[i];
        double left = line->at.x + (word->x - line->left) / line->zoom;
        double top = line->at.y + (word->y - line->top) / line->zoom;

        word->width = (int)lround(word->width / line->zoom);
        word->height = (int)lround(word->height / line->zoom);
        word->x = (int)lround(left);
        word->y = (int)lround(top);
    }
}

/* False: the thread has no engine. */
static bool read_label(struct work *work, size_t which, struct engine **engine)
{
    const struct read_options *options = work->options;
    struct reading *words = &work->read[which];
    struct error why;
    struct line line = line_cut(&work->picture, work->labels, work->count, which, options->scale);
    struct line_sum sum = line_sum(&line, options->language);

    if (!known_find(sum, words)) {
        if (!*engine && !(*engine = engine_take(options->language, &why))) {
            gray_free(&line.pixels);
            work_fail(work, &why);
            return false;
        }
        if (engine_read(*engine, &line, options, words)) {
            known_add(sum, words);
            atomic_fetch_add(&work->recognized, 1);
        } else {
            work_is_over(work);
        }
    }
    place_words(words, &line);
    gray_free(&line.pixels);
    return true;
}

static void *read_labels(void *arg)
{
    struct work *work = arg;
    struct engine *engine = NULL;

    while (!work_is_over(work)) {
        size_t which = atomic_fetch_add(&work->next, 1);

        if (which >= work->count || !read_label(work, which, &engine))
            break;
    }
    if (engine)
        engine_give_back(engine);
    return NULL;
}

/* The caller's thread and more of them. */
static void read_by_threads(struct work *work)
{
    pthread_t threads[THREADS_MAX];
    int wanted = work->options->threads, started = 0;

    wanted = wanted > THREADS_MAX ? THREADS_MAX : wanted;
    for (; started + 1 < wanted && (size_t)(started + 1) * LABELS_A_THREAD < work->count; started++)
        if (pthread_create(&threads[started], NULL, read_labels, work) != 0)
            break;
    read_labels(work);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

static void work_gather(struct work *work, struct reading *reading)
{
    for (size_t i = 0; i < work->count; i++) {
        const struct reading *label = &work->read[i];

        for (size_t j = 0; j < label->count; j++) {
            struct read_word word = label->words[j];

            if (reading->count == reading->room) {
                reading->room = reading->room ? 2 * reading->room : 256;
                reading->words = mem_resize(reading->words, reading->room * sizeof word);
            }
            word.label = reading->labels;
            word.text = reading->text.len;
            buf_add(&reading->text, label->text.data + label->words[j].text, word.size);
            reading->words[reading->count++] = word;
        }
        reading->labels++;
    }
    reading->recognized = atomic_load(&work->recognized);
    reading->cut = atomic_load(&work->cut);
}

static bool read_picture(const struct image *image, const struct read_options *options,
                         struct reading *reading, struct error *err)
{
    struct work work = { .options = options, .lock = PTHREAD_MUTEX_INITIALIZER };
    bool ok;

    *reading = (struct reading){ 0 };
    if (!image_size_ok(image->width, image->height, err))
        return false;
    work.picture = gray_of(image);
    work.count = text_lines_find(&work.picture, options->scale, &work.labels);
    work.read = mem_zero((work.count + 1) * sizeof *work.read);
    read_by_threads(&work);
    ok = !atomic_load(&work.failed);
    if (ok && options->stop && options->stop(options->arg))
        ok = error_set(&work.error, "cancelled", "reading the picture was cancelled");
    if (ok)
        work_gather(&work, reading);
    else
        error_set(err, work.error.code, "%s", work.error.text);
    for (size_t i = 0; i < work.count; i++)
        reading_free(&work.read[i]);
    free(work.read);
    free(work.labels);
    gray_free(&work.picture);
    return ok;
}

const struct text_recognizer perigee_text = { read_picture, engine_languages };
