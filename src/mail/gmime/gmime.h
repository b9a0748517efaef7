/* The inside of the module `gmime`. */
#ifndef PERIGEE_MAIL_GMIME_GMIME_H
#define PERIGEE_MAIL_GMIME_GMIME_H

#include <gmime/gmime.h>

#include "mail/message.h"

/* Once, before anything else of the library. From any thread. */
void gmime_ready(void);

bool gmime_build(const struct mail_message *message, struct buf *out, struct error *err);
bool gmime_read(struct str bytes, const struct mail_read_options *options,
                struct mail_message *message, struct error *err);

/* The value of a header line, folded: as it is where that is safe, otherwise as encoded words. The
 * library's own function encodes only the words that need it, and blanks beside these are lost.
 * The caller frees it. */
char *words_encoded(const char *text);

/* The value of a header line, unfolded, so that the library can decode it: GMime 3.2 joins the
 * base64 of adjacent words before it decodes, and what follows padding is lost. Such words become
 * quoted-printable. The caller frees it. */
char *words_mended(const char *raw);

extern const struct mime_codec perigee_mime;

#endif
