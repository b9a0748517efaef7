/* AT-SPI's roles and states in our words (docs/elements.md has the table). */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_ROLES_H
#define PERIGEE_PLATFORM_ATSPI_BUS_ROLES_H

#include "platform/element.h"

/* Bits of an object's states, two words of 32 as one (atspi-constants.h, AtspiStateType). */
enum atspi_state {
    STATE_ACTIVE = 1,
    STATE_BUSY = 3,
    STATE_CHECKED = 4,
    STATE_DEFUNCT = 6,
    STATE_EDITABLE = 7,
    STATE_ENABLED = 8,
    STATE_EXPANDABLE = 9,
    STATE_EXPANDED = 10,
    STATE_FOCUSABLE = 11,
    STATE_FOCUSED = 12,
    STATE_MODAL = 16,
    STATE_MULTI_LINE = 17,
    STATE_PRESSED = 20,
    STATE_SELECTABLE = 22,
    STATE_SELECTED = 23,
    STATE_SENSITIVE = 24,
    STATE_SHOWING = 25,
    STATE_VISIBLE = 30,
    STATE_MANAGES_DESCENDANTS = 31,
    STATE_INDETERMINATE = 32,
    STATE_REQUIRED = 33,
    STATE_INVALID_ENTRY = 36,
    STATE_IS_DEFAULT = 39,
    STATE_CHECKABLE = 41,
    STATE_HAS_POPUP = 42,
    STATE_READ_ONLY = 43,
};

#define HAS_STATE(states, state) (((states) >> (state)&1) != 0)

/* The role in our words. *native is its AT-SPI name: "push button". */
enum element_role roles_of(uint32_t role, uint64_t states, const char **native);
unsigned roles_states(uint64_t states);

/* The abilities of these interfaces; called for each of them: "org.a11y.atspi.Action". */
unsigned roles_ability(const char *interface);

#endif
