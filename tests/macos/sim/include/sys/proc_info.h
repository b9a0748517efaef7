/* Own declarations of what Perigee reads of xnu's sys/proc_info.h. */
#ifndef SIM_PROC_INFO_H
#define SIM_PROC_INFO_H

#include <stdint.h>

enum { PROC_PIDTBSDINFO = 3, PROC_PIDPATHINFO_MAXSIZE = 4096 };

struct proc_bsdinfo {
    uint32_t pbi_status;
    uint64_t pbi_start_tvsec, pbi_start_tvusec;
};

#endif
