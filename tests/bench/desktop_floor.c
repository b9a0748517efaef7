/* The time of the display server and the libraries alone: the floor under the desktop's figures.
 *
 *   desktop_floor figures N
 *       each thing N times, the quickest as one line of JSON, milliseconds
 *   desktop_floor type FILE COUNT
 *       types COUNT characters at the focused window, until FILE has them
 *   desktop_floor key N
 *       a key for the focused window until its application has taken it, the quickest of N
 *   desktop_floor time N -- COMMAND ARGUMENT ...
 *       a program from fork to exit, the quickest of N
 *   desktop_floor photo
 *       paints the root window like a photograph, for good
 *   desktop_floor flat
 *       paints it in one colour
 *
 * It checks no more than the measured programs do. */
#include <X11/Xlib.h>
/* the extensions' headers need it before them */
#include <X11/Xatom.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1000 }; /* tries */

static Display *display;
static Window root;
static XImage *image;
static unsigned char *raw, *packed;
static size_t packed_size;

static double clock_ms(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static double now_ms(void)
{
    return clock_ms(CLOCK_MONOTONIC);
}

/* The least time is taken, because other programs that run can only add to it. */
static double least(void (*work)(int), int count, clockid_t clock)
{
    double best = 1e9;

    for (int i = 0; i < count; i++) {
        double start = clock_ms(clock), took;

        work(i);
        took = clock_ms(clock) - start;
        best = took < best ? took : best;
    }
    return best;
}

static double quickest(void (*work)(int), int count)
{
    return least(work, count, CLOCK_MONOTONIC);
}

/* --- pictures --------------------------------------------------------------------- */

static void open_picture(void)
{
    static XShmSegmentInfo segment;
    int screen = DefaultScreen(display);
    size_t size;

    image = XShmCreateImage(display, DefaultVisual(display, screen),
                            (unsigned)DefaultDepth(display, screen), ZPixmap, NULL, &segment,
                            (unsigned)DisplayWidth(display, screen),
                            (unsigned)DisplayHeight(display, screen));
    size = (size_t)image->bytes_per_line * (size_t)image->height;
    segment.shmid = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
    segment.shmaddr = image->data = shmat(segment.shmid, NULL, 0);
    XShmAttach(display, &segment);
    XSync(display, False);
    shmctl(segment.shmid, IPC_RMID, NULL);
    raw = malloc(size);
    packed = malloc(2 * size);
}

static void capture(int i)
{
    (void)i;
    XShmGetImage(display, root, image, 0, 0, AllPlanes);
}

/* One filter for all rows: 2 (Up), or 0 (none). */
static size_t filter(int kind)
{
    size_t line = (size_t)image->width * 3 + 1;

    for (int y = 0; y < image->height; y++) {
        const unsigned char *from =
            (unsigned char *)image->data + (size_t)y * (size_t)image->bytes_per_line;
        const unsigned char *above = y ? from - image->bytes_per_line : NULL;
        unsigned char *to = raw + line * (size_t)y;

        *to++ = (unsigned char)kind;
        if (kind == 2 && above) {
            for (int x = 0; x < image->width; x++, from += 4, above += 4, to += 3) {
                to[0] = (unsigned char)(from[2] - above[2]);
                to[1] = (unsigned char)(from[1] - above[1]);
                to[2] = (unsigned char)(from[0] - above[0]);
            }
        } else {
            for (int x = 0; x < image->width; x++, from += 4, to += 3) {
                to[0] = from[2];
                to[1] = from[1];
                to[2] = from[0];
            }
        }
    }
    return line * (size_t)image->height;
}

static void encode(int kind)
{
    struct libdeflate_compressor *deflate = libdeflate_alloc_compressor(1);
    size_t size = filter(kind);

    packed_size = libdeflate_zlib_compress(deflate, raw, size, packed,
                                           libdeflate_zlib_compress_bound(deflate, size));
    libdeflate_crc32(0, packed, packed_size);
    libdeflate_free_compressor(deflate);
}

static void png_up(int i)
{
    capture(i);
    encode(2);
}

static void png_none(int i)
{
    capture(i);
    encode(0);
}

/* --- windows ---------------------------------------------------------------------- */

static unsigned char *property(Window window, Atom name, Atom type, long most, unsigned long *count)
{
    unsigned char *data = NULL;
    unsigned long left;
    Atom got;
    int format;

    XGetWindowProperty(display, window, name, 0, most, False, type, &got, &format, count, &left,
                       &data);
    return data;
}

/* Title, process and place of every window, one question after the other. */
static void list_windows(int i)
{
    static Atom list, name, text, pid;
    unsigned long count, some;
    Window *windows;

    (void)i;
    if (!list) {
        list = XInternAtom(display, "_NET_CLIENT_LIST", False);
        name = XInternAtom(display, "_NET_WM_NAME", False);
        text = XInternAtom(display, "UTF8_STRING", False);
        pid = XInternAtom(display, "_NET_WM_PID", False);
    }
    windows = (Window *)property(root, list, XA_WINDOW, 1024, &count);
    for (unsigned long at = 0; windows && at < count; at++) {
        unsigned char *title = property(windows[at], name, text, 256, &some);
        unsigned char *owner = property(windows[at], pid, XA_CARDINAL, 1, &some);
        unsigned width, height, border, depth;
        Window parent, child;
        int x, y;

        XGetGeometry(display, windows[at], &parent, &x, &y, &width, &height, &border, &depth);
        XTranslateCoordinates(display, windows[at], root, 0, 0, &x, &y, &child);
        XFree(title);
        XFree(owner);
    }
    XFree(windows);
}

/* --- input ------------------------------------------------------------------------ */

static void move(int i)
{
    XTestFakeMotionEvent(display, -1, 600 + i, 5, 0);
    XSync(display, False);
}

static void click(int i)
{
    XTestFakeMotionEvent(display, -1, 600 + i, 5, 0);
    XTestFakeButtonEvent(display, 1, True, 0);
    XTestFakeButtonEvent(display, 1, False, 0);
    XSync(display, False);
}

static long size_of(const char *path)
{
    struct stat file;

    return stat(path, &file) == 0 ? (long)file.st_size : 0;
}

static int type(const char *path, int count)
{
    KeyCode key = XKeysymToKeycode(display, XK_a);
    long before = size_of(path);
    double start = now_ms();

    for (int i = 0; i < count; i++) {
        XTestFakeKeyEvent(display, key, True, 0);
        XTestFakeKeyEvent(display, key, False, 0);
    }
    XSync(display, False);
    while (size_of(path) < before + count) {
        if (now_ms() - start > 20000)
            return 1;
        nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
    }
    printf("%.3f\n", now_ms() - start);
    return 0;
}

/* The window that the keys go to, as the window manager says. */
static Window active_window(void)
{
    unsigned long count;
    Window *active = (Window *)property(root, XInternAtom(display, "_NET_ACTIVE_WINDOW", False),
                                        XA_WINDOW, 1, &count);
    Window window = active && count ? *active : None;

    XFree(active);
    return window;
}

/* A ping comes to the application behind the key, and it answers to the root window. */
static void key(Window window, KeyCode code, Atom protocols, Atom ping, long i)
{
    XEvent event = { .xclient = { .type = ClientMessage, .format = 32 } };

    XTestFakeKeyEvent(display, code, True, 0);
    XTestFakeKeyEvent(display, code, False, 0);
    XSync(display, False);
    event.xclient.window = window;
    event.xclient.message_type = protocols;
    event.xclient.data.l[0] = (long)ping;
    event.xclient.data.l[1] = i;
    event.xclient.data.l[2] = (long)window;
    XSendEvent(display, window, False, NoEventMask, &event);
    do {
        XNextEvent(display, &event);
    } while (event.type != ClientMessage || (Atom)event.xclient.data.l[0] != ping ||
             event.xclient.data.l[1] != i);
}

static int keys(int count)
{
    Atom protocols = XInternAtom(display, "WM_PROTOCOLS", False);
    Atom ping = XInternAtom(display, "_NET_WM_PING", False);
    KeyCode code = XKeysymToKeycode(display, XK_x);
    Window window = active_window();
    double best = 1e9;

    if (!window)
        return 1;
    XSelectInput(display, root, SubstructureNotifyMask);
    for (int i = 1; i <= count; i++) {
        double start = now_ms(), took;

        key(window, code, protocols, ping, i);
        took = now_ms() - start;
        best = took < best ? took : best;
        nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL); /* it draws */
    }
    printf("%.3f\n", best);
    return 0;
}

