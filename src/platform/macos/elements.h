/* Elements: what tests need beside macos_element_ops. */
#ifndef PERIGEE_PLATFORM_MACOS_ELEMENTS_H
#define PERIGEE_PLATFORM_MACOS_ELEMENTS_H

/* Forgets every element and listens to nobody any more: nothing of Core Foundation is held then.
 * While nothing else runs. */
void macos_elements_end(void);

#endif
