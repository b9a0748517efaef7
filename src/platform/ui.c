/* The part of `perigee --ui` that is the same with every toolkit. */
#include "platform/ui.h"

#include <stdlib.h>
#include <unistd.h>

#include "json/writer.h"

static void show_rows(struct ui *ui, const cJSON *list)
{
    const cJSON **rows = mem_zero(((size_t)cJSON_GetArraySize(list) + 1) * sizeof *rows), *row;
    int count = 0;

    cJSON_ArrayForEach (row, list) {
        if (cJSON_GetArraySize(row) == 3 && cJSON_IsString(row->child) &&
            cJSON_IsString(row->child->next))
            rows[count++] = row;
    }
    ui->toolkit->rows(ui->toolkit->arg, rows, count);
    free(ui->rows);
    ui->rows = rows;
}

void ui_line(struct ui *ui, char *line)
{
    struct error err;
    struct json_doc *doc = json_parse(line, strlen(line), NULL, &err), *old = ui->latest;
    const cJSON *root = doc ? json_root(doc) : NULL;
    int64_t row;

    if (doc && !ui->window) {
        ui->window = doc;
        ui->toolkit->open(ui->toolkit->arg, root);
        return;
    }
    if (json_get(root, "rows")) {
        show_rows(ui, json_get(root, "rows"));
        ui->latest = doc;
    }
    if (json_integer(json_get(root, "select"), &row))
        ui->toolkit->select(ui->toolkit->arg, (int)row);
    json_doc_free(ui->latest == doc ? old : doc);
}

void ui_finish(struct ui *ui)
{
    json_doc_free(ui->window);
    json_doc_free(ui->latest);
    free(ui->rows);
}

const char *ui_text(const cJSON *object, const char *key)
{
    const cJSON *node = json_get(object, key);

    return cJSON_IsString(node) ? node->valuestring : "";
}

int64_t ui_row_id(const cJSON *row)
{
    int64_t id = 0;

    json_integer(row->child->next->next, &id);
    return id;
}

void ui_say(const char *what, int64_t n, const char *text)
{
    struct buf line = { 0 };

    buf_addf(&line, "{\"what\":\"%s\",\"n\":%lld,\"text\":", what, (long long)n);
    json_write_string(&line, text, strlen(text));
    buf_lit(&line, "}\n");
    if (write(STDOUT_FILENO, line.data, line.len) < 0) {
        /* The engine is gone: stdin has ended as well. */
    }
    buf_free(&line);
}
