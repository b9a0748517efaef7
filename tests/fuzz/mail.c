/* Mail messages of others. A message that was read, written and read again is the same. */
#include "fuzz.h"

#include <stdlib.h>

#include "json/utf8.h"
#include "mail/message.h"

static struct str text_of(const struct buf *buf)
{
    return (struct str){ buf->len ? buf->data : "", buf->len };
}

static void check_text(const struct buf *text)
{
    MUST(utf8_valid(text_of(text).ptr, text->len, NULL));
}

static void check_again(const struct mime_codec *codec, struct mail_message *message)
{
    struct mail_read_options options = { .with_bytes = true };
    struct mail_message again = { 0 };
    struct buf bytes = { 0 };
    struct error err;

    message->has_text = true;
    if (!mail_message_check(message, &err)) {
        MUST(err.code[0] && err.text[0]);
        return;
    }
    MUST(codec->build(message, &bytes, &err));
    MUST(codec->read(buf_str(&bytes), &options, &again, &err));
    MUST(str_same(text_of(&again.text), text_of(&message->text)));
    MUST(str_same(text_of(&again.html), text_of(&message->html)));
    MUST(strcmp(again.subject, message->subject ? message->subject : "") == 0);
    MUST(again.to.count == message->to.count && again.cc.count == message->cc.count);
    MUST(again.file_count == message->file_count);
    for (size_t i = 0; i < again.file_count; i++)
        MUST(str_same(text_of(&again.files[i].bytes), text_of(&message->files[i].bytes)));
    mail_message_free(&again);
    buf_free(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct mime_codec *codec;
    struct mail_read_options options = { .with_bytes = true };
    struct mail_message message = { 0 };
    char *copy = fuzz_copy(data, size);
    struct error err;

    if (!codec)
        codec = mime_codec_get(&err);
    if (codec && codec->read((struct str){ copy, size }, &options, &message, &err)) {
        check_text(&message.text);
        check_text(&message.html);
        if (message.from.count <= 1)
            check_again(codec, &message);
    }
    mail_message_free(&message);
    free(copy);
    return 0;
}
