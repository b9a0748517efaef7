/* Handles of tesseract. One takes 0.1 to 0.2 s and 20 MB to make, so they are kept: as many as
 * threads were reading at once.
 *
 * The library runs in this process. It reads nothing but gray lines of a few pixels in height that
 * line.c has drawn, and its language data, which the system's package brought; a process of its
 * own would cost 60 MB and a copy of every picture. If it crashes all the same, the handler of
 * fatal signals (platform/worker/fatal.c) releases what is held down, as after any crash. */
#include <pthread.h>
#include <stdlib.h>
#include <uv.h>

#include "image/tesseract/tesseract.h"

enum { ENGINES_MAX = 8, DPI = 300, SLOW_MS = 3000 /* a line; more is not text */ };

struct engine {
    struct engine *next;
    TessBaseAPI *api;
    char *language;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct engine *idle;
static int idle_count;

/* The library's loops would start threads of OpenMP, which wait for each other busily: a line
 * takes longer with them. OMP_THREAD_LIMIT would say the same, but setting it is not safe beside
 * other threads, and it would go on to the applications that are opened. Homebrew builds the
 * library without OpenMP. */
#ifdef __APPLE__
static void stay_alone(void)
{
}
#else
extern void omp_set_max_active_levels(int levels) __attribute__((weak));

static void stay_alone(void)
{
    if (omp_set_max_active_levels)
        omp_set_max_active_levels(0);
}
#endif

/* --- making ------------------------------------------------------------------------------ */

static void engine_free(struct engine *engine)
{
    if (engine->api) {
        TessBaseAPIEnd(engine->api);
        TessBaseAPIDelete(engine->api);
    }
    free(engine->language);
    free(engine);
}

static bool no_language(const char *language, struct error *err)
{
    return error_set(err, "no_language",
                     "there is no text recognition for the language \"%s\". Install its data "
                     "(Debian: tesseract-ocr-eng for eng, tesseract-ocr-deu for deu; Homebrew: "
                     "tesseract for eng, tesseract-lang for others), or set TESSDATA_PREFIX to the "
                     "directory of its .traineddata file",
                     language);
}

static struct engine *engine_new(const char *language, struct error *err)
{
    static const char *const settings[][2] = {
        { "debug_file", "/dev/null" },       /* it would write to stderr */
        { "tessedit_do_invert", "0" },       /* line.c has */
        { "classify_enable_learning", "0" }, /* or a line would read differently the second time */
    };
    struct engine *engine = mem_zero(sizeof *engine);

    engine->language = mem_strdup(language);
    engine->api = TessBaseAPICreate();
    if (!engine->api) {
        error_set(err, "recognition_failed", "tesseract gives no handle");
        engine_free(engine);
        return NULL;
    }
    TessBaseAPISetVariable(engine->api, "debug_file", "/dev/null"); /* also for what Init says */
    if (TessBaseAPIInit2(engine->api, NULL, language, OEM_LSTM_ONLY) != 0) {
        no_language(language, err);
        engine_free(engine);
        return NULL;
    }
    for (size_t i = 0; i < countof(settings); i++)
        TessBaseAPISetVariable(engine->api, settings[i][0], settings[i][1]);
    return engine;
}

struct engine *engine_take(const char *language, struct error *err)
{
    struct engine *engine = NULL;

    stay_alone();
    pthread_mutex_lock(&lock);
    for (struct engine **link = &idle; *link && !engine; link = &(*link)->next)
        if (strcmp((*link)->language, language) == 0) {
            engine = *link;
            *link = engine->next;
            idle_count--;
            break;
        }
    pthread_mutex_unlock(&lock);
    return engine ? engine : engine_new(language, err);
}

void engine_give_back(struct engine *engine)
{
    bool keep;

    pthread_mutex_lock(&lock);
    keep = idle_count < ENGINES_MAX;
    if (keep) {
        engine->next = idle;
        idle = engine;
        idle_count++;
    }
    pthread_mutex_unlock(&lock);
    if (!keep)
        engine_free(engine);
}

/* --- what is installed ------------------------------------------------------------------ */

/* The library knows its directory once it was told to open a language, also one that is not there.
 */
bool engine_languages(struct buf *names, struct buf *version, struct error *err)
{
    TessBaseAPI *api = TessBaseAPICreate();
    char **list;

    if (!api)
        return error_set(err, "recognition_failed", "tesseract gives no handle");
    buf_adds(version, TessVersion());
    TessBaseAPISetVariable(api, "debug_file", "/dev/null");
    TessBaseAPIInit2(api, NULL, "none", OEM_LSTM_ONLY);
    list = TessBaseAPIGetAvailableLanguagesAsVector(api);
    for (size_t i = 0; list && list[i]; i++)
        buf_addf(names, "%s\n", list[i]);
    if (list)
        TessDeleteTextArray(list);
    TessBaseAPIEnd(api);
    TessBaseAPIDelete(api);
    return true;
}

/* --- reading ----------------------------------------------------------------------------- */

static bool reading_is_over(const struct read_options *options)
{
    return (options->stop && options->stop(options->arg)) ||
           (options->until && uv_hrtime() / 1000000 >= options->until);
}

static bool cancel_reading(void *arg, int words)
{
    (void)words;
    return reading_is_over(arg);
}

static void add_read_word(struct reading *words, const char *text, const struct read_word *word)
{
    if (words->count == words->room) {
        words->room = words->room ? 2 * words->room : 16;
        words->words = mem_resize(words->words, words->room * sizeof *words->words);
    }
    words->words[words->count] = *word;
    words->words[words->count].text = words->text.len;
    words->words[words->count].size = strlen(text);
    words->count++;
    buf_adds(&words->text, text);
}

static void take_read_words(TessBaseAPI *api, struct reading *words)
{
    TessResultIterator *at = TessBaseAPIGetIterator(api);
    const TessPageIterator *page = at ? TessResultIteratorGetPageIteratorConst(at) : NULL;

    for (bool more = at != NULL; more; more = TessResultIteratorNext(at, RIL_WORD)) {
        int left, top, right, bottom;
        char *text = TessResultIteratorGetUTF8Text(at, RIL_WORD);
        float confidence = TessResultIteratorConfidence(at, RIL_WORD) / 100;

        if (text && *text &&
            TessPageIteratorBoundingBox(page, RIL_WORD, &left, &top, &right, &bottom))
            add_read_word(
                words, text,
                &(struct read_word){ left, top, right - left, bottom - top, confidence, 0, 0, 0 });
        TessDeleteText(text);
    }
    if (at)
        TessResultIteratorDelete(at);
}

bool engine_read(struct engine *engine, const struct line *line, const struct read_options *options,
                 struct reading *words)
{
    const struct gray *pixels = &line->pixels;
    ETEXT_DESC *monitor = TessMonitorCreate();
    bool ok;

    TessMonitorSetCancelFunc(monitor, cancel_reading);
    TessMonitorSetCancelThis(monitor, (void *)options);
    TessMonitorSetDeadlineMSecs(monitor, SLOW_MS);
    TessBaseAPISetPageSegMode(engine->api, line->is_loose ? PSM_SINGLE_LINE : PSM_RAW_LINE);
    TessBaseAPISetImage(engine->api, pixels->pixels, pixels->width, pixels->height, 1,
                        pixels->width);
    TessBaseAPISetSourceResolution(engine->api, DPI);
    ok = TessBaseAPIRecognize(engine->api, monitor) == 0 && !reading_is_over(options);
    if (ok)
        take_read_words(engine->api, words);
    TessBaseAPIClear(engine->api);
    TessMonitorDelete(monitor);
    return ok;
}
