/* AXManualAccessibility is Electron's own attribute of the application
 * (electronjs.org/docs/latest/tutorial/accessibility). Other applications answer that they do not
 * know it, and so did Electron before version 26, though it took it (electron/electron#37465,
 * #38102): only pages that come prove it.
 *
 * AXEnhancedUserInterface, which wakes Chromium's browsers as well, is left alone: it tells an
 * application that VoiceOver runs, and then windows move with animation and miss their place
 * (electron/electron#7206). A browser reports its pages if it is started with
 * --force-renderer-accessibility. */
#include "platform/macos/ax/wake.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "platform/macos/system/process.h"

enum { ASKED_MAX = 64, PAGES_MS = 1500 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int pid;
    uint64_t started;
} asked[ASKED_MAX];
static size_t next;

/* True if the process was asked before; notes it, too. */
static bool was_asked(int pid)
{
    uint64_t started = process_started(pid);
    bool found = false;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < ASKED_MAX && !found; i++)
        found = asked[i].pid == pid && asked[i].started == started;
    if (!found) {
        asked[next].pid = pid;
        asked[next].started = started;
        next = (next + 1) % ASKED_MAX;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

bool wake(const struct ask *ask, AXUIElementRef app, uint64_t *until, struct error *err)
{
    enum answer answer;

    *until = 0;
    if (was_asked(ask->pid))
        return true;
    answer = ask_set(ask, app, CFSTR("AXManualAccessibility"), kCFBooleanTrue, err);
    if (answer == ANSWER_GIVEN)
        *until = deadline_now() + PAGES_MS;
    if (ask->until && *until > ask->until)
        *until = ask->until;
    return answer != ANSWER_FAILED;
}

bool wake_has_page(const struct element_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        if (tree->items[i].role == ELEMENT_DOCUMENT && tree->items[i].children > 0)
            return true;
    }
    return false;
}

static const char advice[] =
    "A browser or an application made with Electron tells more when it is started with "
    "--force-renderer-accessibility; else take a screenshot and click by pixel";

/* Judges whether windows have content. Buttons of title bars are AppKit's: every application has
 * them. */
bool wake_judge(struct element_tree *tree, int pid, struct error *err)
{
    enum { TITLE_BAR = 4 };
    size_t windows = 0, buttons = 0;
    bool menus = false;

    for (size_t i = 0; i < tree->count; i++) {
        const struct element_info *info = &tree->items[i];

        if (info->role == ELEMENT_WINDOW)
            windows++;
        else if (info->role == ELEMENT_BUTTON)
            buttons++;
        else if (info->role == ELEMENT_GROUP || info->role == ELEMENT_SCROLL_AREA ||
                 (info->role == ELEMENT_DOCUMENT && info->children <= 0))
            continue; /* an empty page, and the elements around it */
        else if (info->role == ELEMENT_MENU_BAR || info->role == ELEMENT_MENU ||
                 info->role == ELEMENT_MENU_ITEM)
            menus = true;
        else
            return true;
    }
    if (!windows || buttons > windows * TITLE_BAR)
        return true;
    if (!menus)
        return error_set(err, "no_tree", "process %d tells nothing of what is in its windows. %s",
                         pid, advice);
    snprintf(tree->note, sizeof tree->note, "its windows tell only of their title bars. %s",
             advice);
    return true;
}

void wake_end(void)
{
    pthread_mutex_lock(&lock);
    memset(asked, 0, sizeof asked);
    pthread_mutex_unlock(&lock);
}
