/* Calls a fuzz target with files, or with the files in folders: an ordinary test of past findings.
 *
 *     NAME [FILE or FOLDER ...]
 *
 * A target that fails ends the program, as it ends the fuzzer; the last line names the file. */
#include <dirent.h>
#include <sys/stat.h>

#include "files/file.h"
#include "fuzz.h"

static unsigned played;

static void play_file(const char *path)
{
    struct buf bytes = { 0 };

    MUST(file_read_all(path, 1 << 20, &bytes, NULL));
    printf("# %s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput((const uint8_t *)(bytes.data ? bytes.data : ""), bytes.len);
    buf_free(&bytes);
    played++;
}

static void play_folder(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;

    while (folder && (entry = readdir(folder))) {
        char *inside = path_join(path, entry->d_name);

        if (entry->d_name[0] != '.')
            play_file(inside);
        free(inside);
    }
    if (folder)
        closedir(folder);
}

int main(int argc, char **argv)
{
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        struct stat st;

        if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode))
            play_folder(argv[i]);
        else
            play_file(argv[i]);
    }
    printf("played %u\n", played);
    return 0;
}
