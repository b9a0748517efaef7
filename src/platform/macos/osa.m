/* AppleScript by OSAKit, for `perigee --osa-helper` (platform/osascript/osa_server.h).
 *
 * A script is kept as its compiled data and opened for each run, so that its properties begin as
 * they were written, as with osascript. OSAKit works on the main thread, whose run loop turns all
 * the time; stdin is read on another. */
#import <OSAKit/OSAKit.h>

#include <dispatch/dispatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/helper_program.h"
#include "platform/osascript/osa_server.h"

static NSString *string_of(const char *ptr, size_t len)
{
    return [[NSString alloc] initWithBytes:ptr length:len encoding:NSUTF8StringEncoding];
}

static void explain_failure(NSDictionary<NSString *, id> *info, struct osa_failure *failure)
{
    NSNumber *number = info[OSAScriptErrorNumberKey];
    NSString *message = info[OSAScriptErrorMessageKey];
    NSValue *range = info[OSAScriptErrorRangeKey];
    const char *text = message ? [message UTF8String] : NULL;

    *failure = (struct osa_failure){ .number = number ? number.intValue : 0,
                                     .message = text ? mem_strdup(text) : NULL };
    if (range) {
        failure->from = (int)range.rangeValue.location;
        failure->length = (int)range.rangeValue.length;
    }
}

static void *compile_script(struct str text, struct osa_failure *failure)
{
    @autoreleasepool {
        OSAScript *script =
            [[OSAScript alloc] initWithSource:string_of(text.ptr, text.len)
                                     language:[OSALanguage languageForName:@"AppleScript"]];
        NSDictionary<NSString *, id> *info = nil;
        NSData *data = nil;

        if ([script compileAndReturnError:&info])
            data = [script compiledDataForType:OSAStorageScriptType
                           usingStorageOptions:OSANull
                                         error:&info];
        if (!data)
            explain_failure(info, failure);
        return (__bridge_retained void *)data;
    }
}

static void end_script(void *script)
{
    CFRelease(script);
}

/* Formats a result as osascript prints it: text as it is, the items of a list with commas between
 * them. */
static NSString *shown_result(OSAScript *script, NSAppleEventDescriptor *value)
{
    enum { AE_NULL = 0x6e756c6c /* 'null' */, AE_MISSING = 0x6d736e67 /* 'msng' */ };
    enum { AE_LIST = 0x6c697374 /* 'list' */, AE_TYPE = 0x74797065 /* 'type' */ };
    NSMutableArray<NSString *> *items;
    NSString *text;

    if (!value || value.descriptorType == AE_NULL)
        return @"";
    if (value.descriptorType == AE_TYPE && value.typeCodeValue == AE_MISSING)
        return @"missing value";
    if (value.descriptorType == AE_LIST) {
        items = [NSMutableArray array];
        for (NSInteger i = 1; i <= value.numberOfItems; i++)
            [items addObject:shown_result(script, [value descriptorAtIndex:i])];
        return [items componentsJoinedByString:@", "];
    }
    text = value.stringValue;
    return text ? text : [script richTextFromDescriptor:value].string;
}

/* The event that osascript sends as well: `run` is the handler of the event "open application",
 * whose direct object `on run argv` gets. */
static NSAppleEventDescriptor *event_with(char *const *args)
{
    enum { CORE = 0x61657674 /* 'aevt' */, OPEN = 0x6f617070 /* 'oapp' */ };
    enum { DIRECT = 0x2d2d2d2d /* '----' */, AUTO_ID = -1, ANY_TRANSACTION = 0 };
    NSAppleEventDescriptor *list = [NSAppleEventDescriptor listDescriptor];
    NSAppleEventDescriptor *event = [NSAppleEventDescriptor
        appleEventWithEventClass:CORE
                         eventID:OPEN
                targetDescriptor:[NSAppleEventDescriptor currentProcessDescriptor]
                        returnID:AUTO_ID
                   transactionID:ANY_TRANSACTION];

    for (char *const *word = args; *word; word++) {
        NSString *string = string_of(*word, strlen(*word));

        [list insertDescriptor:[NSAppleEventDescriptor descriptorWithString:string] atIndex:0];
    }
    [event setParamDescriptor:list forKeyword:DIRECT];
    return event;
}

static bool run_script(void *compiled, char *const *args, struct buf *output,
                       struct osa_failure *failure)
{
    @autoreleasepool {
        NSDictionary<NSString *, id> *info = nil;
        NSAppleEventDescriptor *value;
        NSError *error = nil;
        OSAScript *script = [[OSAScript alloc] initWithCompiledData:(__bridge NSData *)compiled
                                                            fromURL:nil
                                                usingStorageOptions:OSANull
                                                              error:&error];
        const char *text;

        if (!script) {
            text = [error.localizedDescription UTF8String];
            *failure = (struct osa_failure){ .number = (int)error.code,
                                             .message = mem_strdup(text ? text : "") };
            return false;
        }
        value = [script executeAppleEvent:event_with(args) error:&info];
        if (!value) {
            explain_failure(info, failure);
            return false;
        }
        text = [shown_result(script, value) UTF8String];
        buf_adds(output, text ? text : "");
        return true;
    }
}

static void write_buffer(struct buf *out)
{
    for (size_t at = 0; at < out->len;) {
        ssize_t count = write(STDOUT_FILENO, out->data + at, out->len - at);

        if (count <= 0)
            exit(1); /* the engine is gone */
        at += (size_t)count;
    }
    buf_free(out);
}

static void serve_line(struct osa_server *server, char *line, size_t len)
{
    struct buf out = { 0 };

    if (!osa_server_line(server, line, len, &out)) {
        fputs("perigee: this is not a request to run a script\n", stderr);
        exit(1);
    }
    write_buffer(&out);
    free(line);
}

/* Reads lines on a thread of its own. Scripts are served one after the other, by the main
 * thread. */
static void read_lines(struct osa_server *server)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t len;

    while ((len = getline(&line, &room, stdin)) > 0 && len <= OSA_REQUEST_MAX) {
        char *mine = line;

        dispatch_async(dispatch_get_main_queue(), ^{
          serve_line(server, mine, (size_t)len);
        });
        line = NULL;
        room = 0;
    }
    free(line);
    dispatch_async(dispatch_get_main_queue(), ^{
      exit(0);
    });
}

static int serve_osa(void)
{
    static const struct osa_engine engine = { compile_script, run_script, end_script };
    struct osa_server *server = osa_server_new(&engine);
    struct buf hello = { 0 };

    osa_server_greet(&hello);
    write_buffer(&hello);
    dispatch_async(dispatch_get_global_queue(0, 0), ^{
      read_lines(server);
    });
    CFRunLoopRun();
    return 0;
}

extern const struct helper_program perigee_osa;
const struct helper_program perigee_osa = { serve_osa };
