/* macOS moves the file of an attachment into a store of its own, and takes up to 10 MB of an image
 * (developer.apple.com/documentation/usernotifications/unnotificationattachment). So it gets a
 * copy, and the user's file stays. */
#include "platform/macos/notify/image.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file.h"
#include "files/picture_file.h"

enum { IMAGE_MOST = 10 << 20 };

/* The extension for a file with these first bytes. NULL: macOS does not show it. */
static const char *extension_of(struct str bytes)
{
    static const struct {
        const char *begin, *extension;
    } kinds[] = { { "\x89PNG\r\n\x1a\n", "png" }, { "\xff\xd8\xff", "jpg" }, { "GIF8", "gif" } };

    for (size_t i = 0; i < countof(kinds); i++) {
        size_t len = strlen(kinds[i].begin);

        if (bytes.len > len && memcmp(bytes.ptr, kinds[i].begin, len) == 0)
            return kinds[i].extension;
    }
    return NULL;
}

static char *copy_image(struct str bytes, const char *extension)
{
    struct error err;
    char *path = temporary_make("notification", extension, &err);

    if (path && !file_write_atomic(path, bytes.ptr, bytes.len, 0, &err)) {
        notify_image_end(path);
        path = NULL;
    }
    return path;
}

char *notify_image_copy(const char *path)
{
    struct buf bytes = { 0 };
    struct error err;
    struct stat info;
    const char *extension;
    char *made = NULL;

    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) /* a pipe would keep it waiting */
        return NULL;
    if (file_read_all(path, IMAGE_MOST, &bytes, &err)) {
        extension = extension_of(buf_str(&bytes));
        made = extension ? copy_image(buf_str(&bytes), extension) : NULL;
    }
    buf_free(&bytes);
    return made;
}

void notify_image_end(char *path)
{
    if (path)
        unlink(path);
    free(path);
}
