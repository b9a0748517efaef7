/* The fake world behind the simulation; processes, permissions and displays. */
#include <libproc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <CoreServices/CoreServices.h>

#include "platform/macos/system/appkit.h"
#include "sim.h"

static struct fake *world;
static struct desktop *connection;
static _Thread_local struct deadline deadline;
static pthread_mutex_t connecting = PTHREAD_MUTEX_INITIALIZER;
static bool denied[PERMISSION_AUTOMATION + 1], no_sckit, in_pane, without_dialog;
static int hanging;
static bool preflight_lies, lists_nothing, no_graphics, never_asked;
static pthread_t main_thread;
static _Thread_local bool other_main; /* the thread is the main one of another process */

void sim_become_main(void)
{
    other_main = true;
}

void sim_main_only(const char *what)
{
    if (other_main || pthread_equal(pthread_self(), main_thread))
        return;
    fprintf(stderr, "sim: %s are for the main thread\n", what);
    abort();
}

void sim_use(struct fake *fake)
{
    main_thread = pthread_self();
    sim_await_event_processes();
    sim_news_end();
    sim_hold_news(true);
    if (connection)
        perigee_fake.close(connection);
    world = fake;
    connection = NULL;
    memset(denied, 0, sizeof denied);
    sim_allow_asking(false);
    never_asked = no_sckit = preflight_lies = lists_nothing = no_graphics = false;
    in_pane = without_dialog = false;
    hanging = 0;
    sim_hold_news(false);
    sim_slow(0, 0);
    sim_fail(0, 0);
    sim_electron(0, 0, false);
    sim_refuse_activation(false);
    sim_refuse_all_but_reopening(false);
    sim_hide_numbers(false);
    sim_elsewhere(0);
    sim_freeze_workspace(false);
    sim_hide_text(false);
    sim_forget_pasteboard();
    sim_secure_input(false);
    sim_cyrillic_layout(false);
    sim_input_monitoring(false);
    sim_lock_keychain(false);
    sim_sign_ad_hoc(false);
    sim_take_key(0, 0, false);
}

struct fake *sim_fake(void)
{
    return world;
}

/* The fake's connections die with its display; the next call opens another. */
struct desktop *sim_desktop(void)
{
    struct desktop *now;

    pthread_mutex_lock(&connecting);
    if (connection && !perigee_fake.alive(connection)) {
        perigee_fake.close(connection);
        connection = NULL;
    }
    if (!connection && world)
        connection = perigee_fake.open(world, NULL);
    now = connection;
    pthread_mutex_unlock(&connecting);
    return now;
}

struct deadline *sim_deadline(void)
{
    deadline = deadline_of(10000);
    return &deadline;
}

void sim_deny(enum permission permission, bool on)
{
    denied[permission] = on;
}

static bool asking;

void sim_allow_asking(bool allow)
{
    asking = allow;
}

void sim_never_asked(bool never)
{
    never_asked = never;
}

bool sim_denied(enum permission permission)
{
    return denied[permission];
}

void sim_hang(int pid)
{
    hanging = pid;
}

bool sim_hangs(int pid)
{
    return hanging && hanging == pid;
}

void sim_without_sckit(bool without)
{
    no_sckit = without;
}

void sim_preflight_lies(bool lies)
{
    preflight_lies = lies;
}

void sim_list_nothing(bool nothing)
{
    lists_nothing = nothing;
}

bool sim_lists_nothing(void)
{
    return lists_nothing;
}

void sim_without_graphics(bool without)
{
    no_graphics = without;
}

bool sim_has_graphics(void)
{
    return !no_graphics;
}

bool sim_has_sckit(void)
{
    return !no_sckit;
}

/* --- permissions ------------------------------------------------------------------------- */

static int asked[PERMISSION_AUTOMATION + 1];

int sim_asked(enum permission permission)
{
    return asked[permission];
}

/* The user grants what is asked for. */
static void grant(enum permission permission)
{
    asked[permission]++;
    denied[permission] = false;
}

void sim_without_dialog(bool without)
{
    without_dialog = without;
}

bool sim_in_pane(void)
{
    return in_pane;
}

