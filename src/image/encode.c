/* The way to the encoders, which link libraries that most runs never need. */
#include "image/encode.h"

#include <strings.h>

#include "base/module.h"

const struct image_encoder *encoder_get(struct error *err)
{
    return module_symbol("encoders", "perigee_image", err);
}

bool image_encode(const struct image_encoder *encoder, const struct image *image,
                  enum image_format format, int quality, struct buf *out, struct error *err)
{
    if (format == IMAGE_JPEG)
        return encoder->jpeg(image, quality, out, err);
    return encoder->png(image, out, err);
}

const char *image_mime(enum image_format format)
{
    return format == IMAGE_JPEG ? "image/jpeg" : "image/png";
}

bool image_format_named(const char *name, enum image_format *format)
{
    if (strcasecmp(name, "png") == 0)
        *format = IMAGE_PNG;
    else if (strcasecmp(name, "jpg") == 0 || strcasecmp(name, "jpeg") == 0)
        *format = IMAGE_JPEG;
    else
        return false;
    return true;
}
