/* May memory be left to the system, which takes it back at once when the process ends? Not where a
 * sanitizer tells of it. */
#ifndef PERIGEE_BASE_LEAVE_H
#define PERIGEE_BASE_LEAVE_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LEAKS_ARE_TOLD 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define LEAKS_ARE_TOLD 1
#endif

#ifdef LEAKS_ARE_TOLD
enum { LEAVE_MEMORY = 0 };
#else
enum { LEAVE_MEMORY = 1 };
#endif

#endif
