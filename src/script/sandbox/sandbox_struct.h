/* The parts of a sandbox, for sandbox.c and record.c. */
#ifndef PERIGEE_SCRIPT_SANDBOX_SANDBOX_STRUCT_H
#define PERIGEE_SCRIPT_SANDBOX_SANDBOX_STRUCT_H

#include "script/sandbox/sandbox.h"

struct sandbox {
    struct vm *vm;
    struct sandbox_spec spec;
    void *stand_in_arg;
    /* registry refs, by "HOME:NAME": modules (while one is loaded: its task, as light userdata),
     * and errors ({error} if it is not tried again) */
    int loaded, failed;
    int pure; /* registry ref: { ["HOME:NAME"] = true }, modules that were watched: see purity.h */
    int records; /* registry ref: by "HOME:NAME" and "file HOME:LABEL", the lib modules that each of
                    the user's required: { [NAME] = value, or false where that failed } */
    bool remembers, for_good;
    int env;   /* registry ref: the shared globals of one_env, or LUA_NOREF */
    int guard; /* registry ref: { sandbox } as light userdata, emptied when freed */
};

#endif
