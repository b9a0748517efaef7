/* Nothing here is for a loop: a few calls of the system each. */
#include "process/runtime_folders.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

size_t runtime_shared_folders(char *folders[RUNTIME_FOLDERS_MAX])
{
    unsigned user = (unsigned)geteuid();

    folders[0] = mem_printf("/run/user/%u/perigee", user);
    folders[1] = mem_printf("/tmp/perigee-%u", user);
    return 2;
}

size_t runtime_folders(char *folders[RUNTIME_FOLDERS_MAX])
{
    const char *only = getenv("PERIGEE_RUNTIME_DIR"), *runtime = getenv("XDG_RUNTIME_DIR");
    char *shared[RUNTIME_FOLDERS_MAX];
    size_t count = 0, others;

    if (only && *only == '/') {
        folders[0] = mem_strdup(only);
        return 1;
    }
    if (runtime && *runtime == '/')
        folders[count++] = mem_printf("%s/perigee", runtime);
    others = runtime_shared_folders(shared);
    for (size_t i = 0; i < others; i++) {
        if (count && strcmp(folders[0], shared[i]) == 0)
            free(shared[i]);
        else
            folders[count++] = shared[i];
    }
    return count;
}

bool runtime_folder_safe(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
           (st.st_mode & 077) == 0;
}

bool runtime_folder_make(const char *path)
{
    return (mkdir(path, 0700) == 0 || errno == EEXIST) && runtime_folder_safe(path);
}
