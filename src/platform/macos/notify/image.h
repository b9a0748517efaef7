/* The image of a notification, as a file that macOS may take away. */
#ifndef PERIGEE_PLATFORM_MACOS_NOTIFY_IMAGE_H
#define PERIGEE_PLATFORM_MACOS_NOTIFY_IMAGE_H

/* A copy of a PNG, JPEG or GIF file of at most 10 MB, named so that macOS knows its type. NULL: it
 * is not such a file, or cannot be read or copied. notify_image_end() frees. */
char *notify_image_copy(const char *path);

/* Frees the path, and removes the file if it is still there. NULL is fine. */
void notify_image_end(char *path);

#endif
