/* From osascript's stderr to a stable code and a sentence that helps.
 *
 *     FILE:7:25: execution error: Keynote got an error: ... (-1728)
 *     FILE:10:12: syntax error: Expected end of line ... (-2741)
 *
 * The number in the last pair of parentheses decides (MacErrors.h,
 * AppleEvents.h, AXError.h); the text before it is in the user's language and
 * is shown, but never read, with one exception: -1719 has two meanings. */
#include <stdlib.h>

#include "platform/osascript/osascript.h"
#include "process/identity.h"

struct meaning {
    int number;
    const char *code;
    const char *next; /* the advice; "" when the message is enough */
};

enum {
    MESSAGE_MAX = 280,
    TEXT_MAX = 440, /* with the advice, which stays whole; the number fits behind it */
};

#define AUTOMATION    "permission_denied_automation"
#define ACCESSIBILITY "permission_denied_access"
#define RUN_FIRST     "Open the application, wait until it is ready, and try again"

static const struct meaning meanings[] = {
    { -43, "not_found", "The file does not exist. Check the path" },
    { -128, "cancelled", "The user cancelled it, or a dialog was closed" },
    { -600, "app_not_running", RUN_FIRST },
    { -609, "app_not_running", "The application quit during the script. " RUN_FIRST },
    { -1700, "bad_argument", "A value has the wrong type. Check the arguments" },
    { -1703, "bad_argument", "A value has the wrong type. Check the arguments" },
    { -1708, "unsupported_command", "The application does not support this command here" },
    { -1712, "timeout",
      "The application did not respond; it may be showing a dialog. Look at the screen before "
      "trying again" },
    { -1713, "needs_user",
      "The application needs to ask the user something but is not allowed to" },
    { -1715, "unsupported_command", "A parameter of the command is missing" },
    { -1719, "not_found", "There is no object with this index" },
    { -1728, "not_found", "There is no such object, or the application has no such property" },
    { -1742, "blocked", "The sandbox of this program does not let it control that application" },
    { -1743, AUTOMATION, "Do not try again before that" },
    { -1744, "permission_prompt_needed",
      "macOS has not asked the user yet. Run it once while a user is at the screen, and answer the "
      "dialog: perigee doctor --ask does. If no dialog comes, it was denied: System Settings > "
      "Privacy & Security > Automation" },
    { -1750, "script_error", "" },
    { -1753, "script_error", "" },
    { -2700, "script_error", "" },
    { -2740, "script_invalid", "Correct the script at the position named" },
    { -2741, "script_invalid", "Correct the script at the position named" },
    { -2753, "script_invalid", "The script uses a variable that has no value" },
    { -10000, "event_failed", "The application could not do it in its current state" },
    { -10004, "blocked", "The application does not allow this from outside" },
    { -10005, "read_denied", "This property cannot be read" },
    { -10006, "read_only", "This property cannot be set" },
    { -10014, "bad_argument", "The command works on one object at a time" },
    { -10810, "app_launch_failed", "The application could not be opened. Open it by hand once" },
    { -10814, "app_not_found", "This application is not installed" },
    { -25204, "ax_error",
      "The application does not respond to accessibility; it may be busy. Try again" },
    { -25211, ACCESSIBILITY, "" },
    { -25212, "not_found", "The element has no such value" },
    { 1002, ACCESSIBILITY, "" },
};

static const struct meaning *find_meaning(int number, struct str message)
{
    static const struct meaning access = { -1719, ACCESSIBILITY, "" };
    static const struct meaning ax = { 0, "ax_error", "" }, syntax = { 0, "script_invalid", "" };
    static const struct meaning other = { 0, "script_error", "" };
    static const char assistive[] = "assistive access";

    if (number == -1719 && message.len >= sizeof assistive - 1)
        for (size_t i = 0; i + sizeof assistive - 1 <= message.len; i++)
            if (memcmp(message.ptr + i, assistive, sizeof assistive - 1) == 0)
                return &access;
    for (size_t i = 0; i < countof(meanings); i++)
        if (meanings[i].number == number)
            return &meanings[i];
    if (number <= -25200 && number >= -25214)
        return &ax;
    if (number <= -2701 && number >= -2799)
        return &syntax;
    return &other;
}

