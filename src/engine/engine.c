/* One loop, one VM, one registry. */
#include "engine/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/audit.h"
#include "base/digest.h"
#include "base/log.h"
#include "base/log_feed.h"
#include "engine/console.h"
#include "engine/control.h"
#include "engine/modules.h"
#include "engine/services.h"
#include "files/file.h"
#include "files/paths.h"
#include "files/picture_file.h"
#include "guest/guest.h"
#include "platform/osascript/osa_helper.h"
#include "process/process.h"
#include "process/session_display.h"
#include "registry/call/call.h"
#include "registry/call/gate.h"
#include "registry/call/record.h"
#include "registry/foreign.h"
#include "registry/watcher.h"
#include "sys/gateway.h"
#include "sys/shared/desktop_service.h"
#include "sys/shared/tool_call.h"
#include "sys/sys.h"

/* After the first answers: a client asks for its lists within a few milliseconds. */
enum { SETTLE_MS = 20, REST_MS = 50, SERVICES_END_MS = 2000 };

struct engine {
    uv_loop_t loop;
    uv_timer_t settling;
    bool settled;        /* it fired */
    bool prepared;       /* for the first call */
    const char *command; /* to listen as, then; or NULL */
    struct vm *vm;
    struct registry *registry;
    struct gate *gate;
    struct audit *audit;
    struct watcher *watcher;
    struct gateway *gateway;
    struct gateway_options mounts;
    bool mounting;
    bool serves;   /* services run beside the calls, */
    bool services; /* ... and their manager was started */
    struct fs_grants grants;
    struct sys_scripts scripts;
    char *secrets; /* the folder */
    struct desktop_service *desktop;
    struct osa_helper *osa_helper;
    struct guests *guests;
    struct guests *python[PYTHON_KINDS];
    struct control *control; /* NULL: not asked for, or impossible; as the next */
    struct console *console;
    void (*changed)(void *arg, unsigned what); /* the owner's; as engine_options */
    void *arg;
    uint64_t started;
};

/* An absolute copy of a folder's path; NULL and err if it is none. */
static char *folder_path(const char *path, const char *what, struct error *err)
{
    char *real = realpath(path, NULL);
    struct stat st;

    if (!real) {
        error_errno(err, errno, "%s %s", what, path);
        return NULL;
    }
    if (stat(real, &st) != 0 || !S_ISDIR(st.st_mode)) {
        error_set(err, "not_a_folder", "%s %s is not a directory", what, path);
        free(real);
        return NULL;
    }
    return real;
}

/* A root may appear later (the watcher waits for it), so only its path is made absolute. */
static char *root_path(const char *path)
{
    char *real = realpath(path, NULL);
    char *cwd, *joined;

    if (real || *path == '/')
        return real ? real : mem_strdup(path);
    cwd = getcwd(NULL, 0);
    joined = path_join(cwd ? cwd : "/", path);
    free(cwd);
    return joined;
}

static void on_registry_changed(void *arg, unsigned what)
{
    struct engine *engine = arg;

    if (what & REGISTRY_FILES)
        services_reloaded(engine->registry);
    console_changed(engine->console, what);
    if (engine->changed)
        engine->changed(engine->arg, what);
}

/* The file that names servers and chooses tools. Without the user's folder only a given one. */
static char *config_path(const struct engine_options *options)
{
    struct error err;
    char *given, *path;

    if (!options->mount_config)
        return options->no_user_root ? NULL : gateway_config_path();
    given = path_expand_home(options->mount_config);
    path = path_absolute(given, &err);
    free(given);
    return path;
}

static bool make_registry(struct engine *engine, const struct engine_options *options,
                          struct error *err)
{
    size_t count = 0;
    char **roots = mem_zero((options->root_count + 2) * sizeof *roots);
    char *shipped = path_shipped_lua(), *cache = path_cache(), *audit;
    char *config = config_path(options);
    struct registry_options registry = { .toolsets =
                                             options->toolset_count ? options->toolsets : NULL,
                                         .toolset_count = options->toolset_count,
                                         .cache = cache,
                                         .config = config,
                                         .changed = on_registry_changed,
                                         .arg = engine };

    if (!shipped) {
        free(roots);
        free(cache);
        free(config);
        return error_set(err, "no_lua_files",
                         "the Lua files that come with perigee are not beside it. Reinstall it, or "
                         "set PERIGEE_LUA to their directory");
    }
    roots[count++] = shipped;
    if (!options->no_user_root)
        registry.packs = roots[count++] = path_user_home();
    for (size_t i = 0; i < options->root_count; i++)
        roots[count++] = root_path(options->roots[i]);
    registry.roots = (const char *const *)roots;
    registry.root_count = count;
    engine->registry = registry_new(engine->vm, &registry);
    engine->gate = gate_new(engine->registry);
    audit = audit_folder();
    engine->audit = audit_new(audit, NULL);
    free(audit);
    record_to(engine->audit, &engine->loop);
    vm_set_service(engine->vm, &sys_registry_key, engine->registry);
    while (count)
        free(roots[--count]);
    free(roots);
    free(cache);
    free(config);
    return true;
}

