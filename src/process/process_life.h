/* The functions of a process's life (process.c) that its beginning (process_start.c) needs. */
#ifndef PERIGEE_PROCESS_PROCESS_LIFE_H
#define PERIGEE_PROCESS_PROCESS_LIFE_H

#include "process/process_struct.h"

/* Counts a handle that was just initialized; process_on_closed() takes it back. */
void process_adopt(struct process *process, uv_handle_t *handle);
void process_on_closed(uv_handle_t *handle);

void process_close_all_but_child(struct process *process);
void process_read_outputs(struct process *process);
void process_limit_time(struct process *process, uint64_t ms);
void process_on_exit(uv_process_t *handle, int64_t status, int signo);

#endif