void sim_enter_in_pane(void)
{
    in_pane = true;
}

bool CGRequestScreenCaptureAccess(void)
{
    if (without_dialog) {
        asked[PERMISSION_SCREEN]++;
        return false;
    }
    grant(PERMISSION_SCREEN);
    return true;
}

static char prompt_text[] = "AXTrustedCheckOptionPrompt";
static struct sim_object prompt_object = {
    .type = SIM_STRING, .refs = -1, .bytes = { .data = prompt_text, .len = sizeof prompt_text - 1 }
};
const CFStringRef kAXTrustedCheckOptionPrompt = (CFStringRef)(const void *)&prompt_object;

Boolean AXIsProcessTrustedWithOptions(CFDictionaryRef options)
{
    if (CFDictionaryGetValue(options, kAXTrustedCheckOptionPrompt) != (const void *)kCFBooleanTrue)
        abort();
    grant(PERMISSION_ACCESSIBILITY);
    return false; /* the user has not been to the settings yet */
}

Boolean AXIsProcessTrusted(void)
{
    return !denied[PERMISSION_ACCESSIBILITY];
}

bool CGPreflightScreenCaptureAccess(void)
{
    return !denied[PERMISSION_SCREEN] && !preflight_lies;
}

OSErr AECreateDesc(DescType type, const void *data, Size size, AEDesc *out)
{
    out->descriptorType = type;
    out->dataHandle = NULL;
    return data && size > 0 ? noErr : -50; /* paramErr */
}

OSErr AEDisposeDesc(AEDesc *desc)
{
    *desc = (AEDesc){ 0 };
    return noErr;
}

OSStatus AEDeterminePermissionToAutomateTarget(const AEAddressDesc *target, AEEventClass class,
                                               AEEventID event, Boolean ask)
{
    (void)target;
    (void)class;
    (void)event;
    if (ask && !asking)
        abort(); /* a test must never show a dialog */
    if (ask)
        grant(PERMISSION_AUTOMATION);
    return !denied[PERMISSION_AUTOMATION] ? noErr : never_asked ? -1744 : -1743;
}

CFDictionaryRef CGSessionCopyCurrentDictionary(void)
{
    CFDictionaryRef session;

    if (!sim_desktop())
        return NULL;
    session = sim_dictionary();
    sim_put(session, CFSTR("kCGSSessionSecureInputPID"), sim_number(4242));
    return session;
}

/* --- processes ---------------------------------------------------------------------------- */

static bool find_app(int pid, uint64_t *started)
{
    struct app_list list;
    bool found = false;

    if (!sim_desktop() || !perigee_fake.apps->list(sim_desktop(), sim_deadline(), &list, NULL))
        return false;
    for (size_t i = 0; i < list.count && !found; i++) {
        found = list.items[i].pid == pid;
        *started = list.items[i].started;
    }
    app_list_free(&list);
    return found;
}

bool sim_runs(int pid)
{
    uint64_t started;

    return find_app(pid, &started);
}

int proc_pidinfo(int pid, int flavor, uint64_t arg, void *buffer, int size)
{
    struct proc_bsdinfo *info = buffer;
    uint64_t started;

    (void)arg;
    if (flavor != PROC_PIDTBSDINFO || size < (int)sizeof *info || !find_app(pid, &started))
        return 0;
    *info = (struct proc_bsdinfo){ .pbi_status = 2,
                                   .pbi_start_tvsec = started / 1000000,
                                   .pbi_start_tvusec = started % 1000000 };
    return sizeof *info;
}

int proc_pidpath(int pid, void *buffer, uint32_t size)
{
    return snprintf(buffer, size, "/Applications/Process %d", pid);
}

/* --- displays ------------------------------------------------------------------------------ */

static bool list_displays(struct display_list *out)
{
    *out = (struct display_list){ 0 };
    return sim_desktop() && perigee_fake.displays->list(sim_desktop(), sim_deadline(), out, NULL);
}

static struct display_info info_of(CGDirectDisplayID id)
{
    struct display_info info = { .scale = 1 };
    struct display_list list;

