/* Windows that scripts show to the user: the lines of `perigee --ui`, for every toolkit.
 *
 * A process shows one window, for lua/lib/ui/window.lua, which decides what keys and text mean. The
 * first line on stdin describes it. A list then gets rows and the row that is selected:
 *
 *     {"kind":"choose","title":"…","hint":"…","tall":true}
 *     {"kind":"ask","title":"…","text":"…","hint":"…","field":true,"value":"…","secret":true,
 *      "buttons":["…"]}
 *     {"kind":"alert","text":"…","seconds":1.5,"place":0}
 *     {"rows":[["text","below",7],…],"select":0}   an empty "below": one line
 *     {"select":3}
 *
 * Lines from it: {"what":"shown"} once, {"what":"typed","text":"…"}, {"what":"moved","n":-1},
 * {"what":"entered"}, {"what":"selected","n":7}, {"what":"clicked","n":7},
 * {"what":"answered","n":1,"text":"…"} and
 * {"what":"closed"}. The window goes at the end of stdin; an alert also goes by itself, and stays
 * without the engine. */
#ifndef PERIGEE_PLATFORM_UI_H
#define PERIGEE_PLATFORM_UI_H

#include "json/document.h"

/* Nodes are borrowed: a window's for ever, rows until the next rows. */
struct ui_toolkit {
    void (*open)(void *arg, const cJSON *window);
    void (*rows)(void *arg, const cJSON *const *rows, int count); /* each is an array of three */
    void (*select)(void *arg, int row);
    void *arg;
};

struct ui {
    const struct ui_toolkit *toolkit;
    struct json_doc *window, *latest;
    const cJSON **rows;
};

/* Takes a line of the engine, which it changes. */
void ui_line(struct ui *ui, char *line);
void ui_finish(struct ui *ui);

/* A member's text; "" if there is none. */
const char *ui_text(const cJSON *object, const char *key);

/* The number of a row for "clicked". */
int64_t ui_row_id(const cJSON *row);

/* Writes a line. */
void ui_say(const char *what, int64_t n, const char *text);

#endif
