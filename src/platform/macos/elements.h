/* Elements: what is needed beside macos_element_ops. */
#ifndef PERIGEE_PLATFORM_MACOS_ELEMENTS_H
#define PERIGEE_PLATFORM_MACOS_ELEMENTS_H

#include "platform/macos/macos.h"

/* Of a connection that ends. */
void macos_elements_free(struct macos_desktop *desktop);

/* For tests: forgets every element and listens to nobody any more: nothing of Core Foundation is
 * held then. While nothing else runs. */
void macos_elements_end(void);

#endif
