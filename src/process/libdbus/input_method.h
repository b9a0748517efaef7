/* The input methods, which make other text of keys: IBus and Fcitx. */
#ifndef PERIGEE_PROCESS_LIBDBUS_INPUT_METHOD_H
#define PERIGEE_PROCESS_LIBDBUS_INPUT_METHOD_H

#include <stddef.h>

/* As bus_input_method(). */
void bus_find_method(char *name, size_t size);

#endif
