/* The world that PERIGEE_DESKTOP=fake shows: enough of each kind to try things on. */
#include "platform/fake/fake.h"

struct fake *fake_world(void)
{
    struct fake *fake = fake_new();
    int files, editor;
    uint64_t draft;

    fake_add_display(fake, "fake-2", (struct rect){ 1920, 0, 1280, 1024 }, 2);
    files = fake_add_app(fake, "Files", "org.perigee.Files");
    fake_add_window(fake, files, "Home", (struct rect){ 80, 60, 800, 600 });
    editor = fake_add_app(fake, "Text Editor", "org.perigee.TextEditor");
    fake_add_window(fake, editor, "notes.txt", (struct rect){ 200, 120, 640, 480 });
    draft = fake_add_window(fake, editor, "draft.txt", (struct rect){ 2000, 100, 640, 480 });
    fake_set_minimum(fake, draft, 320, 240);
    fake_set_stays(fake, draft, "Save changes?");
    fake_add_installed(fake, "Calculator", "org.perigee.Calculator", "Calculator");
    fake_add_installed(fake, "Daemon", "org.perigee.Daemon", NULL);
    return fake;
}
