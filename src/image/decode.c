/* The way to the decoder, which links libraries that most runs never need. */
#include "image/decode.h"

#include "base/module.h"

const struct image_decoder *decoder_get(struct error *err)
{
    return module_symbol("leptonica", "perigee_decoder", err);
}
