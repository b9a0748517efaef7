/* The Notification Center. SIM_NOTIFY is a FIFO from which it reads the user's actions, "button 1
 * 2", "reply 1 some text", "click 1", "dismiss 1", with notifications numbered as they came first;
 * "deny" and "allow" in the settings; "foreign 1": a button of another process's notification;
 * "die": this process ends. SIM_NOTIFY_SHOWN is a file that gets a line for each notification that
 * is shown or removed. SIM_NOTIFY_USER is the user's decision: "allowed" (the default), "urgent",
 * "denied", or, when macOS asks, "allows", "refuses", "waits". SIM_NOTIFY_BUNDLE=0: this is not a
 * bundle. SIM_NOTIFY_FAILS: macOS accepts no notification, with this message; "silence": it shows
 * them, and does not say so. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/macos/system/line_source.h"
#include "platform/macos/system/notes.h"
#include "sim.h"

enum { NOTES = 64, CATEGORIES = 64, ANSWERS = 16 };

static const struct notes_told *told;
static CFRunLoopSourceRef source; /* signalled when a request is over */
static struct line_source *user;

static struct {
    long step;
    int result;
    const char *why;
} answers[ANSWERS];
static size_t answer_count;

static struct {
    char *id, *category;
    bool shown;
} notes[NOTES];
static size_t note_count;

static struct {
    char *id;
    size_t buttons;
    bool reply;
} categories[CATEGORIES];
static size_t category_count;

static const char *decided = "allowed"; /* by the user */

static void must(bool fine, const char *what)
{
    if (fine)
        return;
    fprintf(stderr, "simulated notifications: %s\n", what);
    abort();
}

static FILE *log_open(void)
{
    const char *path = getenv("SIM_NOTIFY_SHOWN");
    FILE *out = fopen(path ? path : "/dev/null", "a");

    must(out != NULL, "no file for what is shown");
    return out;
}

/* --- answers, later ----------------------------------------------------------------------- */

static void on_answers(void *arg)
{
    (void)arg;
    while (answer_count) {
        long step = answers[0].step;
        int result = answers[0].result;
        const char *why = answers[0].why;

        memmove(answers, answers + 1, --answer_count * sizeof *answers);
        told->done(told->arg, step, result, why);
    }
}

static void answer(long step, int result, const char *why)
{
    sim_main_only("UNUserNotificationCenter");
    must(answer_count < ANSWERS, "too many questions at once");
    answers[answer_count].step = step;
    answers[answer_count].result = result;
    answers[answer_count++].why = why;
    CFRunLoopSourceSignal(source);
}

/* --- what the user does ------------------------------------------------------------------- */

static void act(const char *line, size_t number, int button, const char *text)
{
    size_t i = number - 1, set = 0;

    must(number && i < note_count && notes[i].shown, line);
    while (set < category_count && strcmp(categories[set].id, notes[i].category) != 0)
        set++;
    must(set < category_count, "it has no set of buttons");
    notes[i].shown = false; /* macOS takes it away */
    if (strncmp(line, "button", 6) == 0) {
        must(button > 0 && (size_t)button <= categories[set].buttons, "no such button");
        told->did(told->arg, notes[i].id, NOTE_BUTTON, button, "");
    } else if (strncmp(line, "reply", 5) == 0) {
        must(categories[set].reply, "no field for a reply");
        told->did(told->arg, notes[i].id, NOTE_REPLIED, 0, text);
    } else {
        told->did(told->arg, notes[i].id, *line == 'c' ? NOTE_CLICKED : NOTE_DISMISSED, 0, "");
    }
}

static void on_line(void *arg, char *line)
{
    size_t number = 0;
    int button = 0, at = 0;

    (void)arg;
    if (strcmp(line, "die") == 0)
        _exit(7);
    if (strcmp(line, "deny") == 0)
        decided = "denied";
    else if (strcmp(line, "allow") == 0)
        decided = "allowed";
    else if (strncmp(line, "foreign", 7) == 0)
        told->did(told->arg, "of-another", NOTE_BUTTON, 1, "");
    else if (sscanf(line, "reply %zu %n", &number, &at) == 1)
        act(line, number, 0, line + at);
    else if (sscanf(line, "%*s %zu %d", &number, &button) >= 1)
        act(line, number, button, "");
}

static void on_ended(void *arg)
{
    (void)arg;
}