/* Finds "(-1728)" that ends at `end`, which points behind the ")". Returns where it starts. */
static const char *number_before(const char *start, const char *end, int *number)
{
    const char *at = end - 1; /* the ")" */
    long value = 0, unit = 1;

    while (at > start && at[-1] >= '0' && at[-1] <= '9' && end - at < 10) {
        value += (*--at - '0') * unit;
        unit *= 10;
    }
    if (unit == 1)
        return NULL;
    if (at > start && at[-1] == '-') {
        value = -value;
        at--;
    }
    if (at == start || at[-1] != '(')
        return NULL;
    *number = (int)value;
    return at - 1;
}

/* Finds the last number in parentheses; `message` is cut to the text before it. */
static int find_number(struct str *message)
{
    int number = 0;

    for (const char *end = message->ptr + message->len; end > message->ptr; end--) {
        const char *start = end[-1] == ')' ? number_before(message->ptr, end, &number) : NULL;

        if (start) {
            message->len = (size_t)(start - message->ptr);
            break;
        }
    }
    return number;
}

static struct str trim_text(struct str text)
{
    while (text.len > 0 && strchr(" \t\r\n.", text.ptr[text.len - 1]))
        text.len--;
    while (text.len > 0 && strchr(" \t\r\n", *text.ptr)) {
        text.ptr++;
        text.len--;
    }
    return text;
}

/* Removes the folders from "/a/b/x.applescript:7:25: execution error: ...". */
static struct str without_folders(struct str message)
{
    size_t colon = 0;

    while (colon < message.len && message.ptr[colon] != ':' && message.ptr[colon] != '\n')
        colon++;
    if (colon == message.len || message.ptr[colon] != ':')
        return message;
    for (size_t i = colon; i-- > 0;) {
        if (message.ptr[i] == '/') {
            message.ptr += i + 1;
            message.len -= i + 1;
            break;
        }
    }
    return message;
}

/* Cuts text to at most so many bytes, without a half UTF-8 sequence. */
static struct str cut_text(struct str text, size_t most)
{
    if (text.len <= most)
        return text;
    while (most > 0 && ((unsigned char)text.ptr[most] & 0xC0) == 0x80)
        most--;
    return (struct str){ text.ptr, most };
}

/* Explains a missing permission. The settings' pane and the responsible program are the part that
 * helps, so the message is cut instead. */
static void explain_denied(const struct meaning *meaning, struct str message, int number,
                           struct error *err)
{
    char *advice =
        identity_advice(strcmp(meaning->code, AUTOMATION) == 0 ? &identity_pane_automation
                                                               : &identity_pane_accessibility);

    message = cut_text(message, 110);
    error_set(err, meaning->code, "%.*s (%d). %s%s%s", (int)message.len, message.ptr, number,
              advice, *meaning->next ? ". " : "", meaning->next);
    free(advice);
}

int osascript_explain(struct str errors, struct error *err)
{
    struct str message = trim_text(errors);
    int number = message.len ? find_number(&message) : 0;
    const struct meaning *meaning = find_meaning(number, message);
    size_t room;

    message = without_folders(trim_text(message));
    if (message.len == 0)
        message = STR("osascript failed without a message");
    room = TEXT_MAX - strlen(meaning->next);
    message = cut_text(message, room < MESSAGE_MAX ? room : MESSAGE_MAX);
    if (strcmp(meaning->code, AUTOMATION) == 0 || strcmp(meaning->code, ACCESSIBILITY) == 0)
        explain_denied(meaning, message, number, err);
    else if (number)
        error_set(err, meaning->code, "%.*s (%d)%s%s", (int)message.len, message.ptr, number,
                  *meaning->next ? ". " : "", meaning->next);
    else
        error_set(err, meaning->code, "%.*s", (int)message.len, message.ptr);
    return number;
}