static char *find_script(void *arg, const char *name)
{
    struct engine *engine = arg;

    return registry_script(engine->registry, name);
}

static char *secrets_folder(void)
{
    char *state = path_state();
    char *folder = path_join(state, "secrets");

    free(state);
    return folder;
}

/* Lends services of the engine to bindings of the script layer. */
static void lend_services(struct engine *engine)
{
    engine->scripts = (struct sys_scripts){ find_script, engine };
    vm_set_service(engine->vm, &sys_guests_key, engine->guests);
    vm_set_service(engine->vm, &sys_python_key, engine->python);
    foreign_set_declare(sys_declare);
    vm_set_service(engine->vm, &sys_started_key, &engine->started);
    vm_set_service(engine->vm, &sys_grants_key, &engine->grants);
    vm_set_service(engine->vm, &sys_scripts_key, &engine->scripts);
    engine->secrets = secrets_folder();
    vm_set_service(engine->vm, &sys_secrets_key, engine->secrets);
    vm_set_service(engine->vm, &desktop_service_key, engine->desktop);
    vm_set_service(engine->vm, &sys_helper_key, engine->osa_helper);
}

static bool make_grants(struct engine *engine, const struct engine_options *options,
                        struct error *err)
{
    for (size_t i = 0; i < options->grant_count; i++) {
        char *path = folder_path(options->grants[i], "--grant", err);
        bool ok = path && fs_grants_add(&engine->grants, path, true, err);

        free(path);
        if (!ok)
            return false;
    }
    return true;
}

static bool mount_servers(struct engine *engine, struct error *err)
{
    if (engine->mounts.count == 0 || engine->gateway || engine->mounting)
        return true;
    session_display_adopt(); /* the servers get it */
    engine->mounting = true; /* it loads the files, if nobody has: on_loaded() */
    engine->gateway = gateway_start(engine->registry, &engine->mounts, err);
    engine->mounting = false;
    return engine->gateway != NULL;
}

/* The tool whose call logs. */
static const char *who_logs(void *arg)
{
    struct engine *engine = arg;
    struct call *call = engine->vm ? call_above(vm_running(engine->vm)) : NULL;

    return call ? call_name(call) : "";
}

/* Makes ready for the first call, and saves the catalog in pieces, between which others have their
 * turn. */
static void on_resting(uv_timer_t *timer)
{
    struct engine *engine = timer->data;
    struct error none;

    if (!engine->prepared && registry_loaded(engine->registry)) {
        gate_prepare(engine->gate);
        digest_ready(&none); /* each line of the audit log has one, and says what is wrong */
        engine->prepared = true;
        vm_tidy(engine->vm); /* the first call would have to collect what loading left */
    }
    if (registry_save_some(engine->registry))
        uv_timer_start(timer, on_resting, 1, 0);
}

/* Mounts first, so that the first list has the known items of the mounted servers as well. */
static void on_loaded(void *arg)
{
    struct engine *engine = arg;
    struct error err;

    if (!mount_servers(engine, &err) || (engine->gateway && gateway_failed(engine->gateway, &err)))
        log_error("no servers are mounted: %s", err.text);
    engine->prepared = false;
    if (engine->settled)
        uv_timer_start(&engine->settling, on_resting, REST_MS, 0);
}

/* Modules that need no display: they only compute, or are the engine's own. The policy requires
 * nothing else, so that the first call does not look at all processes of the system for one. */
static const char *const without_session[] = {
    "perigee",    "sys.crypto", "sys.db",      "sys.engine", "sys.json",  "sys.log",  "sys.mime",
    "sys.policy", "sys.regex",  "sys.secrets", "sys.state",  "sys.taint", "sys.task", "sys.text",
    "sys.time",   "sys.trace",  "sys.xml",     "tools",      NULL
};

static void find_session(struct vm *vm)
{
    (void)vm;
    session_display_adopt();
}

struct engine *engine_new(const struct engine_options *options, struct error *err)
{
    struct engine *engine = mem_zero(sizeof *engine);
    struct vm_limits limits = { .memory = options->memory };