/* --- the center --------------------------------------------------------------------------- */

bool notes_begin(const struct notes_told *who)
{
    static CFRunLoopSourceContext context = { .perform = on_answers };
    const char *bundle = getenv("SIM_NOTIFY_BUNDLE"), *does = getenv("SIM_NOTIFY");

    sim_become_main(); /* this thread is the main one of its process */
    if (bundle && strcmp(bundle, "0") == 0)
        return false;
    told = who;
    if (getenv("SIM_NOTIFY_USER"))
        decided = getenv("SIM_NOTIFY_USER");
    source = CFRunLoopSourceCreate(NULL, 0, &context);
    CFRunLoopAddSource(CFRunLoopGetCurrent(), source, kCFRunLoopDefaultMode);
    if (does) /* opened to write as well: the end of one writer is not the end of the FIFO */
        user =
            line_source_new(open(does, O_RDWR | O_NONBLOCK | O_CLOEXEC), on_line, on_ended, NULL);
    return true;
}

static bool may_show(void)
{
    return strcmp(decided, "allowed") == 0 || strcmp(decided, "urgent") == 0;
}

void notes_look(long step)
{
    if (strcmp(decided, "urgent") == 0)
        answer(step, NOTES_URGENT, NULL);
    else
        answer(step,
               may_show()                       ? NOTES_ALLOWED
               : strcmp(decided, "denied") == 0 ? NOTES_DENIED
                                                : NOTES_UNASKED,
               NULL);
}

void notes_ask(long step)
{
    if (strcmp(decided, "waits") == 0)
        return;
    decided = strcmp(decided, "allows") == 0 ? "allowed" : "denied";
    answer(step, may_show(), may_show() ? NULL : "Notifications are not allowed");
}

void notes_prepare(long step, const struct note *note)
{
    for (size_t i = 0; i < category_count; i++) {
        if (strcmp(categories[i].id, note->category) == 0) {
            must(categories[i].buttons == note->count && categories[i].reply == !!note->reply,
                 "two sets of buttons with one name");
            answer(step, 1, NULL);
            return;
        }
    }
    must(category_count < CATEGORIES, "too many sets of buttons");
    categories[category_count].id = mem_strdup(note->category);
    categories[category_count].buttons = note->count;
    categories[category_count++].reply = note->reply != NULL;
    answer(step, 1, NULL);
}

static void print(const struct note *note, size_t number)
{
    static const char *const urgencies[] = { "low", "normal", "critical" };
    FILE *out = log_open();
    struct stat info;

    fprintf(out, "%zu %s|%s|%s", number, note->title, note->text, urgencies[note->urgency]);
    for (size_t i = 0; i < note->count; i++)
        fprintf(out, "|[%s]", note->buttons[i]);
    if (note->reply)
        fprintf(out, "|<%s>", note->reply);
    if (note->image) {
        must(stat(note->image, &info) == 0, "there is no such image");
        fprintf(out, "|%ld bytes of %s", (long)info.st_size, strrchr(note->image, '.') + 1);
        unlink(note->image); /* macOS moves it */
    }
    fprintf(out, "\n");
    fclose(out);
}

void notes_show(long step, const struct note *note)
{
    const char *fails = getenv("SIM_NOTIFY_FAILS");
    size_t i = 0, set = 0;

    if (fails && strcmp(fails, "silence") != 0) {
        answer(step, 0, fails);
        return;
    }
    must(may_show(), "the user did not allow it");
    while (set < category_count && strcmp(categories[set].id, note->category) != 0)
        set++;
    must(set < category_count, "it has no set of buttons");
    while (i < note_count && strcmp(notes[i].id, note->id) != 0)
        i++;
    must(note_count < NOTES, "too many notifications");
    if (i == note_count)
        notes[note_count++].id = mem_strdup(note->id);
    free(notes[i].category);
    notes[i].category = mem_strdup(note->category);
    notes[i].shown = true;
    print(note, i + 1);
    if (!fails)
        answer(step, 1, NULL);
}

void notes_remove(long step, const char *id)
{
    FILE *out = log_open();

    for (size_t i = 0; i < note_count; i++) {
        if (strcmp(notes[i].id, id) == 0) {
            if (notes[i].shown)
                fprintf(out, "%zu removed\n", i + 1);
            notes[i].shown = false;
        }
    }
    fclose(out);
    answer(step, 1, NULL);
}
