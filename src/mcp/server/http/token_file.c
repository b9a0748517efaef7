/* The token's file. */
#include "mcp/server/http/token_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/crypto.h"
#include "files/file_at.h"
#include "files/trust.h"

enum { RANDOM_BYTES = 32, LONGEST = 512, SHORTEST = 16 };

bool http_token_ok(const char *text)
{
    size_t len = 0;

    for (; text[len]; len++)
        if ((unsigned char)text[len] <= 0x20 || (unsigned char)text[len] >= 0x7f)
            return false;
    return len >= SHORTEST && len <= LONGEST;
}

static char *read_token(int fd, const char *path, struct error *err)
{
    char text[LONGEST + 3] = "";
    struct stat st;
    ssize_t n;

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        error_set(err, "insecure",
                  "%s is not a regular file. Remove it, then run `perigee token --rotate`", path);
        return NULL;
    }
    if (!trust_ok(&st, TRUST_SECRET)) {
        error_set(err, "insecure",
                  "other users can read %s (mode %o). Run `chmod 600 %s`, or create a new token "
                  "with `perigee token --rotate`",
                  path, (unsigned)(st.st_mode & 0777), path);
        return NULL;
    }
    n = read(fd, text, sizeof text - 1);
    if (n > 0 && text[n - 1] == '\n')
        text[--n] = '\0';
    if (n < 0 || !http_token_ok(text)) {
        error_set(err, "bad_token",
                  "%s does not contain a token (one line of %d to %d visible characters). Create "
                  "one with `perigee token --rotate`",
                  path, SHORTEST, LONGEST);
        return NULL;
    }
    return mem_strdup(text);
}

char *http_token_read(const char *path, struct error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    char *token;

    if (fd < 0) {
        error_errno(err, errno, "%s", path);
        return NULL;
    }
    token = read_token(fd, path, err);
    close(fd);
    return token;
}

/* The folders above a file, for their owner alone. */
static void make_folders(const char *path)
{
    char *copy = mem_strdup(path);

    for (char *at = copy + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(copy, 0700);
        *at = '/';
    }
    free(copy);
}

/* In place of a link, which is not read. */
static bool write_token_file(const char *path, const char *token, struct error *err)
{
    struct file_options options = { .set_mode = true, .mode = 0600 };
    struct file_writer writer;

    if (!file_writer_begin(&writer, AT_FDCWD, path, path, &options, err))
        return false;
    if (file_write_all(writer.fd, token, strlen(token)) && file_write_all(writer.fd, "\n", 1))
        return file_writer_commit(&writer, err);
    error_errno(err, errno, "%s", path);
    file_writer_abandon(&writer);
    return false;
}

char *http_token_make(const char *path, struct error *err)
{
    char bytes[RANDOM_BYTES];
    struct buf text = { 0 };
    char *token;

    crypto_random(bytes, sizeof bytes);
    base64_encode_url(&text, bytes, sizeof bytes);
    crypto_wipe(bytes, sizeof bytes);
    token = buf_take(&text);
    make_folders(path);
    if (!write_token_file(path, token, err)) {
        free(token);
        token = NULL;
    }
    return token;
}