    if (list_displays(&list)) {
        for (size_t i = 0; i < list.count; i++) {
            if (list.items[i].id == id)
                info = list.items[i];
        }
    }
    display_list_free(&list);
    info.name = NULL;
    return info;
}

CGError CGGetActiveDisplayList(uint32_t max, CGDirectDisplayID *displays, uint32_t *count)
{
    struct display_list list;

    *count = 0;
    if (!list_displays(&list))
        return 1000; /* kCGErrorFailure */
    for (size_t i = 0; i < list.count && *count < max; i++)
        displays[(*count)++] = (CGDirectDisplayID)list.items[i].id;
    display_list_free(&list);
    return kCGErrorSuccess;
}

CGError CGGetDisplaysWithPoint(CGPoint point, uint32_t max, CGDirectDisplayID *displays,
                               uint32_t *count)
{
    CGDirectDisplayID ids[32];
    uint32_t all = 0;

    *count = 0;
    CGGetActiveDisplayList(32, ids, &all);
    for (uint32_t i = 0; i < all && *count < max; i++) {
        CGRect d = CGDisplayBounds(ids[i]);

        if (point.x >= d.origin.x && point.x < d.origin.x + d.size.width && point.y >= d.origin.y &&
            point.y < d.origin.y + d.size.height)
            displays[(*count)++] = ids[i];
    }
    return kCGErrorSuccess;
}

CGRect CGDisplayBounds(CGDirectDisplayID display)
{
    struct rect b = info_of(display).bounds;

    return CGRectMake(b.x, b.y, b.width, b.height);
}

CGDirectDisplayID CGMainDisplayID(void)
{
    CGDirectDisplayID ids[1];
    uint32_t count = 0;

    CGGetActiveDisplayList(1, ids, &count);
    return count ? ids[0] : 0;
}

int CGDisplayIsMain(CGDirectDisplayID display)
{
    return info_of(display).main;
}

double CGDisplayRotation(CGDirectDisplayID display)
{
    return info_of(display).rotation;
}

CGDisplayModeRef CGDisplayCopyDisplayMode(CGDirectDisplayID display)
{
    struct display_info info = info_of(display);
    struct sim_object *mode = sim_object(SIM_OTHER);

    mode->width = (size_t)info.bounds.width;
    mode->stride = (size_t)(info.bounds.width * info.scale);
    return (CGDisplayModeRef)mode;
}

size_t CGDisplayModeGetWidth(CGDisplayModeRef mode)
{
    return sim_of(mode)->width;
}

size_t CGDisplayModeGetPixelWidth(CGDisplayModeRef mode)
{
    return sim_of(mode)->stride;
}

void CGDisplayModeRelease(CGDisplayModeRef mode)
{
    CFRelease(mode);
}

void appkit_around(void (*work)(void *arg), void *arg)
{
    work(arg);
}

bool appkit_screen(CGDirectDisplayID display, char **name, CGRect *visible)
{
    struct display_list list;
    bool found = false;

    if (!list_displays(&list))
        return false;
    for (size_t i = 0; i < list.count && !found; i++) {
        struct rect work = list.items[i].work;

        if (list.items[i].id != display)
            continue;
        *name = mem_strdup(list.items[i].name);
        *visible = CGRectMake(work.x, work.y, work.width, work.height);
        found = true;
    }
    display_list_free(&list);
    return found;
}

/* --- geometry ------------------------------------------------------------------------------- */

const CGRect CGRectNull = { { 1e308, 1e308 }, { 0, 0 } };

bool CGRectIsNull(CGRect rect)
{
    return rect.origin.x >= 1e308;
}

CGRect CGRectIntersection(CGRect one, CGRect two)
{
    double left = one.origin.x > two.origin.x ? one.origin.x : two.origin.x;
    double top = one.origin.y > two.origin.y ? one.origin.y : two.origin.y;
    double right = one.origin.x + one.size.width, bottom = one.origin.y + one.size.height;

    if (two.origin.x + two.size.width < right)
        right = two.origin.x + two.size.width;
    if (two.origin.y + two.size.height < bottom)
        bottom = two.origin.y + two.size.height;
    return right < left || bottom < top ? CGRectNull
                                        : CGRectMake(left, top, right - left, bottom - top);
}
