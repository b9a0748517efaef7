/* Files of images: their heads, and decoding and scaling of those that have one. The first byte
 * chooses the options. */
#include "fuzz.h"

#include "image/fit.h"

enum { PIXELS_TRIED = 1 << 20 }; /* more would only be slow */

static const struct image_decoder *decoder;
static const struct image_encoder *encoder;

static void open_modules(void)
{
    if (!decoder)
        decoder = decoder_get(NULL);
    if (!encoder)
        encoder = encoder_get(NULL);
    MUST(decoder && encoder);
}

static void check_fit(struct str bytes, const struct picture_head *head,
                      const struct fit_wanted *wanted)
{
    struct error err = { 0 };
    struct fitted out;

    if (!fit_picture(decoder, encoder, bytes, head, wanted, &out, &err)) {
        MUST(*err.text && !out.bytes.len);
        return;
    }
    MUST(out.head.width >= 1 && out.head.height >= 1 && out.factor > 0 && out.factor <= 1);
    MUST(wanted->kinds[out.head.kind] && out.bytes.len > 0);
    MUST(!wanted->most || out.bytes.len <= wanted->most);
    MUST(!wanted->longest || out.head.width <= wanted->longest || out.factor == 1);
    buf_free(&out.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned choice = size ? data[0] : 0;
    struct fit_wanted wanted = { .longest = choice & 1 ? 16 : 0,
                                 .most = choice & 2 ? 4000 : 0,
                                 .kinds = { true, (choice & 4) != 0, false } };
    char *copy = size ? fuzz_copy(data + 1, size - 1) : fuzz_copy(data, 0);
    struct str bytes = { copy, size ? size - 1 : 0 };
    struct picture_head head;
    struct error err = { 0 };

    open_modules();
    if (!picture_head_read(bytes, &head, &err)) {
        MUST(*err.code && *err.text);
    } else {
        MUST(head.width >= 1 && head.height >= 1);
        MUST((uint64_t)head.width * (uint64_t)head.height <= PICTURE_PIXELS_MAX);
        if ((int64_t)head.width * head.height <= PIXELS_TRIED)
            check_fit(bytes, &head, &wanted);
    }
    free(copy);
    return 0;
}