    engine->started = uv_hrtime();
    engine->changed = options->changed;
    engine->arg = options->arg;
    engine->mounts = (struct gateway_options){ options->mounts, options->mount_count,
                                               options->mount_config, options->mount_servers };
    uv_loop_init(&engine->loop);
    uv_timer_init(&engine->loop, &engine->settling);
    uv_unref((uv_handle_t *)&engine->settling);
    engine->settling.data = engine;
    log_feed_start(&engine->loop, who_logs, engine);
    engine->vm = vm_new(&engine->loop, &limits, err);
    engine->desktop = desktop_service_new(&engine->loop);
    engine->osa_helper = osa_helper_new(&engine->loop);
    engine->guests = guests_new(&engine->loop, &guest_lua);
    python_guests_new(&engine->loop, engine->python);
    if (engine->vm)
        lend_services(engine);
    if (engine->vm && modules_register(engine->vm, err) &&
        vm_run(engine->vm, call_init, NULL, err) && make_registry(engine, options, err) &&
        make_grants(engine, options, err)) {
        vm_before(engine->vm, find_session, without_session);
        registry_on_loaded(engine->registry, on_loaded, engine);
        return engine;
    }
    engine_free(engine);
    return NULL;
}

bool engine_mount(struct engine *engine, struct error *err)
{
    return mount_servers(engine, err) && (!engine->gateway || gateway_wait(engine->gateway, err));
}

void engine_watch(struct engine *engine)
{
    vm_watch(engine->vm);
    registry_current(engine->registry); /* and on_loaded() */
    if (!engine->watcher)
        engine->watcher = watcher_new(&engine->loop, engine->registry);
}

void engine_listen(struct engine *engine, const char *command)
{
    struct error err;

    if (engine->control)
        return;
    vm_set_service(engine->vm, &sys_command_key, (void *)(uintptr_t)command);
    engine->control = control_new(&engine->loop, engine->desktop, command, &err);
    if (engine->control)
        engine->console = console_new(&engine->loop, engine->registry, &err);
    if (!engine->console)
        log_info("%s", err.text);
}

bool engine_start_services(struct engine *engine, struct error *err)
{
    if (!engine->services)
        engine->services = services_start(engine->registry, err);
    return engine->services;
}

void engine_end_services(struct engine *engine)
{
    if (engine->services)
        services_end(engine->registry, SERVICES_END_MS);
    engine->services = engine->serves = false;
}

void engine_serve_services(struct engine *engine)
{
    engine->serves = true;
}

static void settle_engine(struct engine *engine)
{
    struct error err;

    if (engine->command)
        engine_listen(engine, engine->command);
    if (engine->serves)
        registry_current(engine->registry); /* nobody has to ask before services run */
    if (registry_loaded(engine->registry)) {
        engine_watch(engine);
        sys_declare_end(); /* from now on files load in turns */
        if (engine->serves && !engine_start_services(engine, &err))
            log_error("no services run: %s", err.text);
    }
}

static void on_settled(uv_timer_t *timer)
{
    struct engine *engine = timer->data;

    engine->settled = true;
    settle_engine(engine);
    uv_timer_start(timer, on_resting, REST_MS, 0);
}

void engine_settle(struct engine *engine, const char *command)
{
    if (command)
        engine->command = command;
    if (registry_loaded(engine->registry))
        vm_watch(engine->vm);
    if (engine->settled)
        settle_engine(engine);
    else if (!uv_is_active((uv_handle_t *)&engine->settling))
        uv_timer_start(&engine->settling, on_settled, SETTLE_MS, 0);
}

static void report_handle(uv_handle_t *handle, void *arg)
{
    (void)arg;
    log_debug("a handle is still open: %s", uv_handle_type_name(uv_handle_get_type(handle)));
}

void engine_free(struct engine *engine)
{
    if (!engine)
        return;
    console_free(engine->console);
    engine->console = NULL;
    watcher_free(engine->watcher);
    gateway_stop(engine->gateway);
    gate_free(engine->gate);
    registry_end(engine->registry);
    vm_end(engine->vm);
    record_to(NULL, NULL);
    audit_free(engine->audit);
    gateway_free(engine->gateway);
    control_free(engine->control);
    uv_close((uv_handle_t *)&engine->settling, NULL);
    desktop_service_free(engine->desktop);
    osa_helper_free(engine->osa_helper);
    guests_free(engine->guests);
    for (int i = 0; i < PYTHON_KINDS; i++)
        guests_free(engine->python[i]);
    sys_declare_end();
    log_feed_stop();
    processes_kill_all();
    uv_run(&engine->loop, UV_RUN_DEFAULT);
    if (uv_loop_close(&engine->loop) != 0)
        uv_walk(&engine->loop, report_handle, NULL);
    fs_grants_free(&engine->grants);
    free(engine->secrets);
    free(engine);
}

uv_loop_t *engine_loop(struct engine *engine)
{
    return &engine->loop;
}

struct vm *engine_vm(struct engine *engine)
{
    return engine->vm;
}

struct registry *engine_registry(struct engine *engine)
{
    return engine->registry;
}

struct fs_grants *engine_grants(struct engine *engine)
{
    return &engine->grants;
}
