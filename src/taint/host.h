/* The name of a host in one spelling, for rules, approvals and marks alike: hosts are written with
 * capital and full-width letters, in punycode, with the dots of other scripts, as numbers. */
#ifndef PERIGEE_TAINT_HOST_H
#define PERIGEE_TAINT_HOST_H

#include "base/buf.h"

enum { HOST_MAX = 1024 /* bytes of a spelling that is looked at */ };

enum host_reading {
    HOST_NONE, /* it names no host */
    HOST_ODD, /* it does, but programs may read it as another one: 0x7f.1, ::ffff:1.2.3.4, a%2e.b */
    HOST_PLAIN, /* all programs read it alike */
};

/* Appends the one spelling of a host without user and port: ASCII, small letters, without a final
 * dot, an IPv6 address in the form of RFC 5952 without brackets, an IPv4 address that is mapped
 * into one, or written as a number, as four numbers, this machine as localhost. */
enum host_reading host_spell(struct buf *out, struct str text);

/* Sets what makes ASCII of a name beyond it (IDNA 2008, UTS 46). It appends the name, or returns
 * false. NULL: such a name keeps its letters, and is odd. */
void host_use_idn(bool (*to_ascii)(struct buf *out, struct str name));

enum host_use {
    HOST_BARE, /* a word that looks like a name with a domain */
    HOST_MAIL, /* a mail address */
    HOST_SURE, /* a URL, or what a program may take for one: user@host:path, host/path */
};

/* Calls fn(context, host, use) for each host that the text names, in one spelling. False: more than
 * HOSTS_IDN names beyond ASCII are in it, and the others were left out. */
enum { HOSTS_IDN = 5000 };
bool taint_hosts(struct str text, void (*fn)(void *context, struct str host, enum host_use use),
                 void *context);

/* True for a word that names a host by itself, wherever it is: it is long enough, and not the usual
 * name of a file. */
bool host_stands(struct str host);

/* The domain that the host is in; empty: there is none, or it is the last. */
struct str host_parent(struct str host);

/* Appends the lines by which kept text has a host; no other text has such lines. */
void taint_host_marks(struct buf *out, struct str host, enum host_use use);

/* Appends one of them. `strong`: that of hosts which do not merely look like ones, and are not
 * those of mail addresses, as many people share theirs. */
void taint_host_mark(struct buf *out, struct str host, bool strong);

#endif
