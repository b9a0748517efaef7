/* Reading .env: the user's, and that of the working directory. */
#include "files/dotenv.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/log.h"
#include "files/paths.h"
#include "files/picture_file.h"
#include "files/trust.h"

#define SPACES " \t\r\v\f"

enum { DOTENV_BYTES = 64 * 1024, KEYS = 3 };

/* Names that a file of the working directory may set. The values of the first are secrets. */
static const char *const settings[] = { "GEMINI_API_KEY",       "OPENAI_API_KEY",
                                        "ANTHROPIC_API_KEY",    "LOG_LEVEL",
                                        "SCREENSHOT_PATH",      "KEYNOTE_THEME",
                                        "KEYNOTE_DOCUMENT_MODE" };

struct dotenv dotenv_here;
static struct buf taken, left; /* its names */

/* --- one line ----------------------------------------------------------------------- */

static void take_variable(const char *name, const char *value)
{
    size_t i = 0;

    while (i < countof(settings) && strcmp(settings[i], name) != 0)
        i++;
    if (dotenv_here.path && i == countof(settings))
        buf_addf(&left, "%s\n", name);
    if (dotenv_here.path && (i == countof(settings) || getenv(name)))
        return;
    if (i < KEYS || i == countof(settings))
        log_add_secret(value);
    setenv(name, value, 0); /* a variable that is set already wins */
    if (dotenv_here.path)
        buf_addf(&taken, ", %s", name);
}

static char *trim_text(char *text)
{
    size_t len;

    text += strspn(text, SPACES);
    for (len = strlen(text); len && strchr(SPACES, text[len - 1]); len--)
        ;
    text[len] = '\0';
    return text;
}

static void take_line(char *line)
{
    char *name = trim_text(line), *equals, *value, *end;

    if (strncmp(name, "export ", 7) == 0)
        name = trim_text(name + 7);
    equals = strchr(name, '=');
    if (*name == '#' || !equals)
        return;
    *equals = '\0';
    name = trim_text(name);
    value = trim_text(equals + 1);
    end = *value == '"' || *value == '\'' ? strchr(value + 1, *value) : NULL;
    if (end) {
        *end = '\0';
        value++;
    } else if ((end = strstr(value, " #"))) { /* a comment */
        *end = '\0';
        value = trim_text(value);
    }
    if (*name && *value)
        take_variable(name, value);
}

/* --- a file ------------------------------------------------------------------------- */

static bool take_file(const char *path, enum trust trust, struct error *err)
{
    struct buf text = { 0 };
    bool ok = trust_read(path, trust, DOTENV_BYTES, &text, err);
    char *all = buf_take(&text), *save = NULL;
    size_t mark = strncmp(all, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* some editors add it */

    for (char *at = strtok_r(all + mark, "\n", &save); at; at = strtok_r(NULL, "\n", &save))
        take_line(at);
    free(all);
    return ok;
}

static void take_here(void)
{
    const char *names = getenv("PERIGEE_OF_DIRECTORY");
    struct error err;
    size_t before;

    buf_adds(&taken, names ? names : ""); /* they are the engine's that started this one */
    before = taken.len;
    dotenv_here.path = path_absolute(".env", &err);
    if (dotenv_here.path && !take_file(dotenv_here.path, TRUST_OWN, &err))
        dotenv_here.refused = mem_strdup(err.text);
    dotenv_here.left = buf_text(&left);
    if (taken.len == before)
        return;
    dotenv_here.taken = buf_text(&taken) + before + 2; /* behind the comma */
    setenv("PERIGEE_OF_DIRECTORY", taken.data, 1);
}

void dotenv_load(void)
{
    char *home = path_user_home(), *path = mem_printf("%s/.env", home);
    struct stat users, here;
    struct error err;

    if (!take_file(path, TRUST_RULES, &err) && strcmp(err.code, "insecure") == 0)
        log_line(LOG_ERROR, "%s", err.text);
    if (stat(".env", &here) == 0 &&
        (stat(path, &users) != 0 || here.st_dev != users.st_dev || here.st_ino != users.st_ino))
        take_here();
    free(path);
    free(home);
}
