/* The chosen option of a combo box that does not report it: the value of a page's <select>. These
 * are steps of details_read(): the box's list, its selected option, and the option's name. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_CHOSEN_H
#define PERIGEE_PLATFORM_ATSPI_BUS_CHOSEN_H

#include "platform/atspi/bus/details.h"

size_t chosen_make_list(const struct detailed *item, DBusMessage **calls);
void chosen_take_list(struct detailed *item, DBusMessage **answers, size_t count);

size_t chosen_make_option(const struct detailed *item, DBusMessage **calls);
void chosen_take_option(struct detailed *item, DBusMessage **answers, size_t count);

size_t chosen_make_name(const struct detailed *item, DBusMessage **calls);
void chosen_take_name(struct detailed *item, DBusMessage **answers, size_t count);

#endif
