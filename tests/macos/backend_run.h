/* The parts that cases of the macOS backend on the simulation share: the stage, and its input. */
#ifndef PERIGEE_TESTS_MACOS_BACKEND_RUN_H
#define PERIGEE_TESTS_MACOS_BACKEND_RUN_H

#include "platform_run.h"

static const struct rect place = { 100, 120, 400, 300 };

static inline bool send(struct input input)
{
    struct input_outcome out;

    return stage.ops->input->send(stage.desktop, stage_deadline(), &input, &out, &stage.err);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, stage_start, stage_end)

#endif
