/* The kernel does not make a forbidden call and sends SIGSYS instead (SECCOMP_RET_TRAP in
 * seccomp(2)). Its handler never returns, and nothing in a guest can replace it: that would be
 * another forbidden call. A forbidden call during the handler ends the process, because SIGSYS is
 * blocked then. */
#include "guest/child/forbidden.h"

#ifdef __linux__
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest/child/process.h"

static struct buf report; /* it has room for a frame: a handler may not allocate */

/* Reports the call, unless a frame is half sent: the report would be read as its rest. */
static void on_forbidden(int signo, siginfo_t *info, void *context)
{
    (void)signo;
    (void)context;
    if (!guest_process.channel.sending) {
        report.len = 0;
        frame_end(&report, frame_begin(&report, FRAME_FORBIDDEN, (uint32_t)info->si_syscall));
        if (write(guest_process.channel.fd, report.data, report.len) < 0)
            _exit(EXIT_FAILURE);
    }
    syscall(SYS_tgkill, 0, 0, 0); /* this call is forbidden, too, so the status is that of SIGSYS */
    _exit(EXIT_FAILURE);
}

void forbidden_watch(void)
{
    struct sigaction action = { .sa_sigaction = on_forbidden, .sa_flags = SA_SIGINFO };

    buf_reserve(&report, FRAME_HEAD);
    sigemptyset(&action.sa_mask);
    sigaction(SIGSYS, &action, NULL);
}
#else
void forbidden_watch(void)
{
}
#endif