/* --- other programs --------------------------------------------------------------- */

static char **command;
static int command_failed;

static void run(int i)
{
    pid_t pid = vfork();
    int status = 0;

    (void)i;
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);

        dup2(null, 1);
        dup2(null, 2);
        execvp(command[0], command);
        _exit(127);
    }
    waitpid(pid, &status, 0);
    command_failed |= status != 0;
}

/* --- what is on the screen -------------------------------------------------------- */

/* Slow gradients with noise in every channel, which is what makes photographs hard to pack. */
static void paint(int photo)
{
    int screen = DefaultScreen(display);
    int width = DisplayWidth(display, screen), height = DisplayHeight(display, screen);
    unsigned depth = (unsigned)DefaultDepth(display, screen);
    Pixmap pixmap = XCreatePixmap(display, root, (unsigned)width, (unsigned)height, depth);
    unsigned *pixels = malloc((size_t)width * (size_t)height * 4);
    XImage *picture = XCreateImage(display, DefaultVisual(display, screen), depth, ZPixmap, 0,
                                   (char *)pixels, (unsigned)width, (unsigned)height, 32, 0);
    unsigned random = 1;

    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            unsigned red = (unsigned)(x * 200 / width), green = (unsigned)(y * 200 / height);

            random = random * 1664525 + 1013904223;
            pixels[y * width + x] = photo ? (red + (random >> 28)) << 16 |
                                                (green + (random >> 20 & 15)) << 8 |
                                                (100 + (random >> 12 & 15))
                                          : 0x305070;
        }
    }
    XPutImage(display, pixmap, DefaultGC(display, screen), picture, 0, 0, 0, 0, (unsigned)width,
              (unsigned)height);
    XSetWindowBackgroundPixmap(display, root, pixmap);
    XClearWindow(display, root);
    XSetCloseDownMode(display, RetainPermanent);
    XDestroyImage(picture);
    XSync(display, False);
}

