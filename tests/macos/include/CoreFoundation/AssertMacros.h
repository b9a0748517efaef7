/* The names that AssertMacros.h of a Mac's SDK, which many of its headers include, defines as
 * macros where a program does not forbid those without underscores. A function of ours that is
 * called so would break only there: here, too. */
#ifndef CHECK_ASSERT_MACROS_H
#define CHECK_ASSERT_MACROS_H

#define PERIGEE_TAKEN_NAME               _Pragma("GCC error \"a macro of AssertMacros.h\"")
#define check(...)                       PERIGEE_TAKEN_NAME
#define check_noerr(...)                 PERIGEE_TAKEN_NAME
#define check_noerr_string(...)          PERIGEE_TAKEN_NAME
#define check_string(...)                PERIGEE_TAKEN_NAME
#define debug_string(...)                PERIGEE_TAKEN_NAME
#define ncheck(...)                      PERIGEE_TAKEN_NAME
#define ncheck_noerr(...)                PERIGEE_TAKEN_NAME
#define ncheck_noerr_string(...)         PERIGEE_TAKEN_NAME
#define ncheck_string(...)               PERIGEE_TAKEN_NAME
#define nrequire(...)                    PERIGEE_TAKEN_NAME
#define nrequire_action(...)             PERIGEE_TAKEN_NAME
#define nrequire_action_quiet(...)       PERIGEE_TAKEN_NAME
#define nrequire_action_string(...)      PERIGEE_TAKEN_NAME
#define nrequire_quiet(...)              PERIGEE_TAKEN_NAME
#define nrequire_string(...)             PERIGEE_TAKEN_NAME
#define nverify(...)                     PERIGEE_TAKEN_NAME
#define nverify_noerr(...)               PERIGEE_TAKEN_NAME
#define nverify_string(...)              PERIGEE_TAKEN_NAME
#define require(...)                     PERIGEE_TAKEN_NAME
#define require_action(...)              PERIGEE_TAKEN_NAME
#define require_action_quiet(...)        PERIGEE_TAKEN_NAME
#define require_action_string(...)       PERIGEE_TAKEN_NAME
#define require_noerr(...)               PERIGEE_TAKEN_NAME
#define require_noerr_action(...)        PERIGEE_TAKEN_NAME
#define require_noerr_action_quiet(...)  PERIGEE_TAKEN_NAME
#define require_noerr_action_string(...) PERIGEE_TAKEN_NAME
#define require_noerr_quiet(...)         PERIGEE_TAKEN_NAME
#define require_noerr_string(...)        PERIGEE_TAKEN_NAME
#define require_quiet(...)               PERIGEE_TAKEN_NAME
#define require_string(...)              PERIGEE_TAKEN_NAME
#define verify(...)                      PERIGEE_TAKEN_NAME
#define verify_action(...)               PERIGEE_TAKEN_NAME
#define verify_noerr(...)                PERIGEE_TAKEN_NAME
#define verify_noerr_action(...)         PERIGEE_TAKEN_NAME
#define verify_noerr_string(...)         PERIGEE_TAKEN_NAME
#define verify_string(...)               PERIGEE_TAKEN_NAME

#endif
