/* Names of files; stop_mark.c and hold_mark.c make the files. */
#include "platform/worker/place_files.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/buf.h"

enum { PLACE_BYTES = 120 }; /* three times as many are still a valid name */

static bool is_own(const char *place)
{
    const char *desktop = getenv("PERIGEE_DESKTOP");

    return strcmp(place, "fake") == 0 || strcmp(place, PLACE_NONE) == 0 ||
           (strcmp(place, PLACE_ALL) == 0 && desktop && strcmp(desktop, "fake") == 0);
}

void place_files_init(struct place_files *files, const char *place)
{
    bool own = is_own(place);

    *files = (struct place_files){ .place = mem_strdup(place) };
    files->count = own ? runtime_folders(files->folders) : runtime_shared_folders(files->folders);
    while (own && files->count > 1)
        free(files->folders[--files->count]);
}

void place_files_finish(struct place_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->folders[i]);
    free(files->place);
    *files = (struct place_files){ .count = 0 };
}

char *place_file(const char *folder, const char *place, const char *kind)
{
    struct buf name = { 0 };

    buf_addf(&name, "%s/", folder);
    for (size_t i = 0; i < PLACE_BYTES && place[i]; i++) {
        unsigned char c = (unsigned char)place[i];

        if (isalnum(c) || strchr(":-_", c) || (c == '.' && i > 0))
            buf_addc(&name, (char)c);
        else
            buf_addf(&name, "%%%02x", c);
    }
    buf_addf(&name, ".%s", kind);
    return buf_take(&name);
}
