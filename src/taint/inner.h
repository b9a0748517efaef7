/* Hosts within the name of another one. */
#ifndef PERIGEE_TAINT_INNER_H
#define PERIGEE_TAINT_INNER_H

#include "base/buf.h"

/* Calls fn(context, inner) for each host that the labels of another one spell: some resolve to the
 * address in their name, or fetch pages from the host in it ("93-184-216-34.nip.example",
 * "5db8d822.nip.example", "evil-example.translate.example"). Not for names of few labels. */
void taint_inner_hosts(struct str host, void (*fn)(void *context, struct str inner), void *context);

#endif