static void figures(int count)
{
    double up, none, best, other;
    size_t up_size, none_size;

    open_picture();
    double capture_ms = quickest(capture, count);
    up = quickest(png_up, count);
    up_size = packed_size;
    none = quickest(png_none, count);
    best = none < up ? none : up;
    none_size = packed_size;
    other = none < up ? up : none;
    printf("{\"capture_ms\": %.3f, \"png_ms\": %.3f, \"png_cpu_ms\": %.3f, \"png_bytes\": %zu, "
           "\"filter\": \"%s\", "
           "\"other_ms\": %.3f, \"list_ms\": %.3f, \"move_ms\": %.3f, \"click_ms\": %.3f}\n",
           capture_ms, best, least(none < up ? png_none : png_up, count, CLOCK_PROCESS_CPUTIME_ID),
           none < up ? none_size : up_size, none < up ? "none" : "up", other,
           quickest(list_windows, count), quickest(move, count), quickest(click, count));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int count = argc > 2 ? atoi(argv[2]) : 0;

    if (strcmp(what, "time") == 0 && argc > 4 && count > 0 && count <= MOST) {
        command = argv + 4;
        printf("%.3f\n", quickest(run, count));
        return command_failed;
    }
    display = XOpenDisplay(NULL);
    if (!display)
        return 2;
    root = DefaultRootWindow(display);
    if (strcmp(what, "figures") == 0 && count > 0 && count <= MOST)
        figures(count);
    else if (strcmp(what, "type") == 0 && argc > 3)
        return type(argv[2], atoi(argv[3]));
    else if (strcmp(what, "key") == 0 && count > 0 && count <= MOST)
        return keys(count);
    else if (strcmp(what, "photo") == 0 || strcmp(what, "flat") == 0)
        paint(what[0] == 'p');
    else
        return 2;
    XCloseDisplay(display);
    return 0;
}
