/* The words of an Exec line that are a text of some program. See exec_text.h. */
#include "platform/freedesktop/exec_text.h"

#include "base/util.h"

enum { CLUSTER_MAX = 6 };

/* Programs with options before a command, and the letters of these options; "": -e and -x alone. */
static const struct {
    const char *letters, *programs;
} readers[] = {
    { "cC", " sh bash dash ash zsh ksh mksh oksh lksh pdksh fish csh tcsh rbash yash posh rc es osh"
            " elvish nu xonsh pwsh powershell su runuser sg script flock python pypy guile psql "
            "ipython jython micropython bash-static " },
    { "eE", " perl ruby jruby raku rakudo lua luajit texlua julia Rscript R mysql mariadb elixir"
            " groovy scala ghc osascript erl clisp sbcl racket " },
    { "ep", " node nodejs bun deno qjs gjs cjs " },
    { "rRBE", " php php-cgi " },
    { "S", " env " },
    { "",
      " xterm uxterm lxterm rxvt urxvt urxvtc x-terminal-emulator gnome-terminal kgx konsole"
      " xfce4-terminal mate-terminal lxterminal terminator tilix kitty alacritty foot footclient"
      " st stterm terminology qterminal sakura roxterm guake termit ptyxis wezterm ghostty rio"
      " cool-retro-term deepin-terminal Eterm aterm mlterm tilda io.elementary.terminal " },
};
/* Programs with a script among their arguments, under no option or many. */
static const char scripted[] =
    " vi vim nvim gvim view ex ed less more awk gawk mawk nawk sed gsed jq bc tmux screen gdb emacs"
    " emacsclient sqlite sqlite3 find xargs make expect dbus-send gdbus busctl ";
/* Programs that join their arguments to a command. */
static const char joining[] = " ssh autossh rsh adb watch eval parallel at batch gksu gksudo kdesu"
                              " kdesudo beesu cmd command.com ";
static const char *const long_options[] = {
    "--command", "--session-command", "--eval",         "--exec", "--cmd", "--print",
    "--run",     "--init-command",    "--split-string",
};

static bool in_list(const char *list, const char *name, size_t len)
{
    for (list++; *list; list += strcspn(list, " ") + 1) {
        if (strcspn(list, " ") == len && memcmp(list, name, len) == 0)
            return true;
    }
    return false;
}

/* True if the program that a word names is in the list, with a version too: "/usr/bin/lua5.4",
 * "--command=sh", "cmd.exe". */
static bool is_listed(const char *word, const char *list)
{
    const char *name = word + strlen(word);
    size_t len;

    while (name > word && name[-1] != '/' && name[-1] != '=')
        name--;
    len = strlen(name);
    if (len > 4 && strcmp(name + len - 4, ".exe") == 0)
        len -= 4;
    while (len && !in_list(list, name, len) && strchr("0123456789.-", name[len - 1]))
        len--;
    return len && in_list(list, name, len);
}

/* True for an option with a command after it, or in it. */
static bool is_command_option(const char *word, const char *letters, bool last)
{
    size_t len;

    if (word[0] != '-')
        return false;
    for (size_t i = 0; i < countof(long_options) && word[1] == '-'; i++) {
        if (strncmp(word, long_options[i], strlen(long_options[i])) == 0)
            return true;
    }
    if (word[1] == '-')
        return false;
    if (!*letters)
        return (word[1] == 'e' || word[1] == 'x') && (last || !word[2]);
    len = strcspn(word + 1, letters);
    return len < CLUSTER_MAX && word[1 + len] && !memchr(word + 1, FIELD_MARK, len);
}

/* True if a word is an option or belongs to one ("pipefail" in "sh -c -o pipefail COMMAND"). */
static bool is_of_option(char *const words[], size_t at)
{
    const char *before = words[at - 1];
    size_t len = strlen(before);

    return words[at][0] == '-' || words[at][0] == '+' ||
           (len > 1 && (*before == '-' || *before == '+') && strchr("oO", before[len - 1]));
}

/* True if words[at] is, or can be, the command of the program words[program]. A terminal takes one
 * word for it, all others are that program's arguments. */
static bool is_command(char *const words[], size_t program, size_t at, bool alone,
                       const char *letters)
{
    bool direct = alone || !*letters;

    for (size_t i = program + 1; i < at + !alone; i++) {
        size_t next = i + 1;

        if (!is_command_option(words[i], letters, i == at))
            continue;
        while (direct && next < at && is_of_option(words, next))
            next++;
        if (!direct || next >= at)
            return true;
    }
    return false;
}

/* True if a word looks like a command whoever reads it: its option does, and so do its blanks. */
static bool looks_like_command(char *const words[], size_t at)
{
    return strpbrk(words[at], " \t\n;|&$`'\"()<>") &&
           ((at && is_command_option(words[at - 1], "ceEx", false)) ||
            (words[at][0] == '-' && is_command_option(words[at], "ceEx", true)));
}

const char *exec_text_reader(char *const words[], size_t at, bool alone)
{
    for (size_t program = 0; program < at; program++) {
        const char *word = words[program];

        if (strchr(word, FIELD_MARK))
            continue;
        if (is_listed(word, joining) || (!alone && is_listed(word, scripted)))
            return word;
        for (size_t i = 0; i < countof(readers); i++) {
            if (is_listed(word, readers[i].programs) &&
                is_command(words, program, at, alone, readers[i].letters))
                return word;
        }
    }
    return !alone && looks_like_command(words, at) ? words[0] : NULL;
}
