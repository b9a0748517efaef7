/* A head is judged the same whatever follows it, and a part of one is never wrong if the whole is
 * right, nor right if the whole is wrong. */
#include "fuzz.h"

#include "http/request_head.h"

static const struct request_limits limits = { 256, 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum request_head last = REQUEST_HEAD_PART;
    struct request_fault fault = { 0 };

    for (size_t len = 0; len <= size; len++) {
        /* a copy, so that a sanitizer sees a byte too far */
        char *copy = fuzz_copy(data, len);
        enum request_head now = request_head_judge((struct str){ copy, len }, &limits, &fault);

        free(copy);
        MUST(last == REQUEST_HEAD_PART || now == last);
        MUST(now != REQUEST_HEAD_WRONG || (fault.text && fault.status >= 400));
        MUST(now != REQUEST_HEAD_PART || len <= limits.bytes);
        last = now;
    }
    return 0;
}
